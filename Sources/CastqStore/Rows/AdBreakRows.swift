import CastProtocol
import GRDB

/// Ad breaks and their clips to rows and back.
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
      let position: Double? = row["position_s"]
      let duration: Double? = row["duration_s"]
      var adBreak = AdBreakInfo(
        identifier: row["break_id"], clipIdentifiers: row.json("clip_ids").list(\.string) ?? [],
        position: position.map { .at(MediaTime(seconds: $0)) } ?? .postroll,
        duration: duration.map { MediaTime(seconds: $0) }, isWatched: row["is_watched"],
        isEmbedded: row["is_embedded"], isExpanded: row["is_expanded"])
      adBreak.unknownMembers = row.json("unknown_members")?.object ?? [:]
      return adBreak
    }
  }

  static func clips(of id: Int64, _ db: GRDB.Database) throws -> [AdBreakClipInfo] {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM ad_break_clip WHERE media_item_id = ? ORDER BY ordinal")
    return try Row.fetchAll(statement, arguments: [id]).map { row in
      var clip = AdBreakClipInfo(identifier: row["clip_id"])
      let duration: Double? = row["duration_s"]
      let skippable: Double? = row["when_skippable_s"]
      clip.title = row["title"]
      clip.contentID = row["content_id"]
      clip.contentURL = row["content_url"]
      clip.contentType = row["content_type"]
      clip.duration = duration.map { MediaTime(seconds: $0) }
      clip.clickThroughURL = row["click_through_url"]
      clip.posterURL = row["poster_url"]
      clip.whenSkippable = skippable.map { MediaTime(seconds: $0) }
      clip.hlsSegmentFormat = row.word("hls_segment_format")
      let tag: String? = row["vast_ad_tag_url"]
      let response: String? = row["vast_ads_response"]
      if tag != nil || response != nil {
        clip.vastAdsRequest = VASTAdsRequest(adTagURL: tag, adsResponse: response)
      }
      clip.customData = row.json("custom_data")
      clip.takeMembersWithoutColumn(row.json("unknown_members"))
      return clip
    }
  }
}
