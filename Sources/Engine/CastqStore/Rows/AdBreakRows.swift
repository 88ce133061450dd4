import CastProtocol
import GRDB

/// Converts ad breaks and their clips to rows and back.
enum AdBreakRows {
  static func insert(_ adBreak: AdBreakInfo, _ ordinal: Int, of id: Int64, _ db: GRDB.Database) throws {
    let position: Double? = if case .at(let time) = adBreak.position { time.seconds } else { nil }
    try db.cachedStatement(
      sql: """
        INSERT INTO ad_break (media_item_id, ordinal, break_id, position_s, duration_s, is_watched, is_embedded,
          is_expanded, clip_ids, unknown_members)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, ordinal, adBreak.identifier, position, adBreak.duration?.seconds, adBreak.isWatched,
      adBreak.isEmbedded,
      adBreak.isExpanded, JSONValue.array(adBreak.clipIdentifiers.map(JSONValue.string)).text,
      adBreak.unknownMembers.column,
    ])
  }

  static func insert(_ clip: AdBreakClipInfo, _ ordinal: Int, of id: Int64, _ db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO ad_break_clip (media_item_id, ordinal, clip_id, title, content_id, content_url, content_type,
          duration_s, click_through_url, poster_url, when_skippable_s, hls_segment_format, vast_ad_tag_url,
          vast_ads_response, custom_data, unknown_members)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, ordinal, clip.identifier, clip.title, clip.contentID, clip.contentURL, clip.contentType,
      clip.duration?.seconds, clip.clickThroughURL, clip.posterURL, clip.whenSkippable?.seconds,
      clip.hlsSegmentFormat?.word, clip.vastAdsRequest?.adTagURL, clip.vastAdsRequest?.adsResponse,
      clip.customData?.text, clip.membersWithoutColumn.column,
    ])
  }

  static func breaks(of id: Int64, _ db: GRDB.Database) throws -> [AdBreakInfo] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM ad_break WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map { row in
      let row = StoredRow(row, of: "ad_break", id: "media_item_id")
      let position = try row.optional("position_s", as: MediaTime.self)
      var adBreak = AdBreakInfo(
        identifier: try row.value("break_id"), clipIdentifiers: try row.json("clip_ids").list(\.string) ?? [],
        position: position.map { .at($0) } ?? .postroll, duration: try row.optional("duration_s"),
        isWatched: try row.value("is_watched"), isEmbedded: try row.value("is_embedded"),
        isExpanded: try row.value("is_expanded"))
      adBreak.unknownMembers = try row.json("unknown_members")?.object ?? [:]
      return adBreak
    }
  }

  static func clips(of id: Int64, _ db: GRDB.Database) throws -> [AdBreakClipInfo] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM ad_break_clip WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map { row in
      let row = StoredRow(row, of: "ad_break_clip", id: "media_item_id")
      var clip = AdBreakClipInfo(identifier: try row.value("clip_id"))
      clip.title = try row.optional("title")
      clip.contentID = try row.optional("content_id")
      clip.contentURL = try row.optional("content_url")
      clip.contentType = try row.optional("content_type")
      clip.duration = try row.optional("duration_s")
      clip.clickThroughURL = try row.optional("click_through_url")
      clip.posterURL = try row.optional("poster_url")
      clip.whenSkippable = try row.optional("when_skippable_s")
      clip.hlsSegmentFormat = try row.word("hls_segment_format")
      let tag: String? = try row.optional("vast_ad_tag_url")
      let response: String? = try row.optional("vast_ads_response")
      if tag != nil || response != nil {
        clip.vastAdsRequest = VASTAdsRequest(adTagURL: tag, adsResponse: response)
      }
      clip.customData = try row.json("custom_data")
      clip.takeMembersWithoutColumn(try row.json("unknown_members"))
      return clip
    }
  }
}
