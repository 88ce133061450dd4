import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB

/// Keeps which zones the site and its devices had, and reads it.
enum ZoneHistory {
  /// The newest changes that are read; nobody moves a shop that often.
  private static let most = 10_000

  /// Keeps a change, if it is one.
  /// - Parameter device: nil is the site.
  static func keep(
    from before: ZoneName?, to after: ZoneName?, of device: DeviceID?, at now: WallTime, _ db: GRDB.Database
  ) throws {
    guard before != after else { return }
    try db.execute(
      sql: "INSERT INTO zone_history (device_id, at, before, after) VALUES (?, ?, ?, ?)",
      arguments: [device?.rawValue, now.milliseconds, before?.text, after?.text])
  }

  /// The zone that the site had last; nil before any was written.
  static func site(_ db: GRDB.Database) throws -> ZoneName? {
    let text = try db.scalar(
      String.self, of: "zone_history",
      sql: "SELECT after FROM zone_history WHERE device_id IS NULL ORDER BY id DESC LIMIT 1")
    return text.flatMap { try? ZoneName($0) }
  }

  /// All changes, oldest first.
  static func changes(_ db: GRDB.Database, noting notes: DamageNotes) throws -> [ZoneChange] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM (SELECT * FROM zone_history ORDER BY id DESC LIMIT ?) ORDER BY id",
      arguments: [most])
    return try rows.readable(noting: notes) { row in
      let row = StoredRow(row, of: "zone_history")
      let device = try row.optional("device_id", as: Int64.self)
      return ZoneChange(
        device: device.map { DeviceID($0).ruleName }, at: try row.value("at"),
        before: try row.optionalText("before", ZoneName.init),
        after: try row.optionalText("after", ZoneName.init))
    }
  }
}
