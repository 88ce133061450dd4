import CastTLS
import CastqFeeding
import Foundation
import GRDB
import Testing
@testable import CastqStore

@Suite("Taking over a file of the last schema before the numbers began at 1")
struct TakingOverTests {
  /// A file of schema 15 that castq itself has written, for the time of a test.
  private func withOld(in subfolder: String? = nil, _ more: String = "", _ body: (Old) throws -> Void) throws
  {
    let parent = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = subfolder.map { parent.appending(path: $0) } ?? parent
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let old = Old(path: folder.appending(path: "old.db").path)
    let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Schemas/version-15.sql")
    let text = try String(contentsOf: schema, encoding: .utf8)
    let file = try DatabaseQueue(path: old.path)
    try file.writeWithoutTransaction { try $0.execute(sql: text + more) }
    try file.close()
    try body(old)
  }

  private struct Old {
    let path: String
  }

  /// All rows of a file, a line each.
  private static func rows(_ path: String, besides added: Set<String> = []) throws -> [String: [String]] {
    let file = try DatabaseQueue(path: path)
    return try file.read { db in
      let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      var rows: [String: [String]] = [:]
      for table in tables {
        rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { row in
          row.filter { !added.contains("\(table).\($0.0)") }.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
        }.sorted()
      }
      return rows
    }
  }

  private static let added = Set(
    ["cause", "caused_by", "rate", "unobserved_s", "attempt", "nonce", "proof_format"].map { "play.\($0)" })

  @Test("every row but a job is there afterwards with all its values, and the file is what a new one is")
  func everything() throws {
    try withOld { old in
      var before = try Self.rows(old.path)
      #expect(before.removeValue(forKey: "job")?.count == 1)
      before["sqlite_sequence"]?.removeAll { $0.contains("job") }
      #expect(before["play"]?.count == 21 && before["outbox"]?.count == 21 && before["decision"]?.count == 20)
      let database = try CastqStore.Database(path: old.path)
      var after = try Self.rows(old.path, besides: Self.added)
      #expect(after.removeValue(forKey: "list_problem") == [])
      #expect(after.removeValue(forKey: "pending_batch") == [])
      #expect(after.removeValue(forKey: "proved_place") == [])
      #expect(after == before)
      #expect(
        try SchemaTests.objects(DatabaseQueue(path: old.path))
          == SchemaTests.objects(StoreFixture().outside()))
      #expect(try database.isCurrent() && database.check().isEmpty)
      #expect(try HistoryStore(database).plays(matching: .init()).count == 21)
      #expect(database.takeDamage() == [])
    }
  }

  @Test("why old plays ended is known from their notes, as far as those say it")
  func causes() throws {
    try withOld(
      "UPDATE play SET note = 'quiet hours have begun; the clock was set back by 9 s during the play' WHERE id = 19;"
    ) { old in
      _ = try CastqStore.Database(path: old.path)
      let causes = try DatabaseQueue(path: old.path).read {
        try Row.fetchAll($0, sql: "SELECT id, cause FROM play").reduce(into: [Int: String]()) {
          $0[$1["id"]] = $1["cause"]
        }
      }
      #expect(causes[1] == "completed" && causes[2] == "failed" && causes[17] == "replaced")
      #expect(causes[19] == "quiet_hours")
    }
  }

  @Test("the chain of seals continues behind the rows that were taken over, in the format of today")
  func chain() throws {
    try withOld(
      """
      UPDATE play SET started_at = ended_at, observed_at = ended_at, ended_at = NULL, outcome = NULL, evidence = NULL,
        chain = NULL, hash = NULL WHERE id = 21;
      """
    ) { old in
      let database = try CastqStore.Database(path: old.path)
      let device = try #require(try DeviceStore(database).all().first)
      _ = try QueueStore(database).recover(device.id)
      var formats: [Int] = []
      var last = (chain: Int64(0), hash: PlayWords.firstHash)
      try ProofStore(database).read(since: nil, until: nil) { part in
        guard case .play(let words, let hash, _) = part else { return true }
        #expect(words.chain == last.chain + 1 && words.previous == last.hash)
        #expect(words.hash { try? SHA256.text(of: $0.utf8) } == hash)
        last = (words.chain, hash)
        formats.append(words.format)
        return true
      }
      #expect(formats == Array(repeating: 1, count: 20) + [2])
    }
  }

  @Test("what fails on the way leaves the file as it was")
  func atOnce() throws {
    // The last statement but one finds its table.
    try withOld("CREATE TABLE list_problem (id);") { old in
      let before = try Self.rows(old.path)
      #expect(throws: StoreError.self) { try CastqStore.Database(path: old.path) }
      #expect(try Self.rows(old.path) == before)
      #expect(try DatabaseQueue(path: old.path).read { try SchemaVersion($0) } == .lastUnmarked)
    }
  }

  @Test(
    "a copy of the file as it was is left, and the message about a newer file names the command that puts it back"
  )
  func copy() throws {
    try withOld(in: "it's here") { old in
      let before = try Self.rows(old.path)
      let copy = "\(old.path).schema-15"
      try Data("an older copy".utf8).write(to: URL(filePath: copy))
      _ = try CastqStore.Database(path: old.path)
      #expect(try Self.rows(copy) == before)
      #expect(try DatabaseQueue(path: copy).read { try SchemaVersion($0) } == .lastUnmarked)
      let attributes = try FileManager.default.attributesOfItem(atPath: copy)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(access("\(copy).new", F_OK) != 0)

      let newer = try DatabaseQueue(path: old.path)
      try newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
      try newer.close()
      let error = #expect(throws: StoreError.self) { try CastqStore.Database(path: old.path) }
      let message = try #require(error).description
      #expect(message.contains("has schema 99") && message.contains("install a newer castq, or"))
      let command = try #require(message.components(separatedBy: ": ").last)
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", command]
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0, "\(command)")
      #expect(try HistoryStore(CastqStore.Database(path: old.path)).plays(matching: .init()).count == 21)
    }
  }

  @Test("the schema has the closed set of causes")
  func closedSet() throws {
    let sql = try #require(
      try StoreFixture().outside().read {
        try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE name = 'play'")
      })
    let list = try #require(
      sql.components(separatedBy: "cause IN (").last?.components(separatedBy: "))").first)
    let codes = list.components(separatedBy: "'").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    #expect(Set(codes) == Set(PlayCause.allCases.map(\.rawValue)))
  }

  @Test("a file that an old daemon has stamped with its own number is that of the schema it has")
  func stamped() throws {
    try withOld { old in
      _ = try CastqStore.Database(path: old.path)
      let daemon = try DatabaseQueue(path: old.path)
      try daemon.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 15") }
      try daemon.close()
      let database = try CastqStore.Database(path: old.path)
      #expect(try HistoryStore(database).plays(matching: .init()).count == 21)
      try database.checkWriting(provenWithin: .zero)
      #expect(
        try DatabaseQueue(path: old.path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1)
    }
  }

  @Test(
    "an earlier schema is refused in one sentence that says what to do, and nothing is changed",
    arguments: [1, 14])
  func earlier(version: Int) throws {
    try withOld("PRAGMA user_version = \(version);") { old in
      let before = try Self.rows(old.path)
      let error = #expect(throws: StoreError.tooEarly(path: old.path, version: version)) {
        try CastqStore.Database(path: old.path)
      }
      let message = try #require(error).description
      #expect(message.contains("schema \(version) ") && message.contains("of commit aea91408"))
      #expect(!message.contains("\n"))
      #expect(try CastqStore.Database.checking(path: old.path).findings().problems == [])
      #expect(try Self.rows(old.path) == before)
      #expect(access("\(old.path).schema-\(version)", F_OK) != 0)
    }
  }

  @Test("a file of another program is not taken over, whatever number it has")
  func strangers() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, sql) in [
      ("numbered", "CREATE TABLE mail (id); PRAGMA user_version = 15"),
      ("marked", "CREATE TABLE mail (id); PRAGMA application_id = 7; PRAGMA user_version = 1"),
      ("high", "CREATE TABLE mail (id); PRAGMA user_version = 16"),
    ] {
      let path = folder.appending(path: name).path
      let file = try DatabaseQueue(path: path)
      try file.writeWithoutTransaction { try $0.execute(sql: sql) }
      try file.close()
      let error = #expect(throws: StoreError.self, "\(name)") { try CastqStore.Database(path: path) }
      guard case .corrupt = error else {
        Issue.record("\(name): \(error.map(String.init(describing:)) ?? "-")")
        continue
      }
    }
  }
}
