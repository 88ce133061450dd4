import CastqCore
import GRDB

/// What a play is shown by.
extension PlayRows {
  static let scheduleColumns =
    "kind, rule_id, rule_name, rule_revision, occurrence, planned_at, decision_id"
  static let scheduleValues = ":kind, :ruleID, :ruleName, :revision, :occurrence, :planned, :decision"

  /// The values of `scheduleValues`; nil is unknown, and leaves all of them NULL.
  static func arguments(of schedule: PlaySchedule?) -> StatementArguments {
    [
      "kind": schedule?.kind.rawValue, "ruleID": schedule?.rule, "ruleName": schedule?.name,
      "revision": schedule?.revision, "occurrence": schedule?.occurrence,
      "planned": schedule?.plannedAt?.milliseconds, "decision": schedule?.decision,
    ]
  }

  /// What a device shows now, by its last decision: the one that no later one has ended. Without one it is the base.
  ///
  /// Nil when the row is damaged. A play is recorded nevertheless.
  static func schedule(of device: DeviceID, _ db: GRDB.Database) throws -> PlaySchedule? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT id AS decision_id, CASE kind WHEN 'dark' THEN 'base' ELSE kind END AS kind, rule_id, rule_name,
          revision AS rule_revision, occurrence, planned_at
        FROM decision WHERE device_id = ? AND until IS NULL ORDER BY at DESC, id DESC LIMIT 1
        """)
    guard let row = try Row.fetchOne(statement, arguments: [device.rawValue]) else {
      return PlaySchedule(kind: .base)
    }
    do { return try schedule(StoredRow(row, of: "decision", id: "decision_id")) } catch is RowDamage {
      return nil
    }
  }

  /// The schedule in a row; nil for rows that say nothing of it.
  static func schedule(_ row: StoredRow) throws -> PlaySchedule? {
    guard let kind: PlayKind = try row.optionalChoice("kind") else { return nil }
    return PlaySchedule(
      kind: kind, rule: try row.optional("rule_id"), name: try row.optional("rule_name"),
      revision: try row.optional("rule_revision"), occurrence: try row.optional("occurrence"),
      plannedAt: try row.optional("planned_at"), decision: try row.optional("decision_id"))
  }
}
