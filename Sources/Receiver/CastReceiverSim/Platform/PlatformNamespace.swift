import CastProtocol

/// What `receiver-0` answers (protocol 5).
extension ReceiverModel {
  mutating func platformMessage(
    _ type: String, _ body: JSONValue, _ namespace: Namespace, from requester: Requester
  ) {
    switch namespace {
    case .receiver: receiverMessage(type, body, from: requester)
    case .multizone: multizoneMessage(type, body, from: requester)
    case "urn:x-cast:com.google.cast.receiver.discovery":
      discoveryMessage(type, body, namespace, from: requester)
    case "urn:x-cast:com.google.cast.setup": setupMessage(type, body, namespace, from: requester)
    case .media:
      // A media request to the platform is a sender's mistake (protocol 18, quirk 6).
      guard let number = body["requestId"]?.int else { return }
      reply(["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"], number, .media, to: requester)
    default: break
    }
  }

  private mutating func receiverMessage(_ type: String, _ body: JSONValue, from requester: Requester) {
    // Without a request id nothing is answered (protocol 1.5).
    guard let number = body["requestId"]?.int else { return }
    switch type {
    case "GET_STATUS": replyStatus(number, to: requester)
    case "GET_APP_AVAILABILITY": availability(body, number, to: requester)
    case "LAUNCH": launch(body, number, from: requester)
    case "STOP": stop(body, number, from: requester)
    case "SET_VOLUME":
      let before = platform.level
      guard platform.setVolume(body["volume"]) else { return invalid("BAD_PARAMETER", number, to: requester) }
      moveMembers(from: before)
      replyStatus(number, to: requester)
      broadcastStatus()
    default: invalid("INVALID_COMMAND", number, to: requester)
    }
  }

  /// Sends an answer of the platform with the request's number.
  mutating func reply(
    _ body: JSONValue, _ number: Int, _ namespace: Namespace = .receiver, to requester: Requester
  ) {
    guard case .object(var members) = body else { return }
    members["requestId"] = .integer(Int64(number))
    send(.object(members), namespace, from: .receiver, to: requester.source, over: requester.connection)
  }

  private mutating func invalid(_ reason: String, _ number: Int, to requester: Requester) {
    reply(["type": "INVALID_REQUEST", "reason": .string(reason)], number, to: requester)
  }

  private var statusBody: JSONValue {
    let listeners = platform.application.map { connections.listeners(to: $0.transport) } ?? []
    return platform.status(senderConnected: !listeners.isEmpty)
  }

  mutating func replyStatus(_ number: Int, to requester: Requester) {
    reply(["type": "RECEIVER_STATUS", "status": statusBody], number, to: requester)
  }

  /// A full snapshot for every connected sender (protocol 5.8).
  mutating func broadcastStatus() {
    broadcast(["type": "RECEIVER_STATUS", "requestId": 0, "status": statusBody], .receiver, from: .receiver)
  }

  private mutating func availability(_ body: JSONValue, _ number: Int, to requester: Requester) {
    let asked = (body["appId"]?.array ?? []).compactMap(\.string)
    let answers = asked.map { (id: String) -> (String, JSONValue) in
      let word = platform.profile(of: id) == nil ? "APP_UNAVAILABLE" : "APP_AVAILABLE"
      return (id, .string(configuration.platform.availability[id] ?? word))
    }
    // `responseType` is the documented exception (protocol 5.3).
    let availability = JSONValue.object(Dictionary(answers, uniquingKeysWith: { $1 }))
    reply(["responseType": "GET_APP_AVAILABILITY", "availability": availability], number, to: requester)
  }

  private mutating func stop(_ body: JSONValue, _ number: Int, from requester: Requester) {
    guard let application = platform.application,
      body["sessionId"] == nil || body["sessionId"]?.string == application.sessionID
    else { return invalid("INVALID_SESSION_ID", number, to: requester) }
    endApplication()
    if configuration.platform.answersStop { replyStatus(number, to: requester) }
  }

  private mutating func discoveryMessage(
    _ type: String, _ body: JSONValue, _ namespace: Namespace, from requester: Requester
  ) {
    guard let number = body["requestId"]?.int, type == "GET_DEVICE_INFO" else { return }
    var info: [String: JSONValue] = [
      "type": "GET_DEVICE_INFO", "deviceId": .string(configuration.deviceID),
      "friendlyName": .string(platform.friendlyName), "deviceModel": .string(configuration.model),
      "controlNotifications": 1,
    ]
    info[configuration.platform.capabilityName.rawValue] = configuration.isAudioOnly ? 6148 : 6149
    reply(.object(info), number, namespace, to: requester)
  }

  /// `eureka_info` over Cast; its number is `request_id` (protocol 5.10).
  private mutating func setupMessage(
    _ type: String, _ body: JSONValue, _ namespace: Namespace, from requester: Requester
  ) {
    guard let number = body["request_id"]?.int, type == "eureka_info" else { return }
    let answer: JSONValue = [
      "type": "eureka_info", "request_id": .integer(Int64(number)), "response_code": 200,
      "response_string": "OK",
      "data": [
        "name": .string(platform.friendlyName), "version": 12,
        "device_info": [
          "manufacturer": "castq", "product_name": .string(configuration.model),
          "ssdp_udn": .string(configuration.uuid),
        ],
        "build_info": ["build_type": 2, "cast_build_revision": "1.56.0", "system_build_number": "1"],
      ],
    ]
    send(answer, namespace, from: .receiver, to: requester.source, over: requester.connection)
  }
}
