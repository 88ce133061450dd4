import CastProtocol
import CastqCore
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
  /// The tables of `columns`.
  static let source = """
    queue_entry e JOIN media_item m ON m.id = e.media_item_id LEFT JOIN media_metadata t ON t.media_item_id = m.id
    """

  /// All columns of an entry and its media. For rarely used tables there is only a flag.
  static let columns = """
    e.id, e.queue_id, e.media_item_id, e.position, e.autoplay, e.start_time_s, e.playback_duration_s, e.preload_time_s,
    e.playback_rate, e.active_track_ids, e.custom_data AS entry_custom_data, e.source_file, e.source_line, e.state, e.turn,
    e.round, e.attempts, e.not_before, e.not_after, e.credentials, e.credentials_type, e.on_error, e.origin, e.foreign_fields,
    m.content_id, m.content_url, m.content_type, m.stream_type, m.duration_s, m.hls_segment_format,
    m.hls_video_segment_format, m.start_absolute_time_s, m.entity, m.vmap_ad_tag_url, m.vmap_ads_response,
    m.text_track_style, m.custom_data AS media_custom_data, m.unknown_members, t.kind AS metadata_kind, t.title,
    t.subtitle, t.members AS metadata_members,
    EXISTS (SELECT 1 FROM media_image WHERE media_item_id = m.id) AS has_images,
    EXISTS (SELECT 1 FROM media_track WHERE media_item_id = m.id) AS has_tracks,
    EXISTS (SELECT 1 FROM ad_break WHERE media_item_id = m.id) AS has_breaks,
    EXISTS (SELECT 1 FROM ad_break_clip WHERE media_item_id = m.id) AS has_clips
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

  /// The draft of a row with `columns`.
  static func draft(_ row: Row, _ db: GRDB.Database) throws -> EntryDraft {
    let stored = stored(row)
    let file: String? = try stored.optional("source_file")
    var draft = EntryDraft(
      media: try MediaRows.media(row, id: stored.value("media_item_id"), db),
      autoplay: try stored.value("autoplay"), startTime: try stored.optional("start_time_s"),
      playbackDuration: try stored.optional("playback_duration_s"),
      preloadTime: try stored.optional("preload_time_s"), playbackRate: try stored.optional("playback_rate"),
      activeTrackIDs: try stored.json("active_track_ids").list(\.int),
      customData: try stored.json("entry_custom_data"),
      source: try file.map { SourceLocation(file: $0, line: try stored.optional("source_line")) },
      origin: try stored.choice("origin"))
    draft.notBefore = try stored.optional("not_before")
    draft.notAfter = try stored.optional("not_after")
    draft.credentials = try stored.optional("credentials")
    draft.credentialsType = try stored.optional("credentials_type")
    draft.onError = try policy(stored)
    if let foreign = try stored.json("foreign_fields") {
      guard let fields = ForeignFields(json: foreign) else { throw stored.damage("foreign_fields") }
      draft.foreign = fields
    }
    return draft
  }

  static func entry(_ row: Row, position: Int, _ db: GRDB.Database) throws -> QueueEntry {
    let stored = stored(row)
    return QueueEntry(
      id: EntryID(try stored.value("id")), position: position, state: try stored.choice("state"),
      turn: try stored.value("turn"), attempts: try stored.value("attempts"), draft: try draft(row, db))
  }

  /// A row with `columns` as a place in a round.
  static func place(_ row: Row, round: Int, _ db: GRDB.Database) throws -> UpcomingEntry {
    let stored = stored(row)
    return UpcomingEntry(
      entry: EntryID(try stored.value("id")), in: QueueID(try stored.value("queue_id", as: Int64.self)),
      turn: try stored.value("turn"), round: round,
      attempts: try stored.value("attempts"), draft: try draft(row, db))
  }

  static func stored(_ row: Row) -> StoredRow { StoredRow(row, of: "queue_entry") }

  private static func policy(_ row: StoredRow) throws(RowDamage) -> EntryErrorPolicy? {
    guard let text: String = try row.optional("on_error") else { return nil }
    guard let policy = EntryErrorPolicy(text) else { throw row.damage("on_error") }
    return policy
  }
}
