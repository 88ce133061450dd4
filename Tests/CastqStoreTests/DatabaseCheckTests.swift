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
