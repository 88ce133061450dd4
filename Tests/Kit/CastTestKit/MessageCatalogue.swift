package import CastProtocol

/// The required fields of a message: those that the protocol does not call optional.
package struct CatalogueEntry: Sendable {
  /// As in `GoldenMessage`.
  package var namespace: String
  package var direction: GoldenMessage.Direction
  package var type: String
  /// The section of the protocol that defines it.
  package var section: String
  private var required: [(path: [String], kind: String)]

  /// - Parameter required: `path:kind` with blanks between. A path goes through members by dots and through arrays by `[]`; kinds
  ///   are int, num, bool, text, object and array.
  init(
    _ namespace: String, _ direction: GoldenMessage.Direction, _ type: String, _ section: String,
    _ required: String
  ) {
    self.namespace = namespace
    self.direction = direction
    self.type = type
    self.section = section
    self.required = required.split(separator: " ").map { text in
      let parts = text.split(separator: ":").map(String.init)
      return (parts[0].split(separator: ".").map(String.init), parts.last ?? "")
    }
  }

  /// The paths of the required fields that the message lacks.
  package func missing(in message: JSONValue) -> [String] {
    required.filter { !Self.has($0.path[...], $0.kind, in: message) }
      .map { "\($0.path.joined(separator: ".")):\($0.kind)" }
  }

  private static func has(_ path: ArraySlice<String>, _ kind: String, in value: JSONValue?) -> Bool {
    guard let value else { return false }
    guard let name = path.first else { return isKind(kind, value) }
    guard name.hasSuffix("[]") else { return has(path.dropFirst(), kind, in: value[name]) }
    let elements = value[String(name.dropLast(2))]?.array
    return elements?.allSatisfy { has(path.dropFirst(), kind, in: $0) } ?? false
  }

  private static func isKind(_ kind: String, _ value: JSONValue) -> Bool {
    switch kind {
    case "int": value.int != nil
    case "num": value.double != nil
    case "bool": value.bool != nil
    case "text": value.string != nil
    case "object": value.object != nil
    case "array": value.array != nil
    default: false
    }
  }
}

/// Every message of the protocol, sections 5 to 10 and 16.
package enum MessageCatalogue {
  /// The entry of a message; nil for one that the protocol does not define.
  package static func entry(
    _ namespace: String, _ direction: GoldenMessage.Direction, _ type: String
  ) -> CatalogueEntry? {
    entries.first { $0.namespace == namespace && $0.direction == direction && $0.type == type }
  }

  package static let entries: [CatalogueEntry] = platform + media

  private static let platform: [CatalogueEntry] = [
    CatalogueEntry("receiver", .request, "GET_STATUS", "5.1", "requestId:int"),
    CatalogueEntry("receiver", .request, "GET_APP_AVAILABILITY", "5.3", "requestId:int appId:array"),
    CatalogueEntry("receiver", .request, "LAUNCH", "5.4", "requestId:int appId:text"),
    CatalogueEntry("receiver", .request, "STOP", "5.6", "requestId:int"),
    CatalogueEntry("receiver", .request, "SET_VOLUME", "5.7", "requestId:int volume:object"),
    CatalogueEntry(
      "receiver", .reply, "RECEIVER_STATUS", "5.2",
      "requestId:int status.volume.level:num status.volume.muted:bool status.volume.controlType:text "
        + "status.volume.stepInterval:num"),
    CatalogueEntry(
      "receiver", .reply, "GET_APP_AVAILABILITY", "5.3",
      "requestId:int responseType:text availability:object"),
    CatalogueEntry("receiver", .reply, "LAUNCH_STATUS", "5.4", "launchRequestId:int status:text"),
    CatalogueEntry("receiver", .reply, "LAUNCH_ERROR", "5.5", "requestId:int reason:text"),
    CatalogueEntry("receiver", .reply, "INVALID_REQUEST", "5.5", "requestId:int reason:text"),
    CatalogueEntry("multizone", .request, "GET_STATUS", "5.9", "requestId:int"),
    CatalogueEntry("multizone", .request, "GET_CASTING_GROUPS", "5.9", "requestId:int"),
    CatalogueEntry(
      "multizone", .reply, "MULTIZONE_STATUS", "5.9",
      "requestId:int status.isMultichannel:bool status.devices[].deviceId:text status.devices[].name:text "
        + "status.devices[].capabilities:int status.devices[].volume.level:num"),
    CatalogueEntry("multizone", .reply, "CASTING_GROUPS", "5.9", "requestId:int"),
    CatalogueEntry(
      "multizone", .reply, "DEVICE_ADDED", "5.9",
      "requestId:int device.deviceId:text device.name:text device.capabilities:int device.volume.level:num"),
    CatalogueEntry(
      "multizone", .reply, "DEVICE_UPDATED", "5.9",
      "requestId:int device.deviceId:text device.name:text device.capabilities:int device.volume.level:num"),
    CatalogueEntry("multizone", .reply, "DEVICE_REMOVED", "5.9", "requestId:int deviceId:text"),
    CatalogueEntry("multizone", .reply, "PLAYBACK_SESSION_UPDATED", "5.9", "requestId:int"),
    CatalogueEntry("discovery", .request, "GET_DEVICE_INFO", "5.10", "requestId:int"),
    CatalogueEntry(
      "discovery", .reply, "GET_DEVICE_INFO", "5.10",
      "requestId:int deviceId:text friendlyName:text deviceModel:text controlNotifications:int"),
    CatalogueEntry("setup", .request, "eureka_info", "5.10", "request_id:int"),
    CatalogueEntry(
      "setup", .reply, "eureka_info", "5.10",
      "request_id:int response_code:int response_string:text data.name:text data.version:int "
        + "data.device_info.manufacturer:text data.build_info.cast_build_revision:text"),
    CatalogueEntry("custom", .request, "text", "16", ""),
    CatalogueEntry("custom", .reply, "text", "16", ""),
  ]

  private static let session = "requestId:int mediaSessionId:int"

  private static let media: [CatalogueEntry] =
    [
      CatalogueEntry("media", .request, "GET_STATUS", "6.3", "requestId:int"),
      CatalogueEntry("media", .request, "LOAD", "6.4", "requestId:int"),
      CatalogueEntry("media", .request, "PRECACHE", "6.3", "requestId:int"),
      CatalogueEntry(
        "media", .request, "RESUME_SESSION", "6.9", "requestId:int sessionState.loadRequestData:object"),
      CatalogueEntry("media", .request, "SET_CREDENTIALS", "6.3", "requestId:int credentials:text"),
      CatalogueEntry(
        "media", .request, "QUEUE_LOAD", "7.1", "requestId:int items:array items[].media:object"),
      CatalogueEntry(
        "media", .request, "QUEUE_INSERT", "7.5", session + " items:array items[].media:object"),
      CatalogueEntry("media", .request, "QUEUE_REMOVE", "7.5", session + " itemIds:array"),
      CatalogueEntry("media", .request, "QUEUE_REORDER", "7.5", session + " itemIds:array"),
      CatalogueEntry("media", .request, "QUEUE_GET_ITEMS", "7.7", session + " itemIds:array"),
      CatalogueEntry(
        "media", .request, "QUEUE_GET_ITEM_RANGE", "7.7", session + " itemId:int nextCount:int prevCount:int"),
      CatalogueEntry("media", .request, "SET_VOLUME", "6.3", session + " volume:object"),
      CatalogueEntry("media", .request, "USER_ACTION", "6.3", session + " userAction:text"),
      CatalogueEntry("media", .request, "PRELOAD", "6.3", session + " itemId:int"),
      CatalogueEntry(
        "media", .reply, "MEDIA_STATUS", "6.5",
        "requestId:int status:array status[].mediaSessionId:int status[].playerState:text "
          + "status[].currentTime:num status[].playbackRate:num status[].supportedMediaCommands:int "
          + "status[].volume.level:num status[].volume.muted:bool"),
      CatalogueEntry("media", .reply, "QUEUE_ITEM_IDS", "7.7", "requestId:int itemIds:array"),
      CatalogueEntry(
        "media", .reply, "QUEUE_ITEMS", "7.7", "requestId:int items:array items[].itemId:int"),
      CatalogueEntry("media", .reply, "QUEUE_CHANGE", "7.7", "changeType:text sequenceNumber:int"),
      CatalogueEntry(
        "media", .reply, "SESSION_STATE", "6.9", "requestId:int sessionState.loadRequestData:object"),
      CatalogueEntry("media", .reply, "REFRESH_CREDENTIALS", "6.3", "requestId:int"),
      CatalogueEntry("media", .reply, "LOAD_FAILED", "6.6", "requestId:int"),
      CatalogueEntry("media", .reply, "LOAD_CANCELLED", "6.6", "requestId:int"),
      CatalogueEntry("media", .reply, "INVALID_PLAYER_STATE", "6.6", "requestId:int"),
      CatalogueEntry("media", .reply, "INVALID_REQUEST", "6.6", "requestId:int reason:text"),
      CatalogueEntry("media", .reply, "ERROR", "6.6", ""),
    ]
    + [
      ("PLAY", "6.3"), ("PAUSE", "6.3"), ("STOP", "6.3"), ("SEEK", "6.3"), ("SET_PLAYBACK_RATE", "6.3"),
      ("SKIP_AD", "9"), ("EDIT_TRACKS_INFO", "10.2"), ("EDIT_AUDIO_TRACKS", "6.3"),
      ("STORE_SESSION", "6.9"), ("QUEUE_UPDATE", "7.5"), ("QUEUE_NEXT", "6.3"), ("QUEUE_PREV", "6.3"),
      ("QUEUE_SHUFFLE", "6.3"), ("QUEUE_GET_ITEM_IDS", "7.7"),
    ].map { CatalogueEntry("media", .request, $0.0, $0.1, session) }
}
