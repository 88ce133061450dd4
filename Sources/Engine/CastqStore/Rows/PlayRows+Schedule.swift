import CastqFeeding
import CastqPlaylists
import CastqText
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
    let shown = try db.first(
      sql: """
        SELECT \(decisionColumns), p.name IS programme AS is_its_list, p.name AS list
        FROM decision LEFT JOIN (
          SELECT p.name FROM queue_entry e JOIN queue q ON q.id = e.queue_id JOIN programme p ON p.id = q.programme_id
          WHERE e.id = ?2) p
        WHERE device_id = ?1 AND until IS NULL ORDER BY at DESC, decision.id DESC LIMIT 1
        """, arguments: [device.rawValue, entry.rawValue]
    ) { row -> PlaySchedule?? in
      let last = StoredRow(row, of: "decision", id: "decision_id")
      do {
        if try last.value("is_its_list") { return try schedule(last) { $0.name } }
        let list: String? = try last.optional("list")
        return try newest(for: list, on: device, db)
          ?? (list == nil ? PlaySchedule(kind: .base) : schedule(last) { $0.name })
      } catch is RowDamage {
        return .some(nil)
      }
    }
    return shown ?? PlaySchedule(kind: .base)
  }

  /// Names what took the place of a play, by the decision that did.
  static func nameReplacement(of turn: EntryTurn, on device: DeviceID, _ db: GRDB.Database) throws {
    let found = try db.first(
      sql: """
        SELECT play.kind, play.decision_id, d.ends_at <= play.ended_at + 500 AS is_over FROM play
        LEFT JOIN decision d ON d.id = play.decision_id WHERE play.entry_id = ? AND play.turn = ?
        """, arguments: [turn.entry.rawValue, turn.turn]
    ) { row -> (play: PlaySchedule?, isOver: Bool) in
      let row = StoredRow(row, of: "play")
      let kind: PlayKind? = try row.optionalChoice("kind")
      let decision: Int64? = try row.optional("decision_id")
      return (kind.map { PlaySchedule(kind: $0, decision: decision) }, try row.optional("is_over") ?? false)
    }
    let next = try db.first(
      sql: """
        SELECT \(decisionColumns) FROM decision WHERE device_id = ? AND until IS NULL ORDER BY at DESC, id DESC LIMIT 1
        """, arguments: [device.rawValue]
    ) { try schedule(StoredRow($0, of: "decision", id: "decision_id")) { $0.name } }
    guard let found, let next = next ?? nil else { return }
    let (cause, name) = PlayCause.replacement(of: found.play, isOver: found.isOver, by: next)
    try db.change(
      sql: "UPDATE play SET cause = ?, caused_by = ? WHERE entry_id = ? AND turn = ?",
      arguments: [cause.rawValue, name, turn.entry.rawValue, turn.turn])
  }

  /// What the newest decision for a list says; nil if there was none.
  private static func newest(
    for list: String?, on device: DeviceID, _ db: GRDB.Database
  ) throws -> PlaySchedule?? {
    try db.first(
      sql: """
        SELECT \(decisionColumns) FROM decision WHERE device_id = ? AND programme IS ? COLLATE NOCASE
        ORDER BY at DESC, id DESC LIMIT 1
        """, arguments: [device.rawValue, list]
    ) { try schedule(StoredRow($0, of: "decision", id: "decision_id")) { $0.name } }
  }

  private static let decisionColumns = """
    decision.id AS decision_id, CASE kind WHEN 'dark' THEN 'base' ELSE kind END AS kind, rule_id, rule_name,
      revision AS rule_revision, occurrence, planned_at
    """

  /// The schedule in a row; nil for rows that say nothing of it.
  /// - Parameter column: how the row names a column.
  static func schedule<Column>(
    _ row: ResultRow<Column>, _ column: (PlayColumn) -> Column
  ) throws -> PlaySchedule? {
    guard let kind: PlayKind = try row.optionalChoice(column(.kind)) else { return nil }
    return PlaySchedule(
      kind: kind, rule: try row.optional(column(.ruleID)), name: try row.optional(column(.ruleName)),
      revision: try row.optional(column(.ruleRevision)), occurrence: try row.optional(column(.occurrence)),
      plannedAt: try row.optional(column(.plannedAt)), decision: try row.optional(column(.decisionID)))
  }
}
