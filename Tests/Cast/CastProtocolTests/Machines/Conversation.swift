import CastProtocol

/// A place in the life of a session, with a machine that has come there by ordinary means.
enum Stage: CaseIterable {
  case idle, opening, asking, launching, joining, active, activeWithoutApplication, parting, stopping, ended

  func machine() -> SessionMachine {
    var machine = SessionMachine()
    for event in events { _ = machine.handle(event, at: Tick(.seconds(1))) }
    return machine
  }

  private var events: [SessionMachine.Event] {
    switch self {
    case .idle: []
    case .opening: [.start(Conversation.target(.play(applicationID: "CC1AD845")))]
    case .asking: Stage.opening.events + [.transportOpened()]
    case .launching: Stage.asking.events + [Conversation.platform(#"{"status":{}}"#)]
    case .joining: Stage.asking.events + [Conversation.platform(Conversation.running)]
    case .active: Stage.joining.events + [Conversation.media(Conversation.playing)]
    case .activeWithoutApplication:
      [
        .start(Conversation.target(.observe(applicationID: nil))), .transportOpened(),
        Conversation.platform(#"{"status":{}}"#),
      ]
    case .parting: Stage.active.events + [Conversation.close(from: "web-7")]
    case .stopping: Stage.active.events + [.end(.stopApplication)]
    case .ended: Stage.active.events + [.end(.leave)]
    }
  }
}

/// Ready-made events, and replies that are nearly right.
enum Conversation {
  static let running = """
    {"type":"RECEIVER_STATUS","requestId":1,"status":{"applications":[{"appId":"CC1AD845","sessionId":"s1",\
    "transportId":"web-7","namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}]}}
    """
  static let playing = """
    {"type":"MEDIA_STATUS","requestId":2,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1,\
    "currentItemId":1,"media":{"contentId":"http://h/a.mp4","duration":60},"items":[{"itemId":1},{"itemId":2}]}]}
    """

  static func target(_ purpose: SessionPurpose) -> SessionTarget {
    SessionTarget(endpoint: DeviceEndpoint(host: "tv"), purpose: purpose)
  }

  static func platform(_ body: String) -> SessionMachine.Event {
    .received(
      CastMessage(
        source: .receiver, destination: .broadcast, namespace: .receiver,
        payload: .string(body.contains("type") ? body : #"{"type":"RECEIVER_STATUS","# + body.dropFirst())))
  }

  static func media(_ body: String) -> SessionMachine.Event {
    .received(
      CastMessage(source: "web-7", destination: "sender-1", namespace: .media, payload: .string(body)))
  }

  static func close(from source: EndpointID) -> SessionMachine.Event {
    .received(
      CastMessage(source: source, destination: "sender-1", namespace: .connection, json: ["type": "CLOSE"]))
  }

  static let requests: [SenderRequest] = [
    .media(.play), .media(.stop), .media(.getStatus()), .media(.queueGetItemIDs),
    .media(.queueGetItems([MediaQueueItemID(1)])), .media(.load(LoadRequest(media: nil))),
    .media(.queueUpdate(QueueUpdate(jump: 1))), .receiver(.setVolume(.level(0.5))), .receiver(.getStatus),
  ]

  static let everyEvent: [SessionMachine.Event] =
    [
      .start(target(.device)), .transportOpened(), .cancel(RequestToken(1)), .cancel(RequestToken(99)),
      .timerFired(.heartbeat), .timerFired(.launch), .timerFired(.request(RequestID(99))),
      platform(#"{"type":"LAUNCH_STATUS","launchRequestId":2,"status":"USER_ALLOWED"}"#),
      platform(#"{"type":"INVALID_REQUEST","requestId":99,"reason":"X"}"#), platform("[]"),
      media(playing), media(#"{"type":"MEDIA_STATUS","status":[]}"#), media(#"{"type":"ERROR","itemId":2}"#),
      media(#"{"type":"QUEUE_CHANGE","changeType":"UPDATE","itemIds":[1]}"#), media(""),
      close(from: "web-9"),
    ] + requests.enumerated().map { .request(RequestToken(100 + $0.offset), $0.element) } + [
      platform(running), close(from: "web-7"), .timerFired(.start),
      platform(#"{"type":"LAUNCH_ERROR","requestId":2,"reason":"NOT_FOUND"}"#), .end(.stopApplication),
      close(from: .receiver), .transportClosed(.closedByPeer), .end(.leave),
    ]

  private static let replies = [
    running, playing, #"{"type":"LOAD_FAILED","requestId":4,"itemId":1,"detailedErrorCode":905}"#,
    #"{"type":"QUEUE_ITEM_IDS","requestId":5,"itemIds":[1,2,3],"sequenceNumber":1}"#,
    #"{"type":"QUEUE_ITEMS","requestId":6,"items":[{"itemId":1,"media":{"contentId":"x"}}]}"#,
    #"{"type":"INVALID_REQUEST","requestId":3,"reason":"INVALID_MEDIA_SESSION_ID"}"#,
    #"{"type":"QUEUE_CHANGE","changeType":"INSERT","itemIds":[4],"insertBefore":2}"#,
    #"{"type":"MEDIA_STATUS","requestId":4,"status":[{"mediaSessionId":2,"playerState":"IDLE","idleReason":"ERROR"}]}"#,
    #"{"type":"CLOSE"}"#, #"{"type":"PING"}"#,
  ]

  /// A reply with a few bytes changed, from one of the usual places.
  static func mutatedReply(using random: inout SeededGenerator) -> CastMessage {
    var bytes = Array((replies.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0x20...0x7e, using: &random)
      case 1: bytes.remove(at: index)
      default: bytes.insert(contentsOf: Array("999999999999999999999".utf8), at: index)
      }
    }
    let sources: [EndpointID] = ["web-7", "web-7", .receiver, "web-9", "*", ""]
    let namespaces: [Namespace] = [.media, .media, .receiver, .connection, .heartbeat, "urn:x-cast:other"]
    return CastMessage(
      source: sources.randomElement(using: &random) ?? .receiver,
      destination: Bool.random(using: &random) ? "sender-1" : .broadcast,
      namespace: namespaces.randomElement(using: &random) ?? .media,
      payload: .string(String(decoding: bytes, as: UTF8.self)))
  }
}
