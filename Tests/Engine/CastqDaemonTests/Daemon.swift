import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import Glibc
import Synchronization
import Testing

/// A daemon at work on the database of a stage, and everything it tells its service manager.
final class Daemon: Sendable {
  let service: DaemonService
  let manager: ServiceManager
  private let database: Database
  private let reader: Box
  private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

  /// Starts it and waits until it is ready.
  /// - Parameter lists: reads sources of programmes; nil reads none.
  init(
    _ database: Database, _ configuration: DaemonConfiguration = DaemonConfiguration(),
    clock: WallClock = WallClock(), time: TimeSource? = nil, variables: [String: String] = [:],
    lists: (@Sendable (String, Duration?) -> AsyncStream<ProgrammeList>)? = nil,
    feeding: FeedOptions = FeedOptions()
  ) async throws {
    self.database = database
    let manager = try ServiceManager()
    self.manager = manager
    let box = Box(.success(configuration))
    reader = box
    var variables = variables
    variables["NOTIFY_SOCKET"] = manager.path
    var settings = DaemonSettings(
      feeding: feeding, configuration: { box.value },
      notice: ServiceNotice(environment: { [variables] in variables[$0] }),
      time: time ?? clock.source)
    if let lists { settings.lists = lists }
    service = try DaemonService(
      database: database, configuration: configuration, settings: settings)
    task.withLock { $0 = Task { [service] in await service.run() } }
    #expect(await manager.next { $0.contains("READY=1") } != nil)
  }

  private final class Box: Sendable {
    private let state: Mutex<Result<DaemonConfiguration, Failure>>
    init(_ value: Result<DaemonConfiguration, Failure>) { state = Mutex(value) }
    var value: Result<DaemonConfiguration, Failure> {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  /// Puts another configuration into its file, has it read, and waits until that is done.
  func reload(_ new: Result<DaemonConfiguration, Failure>) async {
    reader.value = new
    service.reload()
    #expect(await manager.next { $0.contains("RELOADING=1") } != nil)
    #expect(await manager.next { $0.contains("READY=1") } != nil)
  }

  /// What a command asks of it.
  @discardableResult
  func ask(_ command: ControlCommand, _ device: DeviceID) async throws -> JSONValue {
    let socket = try #require(DatabaseLock.holder(.daemon, of: database)?.socket)
    return try #require(
      await ControlClient(socket: socket, device: device).ask(command, timeout: .seconds(240)))
  }

  /// The code of the failure of a command; nil when it was done.
  func refusal(_ command: ControlCommand, _ device: DeviceID) async throws -> Failure? {
    do {
      try await ask(command, device)
      return nil
    } catch let failure as Failure {
      return failure
    }
  }

  /// Ends it and waits for that.
  func end() async {
    service.terminate()
    await ended()
  }

  /// Waits until it has ended by itself.
  func ended() async { await task.withLock { $0 }?.value }
}

/// The clock on the wall, set by a test; the daemon lives in UTC.
final class WallClock: Sendable {
  private let milliseconds: Mutex<Int64>

  init(_ hour: Int = 12, _ minute: Int = 0) {
    milliseconds = Mutex(Self.time(hour, minute))
  }

  func set(_ hour: Int, _ minute: Int = 0) { milliseconds.withLock { $0 = Self.time(hour, minute) } }

  private static func time(_ hour: Int, _ minute: Int) -> Int64 {
    1_700_006_400_000 + Int64(hour * 60 + minute) * 60_000
  }

  var source: TimeSource {
    var source = TimeSource.continuous
    source.wallMilliseconds = { [self] in milliseconds.withLock { $0 } }
    return source
  }
}

/// The end of sd_notify(3) at which a service manager listens.
final class ServiceManager: Sendable {
  let path: String
  private let folder: URL
  private let messages: AsyncStream<String>

  init() throws {
    folder = try Stage.makeFolder()
    path = folder.appending(path: "notify").path
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(descriptor >= 0 && bytes.count < 108)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    let (messages, heard) = AsyncStream.makeStream(of: String.self)
    self.messages = messages
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { break }
        heard.yield(String(decoding: bytes[..<count], as: UTF8.self))
      }
      close(descriptor)
    }
  }

  deinit {
    // The empty message that ends the thread.
    ServiceManager.sendNothing(to: path)
    try? FileManager.default.removeItem(at: folder)
  }

  /// The next message that fits, from where the last search ended.
  func next(where fits: (String) -> Bool) async -> String? {
    for await message in messages where fits(message) { return message }
    return nil
  }

  private static func sendNothing(to path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, [UInt8(0)], 0, 0, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(descriptor)
  }
}
