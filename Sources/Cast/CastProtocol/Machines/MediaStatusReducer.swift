/// Merges sparse statuses (protocol 6.5).
package enum MediaStatusReducer {
  /// Merges an update into the status.
  ///
  /// A new media session starts from an empty status. Within one, absent members are unchanged, except those whose absence has a
  /// meaning: idle reason, loading and preloaded item, break, live range and extended status.
  package static func merge(_ update: MediaStatusUpdate, into previous: MediaStatus?) -> MediaStatus {
    let json = update.json
    var status =
      previous.flatMap { $0.mediaSessionID == update.mediaSessionID ? $0 : nil }
      ?? MediaStatus(mediaSessionID: update.mediaSessionID)

    status.playerState = MediaPlayerState(json["playerState"]) ?? status.playerState
    status.idleReason = MediaPlayerIdleReason(json["idleReason"])
    status.streamPosition =
      MediaTime(json["currentTime"], .position).map { $0 < 0 ? nil : $0 } ?? status.streamPosition
    status.playbackRate = json["playbackRate"]?.number(.rate) ?? status.playbackRate
    status.supportedMediaCommands =
      json["supportedMediaCommands"]?.integer(.bits).map(MediaCommand.init) ?? status.supportedMediaCommands
    status.volume = Volume(json: json["volume"]) ?? status.volume
    status.activeTrackIDs = json["activeTrackIds"].list { $0.integer(.trackID) } ?? status.activeTrackIDs
    status.currentItemID = json.itemID("currentItemId") ?? status.currentItemID
    status.loadingItemID = json.itemID("loadingItemId")
    status.preloadedItemID = json.itemID("preloadedItemId")
    status.queueData = MediaQueueData(json: json["queueData"]) ?? status.queueData
    status.queueRepeatMode = MediaRepeatMode(json["repeatMode"]) ?? status.queueRepeatMode
    status.extendedStatus = MediaExtendedStatus(json: json["extendedStatus"])
    status.adBreakStatus = AdBreakStatus(json: json["breakStatus"])
    status.liveSeekableRange = MediaLiveSeekableRange(json: json["liveSeekableRange"])
    status.videoInfo = VideoInfo(json: json["videoInfo"]) ?? status.videoInfo
    status.customData = json["customData"] ?? status.customData
    mergeItems(json["items"], into: &status)
    mergeMedia(json["media"], previous: previous, into: &status)
    mergeUnknown(json, into: &status)
    return status
  }

  private static let known: Set<String> = [
    "mediaSessionId", "playerState", "idleReason", "currentTime", "playbackRate", "supportedMediaCommands",
    "volume",
    "activeTrackIds", "currentItemId", "loadingItemId", "preloadedItemId", "queueData", "repeatMode",
    "extendedStatus", "breakStatus", "liveSeekableRange", "videoInfo", "customData", "items", "media",
  ]

  /// Maximum number of unknown members kept; a receiver that keeps inventing members must not exhaust the memory.
  private static let unknownLimit = 64

  private static func mergeUnknown(_ json: JSONValue, into status: inout MediaStatus) {
    let news = (json.object ?? [:]).filter { $0.value != .null && !known.contains($0.key) }
    guard !news.isEmpty else { return }
    status.unknownMembers.merge(news) { $1 }
    if status.unknownMembers.count > unknownLimit { status.unknownMembers = news }
  }

  /// A new window replaces the old one, but an item without media or custom data keeps the known values.
  private static func mergeItems(_ items: JSONValue?, into status: inout MediaStatus) {
    guard let items = items.list(MediaQueueItem.init(json:)) else { return }
    status.queueItems = items.map { item in
      guard let known = status.queueItem(item.itemID) else { return item }
      var item = item
      item.mediaInformation = item.mediaInformation ?? known.mediaInformation
      item.customData = item.customData ?? known.customData
      return item
    }
  }

  /// Media belongs to the current item: if that changes and the status contains no media, the window may contain it.
  private static func mergeMedia(_ media: JSONValue?, previous: MediaStatus?, into status: inout MediaStatus)
  {
    if let media = MediaInformation(json: media) {
      status.mediaInformation = media
    } else if status.mediaInformation == nil || status.currentItemID != previous?.currentItemID {
      let known = status.queueItem(status.currentItemID)?.mediaInformation
      let isSameSession = previous?.mediaSessionID == status.mediaSessionID
      status.mediaInformation =
        known ?? status.loadingMedia ?? (isSameSession ? status.mediaInformation : nil)
    }
  }
}
