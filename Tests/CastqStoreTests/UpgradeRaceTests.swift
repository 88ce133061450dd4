import CastqCore
import Foundation
import GRDB
import Testing

@testable import CastqStore

@Suite("Upgrades by two programs at once")
struct UpgradeRaceTests {
  @Test(
    "who waited while another program upgraded the file reads its rows as they are now", arguments: [1, 7],
    ["PRAGMA user_version", "BEGIN IMMEDIATE"])
  func waiting(version: Int, statement: String) throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "old.db").path
    let schema = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Schemas/version-\(version).sql")
    let file = try DatabaseQueue(path: path)
    try file.write {
      try $0.execute(
        sql: String(contentsOf: schema, encoding: .utf8) + """

          INSERT INTO play (entry_id, turn, device_name, title, url, started_at, ended_at, outcome, evidence)
            VALUES (1, 1, 'Lobby', 't', 'http://h/a.mp4', 1, 2, 'finished', 'reported');
          PRAGMA user_version = \(version);
          """)
    }
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
      let rows = try Row.fetchCursor(db, sql: "SELECT \(PlayRows.columns) FROM play")
      return try PlayRows.record(#require(try rows.next()), db)
    }
    #expect(record.url == "http://h/a.mp4" && record.adPlays.isEmpty)
  }
}
