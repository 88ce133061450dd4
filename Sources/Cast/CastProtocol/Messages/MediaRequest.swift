/// Parts that a status may omit to stay small (protocol 6.3).
public struct MediaStatusOptions: OptionSet, Sendable, Hashable {
  /// The bits on the wire.
  public let rawValue: Int
  /// Options with these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Without metadata.
  public static let noMetadata = MediaStatusOptions(rawValue: 1)
  /// Without the queue window.
  public static let noQueueItems = MediaStatusOptions(rawValue: 2)
}

/// The target of a seek, and the player state afterwards (protocol 6.3).
package struct SeekOptions: Sendable, Hashable {
  package enum Target: Sendable, Hashable {
    case position(MediaTime)
    /// Relative to the current position, backwards when negative.
    case offset(MediaTime)
    /// The end of the seekable range: the live edge.
    case liveEdge
  }

  package var target: Target
  /// Nil leaves the player state unchanged.
  package var resumeState: MediaResumeState?

  package init(_ target: Target, resumeState: MediaResumeState? = nil) {
    self.target = target
    self.resumeState = resumeState
  }
}

/// A new speed (protocol 6.3).
package enum PlaybackRateChange: Sendable, Hashable {
  /// 1 is normal; 0.5 to 2.
  case rate(Double)
  /// A factor for the current speed.
  case factor(Double)
}

/// The active tracks and their style; nil members change nothing. A language overrides track ids (protocol 10.2).
package struct TracksEdit: Sendable, Hashable {
  /// All active tracks, of every kind; empty is none.
  package var activeTrackIDs: [Int]?
  package var textTrackStyle: MediaTextTrackStyle?
  /// Selects the tracks of this language.
  package var language: String?
  /// False hides all text; true shows the last shown track.
  package var enablesTextTracks: Bool?
  /// Whether the language was suggested rather than chosen.
  package var isSuggestedLanguage: Bool?

  package init(
    activeTrackIDs: [Int]? = nil, textTrackStyle: MediaTextTrackStyle? = nil, language: String? = nil,
    enablesTextTracks: Bool? = nil, isSuggestedLanguage: Bool? = nil
  ) {
    self.activeTrackIDs = activeTrackIDs
    self.textTrackStyle = textTrackStyle
    self.language = language
    self.enablesTextTracks = enablesTextTracks
    self.isSuggestedLanguage = isSuggestedLanguage
  }
}

/// A request to a receiver application on the media namespace (protocol 6.3).
package enum MediaRequest: Sendable, Hashable {
  case getStatus(MediaStatusOptions = [])
  case load(LoadRequest)
  case play
  case pause
  /// Ends the media session and its queue; the application keeps running.
  case stop
  case seek(SeekOptions)
  /// Volume of the stream, not of the device; at least one part is required.
  case setVolume(Volume)
  case setPlaybackRate(PlaybackRateChange)
  /// Skips the current clip of an ad break.
  case skipAd
  case editTracksInfo(TracksEdit)
  /// Selects the audio track of a language; nil is the default one (protocol 6.3).
  case editAudioTracks(language: String?, isSuggested: Bool? = nil)
  case queueLoad(QueueLoad)
  case queueInsert(QueueInsert)
  case queueUpdate(QueueUpdate)
  case queueRemove(QueueRemove)
  case queueReorder(QueueReorder)
  case queueNext
  case queuePrevious
  /// Shuffles the remaining items, unlike the update, without reloading (protocol 21.9).
  case queueShuffle
  case queueGetItemIDs
  case queueGetItems([MediaQueueItemID])
  /// The neighbours of an item; most receivers refuse it (protocol 21.8).
  case queueGetItemRange(MediaQueueItemID, nextCount: Int, previousCount: Int)
  /// Fetches media before a load; the text is application-defined (protocol 6.3).
  case precache(LoadRequest, data: String?)
  case preload(LoadRequest, itemID: MediaQueueItemID)
  case userAction(UserActionRequest)
  case setCredentials(CredentialsAnswer)
  case storeSession
  /// Continues with the result of SESSION_STATE.
  case resumeSession(JSONValue)

  /// The type on the wire.
  package var type: String {
    switch self {
    case .getStatus: "GET_STATUS"
    case .load: "LOAD"
    case .play: "PLAY"
    case .pause: "PAUSE"
    case .stop: "STOP"
    case .seek: "SEEK"
    case .setVolume: "SET_VOLUME"
    case .setPlaybackRate: "SET_PLAYBACK_RATE"
    case .skipAd: "SKIP_AD"
    case .editTracksInfo: "EDIT_TRACKS_INFO"
    case .editAudioTracks: "EDIT_AUDIO_TRACKS"
    case .queueLoad: "QUEUE_LOAD"
    case .queueInsert: "QUEUE_INSERT"
    case .queueUpdate: "QUEUE_UPDATE"
    case .queueRemove: "QUEUE_REMOVE"
    case .queueReorder: "QUEUE_REORDER"
    case .queueNext: "QUEUE_NEXT"
    case .queuePrevious: "QUEUE_PREV"
    case .queueShuffle: "QUEUE_SHUFFLE"
    case .queueGetItemIDs: "QUEUE_GET_ITEM_IDS"
    case .queueGetItems: "QUEUE_GET_ITEMS"
    case .queueGetItemRange: "QUEUE_GET_ITEM_RANGE"
    case .precache: "PRECACHE"
    case .preload: "PRELOAD"
    case .userAction: "USER_ACTION"
    case .setCredentials: "SET_CREDENTIALS"
    case .storeSession: "STORE_SESSION"
    case .resumeSession: "RESUME_SESSION"
    }
  }

  /// Whether the request requires a media session.
  package var needsMediaSession: Bool {
    switch self {
    case .getStatus, .load, .queueLoad, .resumeSession, .precache, .setCredentials: false
    case .play, .pause, .stop, .seek, .setVolume, .setPlaybackRate, .skipAd, .editTracksInfo,
      .editAudioTracks, .queueInsert, .queueUpdate, .queueRemove, .queueReorder, .queueNext, .queuePrevious,
      .queueShuffle, .queueGetItemIDs, .queueGetItems, .queueGetItemRange, .preload, .userAction,
      .storeSession:
      true
    }
  }

  /// Why it must not be sent; nil when it may. What is no number would be left out: a seek without a time
  /// goes to the live edge, and a load without one begins at the beginning (protocol 6.3).
  var flaw: CastError? {
    switch self {
    case .load(let load), .precache(let load, _), .preload(let load, _):
      refused("speed", [load.playbackRate])
        ?? refused([load.currentTime, load.queueData?.startTime], load.queueData?.items)
    case .queueLoad(let load): refused([load.currentTime], load.items)
    case .queueInsert(let insert): refused([insert.currentTime], insert.items)
    case .queueUpdate(let update): refused([update.currentTime], update.items)
    case .queueRemove(let remove): refused([remove.currentTime])
    case .seek(let options):
      switch options.target {
      case .position(let time), .offset(let time): refused([time])
      case .liveEdge: nil
      }
    case .setVolume(let volume): refused("volume", [volume.level])
    case .setPlaybackRate(.rate(let number)), .setPlaybackRate(.factor(let number)):
      refused("speed", [number])
    case .getStatus, .play, .pause, .stop, .skipAd, .editTracksInfo, .editAudioTracks, .queueReorder,
      .queueNext, .queuePrevious, .queueShuffle, .queueGetItemIDs, .queueGetItems, .queueGetItemRange,
      .userAction, .setCredentials, .storeSession, .resumeSession:
      nil
    }
  }

  private func refused(_ name: String, _ numbers: [Double?]) -> CastError? {
    numbers.allSatisfy { $0?.isFinite ?? true } ? nil : .notANumber(type, name)
  }

  private func refused(_ positions: [MediaTime?], _ items: [MediaQueueItem]? = nil) -> CastError? {
    refused("position", (positions + (items ?? []).map(\.startTime)).map { $0?.seconds })
  }

  /// The request as JSON.
  ///
  /// - Parameters:
  ///   - mediaSessionID: the newest known; ignored by requests that start a session, and by GET_STATUS: it requests all, so that
  ///     the reply also corrects an outdated id (protocol 6.3).
  ///   - customData: application-defined data, allowed on every request (protocol 6.1); nil keeps that of the request itself.
  package func json(
    requestID: RequestID, mediaSessionID: MediaSessionID?, customData: JSONValue? = nil
  ) -> JSONValue {
    var envelope: [String: JSONValue] = [
      "type": .string(type), "requestId": .integer(Int64(requestID.rawValue)),
    ]
    if needsMediaSession, let mediaSessionID {
      envelope["mediaSessionId"] = .integer(Int64(mediaSessionID.rawValue))
    }
    if let customData { envelope["customData"] = customData }
    return JSONValue.object(envelope).keeping(body.object ?? [:])
  }

  /// All members except type, numbers and added data.
  private var body: JSONValue {
    switch self {
    case .play, .pause, .stop, .skipAd, .queueNext, .queuePrevious, .queueShuffle, .queueGetItemIDs,
      .storeSession:
      [:]
    case .getStatus(let options): options.isEmpty ? [:] : ["options": .integer(Int64(options.rawValue))]
    case .load(let load): load.json
    case .seek(let options): options.json
    case .setVolume(let volume): ["volume": volume.json]
    case .setPlaybackRate(.rate(let rate)): .members(["playbackRate": JSONValue(rate)])
    case .setPlaybackRate(.factor(let factor)): .members(["relativePlaybackRate": JSONValue(factor)])
    case .editTracksInfo(let edit): edit.json
    case .editAudioTracks(let language, let isSuggested):
      .members(["language": JSONValue(language), "isSuggestedLanguage": JSONValue(isSuggested)])
    case .queueLoad(let load): load.json
    case .queueInsert(let insert): insert.json
    case .queueUpdate(let update): update.json
    case .queueRemove(let remove): remove.json
    case .queueReorder(let reorder): reorder.json
    case .queueGetItems(let ids): ["itemIds": JSONValue(itemIDs: ids)]
    case .queueGetItemRange(let id, let nextCount, let previousCount):
      .members([
        "itemId": id.json, "nextCount": JSONValue(nextCount), "prevCount": JSONValue(previousCount),
      ])
    case .precache(let load, let data):
      load.json.keeping(JSONValue.members(["precacheData": JSONValue(data)]).object ?? [:])
    case .preload(let load, let id): load.json.keeping(["itemId": id.json])
    case .userAction(let action): action.json
    case .setCredentials(let answer): answer.json
    case .resumeSession(let state): ["sessionState": state]
    }
  }
}
