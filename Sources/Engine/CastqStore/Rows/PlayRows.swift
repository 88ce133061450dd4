import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import GRDB

/// Converts plays to rows and back. All statements are idempotent: repeating a fact changes nothing.
enum PlayRows {
  /// Columns that a new row copies from its entry.
  private static let snapshot = """
    coalesce(t.title, m.content_url, m.content_id), coalesce(m.content_url, m.content_id), e.source_file, e.source_line
    FROM queue_entry e JOIN media_item m ON m.id = e.media_item_id LEFT JOIN media_metadata t ON t.media_item_id = m.id
    """

  static func start(
    _ turn: EntryTurn, _ play: StartedPlay, _ device: KnownDevice, _ db: GRDB.Database
  ) throws -> Bool {
    let words: StatementArguments = [
      "turn": turn.turn, "device": device.id.rawValue, "name": device.label, "at": play.at.milliseconds,
      "position": play.position.seconds, "duration": play.duration?.seconds, "gap": play.gapBefore,
      "entry": turn.entry.rawValue,
    ]
    return try insert(
      """
      INSERT INTO play (entry_id, turn, device_id, device_name, started_at, observed_at, start_position_s, duration_s, gap_before_s,
        \(scheduleColumns), attempt, title, url, source_file, source_line)
      SELECT e.id, :turn, :device, :name, :at, :at, :position, :duration, :gap, \(scheduleValues), e.attempts + 1, \(snapshot)
      WHERE e.id = :entry
      """, turn, words + arguments(of: try schedule(of: turn.entry, on: device.id, db)), db)
  }

  /// Inserts a play that is not there, and names it where the list gives no title: by the tags of its file, else by its name. These are
  /// the words of that day, in history, reasons, reports and proofs alike.
  /// - Returns: false if the play was there, or has no entry.
  private static func insert(
    _ sql: String, _ turn: EntryTurn, _ arguments: StatementArguments, _ db: GRDB.Database
  ) throws -> Bool {
    let new = try db.first(
      sql: sql + " ON CONFLICT (entry_id, turn) DO NOTHING RETURNING id, title, url", arguments: arguments
    ) { row -> (title: String, url: String) in
      let stored = StoredRow(row, of: "play")
      return (try stored.value("title"), try stored.value("url"))
    }
    guard let (title, url) = new else { return false }
    guard title == url || MediaTitle.repeatsName(title, of: url) else { return true }
    let tagged = try ProbeStore.newest(ofURL: url, db)?.tags["title"]
    try db.change(
      sql: "UPDATE play SET title = ? WHERE entry_id = ? AND turn = ?",
      arguments: [tagged ?? MediaTitle.shown(nil, url: url), turn.entry.rawValue, turn.turn])
    return true
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
    _ turn: EntryTurn, _ play: EndedPlay, _ device: KnownDevice, _ seal: PlaySeal, _ db: GRDB.Database
  ) throws -> Bool {
    let words: StatementArguments = [
      "at": play.at.milliseconds, "position": play.position?.seconds, "played": max(play.played, 0),
      "duration": play.duration?.seconds, "outcome": play.outcome.rawValue,
      "evidence": play.evidence.rawValue,
      "idle": play.reason?.idleReason, "type": play.reason?.errorType, "reason": play.reason?.errorReason,
      "code": play.reason?.detailedCode, "note": play.reason?.note, "entry": turn.entry.rawValue,
      "turn": turn.turn, "cause": play.cause?.rawValue, "by": play.causedBy.flatMap { $0.isEmpty ? nil : $0 },
      "rate": play.rate, "unobserved": play.unobserved,
    ]
    try db.cachedStatement(
      sql: """
        UPDATE play SET ended_at = :at, observed_at = :at, end_position_s = :position, played_s = :played,
          duration_s = coalesce(:duration, duration_s), outcome = :outcome, evidence = :evidence, idle_reason = :idle,
          error_type = :type, error_reason = :reason, detailed_code = :code, note = :note, cause = :cause, caused_by = :by,
          rate = :rate, unobserved_s = :unobserved
        WHERE entry_id = :entry AND turn = :turn AND ended_at IS NULL
        """
    ).execute(arguments: words)
    if db.changesCount > 0 {
      if play.cause == .replaced { try nameReplacement(of: turn, on: device.id, db) }
      try seal.close(turn, db)
      return true
    }
    // It never started, or its start could not be kept: insert a row with what is known.
    let schedule = arguments(of: try schedule(of: turn.entry, on: device.id, db))
    let isNew = try insert(
      """
      INSERT INTO play (entry_id, turn, device_id, device_name, started_at, ended_at, observed_at, end_position_s, played_s,
        duration_s, outcome, evidence, idle_reason, error_type, error_reason, detailed_code, note, cause, caused_by, rate, unobserved_s,
        attempt, \(scheduleColumns), title, url, source_file, source_line)
      SELECT e.id, :turn, :device, :name, :started, :at, :at, :position, iif(:started IS NULL, 0, :played), :duration, :outcome,
        :evidence, :idle, :type, :reason, :code, :note, :cause, :by, :rate, :unobserved, e.attempts + 1, \(scheduleValues), \(snapshot) WHERE e.id = :entry
      """, turn,
      words + [
        "device": device.id.rawValue, "name": device.label, "started": play.startedAt?.milliseconds,
      ] + schedule, db)
    if isNew { try seal.close(turn, db) }
    return isNew
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

  /// The stored part of an open play; nil if it has not started.
  static func unfinished(_ row: Row) throws -> UnfinishedPlay? {
    let row = StoredRow(row, of: "play")
    guard let started: WallTime = try row.optional("started_at") else { return nil }
    let begin: MediaTime? = try row.optional("start_position_s")
    return UnfinishedPlay(
      startedAt: started, observedAt: try row.optional("observed_at") ?? started,
      position: try row.optional("end_position_s") ?? begin ?? .zero,
      played: try row.value("played_s", as: MediaTime.self).seconds, duration: try row.optional("duration_s"))
  }

  /// All columns of a play. For ad breaks there is only a flag.
  static let columns =
    "\(PlayColumn.list), EXISTS (SELECT 1 FROM ad_break_play WHERE play_id = play.id)"

  /// The play of a row with `columns`.
  static func record(_ row: Row, _ db: GRDB.Database) throws -> PlayRecord {
    let row = PlayRow(row)
    let file: String? = try row.optional(.sourceFile)
    let reason = PlayReason(
      idleReason: try row.optional(.idleReason), errorType: try row.optional(.errorType),
      errorReason: try row.optional(.errorReason), detailedCode: try row.optional(.detailedCode),
      note: try row.optional(.note))
    let id: Int64 = try row.value(.id)
    let (title, url): (String, String) = (try row.value(.title), try row.value(.url))
    var record = PlayRecord(
      play: id, turn: EntryTurn(entry: EntryID(try row.value(.entryID)), turn: try row.value(.turn)),
      device: try row.value(.deviceName),
      title: MediaTitle.shown(title == url ? nil : title, url: url), url: url,
      source: try file.map { SourceLocation(file: $0, line: try row.optional(.sourceLine)) },
      startedAt: try row.optional(.startedAt), endedAt: try row.optional(.endedAt),
      playedSeconds: try row.value(.played, as: MediaTime.self).seconds,
      duration: try row.optional(.duration), outcome: try row.optionalChoice(.outcome),
      evidence: try row.optionalChoice(.evidence), reason: reason == PlayReason() ? nil : reason,
      gapBefore: try row.optional(.gapBefore, as: MediaTime.self)?.seconds,
      adPlays: try row.value(.appended) ? adPlays(of: id, db) : [], schedule: try schedule(row) { $0 })
    record.cause = try row.optionalChoice(.cause)
    record.causedBy = try row.optional(.causedBy)
    record.rate = try row.optional(.rate, as: MediaTime.self)?.seconds
    record.unobserved = try row.optional(.unobserved, as: MediaTime.self)?.seconds
    record.attempt = try row.optional(.attempt)
    return record
  }

  private static func adPlays(of play: Int64, _ db: GRDB.Database) throws -> [AdPlay] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM ad_break_play WHERE play_id = ? ORDER BY started_at, clip_id")
    return try Row.fetchAll(statement, arguments: [play]).map {
      let row = StoredRow($0, of: "ad_break_play", id: "play_id")
      return AdPlay(
        breakID: try row.value("break_id"), clipID: try row.value("clip_id"),
        startedAt: try row.value("started_at"), played: try row.value("played_s", as: MediaTime.self).seconds,
        isSkipped: try row.value("is_skipped"))
    }
  }
}
