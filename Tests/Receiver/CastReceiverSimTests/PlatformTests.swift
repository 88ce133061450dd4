import CastProtocol
import CastReceiverSim
import Testing

struct PlatformTests {
  private func launched(_ style: ReceiverConfiguration.LaunchStyle) -> [JSONValue] {
    var configuration = ReceiverConfiguration()
    configuration.launchStyle = style
    var receiver = VirtualReceiver(configuration: configuration, fetching: Stage.recordedMedia)
    receiver.handle(.connectionOpened(Stage.connection))
    receiver.send(["type": "CONNECT"], .connection, from: "s", to: .receiver, over: Stage.connection)
    receiver.send(
      ["type": "LAUNCH", "requestId": 7, "appId": "cc1ad845"], .receiver, from: "s", to: .receiver,
      over: Stage.connection)
    receiver.advance(by: .seconds(2))
    return receiver.takeOutputs().compactMap { $0.message?.body }
  }

  @Test("a launch is answered in the manner configured, and a broadcast never says less than the reply")
  func launchStyles() {
    func shape(_ body: JSONValue) -> String {
      let application = body["status"]?["applications"]?.array?.first
      let isMedia = application?["namespaces"]?.array?.contains {
        $0["name"]?.string == Namespace.media.rawValue
      }
      let number = body["requestId"]?.int ?? body["launchRequestId"]?.int ?? -1
      return "\(body["status"]?.string ?? body["type"]?.string ?? "") \(number)"
        + (application?["transportId"] == nil ? "" : " reachable") + (isMedia == true ? " media" : "")
    }
    let complete = "RECEIVER_STATUS 0 reachable media"
    let reply = "RECEIVER_STATUS 7 reachable media"
    #expect(launched(.atOnce).map(shape) == [complete, reply])
    #expect(launched(.twoPhases).map(shape) == ["RECEIVER_STATUS 0", complete, reply])
    #expect(
      launched(.earlyReply).map(shape) == [
        "RECEIVER_STATUS 7 reachable", "RECEIVER_STATUS 0 reachable", complete,
      ])
    #expect(
      launched(.withConsent).map(shape) == [
        "USER_PENDING_AUTHORIZATION 7", "USER_ALLOWED 7", "RECEIVER_STATUS 0", complete, reply,
      ])
  }

  @Test(
    "the platform answers each request as the protocol says",
    arguments: [
      (
        #"{"type":"GET_APP_AVAILABILITY","requestId":1,"appId":["CC1AD845","0F5096E8"]}"#, Namespace.receiver,
        [
          #"{"availability":{"0F5096E8":"APP_UNAVAILABLE","CC1AD845":"APP_AVAILABLE"},"requestId":1,"#
            + #""responseType":"GET_APP_AVAILABILITY"}"#
        ]
      ),
      (
        #"{"type":"WHAT","requestId":2}"#, .receiver,
        [#"{"reason":"INVALID_COMMAND","requestId":2,"type":"INVALID_REQUEST"}"#]
      ),
      (#"{"type":"GET_STATUS"}"#, .receiver, []),
      (
        #"{"type":"STOP","requestId":3,"sessionId":"nobody"}"#, .receiver,
        [#"{"reason":"INVALID_SESSION_ID","requestId":3,"type":"INVALID_REQUEST"}"#]
      ),
      (
        #"{"type":"LAUNCH","requestId":4,"appId":"00000000"}"#, .receiver,
        [#"{"reason":"NOT_FOUND","requestId":4,"type":"LAUNCH_ERROR"}"#]
      ),
      (
        #"{"type":"LAUNCH","requestId":5}"#, .receiver,
        [#"{"reason":"BAD_PARAMETER","requestId":5,"type":"LAUNCH_ERROR"}"#]
      ),
      (
        #"{"type":"SET_VOLUME","requestId":6,"volume":{"level":"loud"}}"#, .receiver,
        [#"{"reason":"BAD_PARAMETER","requestId":6,"type":"INVALID_REQUEST"}"#]
      ),
      (
        #"{"type":"GET_STATUS","requestId":7}"#, .multizone,
        [#"{"requestId":7,"status":{"devices":[],"isMultichannel":false},"type":"MULTIZONE_STATUS"}"#]
      ),
      (
        #"{"type":"GET_STATUS","requestId":8}"#, .media,
        [#"{"reason":"INVALID_COMMAND","requestId":8,"type":"INVALID_REQUEST"}"#]
      ),
    ])
  func answers(request: String, namespace: Namespace, expected: [String]) throws {
    var stage = Stage()
    #expect(stage.platform(try JSONValue(parsing: request), namespace).map(\.text) == expected)
  }

  @Test("device and setup information name the device")
  func information() {
    var stage = Stage()
    let device = stage.platform(
      ["type": "GET_DEVICE_INFO", "requestId": 1], "urn:x-cast:com.google.cast.receiver.discovery")
    #expect(device.first?["friendlyName"]?.string == "Simulated receiver")
    #expect(device.first?["deviceId"]?.string?.count == 32)
    let setup = stage.platform(["type": "eureka_info", "request_id": 5], "urn:x-cast:com.google.cast.setup")
    #expect(setup.first?["request_id"]?.int == 5)
    #expect(setup.first?["data"]?["name"]?.string == "Simulated receiver")
  }

  @Test("device volume comes back in single precision; a fixed one stays; an amplifier moves in steps")
  func volume() {
    func level(_ control: ReceiverConfiguration.VolumeControl, _ wanted: Double) -> Double? {
      var configuration = ReceiverConfiguration()
      configuration.volumeControl = control
      var stage = Stage(configuration)
      let request: JSONValue = ["type": "SET_VOLUME", "requestId": 1, "volume": ["level": .number(wanted)]]
      let bodies = stage.platform(request)
      #expect(bodies.map { $0["requestId"]?.int } == [1, 0])
      return bodies.first?["status"]?["volume"]?["level"]?.double
    }
    #expect(level(.attenuation, 0.35) == 0.3499999940395355)
    #expect(level(.attenuation, 7) == 1)
    #expect(level(.fixed, 0.35) == 1)
    #expect(level(.master, 0.37) == Double(Float(0.35)))
  }

  @Test("a message to an endpoint that is not connected is answered with CLOSE from there")
  func unconnected() {
    var stage = Stage()
    stage.receiver.send(
      ["type": "GET_STATUS", "requestId": 1], .media, from: "stranger", to: stage.transport,
      over: Stage.connection)
    stage.receiver.send(["type": "CONNECT"], .connection, from: "s", to: "gone", over: Stage.connection)
    stage.receiver.send(
      ["type": "CONNECT", "connType": 9], .connection, from: "t", to: .receiver, over: Stage.connection)
    let answers = stage.receiver.takeOutputs().compactMap(\.message)
    #expect(answers.map(\.destination) == ["stranger", "s", "t"])
    #expect(answers.map(\.source) == [stage.transport, "gone", .receiver])
    #expect(answers.allSatisfy { $0.body?["type"]?.string == "CLOSE" })
  }

  @Test("STOP ends the application: CLOSE for its senders, Backdrop on a screen, nothing on a speaker")
  func stop() {
    for isAudioOnly in [false, true] {
      var configuration = ReceiverConfiguration()
      configuration.isAudioOnly = isAudioOnly
      var stage = Stage(configuration, senders: ["sender-0", "sender-1"])
      stage.receiver.send(
        ["type": "STOP", "requestId": 9], .receiver, from: "sender-0", to: .receiver, over: Stage.connection)
      let messages = stage.receiver.takeOutputs().compactMap(\.message)
      let closed = messages.filter { $0.namespace == .connection }.map(\.destination)
      #expect(closed == ["sender-0", "sender-1"])
      let status = messages.last?.body
      #expect(status?["requestId"]?.int == 9)
      let shown = status?["status"]?["applications"]?.array?.first?["appId"]?.string
      #expect(shown == (isAudioOnly ? nil : "E8C28D3C"))
    }
  }

  @Test("a second LAUNCH joins, and a LAUNCH during another cancels that one")
  func launches() {
    var stage = Stage()
    let again: JSONValue = ["type": "LAUNCH", "requestId": 5, "appId": "CC1AD845"]
    let joined = stage.platform(again)
    #expect(
      joined.first?["status"]?["applications"]?.array?.first?["transportId"]?.string
        == stage.transport.rawValue)
    _ = stage.platform(["type": "STOP", "requestId": 6])
    #expect(stage.platform(again).isEmpty)
    let replaced = stage.platform(["type": "LAUNCH", "requestId": 8, "appId": "CC1AD845"])
    #expect(replaced.map(\.text) == [#"{"reason":"CANCELLED","requestId":5,"type":"LAUNCH_ERROR"}"#])
  }

  @Test("a silent sender is dropped after the limit, one that answers PING is not")
  func heartbeat() {
    var stage = Stage()
    stage.receiver.advance(to: Tick(.seconds(12)))
    let pings = stage.receiver.takeOutputs()
    #expect(pings.count == 2 && pings.allSatisfy { $0.message?.source == "Tr@n$p0rt-0" })
    stage.receiver.send(["type": "PONG"], .heartbeat, from: "sender-0", to: .receiver, over: Stage.connection)
    stage.receiver.advance(to: Tick(.seconds(24)))
    #expect(stage.receiver.takeOutputs().map { $0.message == nil } == [false, false])
    stage.receiver.advance(to: Tick(.seconds(30)))
    #expect(stage.receiver.takeOutputs().map { $0.message == nil } == [true])
  }

  @Test("a PING is answered with the ids swapped")
  func ping() {
    var stage = Stage()
    stage.receiver.send(["type": "PING"], .heartbeat, from: "sender-9", to: .receiver, over: Stage.connection)
    let pong = stage.receiver.takeOutputs().first?.message
    #expect(pong?.source == .receiver && pong?.destination == "sender-9")
    #expect(pong?.body?["type"]?.string == "PONG")
  }

  @Test(
    "an application with nothing loaded closes after 300 s, a paused one after 1200 s",
    arguments: [false, true])
  func timeouts(isPaused: Bool) {
    var configuration = ReceiverConfiguration()
    configuration.silenceLimit = .seconds(100_000)
    var stage = Stage(configuration)
    if isPaused {
      let media: JSONValue = ["contentId": "http://h/x.jpg", "contentType": "image/jpeg"]
      _ = stage.media(["type": "LOAD", "requestId": 2, "media": media])
    }
    let limit = isPaused ? 1200.0 : 300.0
    #expect(stage.wait(limit - 5, .connection).isEmpty)
    #expect(stage.wait(6, .connection).map(\.text) == [#"{"type":"CLOSE"}"#])
  }

  @Test("a message above 64 KiB closes the connection, one of exactly that size does not")
  func frameLimit() {
    for (excess, closes) in [(0, false), (1, true)] {
      var stage = Stage()
      let head = #"{"type":"WHAT","requestId":1,"x":""#
      let message = { (count: Int) in
        CastMessage(
          source: "sender-0", destination: .receiver, namespace: .receiver,
          payload: .string(head + String(repeating: "x", count: count) + #""}"#))
      }
      let room = ReceiverModel.frameLimit - FrameCodec.bodyLength(of: message(20_000)) + 20_000
      stage.receiver.handle(.received(message(room + excess), from: Stage.connection))
      #expect(stage.receiver.takeOutputs().contains { $0.message == nil } == closes)
    }
  }
}
