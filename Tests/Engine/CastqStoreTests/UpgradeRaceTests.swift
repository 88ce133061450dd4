import CastqFeeding
import Foundation
import GRDB
import Testing
@testable import CastqStore

@Suite("Upgrades by two programs at once")
struct UpgradeRaceTests {
  @Test(
    "who waited while another program upgraded the file reads its rows as they are now",
    arguments: ["PRAGMA application_id", "PRAGMA user_version", "BEGIN IMMEDIATE"])
  func waiting(statement: String) throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "old.db").path
    let schema = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Schemas/version-15.sql")
    let file = try DatabaseQueue(path: path)
    try file.writeWithoutTransaction { try $0.execute(sql: String(contentsOf: schema, encoding: .utf8)) }
    try file.close()
    let slow = try DatabaseQueue(path: path, configuration: CastqStore.Database.configuration())
    let record = try slow.writeWithoutTransaction { db in
      // It knows the old tables by now.
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM play")
      // The other one comes before its look at the version, or between that and its lock.
      var isUpgraded = false
      db.trace { event in
        guard !isUpgraded, "\(event)".hasPrefix(statement) else { return }
        isUpgraded = true
        _ = try? CastqStore.Database(path: path)
      }
      try Schema.bringUpToDate(db, path: path)
      db.trace(options: [], nil)
      #expect(isUpgraded)
      // As the history reads them.
      let rows = try Row.fetchCursor(db, sql: "SELECT \(PlayRows.columns) FROM play WHERE id = 2")
      return try PlayRows.record(#require(try rows.next()), db)
    }
    #expect(record.url == "http://127.0.0.1:9/gone.mp4" && record.adPlays.isEmpty)
  }
}
