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

  /// What an entry is shown by: the last decision, which no later one has ended. Without one it is the base.
  ///
  /// A receiver goes on to the next item of the old list until it has heard of the new one. What begins in that time is shown by the
  /// newest decision for its own list; where no decision was for the base, it is the base. Nil when the row is damaged. A play is recorded
  /// nevertheless.
  static func schedule(
    of entry: EntryID, on device: DeviceID, _ db: GRDB.Database
  ) throws -> PlaySchedule? {
    let last = try db.cachedStatement(
      sql: """
        SELECT \(decisionColumns), p.name IS programme AS is_its_list, p.name AS list
        FROM decision LEFT JOIN (
          SELECT p.name FROM queue_entry e JOIN queue q ON q.id = e.queue_id JOIN programme p ON p.id = q.programme_id
          WHERE e.id = ?2) p
        WHERE device_id = ?1 AND until IS NULL ORDER BY at DESC, decision.id DESC LIMIT 1
        """)
    guard let row = try Row.fetchOne(last, arguments: [device.rawValue, entry.rawValue]) else {
      return PlaySchedule(kind: .base)
    }
    let stored = StoredRow(row, of: "decision", id: "decision_id")
    do {
      if try stored.value("is_its_list") { return try schedule(stored) }
      let list: String? = try stored.optional("list")
      let newest = try db.cachedStatement(
        sql: """
          SELECT \(decisionColumns) FROM decision WHERE device_id = ? AND programme IS ? COLLATE NOCASE
          ORDER BY at DESC, id DESC LIMIT 1
          """)
      if let own = try Row.fetchOne(newest, arguments: [device.rawValue, list]) {
        return try schedule(StoredRow(own, of: "decision", id: "decision_id"))
      }
      return list == nil ? PlaySchedule(kind: .base) : try schedule(stored)
    } catch is RowDamage {
      return nil
    }
  }

  private static let decisionColumns = """
    decision.id AS decision_id, CASE kind WHEN 'dark' THEN 'base' ELSE kind END AS kind, rule_id, rule_name,
      revision AS rule_revision, occurrence, planned_at
    """

  /// The schedule in a row; nil for rows that say nothing of it.
  static func schedule(_ row: StoredRow) throws -> PlaySchedule? {
    guard let kind: PlayKind = try row.optionalChoice("kind") else { return nil }
    return PlaySchedule(
      kind: kind, rule: try row.optional("rule_id"), name: try row.optional("rule_name"),
      revision: try row.optional("rule_revision"), occurrence: try row.optional("occurrence"),
      plannedAt: try row.optional("planned_at"), decision: try row.optional("decision_id"))
  }
}
