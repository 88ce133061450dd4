import Foundation
import GRDB
import Glibc
import Testing

@testable import CastqStore

/// What a check says of a damaged file.
struct DatabaseCheckTests {
  @Test(
    "a check says what is damaged in plain words, and keeps what SQLite had said before it stopped",
    arguments: [
      ("play_time", "the history cannot be read in full: table play is damaged"),
      ("queue_entry", "the queues cannot be read in full: table queue_entry is damaged"),
      ("media_probe", "what is known of local files cannot be read in full: table media_probe is damaged"),
    ])
  func damagedPage(tree: String, words: String) throws {
    let fixture = try StoreFixture()
    let entry = try #require(try fixture.enqueue(["a", "b"]).first)
    try fixture.play(entry)
    let root = try fixture.outside().read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [tree])
    }
    try fixture.outside().writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    let file = open(fixture.path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let garbage = [UInt8](repeating: 0xFF, count: 4096)
    #expect(pwrite(file, garbage, 4096, off_t(try #require(root) - 1) * 4096) == 4096)
    let problems = try CastqStore.Database(path: fixture.path).check()
    #expect(problems.first == words, "\(problems)")
    #expect(problems.count > 1 && problems.dropFirst().allSatisfy { $0.hasPrefix("SQLite says: ") })
    #expect(!problems.contains("SQLite says: database disk image is malformed"), "\(problems)")
  }

  @Test("a value that does not fit its column damages a row, and not the file")
  func damagedRow() throws {
    let fixture = try StoreFixture()
    let entry = try #require(try fixture.enqueue(["a"]).first)
    try fixture.play(entry)
    try fixture.outside().write {
      try $0.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE play SET chain = -1")
    }
    let findings = try fixture.database.findings()
    #expect(findings.isUsable && !findings.problems.isEmpty, "\(findings.problems)")
    #expect(!findings.problems.contains { $0.contains("cannot be read") })
  }

  /// The files of a folder, with their contents.
  private func files(_ folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // Not at once: Foundation keeps a page of each empty file that it has read so.
    let pairs = try names.map { name in
      let file = try FileHandle(forReadingFrom: folder.appending(path: name))
      defer { try? file.close() }
      return (name, try file.readToEnd() ?? Data())
    }
    return Dictionary(pairs) { $1 }
  }

  /// Makes a file of the schema that is taken over.
  private func makeOld(_ path: String) throws {
    let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Schemas/version-15.sql")
    let file = try DatabaseQueue(path: path)
    try file.writeWithoutTransaction {
      try $0.execute(sql: String(contentsOf: schema, encoding: .utf8))
    }
    try file.close()
  }

  @Test("a check changes nothing: it makes no database of what is none, and upgrades no older one")
  func changesNothing() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> String { folder.appending(path: name).path }
    try Data().write(to: folder.appending(path: "empty"))
    let foreign = try DatabaseQueue(path: file("foreign"))
    try foreign.write { try $0.execute(sql: "CREATE TABLE mail (id)") }
    try foreign.close()
    let numbered = try DatabaseQueue(path: file("numbered"))
    try numbered.write { try $0.execute(sql: "CREATE TABLE mail (id); PRAGMA user_version = 15") }
    try numbered.close()
    try makeOld(file("old"))
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    try fixture.database.backUp(to: file("new"))
    let before = try files(folder)
    for (name, words) in [
      ("empty", "it is empty"), ("foreign", "it has no tables of castq"),
      ("numbered", "it has no tables of castq"),
    ] {
      #expect(throws: StoreError.corrupt(path: file(name), words: words)) {
        try CastqStore.Database.checking(path: file(name))
      }
    }
    for (name, isCurrent) in [("old", false), ("new", true)] {
      let database = try CastqStore.Database.checking(path: file(name))
      #expect(try database.check().isEmpty)
      #expect(try database.isCurrent() == isCurrent)
    }
    #expect(try files(folder) == before)
  }

  @Test("a check of a database that is in use sees what was written last")
  func inUse() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a", "b"])
    let database = try CastqStore.Database.checking(path: fixture.path)
    #expect(try database.check().isEmpty)
    #expect(try QueueStore(database).entries(for: fixture.id).count == 2)
  }

  @Test("a copy of an older file is as old as the file, which neither a copy nor a vacuum upgrades")
  func olderFile() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> String { folder.appending(path: name).path }
    try makeOld(file("old"))
    let before = try files(folder)
    try CastqStore.Database.copying(path: file("old")).backUp(to: file("copy"))
    #expect(try files(folder)["old"] == before["old"])
    try CastqStore.Database(asIs: file("old")).vacuum()
    // An upgrade would have left a file of the old schema, too.
    #expect(try files(folder).keys.sorted() == ["copy", "old"])
    for name in ["copy", "old"] {
      #expect(try !CastqStore.Database.checking(path: file(name)).isCurrent(), "\(name)")
    }
  }

  @Test("what is no database of castq is neither copied nor compacted, and stays what it is")
  func nothingToCopy() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "empty").path
    try Data().write(to: URL(filePath: path))
    let error = StoreError.corrupt(path: path, words: "it is empty")
    #expect(throws: error) { try CastqStore.Database.copying(path: path) }
    #expect(throws: error) { try CastqStore.Database(asIs: path) }
    #expect(try files(folder) == ["empty": Data()])
  }

  @Test("every table has words for what it holds")
  func contents() throws {
    let tables = try StoreFixture().outside().read {
      try String.fetchAll(
        $0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    }
    #expect(!tables.isEmpty && tables.allSatisfy(Schema.isName))
    #expect(tables.filter { Schema.contents(of: $0) == "a table" } == [])
  }
}
