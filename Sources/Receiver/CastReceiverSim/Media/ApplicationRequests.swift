import CastProtocol

/// Requests that concern neither playback nor the queue: user actions, credentials, preloading, transfer (protocol 6.3, 6.9).
extension MediaApplication {
  /// Handles a request that needs no media session; false for any other.
  mutating func sessionlessRequest(
    _ type: String, _ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick
  ) -> Bool {
    switch type {
    case "PRECACHE":
      guard body["media"]?.object != nil || body["precacheData"]?.string != nil else {
        refuse("INVALID_PARAMS", number, to: requester)
        return true
      }
      answerStatus(options: 0, number, to: requester, at: now)
    case "SET_CREDENTIALS":
      guard let given = body["credentials"]?.string else {
        refuse("INVALID_PARAMS", number, to: requester)
        return true
      }
      credentials = given
      answerStatus(options: 0, number, to: requester, at: now)
    case "RESUME_SESSION":
      guard configuration.media.transfersSessions else {
        refuse("NOT_SUPPORTED", number, to: requester)
        return true
      }
      load(body["sessionState"]?["loadRequestData"] ?? [:], type: "LOAD", number, from: requester, at: now)
    default:
      guard Self.assistantTypes.contains(type) else { return false }
      refuse("NOT_SUPPORTED", number, to: requester)
    }
    return true
  }

  /// Types that only an assistant or the cloud sends.
  private static let assistantTypes: Set = [
    "LOAD_BY_ENTITY", "CUSTOM_COMMAND", "DISPLAY_STATUS", "PLAY_AGAIN", "PLAY_STRING", "FOCUS_STATE",
    "EXECUTE_ACTION_SCRIPT", "SHOW_REMOTE_CONTROL_OVERLAY", "CUSTOM_STATE", "CLOUD_STATUS",
  ]

  /// Sends what resumes the session elsewhere: a complete LOAD (protocol 6.9).
  mutating func storeSession(_ number: Int, from requester: Requester, at now: Tick) {
    guard let state = sessionState(at: now) else { return refuse("NOT_SUPPORTED", number, to: requester) }
    let answer: JSONValue = [
      "type": "SESSION_STATE", "requestId": .integer(Int64(number)), "sessionState": state,
    ]
    emit(.reply(answer, to: requester))
  }

  /// The `sessionState` of a session that can be resumed elsewhere; nil for none.
  func sessionState(at now: Tick) -> JSONValue? {
    guard configuration.media.transfersSessions, let session else { return nil }
    let items = session.queue.items.map { JSONValue.object($0.body.filter { $0.key != "orderId" }) }
    var queue = session.queue.data ?? [:]
    queue["items"] = .array(items)
    queue["startIndex"] = .integer(Int64(session.queue.index))
    queue["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    let load: JSONValue = .members([
      "type": "LOAD", "media": session.queue.current?.body["media"],
      "currentTime": MediaStatusText.seconds(session.timeline.shown(session.position(at: now))),
      "autoplay": .bool(!session.isPaused),
      "playbackRate": JSONValue(playbackRate),
      "activeTrackIds": .array(session.activeTrackIDs.map { .integer(Int64($0)) }),
      "queueData": .object(queue),
    ])
    return ["loadRequestData": load]
  }

  /// Stores a user action with the media; `clear` removes it.
  mutating func userAction(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    let known: Set = ["LIKE", "DISLIKE", "FOLLOW", "UNFOLLOW", "FLAG", "SKIP_AD"]
    guard let action = body["userAction"]?.string, known.contains(action) else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    if action == "SKIP_AD" { return skipAd(number, from: requester, at: now) }
    var states = (session?.media["userActionStates"]?.array ?? []).filter {
      $0["userAction"]?.string != action
    }
    if body["clear"]?.bool != true { states.append(["userAction": .string(action)]) }
    session?.media["userActionStates"] = .array(states)
    broadcastStatus(.media, number, at: now)
  }

  /// Selects the audio track of a language, or the first one (protocol 6.3).
  mutating func editAudioTracks(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard let playing = session else { return }
    let tracks = playing.media["tracks"]?.array ?? []
    guard let active = TrackSelection.audio(body, tracks: tracks, active: playing.activeTrackIDs) else {
      return refuse("LANGUAGE_NOT_SUPPORTED", number, to: requester)
    }
    let shown = showsTracks(playing.media) ? active : []
    session?.activeTrackIDs = shown
    broadcastStatus(.sparse, number, at: now)
  }

  /// Preloads an item.
  mutating func preload(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard let id = body["itemId"]?.int, session?.queue.position(of: id) != nil else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    session?.preloadedItemID = id
    broadcastStatus(.sparse, number, at: now)
  }

  /// Answers with the neighbours of an item (protocol 7.7).
  mutating func answerRange(_ body: JSONValue, _ number: Int, to requester: Requester) {
    guard configuration.queue.answersItemRanges else {
      return refuse("INVALID_COMMAND", number, to: requester)
    }
    guard let queue = session?.queue, let id = body["itemId"]?.int, let place = queue.position(of: id),
      let next = body["nextCount"]?.int, let previous = body["prevCount"]?.int, next >= 0, previous >= 0
    else { return refuse("INVALID_PARAMS", number, to: requester) }
    let low = place - min(previous, place)
    let high = place + min(next, queue.items.count - 1 - place)
    emitItems(Array(queue.items[low...high]), number, to: requester)
  }

  /// Requests credentials again.
  mutating func wantCredentials() { emit(.broadcast(["type": "REFRESH_CREDENTIALS", "requestId": 0])) }

  /// The command bits (protocol 6.7).
  var commands: Int {
    var commands = configuration.media.commands
    if configuration.media.transfersSessions { commands |= 262_144 }
    guard configuration.queue.announcesCommands, let queue = session?.queue else { return commands }
    if case .item = queue.jump(by: 1) { commands |= 64 }
    if case .item = queue.jump(by: -1) { commands |= 128 }
    return commands
  }

  /// The bit a request needs; nil when it needs none.
  static func command(of type: String, _ body: JSONValue) -> Int? {
    switch type {
    case "PAUSE": 1
    case "SEEK": 2
    case "SET_VOLUME": body["volume"]?["muted"] == nil ? 4 : 8
    case "SKIP_AD": 512
    case "EDIT_TRACKS_INFO", "EDIT_AUDIO_TRACKS": 4096
    case "SET_PLAYBACK_RATE": 8192
    case "STORE_SESSION": 262_144
    default: nil
    }
  }
}
