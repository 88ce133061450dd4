import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

/// A site in a folder of its own: a database with the device lobby, and a configuration. The folder goes with it.
final class OperationsSite {
  let folder: String
  private(set) var call = CallOptions()

  /// - Parameters:
  ///   - zone: that of the site.
  ///   - lobby: where the device is; nobody calls it there unless a test has it do something.
  init(zone: String = "UTC", lobby: DeviceEndpoint = DeviceEndpoint(host: "127.0.0.1")) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "castq-site-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    call.db = "\(folder)/castq.db"
    call.config = try file("config.yaml", "timezone: \(zone)\n")
    call.device = ["lobby"]
    call.isServing = true
    _ = try Workspace(call).devices.add(
      name: "lobby", endpoint: lobby, at: WallTime(milliseconds: 0))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// - Returns: its path.
  @discardableResult
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  /// Gives the site another configuration.
  func configure(_ text: String) throws { _ = try file("config.yaml", text) }

  func folder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
  }

  func queue() async throws -> QueueCall { try await QueueCall(call) }

  func schedule() throws -> ScheduleCall { try ScheduleCall(call) }

  /// Programmes of one list, with these names.
  func add(programmes names: String...) async throws {
    let list = try file("menus.m3u", "#EXTM3U\nhttp://192.0.2.1/a.mp4\n")
    for name in names { #expect(try await schedule().addProgramme(name, list) == nil) }
  }

  /// `DAY  LABEL` of each day of a calendar.
  func days(_ name: String) throws -> [String] {
    let calendar = try schedule().ask { (store) throws(StoreError) in try store.calendar(name) }
    return calendar.days.map { "\($0.text)  \(calendar.label(of: $0) ?? "")" }
  }

  /// The names of what a list of the schedule has.
  func names(_ list: ScheduleList, _ key: String) throws -> [String] {
    try schedule().document(list)[list.rawValue]?.array?.compactMap { $0[key]?.string } ?? []
  }

  /// The segments of a plan for lobby.
  func plan(from: String, to: String, in zone: String? = nil) async throws -> [JSONValue] {
    let query = PlanQuery(
      from: try PlanRange.time(from), to: try PlanRange.time(to), tz: try zone.map(NamedZone.init(named:)))
    let document = try JSONValue(parsing: Array(try await PlanRun(call, query).json().utf8))
    return document["segments"]?.array ?? []
  }

  /// Runs a program of Python, whose first argument is the database: it writes rows of the past, which no function does.
  func python(_ script: String) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, "\(folder)/castq.db"]
    let status = try await withCheckedThrowingContinuation { (end: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { end.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { end.resume(throwing: error) }
    }
    #expect(status == 0)
  }

  /// Reads sources as the commands do that queue them.
  func read(_ sources: String..., timeout: Duration? = nil) async throws -> SourceList {
    var call = call
    call.timeout = timeout
    return await (try await QueueCall(call)).read(SourceRequest(sources: sources), isStrict: false)
  }

  /// Puts what was read into the queue.
  @discardableResult
  func enqueue(_ list: SourceList) async throws -> AddedEntries {
    try await queue().add(list, .end, plays: false, isStrict: false)
  }

  /// What is in the queue.
  func entries() async throws -> [QueueEntry] {
    let queue = try await queue()
    return try queue.workspace.queue.entries(for: queue.device.id)
  }

  func urls() async throws -> [String] { try await entries().map(\.draft.media.url) }

  /// What is said of sources when nothing is queued.
  /// - Parameter asksServers: whether servers are asked about media, too.
  func check(
    _ sources: String..., asksServers: Bool = false, timeout: Duration? = nil
  ) async throws -> MediaCheck.Report {
    var call = call
    (call.device, call.timeout) = ([], timeout)
    var check = MediaCheck(call: call, request: SourceRequest(sources: sources))
    check.requestsToServers = asksServers ? 1 : nil
    return try await check.report()
  }

  /// Enqueues addresses that are named after letters.
  @discardableResult
  func enqueue(_ letters: String) async throws -> AddedEntries {
    let sources = letters.map { "http://media.example/\($0).mp4" }
    return try await enqueue(await queue().read(SourceRequest(sources: sources), isStrict: false))
  }

  /// The letters in their order.
  func letters() async throws -> String {
    try await entries().compactMap(\.title.first).map(String.init).joined()
  }
}

/// Expects a failure with an exit status, and words that a person at a terminal reads. No message says what to type without them.
func expectFailure(
  _ exit: CastqText.ExitStatus, saying words: String,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("nothing failed", sourceLocation: sourceLocation)
  } catch let failure as Failure {
    #expect(failure.exit == exit, "\(failure)", sourceLocation: sourceLocation)
    #expect(failure.typed.message.contains(words), "\(failure)", sourceLocation: sourceLocation)
    for told in [failure.plain, failure.paged] {
      #expect(!told.message.contains("castq "), "\(failure)", sourceLocation: sourceLocation)
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
