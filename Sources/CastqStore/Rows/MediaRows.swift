import CastProtocol
import GRDB

/// Media to rows and back, losing nothing but unknown members of pictures and of ad requests, which no playlist has.
enum MediaRows {
  static func insert(_ media: MediaInformation, _ db: GRDB.Database) throws -> Int64 {
    try db.cachedStatement(
      sql: """
        INSERT INTO media_item (content_id, content_url, content_type, stream_type, duration_s, hls_segment_format,
          hls_video_segment_format, start_absolute_time_s, entity, vmap_ad_tag_url, vmap_ads_response, text_track_style,
          custom_data, unknown_members)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      media.contentID, media.contentURL, media.contentType, media.streamType.word,
      media.streamDuration?.seconds,
      media.hlsSegmentFormat?.word, media.hlsVideoSegmentFormat?.word, media.startAbsoluteTime, media.entity,
      media.vmapAdsRequest?.adTagURL, media.vmapAdsRequest?.adsResponse, media.textTrackStyle?.json.text,
      media.customData?.text, media.membersWithoutColumn.column,
    ])
    let id = db.lastInsertedRowID
    if let metadata = media.metadata { try insert(metadata, of: id, db) }
    for (ordinal, track) in media.mediaTracks.enumerated() { try insert(track, ordinal, of: id, db) }
    for (ordinal, adBreak) in media.adBreaks.enumerated() {
      try AdBreakRows.insert(adBreak, ordinal, of: id, db)
    }
    for (ordinal, clip) in media.adBreakClips.enumerated() {
      try AdBreakRows.insert(clip, ordinal, of: id, db)
    }
    return id
  }

  private static func insert(_ metadata: MediaMetadata, of id: Int64, _ db: GRDB.Database) throws {
    var members = metadata.values
    // Strings go to columns people can search; a title of another type stays among the members.
    let title = members["title"]?.string
    let subtitle = members["subtitle"]?.string
    if title != nil { members["title"] = nil }
    if subtitle != nil { members["subtitle"] = nil }
    try db.cachedStatement(
      sql: "INSERT INTO media_metadata (media_item_id, kind, title, subtitle, members) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [id, metadata.kind.rawValue, title, subtitle, members.column])
    for (ordinal, image) in metadata.images.enumerated() {
      try db.cachedStatement(
        sql: "INSERT INTO media_image (media_item_id, ordinal, url, width, height) VALUES (?, ?, ?, ?, ?)"
      ).execute(arguments: [id, ordinal, image.url, image.width, image.height])
    }
  }

  private static func insert(_ track: MediaTrack, _ ordinal: Int, of id: Int64, _ db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO media_track (media_item_id, ordinal, track_id, kind, subtype, content_id, content_type, language,
          name, roles, custom_data, unknown_members)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, ordinal, track.identifier, track.kind.word, track.textSubtype?.word, track.contentIdentifier,
      track.contentType, track.languageCode, track.name,
      track.roles.isEmpty ? nil : JSONValue.array(track.roles.map(JSONValue.string)).text,
      track.customData?.text,
      track.membersWithoutColumn.column,
    ])
  }

  /// The media of a row with `EntryRows.columns`, with everything that belongs to it.
  static func media(_ row: Row, id: Int64, _ db: GRDB.Database) throws -> MediaInformation {
    let duration: Double? = row["duration_s"]
    var media = MediaInformation(
      contentID: row["content_id"], contentURL: row["content_url"], contentType: row["content_type"],
      streamType: MediaStreamType(word: row["stream_type"]),
      streamDuration: duration.map { MediaTime(seconds: $0) },
      metadata: try metadata(row, of: id, db), mediaTracks: row["has_tracks"] ? try tracks(of: id, db) : [],
      textTrackStyle: MediaTextTrackStyle(json: row.json("text_track_style")),
      adBreaks: row["has_breaks"] ? try AdBreakRows.breaks(of: id, db) : [],
      adBreakClips: row["has_clips"] ? try AdBreakRows.clips(of: id, db) : [],
      customData: row.json("media_custom_data"))
    media.hlsSegmentFormat = row.word("hls_segment_format")
    media.hlsVideoSegmentFormat = row.word("hls_video_segment_format")
    media.startAbsoluteTime = row["start_absolute_time_s"]
    media.entity = row["entity"]
    let tag: String? = row["vmap_ad_tag_url"]
    let response: String? = row["vmap_ads_response"]
    if tag != nil || response != nil {
      media.vmapAdsRequest = VASTAdsRequest(adTagURL: tag, adsResponse: response)
    }
    media.takeMembersWithoutColumn(row.json("unknown_members"))
    return media
  }

  private static func metadata(_ row: Row, of id: Int64, _ db: GRDB.Database) throws -> MediaMetadata? {
    let kind: Int? = row["metadata_kind"]
    guard let kind else { return nil }
    var values = row.json("metadata_members")?.object ?? [:]
    if let title: String = row["title"] { values["title"] = .string(title) }
    if let subtitle: String = row["subtitle"] { values["subtitle"] = .string(subtitle) }
    return MediaMetadata(
      kind: MediaMetadata.Kind(rawValue: kind), images: row["has_images"] ? try images(of: id, db) : [],
      values: values)
  }

  private static func images(of id: Int64, _ db: GRDB.Database) throws -> [Image] {
    let statement = try db.cachedStatement(
      sql: "SELECT url, width, height FROM media_image WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map {
      Image(url: $0["url"], width: $0["width"], height: $0["height"])
    }
  }

  private static func tracks(of id: Int64, _ db: GRDB.Database) throws -> [MediaTrack] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM media_track WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map { row in
      let subtype: String? = row["subtype"]
      var track = MediaTrack(
        identifier: row["track_id"], kind: MediaTrack.Kind(word: row["kind"]),
        textSubtype: subtype.map { MediaTrack.TextSubtype(word: $0) }, contentIdentifier: row["content_id"],
        contentType: row["content_type"], languageCode: row["language"], name: row["name"],
        roles: row.json("roles").list(\.string) ?? [], customData: row.json("custom_data"))
      track.takeMembersWithoutColumn(row.json("unknown_members"))
      return track
    }
  }
}
