import CastProtocol
import CastReceiverSim
import Testing

/// Whatever a sender says, the receiver neither traps nor stops answering.
struct HostilityTests {
  private static let odd: [JSONValue] = [
    .null, true, "", "REPEAT_ALL", 0, -1, 1, 2, .integer(.max), .integer(.min), .number(1e300),
    .number(-1e300),
    .number(0.5), [], [:], [1, "x", .null], ["contentId": "http://h/v2.mp4"], [["itemId": 2]],
    .string(String(repeating: "x", count: 2000)),
  ]

  /// The value with a few members replaced by something else, dropped or doubled.
  private static func mutated(_ value: JSONValue, _ generator: inout SeededGenerator, chance: Int)
    -> JSONValue
  {
    if Int.random(in: 0..<chance, using: &generator) == 0 {
      return odd.randomElement(using: &generator) ?? .null
    }
    switch value {
    case .object(let members):
      var result: [String: JSONValue] = [:]
      for key in members.keys.sorted() where Int.random(in: 0..<chance * 2, using: &generator) != 0 {
        result[key] = mutated(members[key] ?? .null, &generator, chance: chance)
      }
      return .object(result)
    case .array(let elements):
      return .array(elements.map { mutated($0, &generator, chance: chance) })
    default: return value
    }
  }

  @Test("recorded requests with members broken at random never trap the model", arguments: 1...6)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let types = [
      "LOAD", "QUEUE_LOAD", "QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_REMOVE", "QUEUE_REORDER", "SEEK",
      "SKIP_AD",
      "EDIT_TRACKS_INFO", "SET_PLAYBACK_RATE", "SET_VOLUME", "GET_STATUS", "STORE_SESSION", "RESUME_SESSION",
      "EDIT_AUDIO_TRACKS", "USER_ACTION", "PRELOAD", "PRECACHE", "SET_CREDENTIALS", "QUEUE_GET_ITEM_RANGE",
      "QUEUE_NEXT", "QUEUE_PREV", "QUEUE_SHUFFLE", "LAUNCH", "GET_APP_AVAILABILITY", "STOP",
    ]
    let recordings = try Recording.allCases.map { try $0.messages().filter(\.isRequest) }
    for round in 0..<5 {
      var configuration = ReceiverConfiguration()
      configuration.media.honoursPlaybackDuration = round.isMultiple(of: 2)
      configuration.media.liveRange = .all
      // What is only on or off is on in one round and off in the next.
      for behaviour in Behaviour.all where behaviour.value == "on|off" {
        try Behaviour.apply("\(behaviour.name)=\(round.isMultiple(of: 2) ? "on" : "off")", to: &configuration)
      }
      // The test itself asks under one number.
      configuration.media.refusesRepeatedRequestIDs = false
      configuration.media.growingTime = Double(round)
      configuration.seed = UInt64(round)
      var stage = Stage(configuration, senders: ["sender-0", "sender-1"])
      for requests in recordings {
        for request in requests {
          var body = Self.mutated(request.body, &generator, chance: 25)
          if case .object(var members) = body {
            // Most broken requests must reach a living session to be worth anything.
            let session = stage.media(["type": "GET_STATUS", "requestId": 1]).last?["status"]?.array?.first
            if members["mediaSessionId"] != nil {
              members["mediaSessionId"] = session?["mediaSessionId"] ?? 1
            }
            if Int.random(in: 0..<10, using: &generator) == 0 {
              members["type"] = types.randomElement(using: &generator).map { .string($0) }
            }
            body = .object(members)
          }
          let namespace: Namespace = Int.random(in: 0..<8, using: &generator) == 0 ? .receiver : .media
          stage.receiver.send(
            body, namespace, from: "sender-0", to: namespace == .media ? stage.transport : .receiver,
            over: Stage.connection)
          stage.receiver.advance(by: .milliseconds(Int64.random(in: 0...1500, using: &generator)))
          stage.receiver.send(
            ["type": "PONG"], .heartbeat, from: "sender-0", to: .receiver, over: Stage.connection)
        }
      }
      let sizes = stage.receiver.takeOutputs().compactMap(\.message).map { FrameCodec.bodyLength(of: $0) }
      #expect((sizes.max() ?? 0) <= FrameCodec.maximumBodyLength)
      stage.receiver.send(["type": "PING"], .heartbeat, from: "x", to: .receiver, over: Stage.connection)
      #expect(
        stage.bodies(.heartbeat).contains { $0["type"]?.string == "PONG" }, "seed \(seed) round \(round)")
    }
  }

  @Test(
    "what is no JSON object is ignored", arguments: ["", "{", "[]", "1", "null", #"{"type":7}"#, "\u{0}"])
  func noise(text: String) {
    var stage = Stage()
    for namespace in [Namespace.media, .receiver, .connection, .heartbeat, "urn:x-cast:any"] {
      let target = namespace == .media ? stage.transport : EndpointID.receiver
      let message = CastMessage(
        source: "sender-0", destination: target, namespace: namespace, payload: .string(text))
      stage.receiver.handle(.received(message, from: Stage.connection))
    }
    #expect(stage.receiver.takeOutputs().isEmpty)
  }
}
