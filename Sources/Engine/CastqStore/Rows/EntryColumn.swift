/// The columns of an entry and its media, in the order of their places. For rarely used tables there is only a flag.
enum EntryColumn: Int, CaseIterable, ResultColumn {
  case id, queueID, mediaItemID, position, autoplay, startTime, playbackDuration, preloadTime,
    playbackRate, activeTrackIDs, entryCustomData, sourceFile, sourceLine, state, turn, round, attempts,
    notBefore, notAfter, credentials, credentialsType, onError, origin, foreignFields, contentID,
    contentURL, contentType, streamType, duration, hlsSegmentFormat, hlsVideoSegmentFormat,
    startAbsoluteTime, entity, vmapAdTagURL, vmapAdsResponse, textTrackStyle, mediaCustomData,
    unknownMembers, metadataKind, title, subtitle, metadataMembers, hasImages, hasTracks, hasBreaks,
    hasClips

  /// All of them, for a query over `EntryRows.source`.
  static let list = allCases.map(\.sql).joined(separator: ", ")

  var place: Int? { rawValue }

  /// As the schema or the query names it.
  var name: String { sql.split(separator: " AS ").last?.split(separator: ".").last.map(String.init) ?? sql }

  private var sql: String {
    switch self {
    case .id: "e.id"
    case .queueID: "e.queue_id"
    case .mediaItemID: "e.media_item_id"
    case .position: "e.position"
    case .autoplay: "e.autoplay"
    case .startTime: "e.start_time_s"
    case .playbackDuration: "e.playback_duration_s"
    case .preloadTime: "e.preload_time_s"
    case .playbackRate: "e.playback_rate"
    case .activeTrackIDs: "e.active_track_ids"
    case .entryCustomData: "e.custom_data AS entry_custom_data"
    case .sourceFile: "e.source_file"
    case .sourceLine: "e.source_line"
    case .state: "e.state"
    case .turn: "e.turn"
    case .round: "e.round"
    case .attempts: "e.attempts"
    case .notBefore: "e.not_before"
    case .notAfter: "e.not_after"
    case .credentials: "e.credentials"
    case .credentialsType: "e.credentials_type"
    case .onError: "e.on_error"
    case .origin: "e.origin"
    case .foreignFields: "e.foreign_fields"
    case .contentID: "m.content_id"
    case .contentURL: "m.content_url"
    case .contentType: "m.content_type"
    case .streamType: "m.stream_type"
    case .duration: "m.duration_s"
    case .hlsSegmentFormat: "m.hls_segment_format"
    case .hlsVideoSegmentFormat: "m.hls_video_segment_format"
    case .startAbsoluteTime: "m.start_absolute_time_s"
    case .entity: "m.entity"
    case .vmapAdTagURL: "m.vmap_ad_tag_url"
    case .vmapAdsResponse: "m.vmap_ads_response"
    case .textTrackStyle: "m.text_track_style"
    case .mediaCustomData: "m.custom_data AS media_custom_data"
    case .unknownMembers: "m.unknown_members"
    case .metadataKind: "t.kind AS metadata_kind"
    case .title: "t.title"
    case .subtitle: "t.subtitle"
    case .metadataMembers: "t.members AS metadata_members"
    case .hasImages: "EXISTS (SELECT 1 FROM media_image WHERE media_item_id = m.id) AS has_images"
    case .hasTracks: "EXISTS (SELECT 1 FROM media_track WHERE media_item_id = m.id) AS has_tracks"
    case .hasBreaks: "EXISTS (SELECT 1 FROM ad_break WHERE media_item_id = m.id) AS has_breaks"
    case .hasClips: "EXISTS (SELECT 1 FROM ad_break_clip WHERE media_item_id = m.id) AS has_clips"
    }
  }
}
