import CastProtocol
import CastSender
import CastqDaemon
package import CastqPlaylists
package import CastqSchedule
package import CastqStore
import CastqText

/// Reads `watch` of what feeds devices, and follows those that nothing feeds by sessions of castq's own.
package actor StatusReader {
  package enum News: Sendable {
    /// What answers `watch` is there, with the name of its run; nil when it is gone, or was never there.
    case feeder(boot: String?)
    case seen(DeviceID, SeenStatus)
    /// Nobody has a session with the device; the outlook is its daemon's.
    case unseen(DeviceID, Outlook?)
  }

  private let workspace: Workspace
  private let global: CallOptions
  private let options: SessionOptions
  private let only: KnownDevice?
  private let executor: (any TaskExecutor)?
  private var origins: StatusOrigins<StatusPicture?>
  private var sessions: [DeviceID: Task<Void, Never>] = [:]
  private var send: AsyncStream<News>.Continuation?

  /// Time between looks for a feeder that has started.
  private static let interval = Duration.milliseconds(500)
  /// Sessions of castq's own at a time.
  private static let mostSessions = 64

  /// - Parameters:
  ///   - only: the one device to read of, also from a feeder that is no daemon; nil reads of all devices of the daemon.
  ///   - executor: where sessions run; nil is the usual one.
  package init(
    _ workspace: Workspace, _ global: CallOptions, only: KnownDevice? = nil,
    executor: (any TaskExecutor)? = nil
  ) {
    (self.workspace, self.global, self.only, self.executor) = (workspace, global, only, executor)
    options = DeviceCall.observing(global)
    origins = StatusOrigins(limit: only == nil ? Self.mostSessions : 1)
  }

  /// What is heard, until the stream is dropped. One stream at a time.
  package nonisolated func news() -> AsyncStream<News> {
    AsyncStream { continuation in
      let task = Task(executorPreference: executor) {
        await self.begin(continuation)
        await self.watch()
        await self.end()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Follows devices while nothing feeds them, and no others.
  package func want(_ devices: [DeviceID]) { perform(origins.handle(.wanted(Set(devices)))) }

  private func begin(_ continuation: AsyncStream<News>.Continuation) {
    send = continuation
    if let only { want([only.id]) }
  }

  private func end() {
    send = nil
    for session in sessions.values { session.cancel() }
    sessions = [:]
  }

  // MARK: - What feeds

  private var socket: String? {
    guard !global.noDaemon, only?.id != DeviceID(0) else { return nil }
    return only.map { workspace.controlSocket(for: $0) }
      ?? DatabaseLock.holder(.daemon, of: workspace.database)?.socket
  }

  private func watch() async {
    var isFirst = true
    while !Task.isCancelled {
      var wasThere = false
      if let socket,
        let replies = try? await ControlClient(socket: socket, device: only?.id ?? DeviceID(0)).watch()
      {
        wasThere = true
        do {
          for try await reply in replies { hear(reply) }
        } catch {
          // It is gone, or does not know the command.
        }
      }
      if wasThere || isFirst { lose() }
      isFirst = false
      // A feeder that ends often has another one start at once.
      let pause = wasThere ? Duration.milliseconds(50) : Self.interval
      guard (try? await TimeSource.continuous.sleep(pause)) != nil else { return }
    }
  }

  private func hear(_ reply: JSONValue) {
    if let boot = reply["boot"]?.string {
      send?.yield(.feeder(boot: boot))
    } else {
      perform(origins.handle(.watched(reply)))
    }
  }

  private func lose() {
    send?.yield(.feeder(boot: nil))
    perform(origins.handle(.lost))
  }

  // MARK: - Sessions of castq's own

  private func perform(_ actions: [StatusOrigins<StatusPicture?>.Action]) {
    for action in actions {
      switch action {
      case .follow(let id):
        sessions[id]?.cancel()
        sessions[id] = Task(executorPreference: executor) { await self.follow(id) }
      case .leave(let id): sessions.removeValue(forKey: id)?.cancel()
      case .show(let id, .fed(let reply)): send?.yield(.seen(id, SeenStatus(watched: reply)))
      case .show(let id, .own(let picture, let outlook)):
        let connection: SeenStatus.Connection = picture == nil ? .offline : .connected
        send?.yield(.seen(id, SeenStatus(connection: connection, picture: picture, outlook: outlook)))
      case .show(let id, .unseen(let outlook)): send?.yield(.unseen(id, outlook))
      }
    }
  }

  private func follow(_ id: DeviceID) async {
    guard let device = only ?? (try? workspace.devices.device(id)) ?? nil else { return }
    let follower = StatusFollower(call: DeviceCall(device, in: workspace, global), options: options)
    try? await follower.follow { picture in await self.hear(picture, of: id) }
  }

  private func hear(_ picture: StatusPicture?, of id: DeviceID) {
    guard !Task.isCancelled else { return }
    perform(origins.handle(.heard(id, picture)))
  }
}

extension SeenStatus {
  /// A document of `watch`.
  init(watched document: JSONValue) {
    connection = document["connection"]?.string.flatMap(Connection.init(rawValue:)) ?? .offline
    if connection == .connected { picture = StatusPicture(reply: document) ?? StatusPicture() }
    outlook = document["outlook"].map(Outlook.init(json:))
    isFed = true
    at = document["at"]?.string.flatMap { try? RFC3339.parse($0) } ?? .now
  }
}
