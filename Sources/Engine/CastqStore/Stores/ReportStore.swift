package import CastqFeeding
package import CastqPlaylists
import CastqSchedule
package import CastqText
import GRDB

/// Reads what reports sum up, row by row: a year of plays does not fit into memory everywhere.
package struct ReportStore: Sendable {
  let database: Database

  package init(_ database: Database) { self.database = database }

  /// What a device is called now, so that one that got another name is one row; for one that was removed, what it was called.
  private static func label(in table: String) -> String {
    "coalesce((SELECT coalesce(d.alias, d.name) FROM device d WHERE d.id = \(table).device_id), \(table).device_name) AS label"
  }

  /// Plays that lie at least partly in the period, oldest first. Damaged rows are noted and skipped.
  /// - Parameter devices: the devices of the plays; nil is all, removed ones too.
  package func readPlays(
    in period: Range<WallTime>, of devices: Set<DeviceID>?, _ receive: (ReportPlay) -> Void
  ) throws(StoreError) {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT id, \(Self.label(in: "play")), title, url, started_at, coalesce(ended_at, observed_at, started_at) AS over_at, played_s, outcome,
            evidence, gap_before_s, kind, rule_name, device_id,
            (SELECT programme FROM decision WHERE decision.id = play.decision_id) AS programme
          FROM play
          WHERE coalesce(started_at, ended_at) < :until AND max(coalesce(ended_at, observed_at, started_at),
            coalesce(started_at, ended_at)) >= :since AND \(Self.condition(devices))
          ORDER BY coalesce(started_at, ended_at), id
          """,
        arguments: ["since": period.lowerBound.milliseconds, "until": period.upperBound.milliseconds])
      try read(rows) { row in
        let row = StoredRow(row, of: "play")
        let (title, url): (String, String) = (try row.value("title"), try row.value("url"))
        receive(
          ReportPlay(
            play: try row.value("id"), device: try row.value("label"), deviceID: try Self.device(row),
            title: MediaTitle.shown(title == url ? nil : title, url: url), url: url,
            startedAt: try row.optional("started_at"), endedAt: try row.value("over_at"),
            played: try row.value("played_s"), outcome: try row.optionalChoice("outcome"),
            evidence: try row.optionalChoice("evidence"), gapBefore: try row.optional("gap_before_s"),
            kind: try row.optionalChoice("kind"), rule: try row.optional("rule_name"),
            programme: try row.optional("programme")))
      }
    }
  }

  /// Outages that lie at least partly in the period, oldest first. Damaged rows are noted and skipped.
  package func outages(
    in period: Range<WallTime>, of devices: Set<DeviceID>?
  ) throws(StoreError) -> [Outage] {
    try database.read { db in
      var outages: [Outage] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT *, \(Self.label(in: "outage")) FROM outage WHERE began_at < :until AND coalesce(ended_at, 9223372036854775807) >= :since
            AND \(Self.condition(devices)) ORDER BY began_at, id
          """,
        arguments: ["since": period.lowerBound.milliseconds, "until": period.upperBound.milliseconds])
      try read(rows) { row in
        let row = StoredRow(row, of: "outage")
        let cause: String = try row.value("cause")
        outages.append(
          Outage(
            id: try row.value("id"), device: try row.value("label"), deviceID: try Self.device(row),
            beganAt: try row.value("began_at"), endedAt: try row.optional("ended_at"), cause: cause,
            hasAnswered: !cause.hasSuffix(OutageStore.unanswered)))
      }
      return outages
    }
  }

  /// A decision for a rule that held at some time of a period.
  package struct RuleDecision: Sendable, Hashable {
    package let device: DeviceID?
    package let deviceName: String
    package let rule: Int64
    package let ruleName: String
    package let occurrence: String
    /// When it was to hold: from the planned start, where it was late, to the next decision or the end of the occurrence.
    package let range: Range<WallTime>
  }

  /// The decisions for windows and announcements of rules, by their starts. Damaged rows are noted and skipped.
  /// - Parameter now: the end of decisions that hold.
  package func decisions(
    in period: Range<WallTime>, of devices: Set<DeviceID>?, now: WallTime
  ) throws(StoreError) -> [RuleDecision] {
    try database.read { db in
      var decisions: [RuleDecision] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT *, \(Self.label(in: "decision")), CASE WHEN kind IN ('rule', 'announcement') THEN (
              SELECT max(at) FROM rule_history h WHERE h.rule_id = decision.rule_id AND h.at <= decision.at
                AND (h.before IS NULL OR (json_valid(h.before) AND json_extract(h.before, '$.enabled') = 0))) END AS in_force
          FROM decision WHERE at < :until AND coalesce(until, 9223372036854775807) >= :since
            AND \(Self.condition(devices)) ORDER BY at, id
          """,
        arguments: ["since": period.lowerBound.milliseconds, "until": period.upperBound.milliseconds])
      var screens = HeldScreens()
      try read(rows) { row in
        let row = StoredRow(row, of: "decision")
        let (at, name): (WallTime, String) = (try row.value("at"), try row.value("label"))
        guard let kind = PlanSegment.Kind(word: try row.value("kind")) else { throw row.damage("kind") }
        // What continues has no planned start; a trigger that was missed counts from its later start. What is as long as its programme
        // is no shorter when it begins later: the announcement that waited for the end of an item has lost nothing.
        let isOpen = try row.optional("ends_at", as: WallTime.self) == nil
        let isStart = try !isOpen && row.optional("planned_at", as: WallTime.self) != nil
        let planned = screens.start(
          of: kind, on: name, at: at, planned: isStart ? min(at, try row.optional("starts_at") ?? at) : at)
        guard kind == .rule || kind == .announcement else { return }
        // A rule that was made or switched on in the middle of its time was not to show anything before.
        let start = max(planned, try row.optional("in_force") ?? planned)
        let end = min(try row.optional("until") ?? now, try row.optional("ends_at") ?? .latest)
        decisions.append(
          RuleDecision(
            device: try Self.device(row),
            deviceName: name, rule: try row.value("rule_id"),
            ruleName: try row.optional("rule_name") ?? "rule \(try row.value("rule_id", as: Int64.self))",
            occurrence: try row.value("occurrence"), range: start..<max(start, end)))
      }
      return decisions
    }
  }

  /// The first moment of which plays or decisions are known; nil when there are none.
  package func beginning() throws(StoreError) -> WallTime? {
    try database.read { db in
      try db.scalar(
        WallTime.self, of: "play",
        sql: """
          SELECT min(at) FROM (SELECT min(coalesce(started_at, ended_at)) AS at FROM play
            UNION ALL SELECT min(at) FROM decision)
          """)
    }
  }

  private static func device(_ row: StoredRow) throws(RowDamage) -> DeviceID? {
    try row.optional("device_id", as: Int64.self).map(DeviceID.init)
  }

  private func read(_ rows: RowCursor, _ body: (Row) throws -> Void) throws {
    while let row = try rows.next() {
      do { try body(row) } catch let damage as RowDamage { database.notes.add(damage) }
    }
  }

  /// Numbers of rows, which need no quoting.
  private static func condition(_ devices: Set<DeviceID>?) -> String {
    guard let devices else { return "1" }
    return "device_id IN (\(devices.map { String($0.rawValue) }.sorted().joined(separator: ", ")))"
  }
}
