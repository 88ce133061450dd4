import CastProtocol
import CastqSchedule
import CastqText
import GRDB

/// Keeps what day parts, calendars and groups were before each change of them, and reads it.
enum NamedHistory {
  /// Changes something that rules name, and keeps what is different afterwards as it was.
  /// - Returns: whether anything is.
  @discardableResult
  static func keep(
    _ table: ScheduleTable, _ name: String, at now: WallTime, _ db: GRDB.Database, _ body: () throws -> Void
  ) throws -> Bool {
    let before = try members(of: table, name, db)
    let old = try words(of: table, name, db)
    try body()
    let after = try members(of: table, name, db)
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    guard !changed.isEmpty else { return false }
    let was = changed.reduce(into: [:]) { $0[$1] = before[$1] ?? JSONValue.null }
    try db.execute(
      sql: "INSERT INTO named_history (kind, name, at, before) VALUES (?, ?, ?, ?)",
      arguments: [
        table.verb, try old ?? words(of: table, name, db) ?? name, now.milliseconds,
        JSONValue.object(was).text,
      ])
    return true
  }

  /// The name as its row has it; nil where there is none.
  private static func words(of table: ScheduleTable, _ name: String, _ db: GRDB.Database) throws -> String? {
    try db.scalar(
      String.self, of: table.rawValue, sql: "SELECT name FROM \(table.rawValue) WHERE name = ?",
      arguments: [name])
  }

  /// Everything about a row that rules depend on; empty where there is none. What cannot be read is left out.
  private static func members(
    of table: ScheduleTable, _ name: String, _ db: GRDB.Database
  ) throws -> [String: JSONValue] {
    let query =
      switch table {
      case .calendar:
        """
        SELECT calendar_id AS id, day AS member, json_quote(label) AS value FROM calendar_day
        WHERE calendar_id = (SELECT id FROM calendar WHERE name = :name)
        """
      case .group:
        """
        SELECT group_id AS id, CAST(device_id AS TEXT) AS member, 'true' AS value FROM group_member
        WHERE group_id = (SELECT id FROM device_group WHERE name = :name)
        """
      case .daypart:
        """
        SELECT id, 'part' AS member, json_quote(start_local || '-' || end_local) AS value FROM daypart WHERE name = :name
        UNION ALL SELECT id, 'exceptions', (SELECT json_group_array(json(words)) FROM (
          SELECT json_object('days', e.days, 'calendar', c.name, 'part', e.start_local || '-' || e.end_local) AS words
          FROM daypart_exception e LEFT JOIN calendar c ON c.id = e.calendar_id
          WHERE e.daypart_id = daypart.id ORDER BY e.ordinal))
        FROM daypart WHERE name = :name
        """
      case .programme, .rule: "SELECT NULL AS id, '' AS member, '' AS value WHERE :name IS NULL"
      }
    let rows = try Row.fetchCursor(db, sql: query, arguments: ["name": name])
    let members = try rows.readable(noting: DamageNotes()) { row in
      let row = StoredRow(row, of: table.rawValue)
      return (try row.value("member", as: String.self), try row.json("value") ?? .null)
    }
    return Dictionary(members) { $1 }
  }

  /// What was changed after a moment, oldest first, and since when changes are kept.
  static func past(
    since moment: WallTime, _ db: GRDB.Database, noting notes: DamageNotes
  ) throws -> (named: NamedPast, recorded: WallTime) {
    // A clock may have been set back: the row that was written last before the moment ends what is still so.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT * FROM named_history WHERE kind <> 'start' AND id > coalesce((
          SELECT id FROM named_history WHERE at <= ?1 ORDER BY id DESC LIMIT 1), 0) ORDER BY id
        """, arguments: [moment.milliseconds])
    let changes = try rows.readable(noting: notes) { row in
      let row = StoredRow(row, of: "named_history")
      return NamedChange(
        kind: try row.choice("kind"), name: try row.value("name"), at: try row.value("at"),
        before: try row.json("before")?.object ?? [:])
    }
    let start = try db.scalar(
      Int64.self, of: "named_history", sql: "SELECT max(at) FROM named_history WHERE kind = 'start'")
    let zones = ZonePast(try ZoneHistory.changes(db, noting: notes))
    return (NamedPast(changes, zones: zones), start.map(WallTime.init(milliseconds:)) ?? RuleEpoch.always)
  }
}
