import CastProtocol
import CastReceiverSim
import CastSender
import CastTLS
import CastTestKit
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import NIOCore
import NIOPosix
import Testing

/// Every test of the services; they take turns, so that each has the machine for itself.
@Suite(.serialized, .timeLimit(.minutes(20))) enum DaemonTests {}

/// A simulated receiver behind TLS, a database file in a folder of its own, and the receiver's queue in it.
final class Stage: Sendable {
  let folder: URL
  let database: Database
  let server: SimServer
  let device: KnownDevice
  let queue: QueueStore
  let history: HistoryStore

  private static let identity = Result { () throws(TLSError) in
    try TLSIdentity.selfSigned(commonName: "simulator", notBefore: 1_700_000_000, notAfter: 1_900_000_000)
  }

  /// - Parameters:
  ///   - speed: how many times faster than real the receiver's time runs.
  ///   - port: where it listens; 0 for any port.
  ///   - wire: hears every message of the receiver.
  init(
    _ faults: [String] = [], speed: Double = 40, port: Int = 0, wire: Wire? = nil,
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) async throws {
    folder = try Self.makeFolder()
    server = try await Self.serve(faults, speed: speed, port: port, wire: wire, change)
    database = try Database(path: folder.appending(path: "queue.db").path)
    queue = QueueStore(database)
    history = HistoryStore(database)
    device = try DeviceStore(database).add(
      name: "Lobby", endpoint: DeviceEndpoint(host: "127.0.0.1", port: server.port), at: .today)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "castq-daemon-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A receiver alone.
  static func serve(
    _ faults: [String] = [], speed: Double = 40, port: Int = 0, wire: Wire? = nil,
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) async throws -> SimServer {
    var configuration = ReceiverConfiguration()
    configuration.launchDelay = .milliseconds(20)
    configuration.namespaceDelay = .milliseconds(10)
    // Five minutes of real time, so that an application without media outlives a test on a busy computer.
    configuration.idleTimeout *= Int(speed.rounded(.up))
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    change(&configuration)
    var options = SimServer.Options()
    options.speed = speed
    options.port = port
    options.log = try wire.map { try SimLog(path: $0.path) }
    return try await SimServer.start(
      configuration, options, identity: identity.get(), on: MultiThreadedEventLoopGroup.singleton)
  }

  // MARK: - The list

  /// One of the project's own sample files.
  static func sample(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "playlists/media/\(name)").path
  }

  /// A WAV file of silence that lasts so long; its path.
  func tone(_ name: String, seconds: Int) throws -> String {
    let path = folder.appending(path: name).path
    try SilentWave.write(to: path, seconds: Double(seconds))
    return path
  }

  /// An entry for a file or an address.
  static func draft(_ place: String, title: String? = nil, type: String = "video/mp4") -> EntryDraft {
    let url = place.hasPrefix("/") ? FilePath.url(place) : place
    let name = title ?? FilePath.name(of: place)
    return EntryDraft(
      media: MediaInformation(
        contentID: url, contentType: type, metadata: MediaMetadata(values: ["title": .string(name)])),
      origin: .local)
  }

  @discardableResult
  func enqueue(_ drafts: [EntryDraft]) throws -> [EntryID] {
    try queue.enqueue(drafts, for: device.id, placement: .end, at: .today).map(\.id)
  }

  /// Another program writes.
  func execute(_ sql: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2])", database.path,
      sql,
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  func states() throws -> [EntryState] { try queue.entries(for: device.id).map(\.state) }

  func plays() throws -> [PlayRecord] { try history.plays(matching: HistoryStore.Filter()) }

  // MARK: - Running

  /// The feeder as the program starts it.
  func feed(_ settings: DeviceSettings = DeviceSettings()) throws -> Running {
    try Running(
      feeder: DeviceFeeder(device: device, database: database, logger: Session.silentLogger), settings,
      database: database)
  }

  /// Another sender, joined to the same application.
  func stranger() async throws -> Session {
    let session = Session(device: Device(endpoint: device.endpoint, friendlyName: "Lobby"))
    try await session.start()
    return session
  }
}

/// A feeder at work and what it tells.
struct Running: Sendable {
  let run: DeviceFeeder.Run
  /// Ends with the run.
  let reports: AsyncStream<RunnerReport>
  private let task: Task<RunEnd, Never>

  /// - Parameters:
  ///   - host: what it shares with other feeders; nil makes its own.
  ///   - database: beside it, a host of its own keeps the addresses of files.
  ///   - heard: called with each report on the runner's own thread.
  init(
    feeder: DeviceFeeder, _ settings: DeviceSettings, on host: FeederHost? = nil, database: Database? = nil,
    time: TimeSource = .continuous, heard: @escaping @Sendable (RunnerReport) -> Void = { _ in }
  ) {
    let (reports, told) = AsyncStream.makeStream(of: RunnerReport.self)
    let own = host == nil ? FeederHost(database: database) : nil
    let run = feeder.start(on: host ?? own ?? FeederHost(database: nil), settings, time: time) {
      told.yield($0)
      heard($0)
    }
    self.run = run
    self.reports = reports
    task = Task {
      let outcome = await run.outcome()
      await own?.shutDown(Session.silentLogger)
      told.finish()
      return outcome
    }
  }

  /// The next report that fits; nil when the run ends without one.
  func next(where fits: (RunnerReport) -> Bool) async -> RunnerReport? {
    for await report in reports where fits(report) { return report }
    return nil
  }

  /// Waits for the beginning of a play.
  func started(_ title: String) async -> Bool { await next { $0.startedTitle == title } != nil }

  func outcome() async -> RunEnd { await task.value }

  /// Stops it; how that ended, and how long it took.
  func stop() async -> (outcome: RunEnd, took: Duration) {
    let began = ContinuousClock.now
    run.tell(.stop("the test is over"))
    let outcome = await task.value
    return (outcome, ContinuousClock.now - began)
  }
}

extension RunnerReport {
  var startedTitle: String? { if case .started(_, let title, _) = self { title } else { nil } }

  var isConnecting: Bool { if case .connecting = self { true } else { false } }

  var isRetrying: Bool { if case .retrying = self { true } else { false } }

  /// The address the receiver plays.
  var playingURL: String? {
    if case .status(let status) = self, status.playerState == .playing {
      status.mediaInformation?.url
    } else {
      nil
    }
  }
}

extension RunEnd {
  /// Failures of a run that played to the end; nil for other outcomes.
  var drainedFailures: Int? { if case .drained(let failed) = self { failed } else { nil } }

  var isStopped: Bool { if case .stopped = self { true } else { false } }

  var storeFailure: Failure? { if case .failed(let failure) = self { failure } else { nil } }

  var unreachable: Failure? { if case .unreachable(let failure) = self { failure } else { nil } }
}

extension WallTime {
  /// Some day.
  static let today = WallTime(milliseconds: 1_700_000_000_000)
}
