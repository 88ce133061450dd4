import CastProtocol
import CastqCore
import CastqOperations
import CastqStore
import Foundation
import Testing

/// A site in a folder of its own: a database with the device lobby, which nobody calls, and a configuration. The folder goes with it.
final class OperationsSite {
  let folder: String
  private(set) var call = CallOptions()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "castq-site-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    call.db = "\(folder)/castq.db"
    call.config = try file("config.yaml", "timezone: UTC\n")
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
