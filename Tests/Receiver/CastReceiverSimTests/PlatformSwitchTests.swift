import CastProtocol
import CastReceiverSim
import Testing

/// What of the platform differs between devices, and what people do to them (protocol 5).
@Suite struct PlatformSwitchTests {
  private static func application(_ bodies: [JSONValue]) -> JSONValue? {
    bodies.last { $0["status"]?["applications"] != nil }?["status"]?["applications"]?.array?.first
  }

  private func stage(
    application: String = "CC1AD845", faults: [String] = [],
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) throws -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    change(&configuration)
    return Stage(configuration, application: application)
  }

  @Test("a person declines when asked, and not before; other refusals come at once")
  func declines() throws {
    var asked = try stage(application: "ECEC0001", faults: ["launch-error=NOT_ALLOWED/USER_NOT_ALLOWED#2"]) {
      $0.launchStyle = .withConsent
    }
    _ = asked.wait(1)
    let launch: JSONValue = ["type": "LAUNCH", "requestId": 5, "appId": "CC1AD845"]
    #expect(asked.platform(launch).map { $0["status"] } == ["USER_PENDING_AUTHORIZATION"])
    let refusal = asked.wait(0.6, .receiver)
    #expect(refusal.count == 1 && refusal.first?["type"] == "LAUNCH_ERROR")
    #expect(refusal.first?["reason"] == "NOT_ALLOWED" && refusal.first?["requestId"] == 5)
    #expect(refusal.first?["extendedError"] == "USER_NOT_ALLOWED")

    var mute = try stage(
      application: "ECEC0001", faults: ["launch-error=NOT_ALLOWED/USER_NOTIFICATIONS_DISABLED#2"]
    ) { $0.launchStyle = .withConsent }
    _ = mute.wait(1)
    #expect(mute.platform(launch).first?["extendedError"] == "USER_NOTIFICATIONS_DISABLED")
  }

  @Test(
    "a launch fails for every reason of the protocol",
    arguments: ["NOT_FOUND", "NOT_ALLOWED", "CANCELLED", "BAD_PARAMETER", "SYSTEM_ERROR", "TIMEOUT"])
  func launchErrors(reason: String) throws {
    var stage = try stage(faults: ["launch-error=\(reason)"])
    let said = stage.platform(["type": "LAUNCH", "requestId": 5, "appId": "CC1AD845"])
    #expect(said == [["type": "LAUNCH_ERROR", "requestId": 5, "reason": .string(reason)]])
  }

  @Test(
    "an application runs as the kind that the sender supports",
    arguments: [
      (["WEB", "ANDROID_TV"], "ANDROID_TV ECEC0003 of ECEC0002"), (["WEB"], "WEB ECEC0002 of ECEC0002"),
      (nil, "WEB ECEC0002 of ECEC0002"), (["ANDROID_TV"], "ANDROID_TV ECEC0003 of ECEC0002"),
      (["NOTHING"], "NOT_FOUND"),
    ])
  func kinds(types: [String]?, expected: String) throws {
    var stage = try stage()
    let said = stage.platform(
      .members([
        "type": "LAUNCH", "requestId": 5, "appId": .string(EchoApplication.mediaID),
        "supportedAppTypes": types.map { .array($0.map(JSONValue.string)) },
      ]))
    guard let running = Self.application(stage.wait(1, .receiver)) else {
      #expect(said.first?["reason"]?.string == expected)
      return
    }
    let words = ["appType", "appId", "universalAppId"].map { running[$0]?.string ?? "" }
    #expect("\(words[0]) \(words[1]) of \(words[2])" == expected)
  }

  @Test("an application learns the language and the credentials of its launch, and later ones")
  func launchData() throws {
    var stage = try stage()
    _ = stage.platform([
      "type": "LAUNCH", "requestId": 5, "appId": .string(EchoApplication.mediaID), "language": "de-CH",
      "appParams": [
        "launchCheckerParams": ["credentialsData": ["credentials": "me", "credentialsType": "ios"]]
      ],
    ])
    let transport = Self.application(stage.wait(1, .receiver))?["transportId"]?.string ?? ""
    stage.transport = EndpointID(transport)
    stage.connect("sender-0", to: stage.transport)
    let told: JSONValue = ["language": "de-CH", "credentials": "me", "credentialsType": "ios"]
    #expect(stage.receiver.model.launchData == told)
    _ = stage.media(["type": "SET_CREDENTIALS", "requestId": 6, "credentials": "you"])
    stage.receiver.send(
      ["type": "LAUNCH_DATA", "requestId": 7], EchoApplication.textNamespace, from: "sender-0",
      to: stage.transport, over: Stage.connection)
    let expected: JSONValue = [
      "type": "LAUNCH_DATA", "requestId": 7, "launchData": told, "credentials": "you",
    ]
    #expect(stage.bodies(EchoApplication.textNamespace) == [expected])
  }

  @Test(
    "a second LAUNCH joins, or starts the application anew where firmware is old", arguments: [false, true])
  func relaunches(isOld: Bool) throws {
    var stage = try stage { $0.platform.relaunches = isOld }
    _ = stage.platform(["type": "LAUNCH", "requestId": 5, "appId": "CC1AD845"])
    _ = stage.wait(1)
    let now = Self.application(stage.platform(["type": "GET_STATUS", "requestId": 6]))
    #expect((now?["transportId"]?.string != stage.transport.rawValue) == isOld)
  }

  @Test("STOP is answered, or only broadcast")
  func stops() throws {
    for answers in [true, false] {
      var stage = try stage { $0.platform.answersStop = answers }
      let said = stage.platform(["type": "STOP", "requestId": 9])
      #expect(said.map { $0["requestId"]?.int } == (answers ? [0, 9] : [0]))
    }
  }

  @Test("a level unmutes only where configured; new firmware does not tell its input")
  func volumeAndInput() throws {
    for unmutes in [false, true] {
      var stage = try stage {
        $0.platform.levelUnmutes = unmutes
        $0.platform.tellsInput = !unmutes
      }
      _ = stage.platform(["type": "SET_VOLUME", "requestId": 3, "volume": ["muted": true]])
      let status = stage.platform(["type": "SET_VOLUME", "requestId": 4, "volume": ["level": 0.5]]).first
      #expect(status?["status"]?["volume"]?["muted"] == .bool(!unmutes))
      #expect((status?["status"]?["isStandBy"] == nil) == unmutes)
    }
  }

  @Test("a group is as loud as its members on average, and they follow it in proportion")
  func groupVolume() throws {
    var stage = try stage {
      $0.members = [
        SimGroupMember(deviceID: "a", name: "Kitchen", level: 0.2),
        SimGroupMember(deviceID: "b", name: "Hall", level: 0.6),
      ]
    }
    stage.receiver.send(
      ["type": "SET_VOLUME", "requestId": 4, "volume": ["level": 0.2]], .receiver, from: "sender-0",
      to: .receiver, over: Stage.connection)
    let said = stage.receiver.takeOutputs().compactMap(\.message)
    let members = said.filter { $0.namespace == .multizone }.compactMap(\.body)
    #expect(members.map { $0["type"] } == ["DEVICE_UPDATED", "DEVICE_UPDATED"])
    let levels = members.compactMap { $0["device"]?["volume"]?["level"]?.double }
    #expect(levels.count == 2 && abs(levels[0] - 0.1) < 0.001 && abs(levels[1] - 0.3) < 0.001)
    stage.receiver.handle(.control(.member(SimGroupMember(deviceID: "b", name: "Hall", level: 0.9))))
    let after = stage.bodies(.receiver).first?["status"]?["volume"]?["level"]?.double ?? 0
    #expect(abs(after - 0.5) < 0.001)
  }

  @Test("GET_DEVICE_INFO and GET_APP_AVAILABILITY say what is configured")
  func words() throws {
    var stage = try stage {
      $0.platform.capabilityName = .table
      $0.platform.availability = ["12345678": "APP_SOMETIMES"]
    }
    let info = stage.platform(["type": "GET_DEVICE_INFO", "requestId": 3], .discovery).first
    #expect(info?["capabilities"] == 6149 && info?["deviceCapabilities"] == nil)
    let known = stage.platform(["type": "GET_APP_AVAILABILITY", "requestId": 4, "appId": ["12345678", "x"]])
    #expect(known.first?["availability"] == ["12345678": "APP_SOMETIMES", "x": "APP_UNAVAILABLE"])
  }

  @Test(
    "what people do to the device is told to every sender",
    arguments: [
      ("active-input off", "isActiveInput=false"), ("stand-by on", "isStandBy=true"),
      ("volume 0.25", "level=0.25"), ("mute on", "muted=true"),
      ("status Ready to cast", "text=Ready to cast"),
    ])
  func controls(line: String, expected: String) throws {
    var stage = try stage()
    stage.receiver.handle(.control(try SimControl(parsing: line)))
    let status = stage.bodies(.receiver).last?["status"]
    let seen = [
      "isActiveInput=\(status?["isActiveInput"]?.bool ?? true)",
      "isStandBy=\(status?["isStandBy"]?.bool ?? false)",
      "level=\(status?["volume"]?["level"]?.double ?? 0)",
      "muted=\(status?["volume"]?["muted"]?.bool ?? false)",
      "text=\(status?["applications"]?.array?.first?["statusText"]?.string ?? "")",
    ]
    #expect(seen.contains(expected))
  }

  @Test("keys of the remote control move what plays, and nobody is answered")
  func keys() throws {
    var stage = try stage()
    let items: JSONValue = [MediaRuleTests.item("v10.mp4"), MediaRuleTests.item("v9.mp4")]
    _ = stage.media(["type": "QUEUE_LOAD", "requestId": 2, "items": items])
    _ = stage.wait(1)
    func press(_ line: String) throws -> [String] {
      stage.receiver.handle(.control(try SimControl(parsing: line)))
      return (stage.bodies(.media) + stage.wait(0.2)).compactMap { body in
        let entry = body["status"]?.array?.first
        return "\(entry?["playerState"]?.string ?? "") #\(body["requestId"]?.int ?? -1)"
      }
    }
    #expect(try press("key pause") == ["PAUSED #0"])
    #expect(try press("key play").last == "PLAYING #0")
    #expect(try press("key next") == ["IDLE #0", "PLAYING #0"])
    #expect(try press("key stop") == ["IDLE #0"])
    #expect(try press("key play") == [])
  }

  @Test("every control and every behaviour has a text; what is none is refused")
  func texts() throws {
    let lines = [
      "member 0d1c 0.4 Living room", "member-left 0d1c", "playback-session", "want-credentials",
      "say urn:x-cast:a some words", "listen urn:x-cast:a on", "live-ended", "exit",
    ]
    for line in lines { _ = try SimControl(parsing: line) }
    #expect(
      try SimControl(parsing: lines[0])
        == .member(SimGroupMember(deviceID: "0d1c", name: "Living room", level: 0.4)))
    #expect(try SimControl(parsing: lines[4]) == .say(namespace: "urn:x-cast:a", text: "some words"))
    for line in ["", "volume 2", "key sideways", "mute perhaps", "member a b c"] {
      #expect(throws: SimControlSyntaxError.self) { try SimControl(parsing: line) }
    }
    var receiver = ReceiverConfiguration()
    try Behaviour.apply("video=4k-hdr", to: &receiver)
    try Behaviour.apply("answers-stop=off", to: &receiver)
    try Behaviour.apply("live-range=all", to: &receiver)
    try Behaviour.apply("live-window=30", to: &receiver)
    #expect(receiver.video == VideoPicture(width: 3840, height: 2160, hdrType: "hdr"))
    #expect(!receiver.platform.answersStop && receiver.media.liveRange == .all)
    #expect(receiver.media.liveWindow == 30)
    for text in ["", "nonsense", "commands", "commands=many", "answers-stop=maybe", "live-range=some"] {
      #expect(throws: BehaviourSyntaxError.self) { try Behaviour.apply(text, to: &receiver) }
    }
    #expect(Set(Behaviour.all.map(\.name)).count == Behaviour.all.count)
  }
}
