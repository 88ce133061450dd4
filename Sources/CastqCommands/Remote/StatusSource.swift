import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Synchronization

/// What a device does, seen at one moment.
struct SeenStatus: Sendable {
  enum Connection: Sendable { case connecting, connected, offline }

  var connection: Connection
  /// Nil unless it is connected.
  var picture: StatusPicture?
  /// What the list waits for; nil where nobody feeds the device and the rows say it.
  var outlook: Outlook?
}

/// Follows a device: by what feeds it, and by a session of its own while nothing does.
struct StatusSource: Sendable {
  let workspace: Workspace
  let device: KnownDevice
  let global: GlobalOptions
  let options: SessionOptions
  var time = TimeSource.continuous

  /// Time between looks for a feeder that has started.
  private static let interval = Duration.seconds(1)

  /// Calls `show` with each status, the present one first, until the task is cancelled.
  func follow(_ show: @escaping @Sendable (SeenStatus) async throws -> Void) async throws {
    while !Task.isCancelled {
      if let documents = try await watched() {
        try await follow(documents, show)
        // A feeder that ends has another one start, or leaves the device to itself.
        try await time.sleep(.milliseconds(50))
      } else {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await followDirectly(show) }
          group.addTask { try await feederStarted() }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
    }
  }

  /// What the feeder or the daemon reports; nil where neither runs, or one that does not understand.
  private func watched() async throws -> AsyncThrowingStream<JSONValue, any Error>? {
    guard !global.noDaemon, device.id != DeviceID(0), let socket = workspace.controlSocket(for: device) else {
      return nil
    }
    return try await ControlClient(socket: socket, device: device.id).watch()
  }

  private func feederStarted() async throws {
    guard !global.noDaemon, device.id != DeviceID(0) else {
      // Ends with the task.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      return
    }
    repeat { try await time.sleep(Self.interval) } while workspace.controlSocket(for: device) == nil
  }

  private func follow(
    _ documents: AsyncThrowingStream<JSONValue, any Error>,
    _ show: @escaping @Sendable (SeenStatus) async throws -> Void
  ) async throws {
    let own = OwnSession()
    defer { own.stop() }
    do {
      for try await document in documents {
        guard document["device"]?.int.map(Int64.init) == device.id.rawValue else { continue }
        guard document["feeding"]?.bool == true else {
          own.start { try? await followDirectly(show) }
          continue
        }
        await own.stopAndWait()
        try await show(SeenStatus(watched: document))
      }
    } catch is ControlFailure {
      return
    }
  }

  private func followDirectly(_ show: @Sendable (SeenStatus) async throws -> Void) async throws {
    let follower = StatusFollower(call: DeviceCall(device, in: workspace, global), options: options)
    try await follower.follow { picture in
      try await show(SeenStatus(connection: picture == nil ? .offline : .connected, picture: picture))
    }
  }
}

extension SeenStatus {
  /// A document of `watch`.
  init(watched document: JSONValue) {
    outlook = document["outlook"].map(Outlook.init(json:))
    switch document["connection"]?.string {
    case "connected":
      connection = .connected
      picture = StatusPicture(reply: document) ?? StatusPicture()
    case "connecting": connection = .connecting
    default: connection = .offline
    }
  }
}

/// The session that follows a device while nothing feeds it.
private final class OwnSession: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Starts it unless it runs.
  func start(_ body: @escaping @Sendable () async -> Void) {
    task.withLock { task in
      if task == nil { task = Task { await body() } }
    }
  }

  func stop() { taken()?.cancel() }

  /// Returns when it shows nothing any more.
  func stopAndWait() async {
    let running = taken()
    running?.cancel()
    await running?.value
  }

  private func taken() -> Task<Void, Never>? {
    task.withLock { task in
      defer { task = nil }
      return task
    }
  }
}
