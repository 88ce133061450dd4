import CastProtocol
import CastqCore
import GRDB

/// Plays to rows and back. Every statement is written so that the same fact a second time finds nothing to change.
enum PlayRows {
  /// Words of the day that a new row takes from its entry.
  private static let snapshot = """
    coalesce(t.title, m.content_url, m.content_id), coalesce(m.content_url, m.content_id), e.source_file, e.source_line
    FROM queue_entry e JOIN media_item m ON m.id = e.media_item_id LEFT JOIN media_metadata t ON t.media_item_id = m.id
    """

  static func start(
    _ turn: EntryTurn, _ play: StartedPlay, _ device: KnownDevice, _ db: GRDB.Database
  ) throws -> Bool {
    try db.cachedStatement(
      sql: """
        INSERT INTO play (entry_id, turn, device_id, device_name, started_at, observed_at, start_position_s, duration_s, gap_before_s,
          title, url, source_file, source_line)
        SELECT e.id, :turn, :device, :name, :at, :at, :position, :duration, :gap, \(snapshot) WHERE e.id = :entry
        ON CONFLICT (entry_id, turn) DO NOTHING
        """
    ).execute(arguments: [
      "turn": turn.turn, "device": device.id.rawValue, "name": device.label, "at": play.at.milliseconds,
      "position": play.position.seconds, "duration": play.duration?.seconds, "gap": play.gapBefore,
      "entry": turn.entry.rawValue,
    ])
    return db.changesCount > 0
  }

  static func progress(_ turn: EntryTurn, _ play: ProgressedPlay, _ db: GRDB.Database) throws -> Bool {
    try db.cachedStatement(
      sql: """
        UPDATE play SET observed_at = :at, end_position_s = :position, played_s = :played,
          duration_s = coalesce(:duration, duration_s)
        WHERE entry_id = :entry AND turn = :turn AND ended_at IS NULL
        """
    ).execute(arguments: [
      "at": play.at.milliseconds, "position": play.position.seconds, "played": max(play.played, 0),
      "duration": play.duration?.seconds,
      "entry": turn.entry.rawValue, "turn": turn.turn,
    ])
    return db.changesCount > 0
  }

  static func end(
    _ turn: EntryTurn, _ play: EndedPlay, _ device: KnownDevice, _ db: GRDB.Database
  ) throws -> Bool {
    let words: StatementArguments = [
      "at": play.at.milliseconds, "position": play.position?.seconds, "played": max(play.played, 0),
      "duration": play.duration?.seconds, "outcome": play.outcome.rawValue,
      "evidence": play.evidence.rawValue,
      "idle": play.reason?.idleReason, "type": play.reason?.errorType, "reason": play.reason?.errorReason,
      "code": play.reason?.detailedCode, "note": play.reason?.note, "entry": turn.entry.rawValue,
      "turn": turn.turn,
    ]
    try db.cachedStatement(
      sql: """
        UPDATE play SET ended_at = :at, observed_at = :at, end_position_s = :position, played_s = :played,
          duration_s = coalesce(:duration, duration_s), outcome = :outcome, evidence = :evidence, idle_reason = :idle,
          error_type = :type, error_reason = :reason, detailed_code = :code, note = :note
        WHERE entry_id = :entry AND turn = :turn AND ended_at IS NULL
        """
    ).execute(arguments: words)
    if db.changesCount > 0 { return true }
    // Never started: a row of its own says why nothing was shown.
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO play (entry_id, turn, device_id, device_name, ended_at, observed_at, end_position_s, played_s, duration_s, outcome,
          evidence, idle_reason, error_type, error_reason, detailed_code, note, title, url, source_file, source_line)
        SELECT e.id, :turn, :device, :name, :at, :at, :position, 0 * :played, :duration, :outcome, :evidence, :idle, :type,
          :reason, :code, :note, \(snapshot) WHERE e.id = :entry
        ON CONFLICT (entry_id, turn) DO NOTHING
        """)
    try statement.execute(arguments: words + ["device": device.id.rawValue, "name": device.label])
    return db.changesCount > 0
  }

  static func add(_ ad: AdPlay, to turn: EntryTurn, _ db: GRDB.Database) throws -> Bool {
    try db.cachedStatement(
      sql: """
        INSERT INTO ad_break_play (play_id, break_id, clip_id, started_at, played_s, is_skipped)
        SELECT id, ?, ?, ?, ?, ? FROM play WHERE entry_id = ? AND turn = ?
        ON CONFLICT DO NOTHING
        """
    ).execute(arguments: [
      ad.breakID, ad.clipID, ad.startedAt.milliseconds, max(ad.played, 0), ad.isSkipped, turn.entry.rawValue,
      turn.turn,
    ])
    return db.changesCount > 0
  }

  /// What was written down of a play that has begun and is not over; nil when it has not begun.
  static func unfinished(_ row: Row) -> UnfinishedPlay? {
    guard let started: Int64 = row["started_at"] else { return nil }
    let observed: Int64? = row["observed_at"]
    let (begin, end): (Double?, Double?) = (row["start_position_s"], row["end_position_s"])
    let duration: Double? = row["duration_s"]
    return UnfinishedPlay(
      startedAt: WallTime(milliseconds: started), observedAt: WallTime(milliseconds: observed ?? started),
      position: MediaTime(seconds: end ?? begin ?? 0), played: row["played_s"],
      duration: duration.map { MediaTime(seconds: $0) })
  }

  /// Everything a play is made of; ad breaks are only said to be there.
  static let columns = "*, EXISTS (SELECT 1 FROM ad_break_play WHERE play_id = play.id) AS has_ads"

  /// The play of a row with `columns`.
  static func record(_ row: Row, _ db: GRDB.Database) throws -> PlayRecord {
    func wall(_ column: String) -> WallTime? {
      let value: Int64? = row[column]
      return value.map { WallTime(milliseconds: $0) }
    }
    let file: String? = row["source_file"]
    let outcome: String? = row["outcome"]
    let evidence: String? = row["evidence"]
    let duration: Double? = row["duration_s"]
    let reason = PlayReason(
      idleReason: row["idle_reason"], errorType: row["error_type"], errorReason: row["error_reason"],
      detailedCode: row["detailed_code"], note: row["note"])
    let id: Int64 = row["id"]
    let (title, url): (String, String) = (row["title"], row["url"])
    return PlayRecord(
      play: id, turn: EntryTurn(entry: EntryID(row["entry_id"]), turn: row["turn"]),
      device: row["device_name"],
      title: title == url ? MediaTitle.name(of: url) : title, url: url,
      source: file.map { SourceLocation(file: $0, line: row["source_line"]) },
      startedAt: wall("started_at"), endedAt: wall("ended_at"), playedSeconds: row["played_s"],
      duration: duration.map { MediaTime(seconds: $0) },
      outcome: outcome.flatMap(PlayOutcome.init(rawValue:)),
      evidence: evidence.flatMap(PlayEvidence.init(rawValue:)), reason: reason == PlayReason() ? nil : reason,
      gapBefore: row["gap_before_s"],
      adPlays: row["has_ads"] ? try adPlays(of: id, db) : [])
  }

  private static func adPlays(of play: Int64, _ db: GRDB.Database) throws -> [AdPlay] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM ad_break_play WHERE play_id = ? ORDER BY started_at, clip_id")
    return try Row.fetchAll(statement, arguments: [play]).map {
      AdPlay(
        breakID: $0["break_id"], clipID: $0["clip_id"], startedAt: WallTime(milliseconds: $0["started_at"]),
        played: $0["played_s"], isSkipped: $0["is_skipped"])
    }
  }
}
