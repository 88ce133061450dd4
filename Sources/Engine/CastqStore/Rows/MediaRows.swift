import CastProtocol
import GRDB

/// Converts media to rows and back. Loses only unknown members of pictures and ad requests, which no playlist has.
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
    // Strings go to searchable columns; a title of another type stays among the members.
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

  /// The complete media of a row with `EntryColumn.list`.
  static func media(_ row: Row, id: Int64, _ db: GRDB.Database) throws -> MediaInformation {
    let stored = EntryRow(row, of: "media_item", id: .mediaItemID)
    func has(_ column: EntryColumn) throws(RowDamage) -> Bool { try stored.value(column) }
    var media = MediaInformation(
      contentID: try stored.value(.contentID), contentURL: try stored.optional(.contentURL),
      contentType: try stored.optional(.contentType),
      streamType: MediaStreamType(word: try stored.value(.streamType)),
      streamDuration: try stored.optional(.duration), metadata: try metadata(row, of: id, db),
      mediaTracks: try has(.hasTracks) ? tracks(of: id, db) : [],
      textTrackStyle: MediaTextTrackStyle(json: try stored.json(.textTrackStyle)),
      adBreaks: try has(.hasBreaks) ? AdBreakRows.breaks(of: id, db) : [],
      adBreakClips: try has(.hasClips) ? AdBreakRows.clips(of: id, db) : [],
      customData: try stored.json(.mediaCustomData))
    media.hlsSegmentFormat = try stored.word(.hlsSegmentFormat)
    media.hlsVideoSegmentFormat = try stored.word(.hlsVideoSegmentFormat)
    media.startAbsoluteTime = try stored.optional(.startAbsoluteTime)
    media.entity = try stored.optional(.entity)
    let tag: String? = try stored.optional(.vmapAdTagURL)
    let response: String? = try stored.optional(.vmapAdsResponse)
    if tag != nil || response != nil {
      media.vmapAdsRequest = VASTAdsRequest(adTagURL: tag, adsResponse: response)
    }
    media.takeMembersWithoutColumn(try stored.json(.unknownMembers))
    return media
  }

  private static func metadata(_ row: Row, of id: Int64, _ db: GRDB.Database) throws -> MediaMetadata? {
    let stored = EntryRow(row, of: "media_metadata", id: .mediaItemID)
    guard let kind: Int = try stored.optional(.metadataKind) else { return nil }
    var values = try stored.json(.metadataMembers)?.object ?? [:]
    if let title: String = try stored.optional(.title) { values["title"] = .string(title) }
    if let subtitle: String = try stored.optional(.subtitle) { values["subtitle"] = .string(subtitle) }
    return MediaMetadata(
      kind: MediaMetadata.Kind(rawValue: kind),
      images: try stored.value(.hasImages) ? images(of: id, db) : [], values: values)
  }

  private static func images(of id: Int64, _ db: GRDB.Database) throws -> [Image] {
    let statement = try db.cachedStatement(
      sql:
        "SELECT media_item_id, url, width, height FROM media_image WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map {
      let row = StoredRow($0, of: "media_image", id: "media_item_id")
      return Image(
        url: try row.value("url"), width: try row.optional("width"), height: try row.optional("height"))
    }
  }

  private static func tracks(of id: Int64, _ db: GRDB.Database) throws -> [MediaTrack] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM media_track WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map {
      let row = StoredRow($0, of: "media_track", id: "media_item_id")
      var track = MediaTrack(
        identifier: try row.value("track_id"), kind: MediaTrack.Kind(word: try row.value("kind")),
        textSubtype: try row.word("subtype"), contentIdentifier: try row.optional("content_id"),
        contentType: try row.optional("content_type"), languageCode: try row.optional("language"),
        name: try row.optional("name"), roles: try row.json("roles").list(\.string) ?? [],
        customData: try row.json("custom_data"))
      track.takeMembersWithoutColumn(try row.json("unknown_members"))
      return track
    }
  }
}
