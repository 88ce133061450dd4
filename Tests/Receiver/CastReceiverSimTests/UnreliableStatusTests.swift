import CastProtocol
import CastReceiverSim
import Testing

/// Applications that do not say what they do, or say it wrongly, or go (protocol 6.5, 14.4, 14.5, 18).
struct UnreliableStatusTests {
  private func playing(
    _ faults: String..., names: [String] = ["v30.mp4", "v4.mp4"],
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) throws -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    // The sender of these tests sends no PINGs.
    configuration.silenceLimit = .seconds(86_400)
    change(&configuration)
    var stage = Stage(
      configuration,
      fetching: { url, _ in
        if url.hasSuffix("jpg") {
          return (.loaded(MediaFacts(contentType: "image/jpeg", isImage: true)), .milliseconds(20))
        }
        let seconds = url.hasSuffix("v30.mp4") ? 30.0 : 4
        return (.loaded(MediaFacts(duration: seconds, contentType: "video/mp4")), .milliseconds(20))
      })
    _ = stage.media([
      "type": "QUEUE_LOAD", "requestId": 2, "items": .array(names.map { MediaRuleTests.item($0) }),
    ])
    _ = stage.wait(0.5)
    return stage
  }

  private static let pause: JSONValue = ["type": "PAUSE", "requestId": 7, "mediaSessionId": 1]
  private static let ask: JSONValue = ["type": "GET_STATUS", "requestId": 8]

  @Test("an application that keeps its own statuses to itself still answers, and speaks again after its time")
  func hushed() throws {
    var stage = try playing()
    try stage.receiver.control(SimControl(parsing: "hush 20s own"))
    #expect(stage.wait(15).isEmpty)
    #expect(stage.media(Self.ask).first?["requestId"] == 8)
    // The next item is told of: the time is over.
    #expect(stage.wait(20).contains { $0["status"]?.array?.first?["idleReason"] == "FINISHED" })
  }

  @Test("one that says nothing about media does what it is asked, but answers nothing until told to")
  func mute() throws {
    var stage = try playing()
    try stage.receiver.control(SimControl(parsing: "hush all"))
    #expect(stage.media(Self.pause).isEmpty && stage.media(Self.ask).isEmpty)
    #expect(stage.platform(["type": "GET_STATUS", "requestId": 9]).count == 1)
    try stage.receiver.control(.speak)
    #expect(stage.media(Self.ask).first?["status"]?.array?.first?["playerState"] == "PAUSED")
  }

  @Test("the fault falls silent at its moment, for its time, and ends with the application")
  func hushFault() throws {
    // The launch took half a second, the load as long: ten seconds of silence begin at 6.5.
    var stage = try playing("hush=all/10s@after=5s")
    #expect(stage.media(Self.ask).count == 1)
    _ = stage.wait(6)
    #expect(stage.media(Self.ask).isEmpty)
    _ = stage.wait(10)
    #expect(stage.media(Self.ask).count == 1)
    try stage.receiver.control(SimControl(parsing: "hush all"))
    try stage.receiver.control(.exit)
    try stage.receiver.control(.takeover(appID: "CC1AD845"))
    _ = stage.wait(1)
    let status = stage.platform(["type": "GET_STATUS", "requestId": 9]).first
    stage.transport = EndpointID(
      status?["status"]?["applications"]?.array?.first?["transportId"]?.string ?? "none")
    stage.connect("sender-0", to: stage.transport)
    #expect(stage.media(Self.ask).count == 1)
  }

  @Test("it says at will that there is no session, and repeats its newest status word by word")
  func atWill() throws {
    var stage = try playing()
    let last = try #require(stage.wait(2).last)
    try stage.receiver.control(SimControl(parsing: "empty-status"))
    #expect(stage.bodies(.media) == [["type": "MEDIA_STATUS", "requestId": 0, "status": []]])
    try stage.receiver.control(SimControl(parsing: "repeat-status"))
    #expect(stage.bodies(.media) == [last])
  }

  @Test(
    "it says a status of another session, of what plays or of something else, and one of state and position alone",
    arguments: [
      ("stray-status", "stray-status", 99, "http://h/v30.mp4" as String?),
      ("stray-status 7 http://h/x.mp4", "stray-status=7/http://h/x.mp4", 7, "http://h/x.mp4"),
      ("partial-status", "partial-status", 1, nil),
    ])
  func strays(line: String, fault: String, session: Int, url: String?) throws {
    var stage = try playing()
    try stage.receiver.control(SimControl(parsing: line))
    let asked = try #require(stage.bodies(.media).first?["status"]?.array?.first)
    // The launch took half a second, and so did the load.
    var faulty = try playing(fault + "@after=1500ms")
    let struck = faulty.wait(0.7).compactMap { $0["status"]?.array?.first }
    for entry in [asked] + struck.prefix(1) {
      #expect(entry["mediaSessionId"]?.int == session)
      #expect(entry["media"]?["contentId"]?.string == url)
      if url == nil {
        #expect(entry.object.map { Set($0.keys) } == ["mediaSessionId", "playerState", "currentTime"])
      }
    }
    #expect(!struck.isEmpty)
  }

  @Test("late repeats come after the next item has begun, without a number")
  func lateRepeats() throws {
    var stage = try playing("repeat-statuses=3s", names: ["v4.mp4", "v30.mp4"])
    let said = stage.wait(12).compactMap { body -> String? in
      guard let entry = body["status"]?.array?.first else { return nil }
      return "\(entry["currentItemId"]?.int ?? 0)\(entry["idleReason"]?.string.map { "/\($0)" } ?? "")"
    }
    let second = try #require(said.firstIndex(of: "2"))
    #expect(said[second...].contains("1/FINISHED"))
  }

  @Test("every second status lies that far back, and never before the beginning")
  func backwards() throws {
    var stage = try playing("backward-time=5s")
    _ = stage.wait(9)
    let times = (0..<4).compactMap { _ in
      stage.media(Self.ask).first?["status"]?.array?.first?["currentTime"]?.double
    }
    #expect(times.count == 4 && times.max().map { ($0 - (times.min() ?? 0)).rounded() } == 5)
    #expect(times.allSatisfy { $0 >= 0 } && times[0] != times[1] && times[0] == times[2])
  }

  @Test("an application that crashes is missing from the status and says no CLOSE; one that ends says it")
  func crash() throws {
    for (line, closes) in [("crash", 0), ("exit", 1)] {
      var stage = try playing()
      try stage.receiver.control(SimControl(parsing: line))
      let messages = stage.receiver.takeOutputs().compactMap(\.message)
      #expect(messages.filter { $0.body?["type"] == "CLOSE" }.count == closes)
      let running = messages.last?.body?["status"]?["applications"]?.array?.first?["appId"]
      #expect(running == "E8C28D3C")
      #expect(stage.receiver.model.screen(at: stage.receiver.now) == .idle)
    }
  }

  @Test(
    "an application goes when its time is up: with nothing loaded, paused, or showing a picture",
    arguments: [("idle", 300.0), ("paused", 1200), ("image", 600), ("image as paused", 1200)])
  func timeouts(situation: String, limit: Double) throws {
    var stage = try playing(names: [situation.hasPrefix("image") ? "a.jpg" : "v4.mp4"]) {
      if situation == "image" { $0.imageTimeout = .seconds(600) }
    }
    if situation == "paused" { _ = stage.media(Self.pause) }
    // The video that is not paused ends after four seconds, and then nothing is loaded.
    let beginning = situation == "idle" ? 4.0 : 0
    _ = stage.wait(beginning + limit - 2)
    #expect(stage.platform(["type": "GET_STATUS", "requestId": 9]).first.map(Self.running) == "CC1AD845")
    stage.receiver.advance(by: .seconds(3))
    let said = stage.receiver.takeOutputs().compactMap(\.message)
    #expect(said.contains { $0.namespace == .connection && $0.body?["type"] == "CLOSE" })
    #expect(said.compactMap(\.body).last { $0["type"] == "RECEIVER_STATUS" }.map(Self.running) == "E8C28D3C")
  }

  private static func running(_ body: JSONValue) -> String? {
    body["status"]?["applications"]?.array?.first?["appId"]?.string
  }

  @Test("another sender's request changes the queue, and everybody is told")
  func foreignRequest() throws {
    var stage = try playing()
    try stage.receiver.control(SimControl(parsing: #"request {"type":"QUEUE_REMOVE","itemIds":[2]}"#))
    #expect(stage.bodies(.media).first?["changeType"] == "REMOVE")
    try stage.receiver.control(.exit)
    #expect(throws: SimControlError.self) {
      try stage.receiver.control(.foreignRequest(["type": "PAUSE"]))
    }
  }

  @Test(
    "what cannot be read is refused",
    arguments: ["hush soon", "hush 5s nobody", "request", "request PAUSE", "request {}", "crash 1"])
  func unreadable(line: String) {
    #expect(throws: SimControlSyntaxError.self) { try SimControl(parsing: line) }
  }

  @Test("a fault's extent and times are read", arguments: ["hush=loud", "hush=all/soon", "backward-time=x"])
  func unreadableFaults(text: String) {
    #expect(throws: FaultSyntaxError.self) { try Fault(parsing: text) }
  }
}
