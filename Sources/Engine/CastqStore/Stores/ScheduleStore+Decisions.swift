package import CastqPlaylists
package import CastqSchedule
package import CastqText
import GRDB

/// A decision with what only its row knows.
package struct StoredDecision: Sendable, Hashable {
  package let id: Int64
  package var decision: ScheduleDecision
  /// When the next one was made; nil for the last one.
  package var until: WallTime?
  /// The device and the rule in the words of that day; nil without a rule.
  package var device: String
  package var rule: String?
}

extension ScheduleStore {
  /// The row of the last decision on a device. Its number says which that is, not its time: a clock may be set back. The newest rows
  /// are those of the devices at work, so that the search is short; the sign keeps it from reading and sorting all of one device.
  private static let last =
    "SELECT id FROM decision WHERE +device_id = :device AND kind <> 'share' ORDER BY id DESC LIMIT 1"
  /// The same, that of a share included: what is on the screen beneath which the winner stays.
  private static let shown = "SELECT id FROM decision WHERE +device_id = :device ORDER BY id DESC LIMIT 1"

  /// Writes what came on a screen, and ends the decision before.
  /// - Returns: the number of the row, which plays name.
  @discardableResult
  package func record(_ decision: ScheduleDecision, device: KnownDevice) throws(StoreError) -> Int64 {
    try database.write { db in
      try db.execute(
        sql: "UPDATE decision SET until = :at WHERE id = (\(Self.shown))",
        arguments: ["at": decision.at.milliseconds, "device": device.id.rawValue])
      let onAir = decision.onAir
      try db.execute(
        sql: """
          INSERT INTO decision (device_id, device_name, at, kind, rule_id, rule_name, revision, programme, occurrence,
            starts_at, ends_at, is_replacement, planned_at, reason, beneath, passed_over)
          VALUES (:device, :name, :at, :kind, :rule, (SELECT name FROM rule WHERE id = :rule), :revision, :programme,
            :occurrence, :start, :end, :replacement, :planned, :reason, :beneath,
            :passed)
          """,
        arguments: [
          "device": device.id.rawValue, "name": device.label, "at": decision.at.milliseconds,
          "kind": decision.kind.word, "rule": onAir?.occurrence.rule.number, "revision": onAir?.revision,
          "programme": onAir?.programme, "occurrence": onAir?.occurrence.original.text,
          "start": onAir?.occurrence.start.milliseconds, "end": onAir?.occurrence.end?.milliseconds,
          "replacement": onAir?.occurrence.replacement != nil, "planned": decision.planned?.milliseconds,
          "reason": decision.reason, "beneath": DecisionRows.text(decision.beneath),
          "passed": DecisionRows.text(decision.passedOver),
        ])
      return db.lastInsertedRowID
    }
  }

  /// Gives the last decision other moments, or others that wait below it or are passed over. Without a decision nothing changes.
  package func amend(_ standing: ScheduleDecision.Standing, device: DeviceID) throws(StoreError) {
    let onAir = standing.onAir
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE decision SET beneath = :beneath, passed_over = :passed,
            revision = CASE WHEN rule_id = :rule THEN :revision ELSE revision END,
            starts_at = CASE WHEN rule_id = :rule THEN :start ELSE starts_at END,
            ends_at = CASE WHEN rule_id = :rule THEN :end ELSE ends_at END
          WHERE id = (\(Self.last))
          """,
        arguments: [
          "beneath": DecisionRows.text(standing.beneath), "passed": DecisionRows.text(standing.passedOver),
          "rule": onAir?.occurrence.rule.number, "revision": onAir?.revision,
          "start": onAir?.occurrence.start.milliseconds,
          "end": onAir?.occurrence.end?.milliseconds, "device": device.rawValue,
        ])
    }
  }

  /// The decision that a new process continues; nil for a device without one. A damaged row is noted, and there is none.
  package func lastDecision(of device: DeviceID) throws(StoreError) -> ScheduleDecision? {
    try decisions("WHERE id = (\(Self.last))", ["device": device.rawValue]).first?.decision
  }

  /// What is on the screen of a device by the rules, a share's item included; nil before the first decision.
  package func shown(on device: DeviceID) throws(StoreError) -> StoredDecision? {
    // Most devices have no rules, and status asks this for each of them.
    let id = try database.read { db in
      try db.scalar(Int64.self, of: "decision", sql: Self.shown, arguments: ["device": device.rawValue])
    }
    return try id.flatMap { (id) throws(StoreError) in try decision(id) }
  }

  /// The decision by which an entry is on the screen of a device: that of its open play; before it has one, the newest. Nil where it plays by
  /// no rule: a command that feeds the device obeys none, whatever a daemon has decided before.
  package func shown(on device: DeviceID, playing entry: EntryID) throws(StoreError) -> StoredDecision? {
    let play = try database.read { db in
      try db.first(
        sql: """
          SELECT CASE kind WHEN 'base' THEN NULL ELSE decision_id END AS decision FROM play
          WHERE entry_id = ? AND ended_at IS NULL ORDER BY turn DESC LIMIT 1
          """, arguments: [entry.rawValue]
      ) { row -> Int64?? in .some(try StoredRow(row, of: "play").optional("decision")) }
    }
    guard let play else { return try shown(on: device) }
    return try play.flatMap { (id) throws(StoreError) in try decision(id) }
  }

  /// The share whose item is on the screen of a device, as far as its rows say; nil when the newest decision is another one.
  package func leftShare(on device: DeviceID) throws(StoreError) -> ScheduleMachine.LeftShare? {
    guard let shown = try shown(on: device), shown.decision.kind == .share,
      let rule = shown.decision.onAir?.occurrence.rule
    else { return nil }
    let played = try database.read { db in
      try db.scalar(
        Double.self, of: "play", sql: "SELECT total(played_s) FROM play WHERE decision_id = ?",
        arguments: [shown.id])
    }
    return .init(rule: rule, since: shown.decision.at, played: max(played ?? 0, 0))
  }

  /// The decision that held on a device at a moment; nil when there was none yet. Damaged rows are noted and skipped.
  package func decision(of device: DeviceID, at moment: WallTime) throws(StoreError) -> StoredDecision? {
    try decisions(
      "WHERE device_id = ? AND at <= ? ORDER BY at DESC, id DESC LIMIT 1",
      [device.rawValue, moment.milliseconds]
    ).first
  }

  /// The decision with a number, which a play names; nil when there is no such row.
  package func decision(_ id: Int64) throws(StoreError) -> StoredDecision? {
    try decisions("WHERE id = ?", [id]).first
  }

  private func decisions(
    _ clause: String, _ arguments: StatementArguments
  ) throws(StoreError) -> [StoredDecision] {
    try database.read { db in
      try Row.fetchCursor(db, sql: "SELECT * FROM decision \(clause)", arguments: arguments)
        .readable(noting: database.notes) { try DecisionRows.decision($0, noting: database.notes) }
    }
  }
}
