/// The JSON of the parts of requests. Absent values are always omitted, never replaced by a number.

extension JSONValue {
  init(itemIDs: [MediaQueueItemID]) { self = .array(itemIDs.map(\.json)) }
}

extension SeekOptions {
  var json: JSONValue {
    switch target {
    case .position(let time):
      .members(["currentTime": JSONValue(time.seconds), "resumeState": resumeState?.json])
    case .offset(let time):
      .members(["relativeTime": JSONValue(time.seconds), "resumeState": resumeState?.json])
    // Without a time a receiver seeks to the live edge (protocol 6.3).
    case .liveEdge: .members(["resumeState": resumeState?.json])
    }
  }
}

extension TracksEdit {
  var json: JSONValue {
    .members([
      "activeTrackIds": JSONValue(trackIDs: activeTrackIDs), "textTrackStyle": textTrackStyle?.json,
      "language": JSONValue(language), "enableTextTracks": JSONValue(enablesTextTracks),
      "isSuggestedLanguage": JSONValue(isSuggestedLanguage),
    ])
  }
}

extension QueueLoad {
  var json: JSONValue {
    .members([
      "items": .array(items.map(\.withoutItemID.json)), "startIndex": JSONValue(startIndex),
      "repeatMode": repeatMode?.json, "currentTime": JSONValue(currentTime?.seconds),
      "customData": customData,
    ])
  }
}

extension QueueInsert {
  var json: JSONValue {
    var members: [String: JSONValue] = ["items": .array(items.map(\.withoutItemID.json))]
    members["insertBefore"] = insertBefore?.json
    members["currentTime"] = JSONValue(currentTime?.seconds)
    switch current {
    case .inserted(let index): members["currentItemIndex"] = .integer(Int64(index))
    case .existing(let id): members["currentItemId"] = id.json
    case nil: break
    }
    return .object(members)
  }
}

extension QueueUpdate {
  var json: JSONValue {
    .members([
      "items": items.map { .array($0.map(\.json)) }, "currentItemId": currentItemID?.json,
      "currentTime": JSONValue(currentTime?.seconds), "jump": JSONValue(jump),
      "repeatMode": repeatMode?.json, "shuffle": JSONValue(shuffle),
    ])
  }
}

extension QueueRemove {
  var json: JSONValue {
    .members([
      "itemIds": JSONValue(itemIDs: itemIDs), "currentItemId": currentItemID?.json,
      "currentTime": JSONValue(currentTime?.seconds),
    ])
  }
}

extension QueueReorder {
  var json: JSONValue {
    .members(["itemIds": JSONValue(itemIDs: itemIDs), "insertBefore": insertBefore?.json])
  }
}
