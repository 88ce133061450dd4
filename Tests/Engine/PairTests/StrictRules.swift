import CastProtocol

/// What a receiver that takes the protocol by its word would object to in what a sender says (protocol 3, 5, 6, 7, 10).
///
/// Written from the protocol alone, not from the encoder: types, words and members stand here once more on purpose.
struct StrictRules {
  private var connected: Set<[String]> = []
  private var requestIDs: Set<Int> = []

  /// What is wrong with the next message of a session; empty when nothing is.
  mutating func objections(to message: CastMessage) -> [String] {
    guard case .string(let text) = message.payload, let json = try? JSONValue(parsing: text) else {
      return ["not JSON: \(message.payload)"]
    }
    guard let type = json["type"]?.string else { return ["no type: \(text)"] }
    var objections = self.objections(to: json, type, message)
    Self.walk(json, "", &objections)
    return objections.map { "\(type): \($0) in \(text)" }
  }

  private mutating func objections(to json: JSONValue, _ type: String, _ message: CastMessage) -> [String] {
    let pair = [message.source.rawValue, message.destination.rawValue]
    switch message.namespace {
    case .heartbeat: return ["PING", "PONG"].contains(type) ? [] : ["no word of the heartbeat"]
    case .connection:
      if type == "CONNECT" {
        return connected.insert(pair).inserted ? [] : ["connected twice"]
      }
      return type == "CLOSE"
        ? (connected.remove(pair) == nil ? ["not connected"] : []) : ["no word of connections"]
    default: break
    }
    var objections = connected.contains(pair) ? [] : ["nothing may be said before CONNECT"]
    let key = message.namespace == .setup ? "request_id" : "requestId"
    if case .integer(let id)? = json[key], id > 0, id < 1 << 31 {
      if !requestIDs.insert(Int(id)).inserted { objections.append("request number \(id) was used before") }
    } else {
      objections.append("no request number")
    }
    guard let required = Self.required[message.namespace]?[type] else { return objections + ["unknown type"] }
    for member in required where json[member] == nil { objections.append("no \(member)") }
    if ["LOAD", "QUEUE_LOAD", "QUEUE_INSERT"].contains(type) {
      let items = (json["items"]?.array ?? []) + (json["queueData"]?["items"]?.array ?? [])
      if items.contains(where: { $0["itemId"] != nil }) { objections.append("an item that is new has an id") }
    }
    if type == "LOAD", json["media"] == nil, json["queueData"]?["items"]?.array?.isEmpty != false {
      objections.append("nothing to load")
    }
    if type == "QUEUE_UPDATE", let items = json["items"]?.array,
      items.contains(where: { $0["itemId"] == nil })
    {
      objections.append("an item that is changed has no id")
    }
    return objections
  }

  /// Members without which a message of the type means nothing.
  private static let required: [Namespace: [String: [String]]] = [
    .receiver: [
      "GET_STATUS": [], "GET_APP_AVAILABILITY": ["appId"], "LAUNCH": ["appId"], "STOP": ["sessionId"],
      "SET_VOLUME": ["volume"],
    ],
    .multizone: ["GET_STATUS": [], "GET_CASTING_GROUPS": []],
    .discovery: ["GET_DEVICE_INFO": []],
    .setup: ["eureka_info": []],
    .media: [
      "GET_STATUS": [], "LOAD": [], "QUEUE_LOAD": ["items"], "RESUME_SESSION": ["sessionState"],
      "PRECACHE": [],
      "SET_CREDENTIALS": ["credentials"],
    ].merging(
      [
        "PLAY": [], "PAUSE": [], "STOP": [], "SEEK": [], "SET_VOLUME": ["volume"], "SET_PLAYBACK_RATE": [],
        "SKIP_AD": [], "EDIT_TRACKS_INFO": [], "EDIT_AUDIO_TRACKS": [], "QUEUE_INSERT": ["items"],
        "QUEUE_UPDATE": [], "QUEUE_REMOVE": ["itemIds"], "QUEUE_REORDER": ["itemIds"], "QUEUE_NEXT": [],
        "QUEUE_PREV": [], "QUEUE_SHUFFLE": [], "QUEUE_GET_ITEM_IDS": [], "QUEUE_GET_ITEMS": ["itemIds"],
        "QUEUE_GET_ITEM_RANGE": ["itemId", "nextCount", "prevCount"], "PRELOAD": ["itemId"],
        "USER_ACTION": ["userAction"], "STORE_SESSION": [],
      ].mapValues { $0 + ["mediaSessionId"] }
    ) { $1 },
  ]

  // MARK: - Members, wherever they stand

  private enum Form {
    case whole, number, flag, text, list
    case word(Set<String>)
  }

  private static func walk(_ json: JSONValue, _ key: String, _ objections: inout [String]) {
    // What belongs to an application is none of ours.
    guard !["customData", "sessionState", "appParams"].contains(key) else { return }
    if let form = forms[key], !fits(json, form) { objections.append("\(key) is \(json.text)") }
    switch json {
    case .object(let members): for (key, value) in members { walk(value, key, &objections) }
    case .array(let elements): for element in elements { walk(element, "", &objections) }
    case .null: objections.append("\(key) is null in place of being left out")
    case .bool, .integer, .number, .string: break
    }
  }

  private static func fits(_ json: JSONValue, _ form: Form) -> Bool {
    switch (form, json) {
    case (.whole, .integer), (.number, .integer), (.number, .number), (.flag, .bool), (.text, .string): true
    case (.list, .array(let elements)):
      elements.allSatisfy { if case .integer = $0 { true } else { false } }
    case (.word(let words), .string(let word)): words.contains(word)
    default: false
    }
  }

  private static let forms: [String: Form] = {
    var forms: [String: Form] = [:]
    for key in [
      "requestId", "request_id", "mediaSessionId", "itemId", "insertBefore", "currentItemId",
      "currentItemIndex",
      "startIndex", "jump", "options", "nextCount", "prevCount", "trackId", "metadataType", "width", "height",
      "connType", "reasonCode", "platform", "sdkType", "connectionType", "forRequestId",
    ] { forms[key] = .whole }
    for key in ["itemIds", "activeTrackIds"] { forms[key] = .list }
    for key in [
      "currentTime", "relativeTime", "playbackRate", "relativePlaybackRate", "level", "duration", "startTime",
      "preloadTime", "playbackDuration", "position", "whenSkippable", "fontScale",
      "windowRoundedCornerRadius",
    ] { forms[key] = .number }
    for key in [
      "autoplay", "muted", "shuffle", "isWatched", "enableTextTracks", "isSuggestedLanguage", "clear",
    ] {
      forms[key] = .flag
    }
    for key in ["contentId", "contentUrl", "contentType", "language", "appId", "sessionId", "credentials"] {
      forms[key] = .text
    }
    forms["appId"] = nil
    forms["streamType"] = .word(["NONE", "BUFFERED", "LIVE"])
    forms["repeatMode"] = .word(["REPEAT_OFF", "REPEAT_ALL", "REPEAT_SINGLE", "REPEAT_ALL_AND_SHUFFLE"])
    forms["resumeState"] = .word(["PLAYBACK_START", "PLAYBACK_PAUSE"])
    forms["subtype"] = .word(["SUBTITLES", "CAPTIONS", "DESCRIPTIONS", "CHAPTERS", "METADATA"])
    forms["edgeType"] = .word(["NONE", "OUTLINE", "DROP_SHADOW", "RAISED", "DEPRESSED"])
    forms["windowType"] = .word(["NONE", "NORMAL", "ROUNDED_CORNERS"])
    forms["fontStyle"] = .word(["NORMAL", "BOLD", "BOLD_ITALIC", "ITALIC"])
    forms["contentFilteringMode"] = .word(["FILTER_EXPLICIT"])
    forms["userAction"] = .word(["LIKE", "DISLIKE", "FOLLOW", "UNFOLLOW", "FLAG", "SKIP_AD"])
    forms["queueType"] = .word([
      "ALBUM", "PLAYLIST", "AUDIOBOOK", "RADIO_STATION", "PODCAST_SERIES", "TV_SERIES", "VIDEO_PLAYLIST",
      "LIVE_TV", "MOVIE",
    ])
    return forms
  }()
}
