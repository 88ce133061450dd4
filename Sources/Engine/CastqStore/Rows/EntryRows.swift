import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import GRDB

/// The list of a device that an entry belongs to.
enum EntryRole: String, CaseIterable {
  /// The queue that the user sees and edits.
  case main
  /// Shown while no entry of the main list can be.
  case fallback
}

/// Converts queue entries to rows and back.
enum EntryRows {
  /// The tables of `EntryColumn.list`.
  static let source = """
    queue_entry e JOIN media_item m ON m.id = e.media_item_id LEFT JOIN media_metadata t ON t.media_item_id = m.id
    """

  static func insert(
    _ draft: EntryDraft, queue: some QueueReference, role: EntryRole = .main, position: Int64, round: Int,
    at now: WallTime, _ db: GRDB.Database
  ) throws -> Int64 {
    let media = try MediaRows.insert(draft.media, db)
    let tracks = draft.activeTrackIDs.map { JSONValue.array($0.map { .integer(Int64($0)) }).text }
    try db.cachedStatement(
      sql: """
        INSERT INTO queue_entry (queue_id, device_id, media_item_id, position, autoplay, start_time_s, playback_duration_s,
          preload_time_s, playback_rate, active_track_ids, custom_data, source_file, source_line, not_before,
          not_after, credentials, credentials_type, on_error, role, round, created_at, origin,
          foreign_fields)
        VALUES (?1, (SELECT device_id FROM queue WHERE id = ?1), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      queue.number, media, position, draft.autoplay, draft.startTime?.seconds,
      draft.playbackDuration?.seconds,
      draft.preloadTime?.seconds, draft.playbackRate, tracks, draft.customData?.text, draft.source?.file,
      draft.source?.line, draft.notBefore?.milliseconds, draft.notAfter?.milliseconds, draft.credentials,
      draft.credentialsType, draft.onError?.description, role.rawValue, round, now.milliseconds,
      draft.origin.rawValue, draft.foreign.isEmpty ? nil : draft.foreign.json.text,
    ])
    return db.lastInsertedRowID
  }

  /// The draft of a row with `EntryColumn.list`.
  static func draft(_ row: Row, _ db: GRDB.Database) throws -> EntryDraft {
    let stored = stored(row)
    let file: String? = try stored.optional(.sourceFile)
    var draft = EntryDraft(
      media: try MediaRows.media(row, id: stored.value(.mediaItemID), db),
      autoplay: try stored.value(.autoplay), startTime: try stored.optional(.startTime),
      playbackDuration: try stored.optional(.playbackDuration),
      preloadTime: try stored.optional(.preloadTime), playbackRate: try stored.optional(.playbackRate),
      activeTrackIDs: try stored.json(.activeTrackIDs).list(\.int),
      customData: try stored.json(.entryCustomData),
      source: try file.map { SourceLocation(file: $0, line: try stored.optional(.sourceLine)) },
      origin: try stored.choice(.origin))
    draft.notBefore = try stored.optional(.notBefore)
    draft.notAfter = try stored.optional(.notAfter)
    draft.credentials = try stored.optional(.credentials)
    draft.credentialsType = try stored.optional(.credentialsType)
    draft.onError = try policy(stored)
    if let foreign = try stored.json(.foreignFields) {
      guard let fields = ForeignFields(json: foreign) else { throw stored.damage(.foreignFields) }
      draft.foreign = fields
    }
    return draft
  }

  static func entry(_ row: Row, position: Int, _ db: GRDB.Database) throws -> QueueEntry {
    let stored = stored(row)
    return QueueEntry(
      id: EntryID(try stored.value(.id)), position: position, state: try stored.choice(.state),
      turn: try stored.value(.turn), attempts: try stored.value(.attempts), draft: try draft(row, db))
  }

  /// A row with `EntryColumn.list` as a place in a round.
  static func place(_ row: Row, round: Int, _ db: GRDB.Database) throws -> UpcomingEntry {
    let stored = stored(row)
    return UpcomingEntry(
      entry: EntryID(try stored.value(.id)), in: QueueID(try stored.value(.queueID, as: Int64.self)),
      turn: try stored.value(.turn), round: round,
      attempts: try stored.value(.attempts), draft: try draft(row, db))
  }

  static func stored(_ row: Row) -> EntryRow { EntryRow(row, of: "queue_entry", id: .id) }

  private static func policy(_ row: EntryRow) throws(RowDamage) -> EntryErrorPolicy? {
    guard let text: String = try row.optional(.onError) else { return nil }
    guard let policy = EntryErrorPolicy(text) else { throw row.damage(.onError) }
    return policy
  }
}
