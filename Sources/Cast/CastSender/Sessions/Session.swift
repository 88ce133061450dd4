public import CastProtocol
public import Logging
public import NIOCore
import NIOPosix
import Synchronization

/// A connection to one device and, as a rule, to one application on it.
///
/// Create it, subscribe with `events()`, `start()` it, use it, and `end(_:)` it: a session that was started and never ended keeps
/// its connection. A session is used once; create another one to try again.
///
///     let session = Session(device: device, options: SessionOptions(applicationID: "CC1AD845"))
///     let events = session.events()
///     try await session.start()
///     try await session.remoteMediaClient.load(media)
///     for await event in events { … }
///     await session.end(.leave)
///
/// A `SessionMachine` makes all decisions; the actor carries them out and holds the connection, the timers and the waiting callers.
public actor Session {
  /// The device as currently known: its endpoint changes when it moves, and all of it with a transfer to another device.
  public nonisolated var device: Device { picture.device }
  /// The session's options.
  public nonisolated let options: SessionOptions

  /// Inputs to the actor from callers, the connection and the timers.
  enum Input: Sendable {
    case request(RequestToken, SenderRequest, any PendingRequest)
    /// The resolver returned a new endpoint or new properties.
    case located(Device)
    /// The attempt with this number has succeeded.
    case opened(Int, any TransportConnection)
    /// An event of that attempt's connection, and its arrival time.
    case transport(Int, TransportEvent, at: Tick)
    case command(SessionMachine.Event)
    case timersDue
    case cancelled(RequestToken)
    case startCancelled
  }

  nonisolated let subscribers = EventSubscribers()
  nonisolated let listeners = ListenerSet<any SessionListener>()
  nonisolated let mediaListeners = ListenerSet<any RemoteMediaClientListener>()
  nonisolated let channels = ChannelRoster()
  nonisolated let companions = SessionCompanions()
  nonisolated let front: Mutex<Front>
  nonisolated let inbox: AsyncStream<Input>.Continuation
  nonisolated let inputs: AsyncStream<Input>
  var transport: any Transport
  let resolver: (any DeviceResolver)?
  /// The application session to resume; nil starts a new one.
  let previous: ApplicationSessionID?
  nonisolated let time: TimeSource
  let logger: Logger
  var log: SessionLog

  var machine = SessionMachine()
  /// The time of the event that the machine handles, or handled last: its arrival, not its turn.
  var moment = Tick.zero
  var timers: TimerSet<TimerID>
  var connection: (any TransportConnection)?
  /// The number of the newest connection attempt. Events of older ones are ignored.
  var attempt = 0
  var opening: Task<Void, Never>?
  /// Closes connections that are no longer used; completes when all are closed.
  var farewell: Task<Void, Never>?
  /// The task that processes inputs; it completes when the session has ended and released everything.
  var loop: Task<Void, Never>?
  var pending: [RequestToken: any PendingRequest] = [:]
  var startWaiter: CheckedContinuation<Result<ApplicationMetadata?, CastError>, Never>?

  /// State that callers read and write without waiting for the actor.
  struct Front: Sendable {
    var picture: SessionPicture
    var isStarted = false
    var lastToken = 0
    var presence = DevicePresence()
  }

  /// A logger that discards everything, however the shared one is configured.
  public static let silentLogger = Logger(label: "castq.session", factory: { _ in SwiftLogNoOpLogHandler() })

  /// Creates a session that has not started.
  /// - Parameters:
  ///   - device: the device to connect to.
  ///   - options: the session's options; by default it plays on Google's Default Media Receiver.
  ///   - eventLoopGroup: runs the connection; nil uses the process-wide group.
  ///   - resolver: finds the device's current endpoint when it cannot be reached; nil always uses the same address.
  ///   - previous: a session of this device to resume, such as one of a process that crashed; nil starts a new one.
  ///   - logger: the session's logger; by default that of `CastLogger.shared`, which is silent until configured.
  ///   - time: the source of time.
  public init(
    device: Device, options: SessionOptions = SessionOptions(),
    eventLoopGroup: (any EventLoopGroup)? = nil, resolver: (any DeviceResolver)? = nil,
    resuming previous: SavedSession? = nil,
    logger: Logger = CastLogger.shared.logger(for: .session),
    time: TimeSource = .continuous
  ) {
    self.init(
      device: device, options: options,
      transport: TLSTransport(group: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton),
      resolver: resolver, resuming: previous, logger: logger, time: time)
  }

  /// A session over another kind of connection, for tests.
  package init(
    device: Device, options: SessionOptions, transport: any Transport, resolver: (any DeviceResolver)? = nil,
    resuming previous: SavedSession? = nil,
    logger: Logger = CastLogger.shared.logger(for: .session), time: TimeSource
  ) {
    front = Mutex(Front(picture: SessionPicture(device: device)))
    self.options = options
    self.transport = AuthenticatingTransport.wrapping(
      transport, device: device, trust: options.trust, time: time)
    self.resolver = resolver
    self.previous = previous.map { ApplicationSessionID($0.applicationSessionID) }
    var logger = logger
    // A program that has a name for the device has given it already.
    if logger[metadataKey: "cast.device"] == nil { logger[metadataKey: "cast.device"] = "\(device.endpoint)" }
    self.logger = logger
    log = SessionLog(logger)
    self.time = time
    let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
    self.inputs = inputs
    self.inbox = inbox
    timers = TimerSet(time: time, isPatient: \.isPatient) { inbox.yield(.timersDue) }
  }

  /// The newest status of the device; nil before the first one.
  public nonisolated var receiverStatus: ReceiverStatus? { picture.receiverStatus }
  /// The application that is joined; nil while there is none.
  public nonisolated var application: ApplicationMetadata? { picture.application }
  /// The device's id of the running instance of the application that is joined; nil while there is none. Another sender joins exactly
  /// this one with `SessionPurpose.joinSession`, such as after an invitation.
  public nonisolated var sessionID: String? { application?.sessionID.rawValue }
  /// The merged status of the media session; nil when nothing is loaded. After the media has ended this is its last status, with
  /// the idle reason: `isEnded` is then true, and `RemoteMediaClient.mediaStatus` is nil.
  public nonisolated var mediaStatus: MediaStatus? { picture.mediaStatus }
  /// The state of the session.
  public nonisolated var state: SessionState { picture.state }

  /// The connection that it has, or had last; nil before the first one. The host of `device` may be a name.
  package nonisolated var peer: SessionConnection? { picture.connection }

  /// The latest time up to this one at which the device was certainly reachable; nil before the first
  /// connection. It may be newer than that of the last event: heartbeats cause none.
  package nonisolated func seenUntil(at now: Tick) -> Tick? {
    front.withLock { $0.presence.seenUntil(at: now) }
  }

  nonisolated var picture: SessionPicture { front.withLock(\.picture) }

  /// Controls the media.
  public nonisolated var remoteMediaClient: RemoteMediaClient { RemoteMediaClient(session: self) }

  /// All events from now on, in order; every call creates a subscription.
  ///
  /// Call it before `start()` to receive all events. The last event is `.ended`. A `.lossless` stream that falls 4096 events behind
  /// finishes without `.ended`, because it can no longer be complete.
  public nonisolated func events(_ buffering: EventBuffering = .lossless) -> AsyncStream<SessionEvent> {
    subscribers.add(buffering)
  }

  /// Calls `receive` with each event from now on, in order, until it returns false or the session has ended. It runs on the
  /// session's actor, so it must not block.
  package nonisolated func subscribe(_ receive: @escaping @Sendable (StampedSessionEvent) -> Bool) {
    subscribers.add(receive)
  }

  /// Adds a listener; it is held weakly, and may be added or removed at any time.
  public nonisolated func add(_ listener: any SessionListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; does nothing if it was not added.
  public nonisolated func remove(_ listener: any SessionListener) {
    listeners.remove(ObjectIdentifier(listener))
  }

  /// Adds a channel, at any time; it is connected while the application supports its namespace (protocol 16). The session retains
  /// it. It replaces another channel of the same namespace.
  public nonisolated func add(_ channel: any CastChannel) { channels.add(channel, to: self) }

  /// Removes a channel; a connected channel is notified that it is disconnected.
  public nonisolated func remove(_ channel: any CastChannel) { channels.remove(channel) }

  /// Connects, joins or launches, and returns when the session is active.
  ///
  /// - Returns: the application that was joined; nil for a device session, and for an observer when nothing is running.
  /// - Throws: `hostUnknown`, `connectionRefused`, `networkNotReachable`, `secureTransportError`, `timeout`, `applicationNotFound`,
  ///   `notAllowed`, `launchFailed`, `applicationNotRunningWithNamespaceMismatched` and others: the message of each describes the
  ///   failure and what to do. `cancelled` when the task was cancelled or the session was ended before, `invalidState` when it was
  ///   started before. After an error the session has ended and has released everything.
  @discardableResult
  public func start() async throws(CastError) -> ApplicationMetadata? {
    guard loop == nil else {
      throw CastError(.invalidState, "a session can be started only once; create another one")
    }
    guard picture.ending == nil else {
      throw CastError(.cancelled, "the session was ended before it was started")
    }
    loop = Task { await self.run() }
    front.withLock { $0.isStarted = true }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        startWaiter = continuation
        handle(.start(target))
      }
    } onCancel: {
      inbox.yield(.startCancelled)
    }
    if case .failure = result { await loop?.value }
    return try result.get()
  }

  /// Ends the session and returns when all its tasks, timers and descriptors are released. Ending twice is allowed.
  ///
  /// - Returns: nil on success, else the error that ended it, such as a device that did not confirm the stop.
  @discardableResult
  public func end(_ action: SessionEndAction) async -> CastError? {
    setEnding()
    handle(.end(action))
    await loop?.value
    return picture.ending?.error
  }

  /// Closes the connection until `resume()`, for example before the computer sleeps; playback continues. Returns at once, and does
  /// nothing while the session is not active, or if `SessionOptions.reconnection` is nil (protocol 17.4).
  public nonisolated func suspend() { inbox.yield(.command(.suspend)) }

  /// Reconnects a suspended session at once, without waiting for the next attempt of the policy; returns at once (protocol 14.6).
  public nonisolated func resume() { inbox.yield(.command(.resume)) }

  /// Stops the application and ends the session; returns when the device no longer displays the application.
  /// - Throws: `timeout` when the device does not confirm it, `cancelled` when the session is left before the
  ///   device has confirmed it, or the error that ended the session before; the session has ended in any
  ///   case.
  public func stopApplication() async throws(CastError) {
    if let error = await end(.stopApplication) { throw error }
  }

  /// Ends the session; playback continues. Does not wait for an application that is being stopped:
  /// `stopApplication()` then throws `cancelled`.
  public func leave() async { await end(.leave) }

  /// Leaves without waiting for it.
  nonisolated func leaveSoon() { inbox.yield(.command(.end(.leave))) }
}
