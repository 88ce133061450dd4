import CastProtocol
import CastReceiverSim
import Testing

struct FaultTests {
  private func stage(_ faults: String...) throws -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    return Stage(configuration)
  }

  private static let queue: JSONValue = [
    "type": "QUEUE_LOAD", "requestId": 2,
    "items": [MediaRuleTests.item("v2.mp4"), MediaRuleTests.item("v4.mp4")],
    "customData": ["a": 1],
  ]

  @Test("a fault's text is read with value, count and delay")
  func parsing() throws {
    #expect(try Fault(parsing: "swallow-reply=PLAY#2") == Fault(.swallowReply, value: "PLAY", occurrence: 2))
    #expect(try Fault(parsing: "kill-app@after=1.5s") == Fault(.killApplication, after: .milliseconds(1500)))
    #expect(try Fault(parsing: "delay-replies=200ms").value == "200ms")
    #expect(Fault.Kind.allCases.allSatisfy { Fault.help.contains($0.rawValue) })
  }

  @Test(
    "a fault that cannot be understood is refused",
    arguments: [
      "", "nonsense", "swallow-reply", "swallow-reply=", "silent=1", "delay-replies=soon",
      "drop-connection@5s", "refuse=QUEUE_INSERT", "stray-status=x", "decode-error", "stall=",
      "drop-connection@after=-1s", "swallow-reply=PLAY#0", "refuse-large-queue=many", "early-connect=soon",
    ])
  func refusal(text: String) {
    #expect(throws: FaultSyntaxError.self) { try Fault(parsing: text) }
  }

  @Test("a swallowed reply has its effect; only the chosen one is swallowed")
  func swallowed() throws {
    var stage = try stage("swallow-reply=PAUSE#2", "swallow-reply=QUEUE_GET_ITEM_IDS")
    _ = stage.media(Self.queue)
    _ = stage.wait(0.5)
    for (number, expected) in [(3, 3), (4, 0), (5, 5)] {
      let said = stage.media(["type": "PAUSE", "requestId": .integer(Int64(number)), "mediaSessionId": 1])
      #expect(said.map { $0["requestId"]?.int } == [expected])
    }
    #expect(stage.media(["type": "QUEUE_GET_ITEM_IDS", "requestId": 6, "mediaSessionId": 1]).isEmpty)
  }

  @Test(
    "what is refused by a fault is refused for its reason and not done; only the chosen time",
    arguments: [
      ("INVALID_PARAMS", "INVALID_REQUEST", "INVALID_PARAMS" as String?),
      ("INVALID_MEDIA_SESSION_ID", "INVALID_REQUEST", "INVALID_MEDIA_SESSION_ID"),
      ("INVALID_PLAYER_STATE", "INVALID_PLAYER_STATE", nil),
    ])
  func refusedRequests(reason: String, type: String, told: String?) throws {
    var stage = try stage("refuse=QUEUE_INSERT/\(reason)#1")
    _ = stage.media(Self.queue)
    _ = stage.wait(0.5)
    let insert: JSONValue = [
      "type": "QUEUE_INSERT", "requestId": 3, "mediaSessionId": 1, "items": [MediaRuleTests.item("v6.mp4")],
    ]
    let refusal = stage.media(insert)
    #expect(
      refusal.count == 1 && refusal.first?["type"]?.string == type && refusal.first?["reason"]?.string == told
    )
    #expect(stage.media(insert).map { $0["type"] } == ["QUEUE_CHANGE", "MEDIA_STATUS"])
  }

  @Test("each fault shows in what the receiver says")
  func effects() throws {
    var doubled = try stage("duplicate-broadcasts")
    #expect(doubled.media(Self.queue).count == 2)

    var old = try stage("response-type")
    #expect(
      old.media(["type": "GET_STATUS", "requestId": 3]).first?["responseType"]?.string == "MEDIA_STATUS")

    var web = try stage("web-transport")
    #expect(web.transport == "web-1")
    let application = web.platform(["type": "GET_STATUS", "requestId": 3]).first?["status"]?["applications"]?
      .array?.first
    #expect(application?["sessionId"]?.string != "web-1")

    var small = try stage("refuse-large-queue=1", "no-queue-requests")
    #expect(small.media(Self.queue).first?["reason"]?.string == "INVALID_PARAMS")

    var mute = try stage("no-queue-requests", "media-null", "drop-custom-data")
    #expect(!mute.media(Self.queue).isEmpty)
    let later = mute.wait(1.5)
    #expect(later.last?["status"]?.array?.first?.object?["media"] == .null)
    #expect(
      mute.media(["type": "QUEUE_GET_ITEM_IDS", "requestId": 3, "mediaSessionId": 1]).first?["reason"]?.string
        == "INVALID_COMMAND")

    var renumbered = try stage("renumber-session")
    _ = renumbered.media(Self.queue)
    let ids = renumbered.wait(5).compactMap { $0["status"]?.array?.first?["mediaSessionId"]?.int }
    #expect(Set(ids) == [1, 2])

    var empty = try stage("empty-status@after=10s")
    #expect(empty.wait(9).isEmpty)
    #expect(empty.wait(2).map(\.text) == [#"{"requestId":0,"status":[],"type":"MEDIA_STATUS"}"#])

    var binary = try stage("binary-text")
    _ = binary.receiver.takeOutputs()
    binary.receiver.send(
      ["type": "GET_STATUS", "requestId": 3], .media, from: "sender-0", to: binary.transport,
      over: Stage.connection)
    guard case .binary? = binary.receiver.takeOutputs().first?.message?.payload else {
      Issue.record("not sent as binary")
      return
    }
  }

  @Test("replies are delayed, heartbeats are not")
  func delayed() throws {
    var configuration = ReceiverConfiguration()
    configuration.faults = [try Fault(parsing: "delay-replies=2s")]
    var receiver = VirtualReceiver(configuration: configuration, fetching: Stage.recordedMedia)
    receiver.handle(.connectionOpened(Stage.connection))
    receiver.send(["type": "CONNECT"], .connection, from: "s", to: .receiver, over: Stage.connection)
    receiver.send(["type": "PING"], .heartbeat, from: "s", to: .receiver, over: Stage.connection)
    #expect(receiver.takeOutputs().count == 1)
    receiver.send(
      ["type": "GET_STATUS", "requestId": 1], .receiver, from: "s", to: .receiver, over: Stage.connection)
    #expect(receiver.takeOutputs().isEmpty)
    receiver.advance(by: .seconds(2))
    #expect(receiver.takeOutputs().map(\.tick) == [Tick(.seconds(2))])
  }

  @Test("connections and applications end when they are told to")
  func endings() throws {
    var dropped = try stage("drop-connection@after=3s")
    dropped.receiver.advance(by: .seconds(3))
    #expect(dropped.receiver.takeOutputs().contains { $0.message == nil })

    var onMessage = try stage("drop-connection=QUEUE_LOAD")
    _ = onMessage.media(["type": "GET_STATUS", "requestId": 3])
    onMessage.receiver.send(
      Self.queue, .media, from: "sender-0", to: onMessage.transport, over: Stage.connection)
    #expect(onMessage.receiver.takeOutputs().map { $0.message == nil } == [true])

    var killed = try stage("kill-app=PAUSE")
    killed.receiver.send(
      ["type": "PAUSE", "requestId": 3], .media, from: "sender-0", to: killed.transport,
      over: Stage.connection)
    #expect(killed.bodies(.connection).map(\.text) == [#"{"type":"CLOSE"}"#])

    var refused = try stage("launch-error=CANCELLED#1")
    let again: JSONValue = ["type": "LAUNCH", "requestId": 4, "appId": "CC1AD845"]
    #expect(refused.platform(again).isEmpty, "only the first launch fails, and the stage has made that one")
    #expect(refused.wait(1, .receiver).last?["requestId"]?.int == 4)

    var rejecting = try stage("close-after-connect")
    #expect(rejecting.media(["type": "GET_STATUS", "requestId": 3]).isEmpty)

    var silent = try stage("silent")
    #expect(silent.wait(60, .heartbeat).isEmpty)
  }

  @Test(
    "what was seen in the field can be had: refused control, early fetches, late errors, silence, early ends")
  func quirks() throws {
    var foreign = try stage("refuse-control")
    _ = foreign.media(Self.queue)
    _ = foreign.wait(0.5)
    #expect(
      foreign.media(["type": "PAUSE", "requestId": 3, "mediaSessionId": 1]).first?["reason"]?.string
        == "INVALID_MEDIA_SESSION_ID")
    #expect(foreign.media(["type": "GET_STATUS", "requestId": 4]).first?["status"]?.array?.count == 1)

    var early = try stage("early-queue-fetch", "stop-error")
    let ids: JSONValue = ["type": "QUEUE_GET_ITEM_IDS", "requestId": 3, "mediaSessionId": 1]
    _ = early.media(Self.queue)
    _ = early.wait(0.5)
    #expect(early.media(ids).first?["reason"] == "INVALID_MEDIA_SESSION_ID")
    _ = early.wait(1)
    #expect(early.media(ids).first?["type"] == "QUEUE_ITEM_IDS")
    let stopped = early.media(["type": "STOP", "requestId": 5, "mediaSessionId": 1])
    #expect(stopped.map { $0["type"] } == ["MEDIA_STATUS", "INVALID_REQUEST"])

    var mute = try stage("ignore-invalid-load")
    #expect(mute.media(["type": "QUEUE_LOAD", "requestId": 3, "items": [[:]]]).isEmpty)

    // The stage connects half a second after the launch.
    #expect(try stage("early-connect=300ms").transport != "none")
    var fragile = try stage("early-connect=2s")
    let status = fragile.platform(["type": "GET_STATUS", "requestId": 9]).first
    #expect(status?["status"]?["applications"]?.array?.first?["appId"] == "E8C28D3C")
  }
}
