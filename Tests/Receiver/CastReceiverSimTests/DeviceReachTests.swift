import CastProtocol
import CastReceiverSim
import Testing

/// What the world does to a whole device, in virtual time (protocol 5.2, 14, 19).
@Suite struct DeviceReachTests {
  /// A stage on which a film of 60 seconds plays.
  private static func playing(_ change: (inout ReceiverConfiguration) -> Void = { _ in }) -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.media.transfersSessions = true
    change(&configuration)
    var stage = Stage(configuration)
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": film("v60.mp4")])
    _ = stage.wait(2)
    return stage
  }

  private static func film(_ name: String) -> JSONValue {
    ["contentId": .string("http://h/\(name)"), "contentType": "video/mp4"]
  }

  private static func session(_ receiver: VirtualReceiver) -> String? {
    receiver.model.report(at: receiver.now)["application"]?["sessionId"]?.string
  }

  /// Connects anew; the device's status.
  private static func status(_ stage: inout Stage, over number: Int) -> JSONValue? {
    let connection = SimConnectionID(number)
    stage.receiver.handle(.connectionOpened(connection))
    stage.receiver.send(["type": "CONNECT"], .connection, from: "late", to: .receiver, over: connection)
    stage.receiver.send(
      ["type": "GET_STATUS", "requestId": 9], .receiver, from: "late", to: .receiver, over: connection)
    return stage.bodies(.receiver).last?["status"]
  }

  @Test(
    "a device that reboots resets everybody, is closed for the time, and comes up empty and as loud as before"
  )
  func reboot() throws {
    var stage = Self.playing()
    _ = stage.platform(["type": "SET_VOLUME", "requestId": 3, "volume": ["level": 0.25]])
    let before = try #require(Self.session(stage.receiver))
    try stage.receiver.control(.reboot(downFor: .seconds(5)))
    let ends = stage.receiver.takeOutputs().filter { $0.message == nil }
    #expect(ends.map(\.connection) == [Stage.connection] && ends.allSatisfy(\.isReset))
    #expect(stage.receiver.model.door == .closed)
    stage.receiver.handle(.connectionOpened(SimConnectionID(2)))
    #expect(stage.receiver.takeOutputs().map(\.isReset) == [true])
    stage.receiver.advance(by: .seconds(4.9))
    #expect(stage.receiver.model.door == .closed)
    stage.receiver.advance(by: .seconds(0.2))
    #expect(stage.receiver.model.door == .open)
    #expect(stage.receiver.model.uptime(at: stage.receiver.now) < .seconds(1))
    let status = Self.status(&stage, over: 3)
    #expect(status?["applications"]?.array?.first?["appId"] == "E8C28D3C")
    #expect(status?["volume"]?["level"] == 0.25)
    try stage.receiver.control(.takeover(appID: "CC1AD845"))
    stage.receiver.advance(by: .seconds(1))
    #expect(Self.session(stage.receiver) != before)
  }

  @Test("off the network nothing goes either way; what was said arrives on return, as TCP has it")
  func drop() throws {
    var stage = Self.playing()
    try stage.receiver.control(.drop(for: .seconds(3), .silent))
    #expect(stage.receiver.model.door == .silent)
    #expect(stage.platform(["type": "SET_VOLUME", "requestId": 4, "volume": ["level": 0.5]]) == [])
    try stage.receiver.control(.muted(true))
    #expect(stage.wait(2.9, .receiver) == [])
    let said = stage.wait(0.2, .receiver)
    #expect(said.map { $0["status"]?["volume"]?["muted"] } == [true, true, true])
    #expect(said.map { $0["requestId"] } == [0, 4, 0])
    #expect(stage.receiver.model.door == .open)
  }

  @Test(
    "a device that is off the network too long gives its senders up by itself, and they learn it on return")
  func longDrop() throws {
    var stage = Self.playing()
    let before = Self.session(stage.receiver)
    try stage.receiver.control(.drop(for: nil, .refuse))
    #expect(stage.receiver.model.door == .closed)
    stage.receiver.advance(by: .seconds(30))
    #expect(stage.receiver.takeOutputs() == [])
    try stage.receiver.control(.returnToNetwork)
    #expect(stage.receiver.takeOutputs().last?.message == nil)
    let status = Self.status(&stage, over: 2)
    #expect(status?["applications"]?.array?.first?["sessionId"]?.string == before)
  }

  @Test("what a sender says into the void is kept up to a limit; beyond it the connection is lost")
  func voidHasAnEnd() throws {
    var stage = Self.playing()
    try stage.receiver.control(.drop(for: nil, .silent))
    for _ in 0..<5000 {
      #expect(stage.platform(["type": "PING"], .heartbeat) == [])
    }
    try stage.receiver.control(.returnToNetwork)
    let outputs = stage.receiver.takeOutputs()
    #expect(outputs.last?.isReset == true)
    #expect(outputs.filter { $0.message?.namespace == .heartbeat }.count <= 4096)
  }

  @Test("connections are reset and the application goes on")
  func reset() throws {
    var stage = Self.playing()
    let before = Self.session(stage.receiver)
    try stage.receiver.control(.resetConnections)
    #expect(stage.receiver.takeOutputs().map(\.isReset) == [true])
    let status = Self.status(&stage, over: 2)
    #expect(status?["applications"]?.array?.first?["sessionId"]?.string == before)
    let media = stage.receiver.model.report(at: stage.receiver.now)["application"]?["media"]
    #expect(media?["playerState"] == "PLAYING")
  }

  @Test("a device that goes to standby says so and hangs up; the next connection wakes it")
  func standby() throws {
    var stage = Self.playing()
    try stage.receiver.control(.sleep)
    let outputs = stage.receiver.takeOutputs()
    #expect(outputs.first?.message?.body?["status"]?["isStandBy"] == true)
    #expect(outputs.last?.message == nil && outputs.last?.isReset == false)
    #expect(stage.receiver.model.report(at: stage.receiver.now)["power"] == "asleep")
    #expect(Self.status(&stage, over: 2)?["isStandBy"] == false)
    try stage.receiver.control(.sleep)
    try stage.receiver.control(.wake)
    #expect(stage.receiver.model.report(at: stage.receiver.now)["power"] == "on")
  }

  @Test("another sender's launch ends our application: CLOSE, then the status of the other one")
  func takeover() throws {
    var stage = Self.playing()
    try stage.receiver.control(.takeover(appID: "531a4f84"))
    #expect(stage.receiver.model.isBusy)
    stage.receiver.advance(by: .seconds(1))
    let messages = stage.receiver.takeOutputs().compactMap(\.message)
    #expect(messages.first?.namespace == .connection && messages.first?.source == stage.transport)
    let status = messages.last?.body?["status"]?["applications"]?.array?.first
    #expect(status?["appId"] == "531A4F84" && status?["displayName"] == "Multizone Leader")
    let refused = stage.platform(["type": "LAUNCH", "requestId": 5, "appId": "531A4F84"])
    #expect(refused.first?["reason"] == "NOT_FOUND")
  }

  @Test("another sender's load replaces what plays, under a number that is not ours")
  func foreignLoad() throws {
    var stage = Self.playing()
    try stage.receiver.control(.foreignLoad(url: "http://h/v9.mp4", contentType: nil))
    let said = stage.bodies(.media) + stage.wait(1)
    #expect(said.first?["status"]?.array?.first?["idleReason"] == "INTERRUPTED")
    let playing = said.compactMap { $0["status"]?.array?.first }.first { $0["playerState"] == "PLAYING" }
    #expect(playing?["media"]?["contentId"] == "http://h/v9.mp4" && playing?["mediaSessionId"] == 2)
    #expect(said.compactMap { $0["requestId"]?.int }.allSatisfy { $0 == 0 || $0 > 1_000_000 })
  }

  @Test("what plays goes on at another device where it was, and ends here", arguments: [false, true])
  func transfer(isThere: Bool) throws {
    var stage = Self.playing()
    var other = Stage(stage.receiver.model.configuration)
    if !isThere { try other.receiver.control(.exit) }
    other.receiver.advance(to: stage.receiver.now)
    try stage.receiver.transfer(to: &other.receiver)
    let left = stage.bodies(.receiver).last?["status"]?["applications"]?.array?.first
    #expect(left?["appId"] == "E8C28D3C")
    other.receiver.advance(by: .seconds(3))
    let media = other.receiver.model.report(at: other.receiver.now)["application"]?["media"]
    #expect(media?["contentId"] == "http://h/v60.mp4" && media?["playerState"] == "PLAYING")
    let position = media?["currentTime"]?.double ?? 0
    #expect(position > 3 && position < 5)
  }

  @Test("a device that moves hangs up and is found elsewhere; one that is renamed says its name")
  func place() throws {
    var stage = Self.playing()
    try stage.receiver.control(.rename("Wohnzimmer"))
    let info = stage.platform(["type": "GET_DEVICE_INFO", "requestId": 3], .discovery).first
    #expect(info?["friendlyName"] == "Wohnzimmer")
    try stage.receiver.control(.move(port: nil))
    #expect(stage.receiver.place == 1)
    #expect(stage.receiver.takeOutputs().map { $0.message == nil && !$0.isReset } == [true])
  }

  @Test(
    "what makes no sense is refused with words, and nothing happens",
    arguments: [
      ("", "exit", "no application runs"), ("", "pause", "nothing is loaded"),
      ("", "load http://h/v1.mp4", "takeover"), ("", "takeover 12345678", "12345678"),
      ("", "return", "on the network"), ("", "power on", "it is on"),
      ("power off", "volume 0.3", "it is off"),
      ("power off", "reboot", "it is off"), ("drop", "drop", "off the network"),
      ("drop", "move any", "network"),
      ("sleep", "sleep", "sleeps"), ("", "rename \(String(repeating: "x", count: 251))", "250"),
    ])
  func refusals(before: String, line: String, words: String) throws {
    var receiver = VirtualReceiver(configuration: ReceiverConfiguration(), fetching: Stage.recordedMedia)
    if !before.isEmpty { try receiver.control(try SimControl(parsing: before)) }
    let report = receiver.model.report(at: receiver.now)
    let error = #expect(throws: SimControlError.self) {
      try receiver.control(try SimControl(parsing: line))
    }
    #expect(error?.description.contains(words) == true)
    #expect(receiver.model.report(at: receiver.now) == report)
  }

  @Test(
    "every control of the whole device has a text",
    arguments: [
      ("reboot", SimControl.reboot(downFor: .seconds(2))),
      ("reboot 500ms", .reboot(downFor: .milliseconds(500))),
      ("power on", .powerOn), ("power off", .powerOff), ("drop", .drop(for: nil, .silent)),
      ("drop 5s", .drop(for: .seconds(5), .silent)), ("drop refuse", .drop(for: nil, .refuse)),
      ("drop 5s refuse", .drop(for: .seconds(5), .refuse)), ("return", .returnToNetwork),
      ("reset", .resetConnections), ("sleep", .sleep), ("wake", .wake), ("move any", .move(port: nil)),
      ("move 8009", .move(port: 8009)), ("rename Living room", .rename("Living room")),
      ("takeover CC1AD845", .takeover(appID: "CC1AD845")),
      ("load http://h/a b", .foreignLoad(url: "http://h/a", contentType: "b")), ("mute", .muted(true)),
      ("pause", .key(.pause)), ("drop soon", nil), ("drop 5s later", nil), ("move 0", nil),
      ("move 70000", nil),
      ("reboot now", nil), ("rename", nil), ("power", nil),
    ])
  func texts(line: String, control: SimControl?) {
    #expect((try? SimControl(parsing: line)) == control)
  }
}
