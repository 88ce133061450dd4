import CastProtocol
import CastqCore
import CastqDocuments
import CastqOperations
import CastqStore
import Foundation
import Testing

/// A site in a folder of its own: a database with the device lobby, which nobody calls, and a configuration. The folder goes with it.
final class OperationsSite {
  let folder: String
  private(set) var call = CallOptions()

  /// - Parameter zone: that of the site.
  init(zone: String = "UTC") throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "castq-site-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    call.db = "\(folder)/castq.db"
    call.config = try file("config.yaml", "timezone: \(zone)\n")
    call.device = ["lobby"]
    call.isServing = true
    _ = try Workspace(call).devices.add(
      name: "lobby", endpoint: DeviceEndpoint(host: "127.0.0.1"), at: WallTime(milliseconds: 0))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// - Returns: its path.
  @discardableResult
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
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
  func names(_ list: WebList, _ key: String) throws -> [String] {
    try schedule().document(list)[list.rawValue]?.array?.compactMap { $0[key]?.string } ?? []
  }

  /// The segments of a plan for lobby.
  func plan(from: String, to: String, in zone: String? = nil) async throws -> [JSONValue] {
    let query = PlanQuery(
      from: try PlanRange.time(from), to: try PlanRange.time(to), tz: try zone.map(NamedZone.init(named:)))
    let document = try JSONValue(parsing: Array(try await PlanRun(call, query).json().utf8))
    return document["segments"]?.array ?? []
  }

  /// Enqueues addresses that are named after letters.
  @discardableResult
  func enqueue(_ letters: String) async throws -> AddedEntries {
    let queue = try await queue()
    let sources = letters.map { "http://media.example/\($0).mp4" }
    return try await queue.add(
      await queue.read(SourceRequest(sources: sources), isStrict: false), .end, plays: false, isStrict: false)
  }

  /// The letters in their order.
  func letters() async throws -> String {
    let queue = try await queue()
    return try queue.workspace.queue.entries(for: queue.device.id).compactMap(\.title.first).map(String.init)
      .joined()
  }
}

/// Expects a failure with an exit status, and words that a person at a terminal reads. No message says what to type without them.
func expectFailure(
  _ exit: CastqCore.ExitStatus, saying words: String,
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
