package import CastqFeeding
package import CastqPlaylists
import CastqSchedule
package import CastqText
import GRDB

/// Reads the rows that timelines are made of.
package struct TimelineStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  // MARK: - Plays

  /// By the index over the time of plays.
  private static let moment = "coalesce(play.started_at, play.ended_at)"
  private static let columns = """
    play.id, play.device_id, play.title, play.url, play.started_at, play.ended_at, play.observed_at, play.played_s, play.outcome,
    play.cause, play.caused_by, play.gap_before_s, play.kind, play.rule_id, play.rule_name, play.rule_revision, play.occurrence,
    play.idle_reason, play.error_type, play.error_reason, play.detailed_code, play.note, play.unobserved_s, d.programme
    FROM play LEFT JOIN decision d ON d.id = play.decision_id
    """
  /// Seconds before the play that began last in which an earlier one is looked for that goes on: two only overlap where a clock was set back.
  private static let overlap = 7200.0

  /// Plays that began in a range, by their beginnings. Damaged rows are noted and skipped.
  /// - Parameter devices: of which devices; nil is all.
  package func readPlays(
    in range: Range<WallTime>, of devices: Set<DeviceID>?, _ receive: (DeviceID, Timeline.Play) -> Void
  ) throws(StoreError) {
    // Numbers of rows, which need no quoting.
    let numbers = devices.map { $0.map { String($0.rawValue) }.sorted().joined(separator: ", ") }
    let ofDevices = numbers.map { "AND play.device_id IN (\($0))" } ?? ""
    try database.read { db in
      try Self.read(
        """
        \(Self.moment) >= :from AND \(Self.moment) < :until \(ofDevices)
        ORDER BY \(Self.moment), play.id
        """, ["from": range.lowerBound.milliseconds, "until": range.upperBound.milliseconds], db,
        database.notes, receive)
    }
  }

  /// The plays that say what was on the screen of a device at a moment and before the next play: the one that had started last, what failed
  /// since, and what may go on.
  package func playsBefore(_ moment: WallTime, on device: DeviceID) throws(StoreError) -> [Timeline.Play] {
    guard let last = try started(on: device, before: moment) else { return [] }
    return try database.read { db in
      var plays: [Timeline.Play] = []
      try Self.read(
        """
        play.device_id = :device AND \(Self.moment) >= :from AND \(Self.moment) < :until
          AND (\(Self.moment) >= :last OR coalesce(play.ended_at, 9223372036854775807) > :last)
        ORDER BY \(Self.moment), play.id
        """,
        [
          "device": device.rawValue, "from": last.adding(seconds: -Self.overlap).milliseconds,
          "last": last.milliseconds, "until": moment.milliseconds,
        ], db, database.notes
      ) { plays.append($1) }
      return plays
    }
  }

  /// When the play that had started last before a moment did so; nil where none did within 35 days.
  package func started(on device: DeviceID, before moment: WallTime) throws(StoreError) -> WallTime? {
    try started(
      device, moment.adding(seconds: -Timeline.reach)..<moment, "ORDER BY \(Self.moment) DESC, play.id DESC")
  }

  /// When the next play started, at a moment or after it; nil where none did within 35 days.
  package func started(on device: DeviceID, from moment: WallTime) throws(StoreError) -> WallTime? {
    try started(
      device, moment..<moment.adding(seconds: Timeline.reach), "ORDER BY \(Self.moment), play.id")
  }

  private func started(
    _ device: DeviceID, _ range: Range<WallTime>, _ order: String
  ) throws(StoreError) -> WallTime? {
    try database.read { db in
      try db.scalar(
        WallTime.self, of: "play",
        sql: """
          SELECT play.started_at FROM play WHERE play.device_id = :device AND play.started_at IS NOT NULL
            AND \(Self.moment) >= :from AND \(Self.moment) < :until \(order) LIMIT 1
          """,
        arguments: [
          "device": device.rawValue, "from": range.lowerBound.milliseconds,
          "until": range.upperBound.milliseconds,
        ])
    }
  }

  private static func read(
    _ clause: String, _ arguments: StatementArguments, _ db: GRDB.Database, _ notes: DamageNotes,
    _ receive: (DeviceID, Timeline.Play) -> Void
  ) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT \(columns) WHERE \(clause)", arguments: arguments)
    while let row = try rows.next() {
      do {
        let stored = StoredRow(row, of: "play")
        guard let device: Int64 = try stored.optional("device_id") else { continue }
        receive(DeviceID(device), try play(stored))
      } catch { notes.add(error) }
    }
  }

  private static func play(_ row: StoredRow) throws(RowDamage) -> Timeline.Play {
    let (title, url): (String, String) = (try row.value("title"), try row.value("url"))
    let cause: PlayCause? = try row.optionalChoice("cause")
    let causedBy: String? = try row.optional("caused_by")
    let reason = PlayReason(
      idleReason: try row.optional("idle_reason"), errorType: try row.optional("error_type"),
      errorReason: try row.optional("error_reason"), detailedCode: try row.optional("detailed_code"),
      note: try row.optional("note"))
    return Timeline.Play(
      id: try row.value("id"), title: MediaTitle.shown(title == url ? nil : title, url: url),
      key: Timeline.Play.Key(
        try row.optionalChoice("kind") ?? .base, number: try row.optional("rule_id"),
        rule: try row.optional("rule_name"), revision: try row.optional("rule_revision"),
        occurrence: try row.optional("occurrence"), programme: try row.optional("programme")),
      startedAt: try row.optional("started_at"), endedAt: try row.optional("ended_at"),
      observedAt: try row.optional("observed_at"), played: try row.value("played_s"),
      outcome: try row.optionalChoice("outcome"), cause: cause, causedBy: causedBy,
      gapBefore: try row.optional("gap_before_s"), unobserved: try row.optional("unobserved_s") ?? 0,
      reason: PlayReason.words(cause, by: causedBy, reason))
  }

  // MARK: - Facts

  /// What is known of a device beside its plays, as far as a range needs it.
  /// - Parameter isFed: whether something feeds it.
  package func facts(
    of device: DeviceID, in range: Range<WallTime>, now: WallTime, isFed: Bool
  ) throws(StoreError) -> TimelineFacts {
    let outages = try ReportStore(database).outages(in: range, of: [device])
    return try database.read { db in
      let made = try db.scalar(
        WallTime.self, of: "device", sql: "SELECT created_at FROM device WHERE id = ?",
        arguments: [device.rawValue])
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT id, at, kind, rule_name, programme, planned_at, ends_at FROM decision
          WHERE device_id = :device AND kind <> 'share' AND at < :until AND at >= coalesce((
            SELECT max(at) FROM decision WHERE device_id = :device AND kind <> 'share' AND at <= :from), :from)
          ORDER BY at, id
          """,
        arguments: [
          "device": device.rawValue, "from": range.lowerBound.milliseconds,
          "until": range.upperBound.milliseconds,
        ])
      let decisions = try rows.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "decision")
        guard let kind = PlanSegment.Kind(word: try row.value("kind")) else { throw row.damage("kind") }
        return TimelineFacts.Decision(
          id: try row.value("id"), at: try row.value("at"), kind: kind, rule: try row.optional("rule_name"),
          programme: try row.optional("programme"), planned: try row.optional("planned_at"),
          end: try row.optional("ends_at"))
      }
      return TimelineFacts(
        madeAt: made ?? now, now: now, isFed: isFed, outages: outages, decisions: decisions)
    }
  }
}
