extension MediaStatus {
  /// The status as one complete entry of a MEDIA_STATUS (protocol 6.5): merged into nothing, it is this status again.
  package var json: JSONValue {
    .members([
      "mediaSessionId": .integer(Int64(mediaSessionID.rawValue)), "playerState": playerState.json,
      "idleReason": idleReason?.json, "currentTime": streamPosition?.json,
      "playbackRate": JSONValue(playbackRate),
      "supportedMediaCommands": .integer(Int64(supportedMediaCommands.rawValue)), "volume": volume?.json,
      "media": mediaInformation?.json,
      "activeTrackIds": activeTrackIDs.map { .array($0.map { .integer(Int64($0)) }) },
      "currentItemId": JSONValue(currentItemID?.rawValue),
      "loadingItemId": JSONValue(loadingItemID?.rawValue),
      "preloadedItemId": JSONValue(preloadedItemID?.rawValue), "items": .array(queueItems.map(\.json)),
      "queueData": queueData?.json, "repeatMode": queueRepeatMode?.json,
      "extendedStatus": extendedStatus?.json,
      "breakStatus": adBreakStatus?.json, "liveSeekableRange": liveSeekableRange?.json,
      "videoInfo": videoInfo?.json, "customData": customData,
    ]).keeping(unknownMembers)
  }
}
