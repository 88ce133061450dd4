import CastProtocol
import CastSender
import CastqFeeding
import CastqStore
import Logging

/// The sessions of one runner. Their events and the outcomes of requests go to its inbox.
struct FeedSessions {
  private struct Entry {
    let session: Session
    /// Counts its unhandled events. The inbox is unbounded, because commands must not be lost; this bounds what a device can
    /// add to it.
    let backlog: InboxLimit
    let volumeSteps = VolumeSteps()
  }

  /// Maximum number of unhandled events, as in a lossless subscription to a session.
  private static let backlogLimit = 4096

  private let device: KnownDevice
  private let settings: DeviceSettings
  private let inbox: RunnerInbox
  private let time: TimeSource
  private let logger: Logger
  private var entries: [SessionNumber: Entry] = [:]
  /// The session that was opened last; nil before the first one.
  private var newest: SessionNumber?
  /// Whom the newest session is connected with.
  private var peer: SessionConnection?

  init(
    _ device: KnownDevice, _ settings: DeviceSettings, _ inbox: RunnerInbox, _ time: TimeSource,
    _ logger: Logger
  ) {
    self.device = device
    self.settings = settings
    self.inbox = inbox
    self.time = time
    self.logger = logger
  }

  /// A session that has not ended and is not ending, and to which something may be sent.
  subscript(number: SessionNumber) -> Session? { isForbidden ? nil : entries[number]?.session }

  /// Performs live commands over a session; nil where nothing may be sent.
  func control(_ number: SessionNumber) -> SessionControl? {
    guard !isForbidden, let entry = entries[number] else { return nil }
    return SessionControl(entry.session, steps: entry.volumeSteps)
  }

  /// The latest time up to this one at which the device was certainly reachable over the newest session; nil
  /// when it was not yet, or when that session is over.
  func seenUntil(at now: Tick) -> Tick? { newest.flatMap { entries[$0]?.session.seenUntil(at: now) } }

  /// Removes a handled event from the backlog.
  /// - Returns: the session; nil when it is no longer in use.
  mutating func receive(_ event: StampedSessionEvent, from number: SessionNumber) -> Session? {
    let entry = entries[number]
    entry?.backlog.release()
    if event.isLast { entries[number] = nil }
    return entry?.session
  }

  /// Says at which IP address a session is connected, when its connection is a new one.
  /// - Returns: what is answered to that; false for the present one.
  mutating func follow(_ session: Session, _ tell: (String) -> Bool) -> Bool {
    guard let connection = session.peer, connection != peer else { return false }
    peer = connection
    return tell(connection.host)
  }

  /// Whether another box may feed the device by now: nothing is sent any more, and the end of the run is on its way.
  private var isForbidden: Bool { settings.lease?.isOver == true }

  mutating func open(
    _ number: SessionNumber, _ application: FeedApplication, at place: Device,
    in group: inout DiscardingTaskGroup
  ) {
    guard !isForbidden else { return }
    var options = settings.sessionOptions(for: application)
    do throws(TrustFileError) {
      if let trust = settings.trust { options.trust = try trust.trust(in: device) }
    } catch {
      return inbox.yield(.sessionRefused(number, CastError(.deviceAuthenticationFailure, "\(error)")))
    }
    // People know the device by its name, not by where it is.
    var log = CastLogger.shared.logger(for: .session)
    log[metadataKey: "cast.device"] = "\(device.label)"
    let session = Session(
      device: place, options: options, resolver: settings.resolver, logger: log, time: time)
    let backlog = InboxLimit(limit: Self.backlogLimit)
    entries[number] = Entry(session: session, backlog: backlog)
    newest = number
    session.subscribe { [inbox] event in
      guard backlog.admit() else {
        inbox.yield(.sessionFlooded(number))
        return false
      }
      inbox.yield(.session(number, event))
      return true
    }
    // A failure is also reported by the session's last event.
    group.addTask { _ = try? await session.start() }
  }

  mutating func end(
    _ number: SessionNumber, _ action: SessionEndAction, in group: inout DiscardingTaskGroup
  ) {
    let session = entries.removeValue(forKey: number)?.session
    let action = isForbidden ? .leave : action
    group.addTask { [inbox] in inbox.yield(.sessionClosed(number, await session?.end(action))) }
  }

  /// Submits a request synchronously, in the order of the actions; its outcome is awaited in the group.
  func send(
    _ request: SenderRequest, _ token: RequestToken, over number: SessionNumber,
    in group: inout DiscardingTaskGroup
  ) {
    guard let session = self[number] else { return }
    let sent = session.submit(request)
    group.addTask { [inbox, logger] in
      do throws(CastError) {
        inbox.yield(.completed(token, .success(try await sent.value)))
      } catch {
        logger.debug(
          "request failed", metadata: ["castq.request": "\(request.name)", "cast.error": "\(error)"])
        inbox.yield(.completed(token, .failure(error)))
      }
    }
  }
}
