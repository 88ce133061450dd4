import CastProtocol
import CastReceiverSim
import Testing

/// Items that cannot be played to their end, as the genuine framework tells of them (protocol 21.22 to 21.27).
@Suite struct MediaFlawTests {
  private func stage(
    _ faults: [String] = [], _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) throws -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.silenceLimit = .seconds(100_000)
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    change(&configuration)
    return Stage(configuration)
  }

  private func load(_ stage: inout Stage, _ names: [String], repeatMode: String = "REPEAT_OFF") -> [JSONValue]
  {
    _ = stage.media([
      "type": "QUEUE_LOAD", "requestId": 2, "items": .array(names.map { MediaRuleTests.item($0) }),
      "repeatMode": .string(repeatMode),
    ])
    return stage.wait(0.5)
  }

  private func request(_ type: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    .object(["type": .string(type), "requestId": 9, "mediaSessionId": 1].merging(more) { $1 })
  }

  /// Messages in short: `ERROR 102 2`, `IDLE ERROR 2>3`, `PLAYING 3`, `[]`, `INVALID_REQUEST …`.
  private func short(_ bodies: [JSONValue]) -> [String] {
    bodies.map { body in
      let type = body["type"]?.string ?? ""
      if type == "ERROR" { return "ERROR \(body["detailedErrorCode"]?.int ?? 0) \(body["itemId"]?.int ?? 0)" }
      guard type == "MEDIA_STATUS" else { return "\(type) \(body["reason"]?.string ?? "")" }
      guard let entry = body["status"]?.array?.first else { return "[]" }
      let words = [entry["playerState"]?.string, entry["idleReason"]?.string].compactMap { $0 }
      let next = entry["loadingItemId"].map { ">\($0.int ?? 0)" } ?? ""
      return words.joined(separator: " ") + " \(entry["currentItemId"]?.int ?? 0)\(next)"
    }
  }

  @Test(
    "an item that breaks off is told twice, with its own id and with the one that plays next",
    arguments: [
      (["decode-error=v20@after=2s"], true, ["ERROR 102 2", "ERROR 102 3", "IDLE ERROR 2>3", "PLAYING 3"]),
      (["network-error=v20@after=2s"], true, ["ERROR 103 2", "ERROR 103 3", "IDLE ERROR 2>3", "PLAYING 3"]),
      (["decode-error=v20@after=2s"], false, ["ERROR 102 2", "IDLE ERROR 2>3", "PLAYING 3"]),
    ])
  func breaksOff(faults: [String], namesNext: Bool, expected: [String]) throws {
    var stage = try stage(faults) { $0.media.errorsNameNextItem = namesNext }
    _ = load(&stage, ["v2.mp4", "v20.mp4", "v4.mp4"])
    _ = stage.wait(3.5)
    #expect(Array(short(stage.wait(1)).prefix(4)).filter { $0 != "PLAYING 2" } == expected)
  }

  @Test(
    "the last item that breaks off names nobody else, and ends the queue; a list of broken ones goes round")
  func lastOne() throws {
    var stage = try stage(["decode-error=v20@after=2s"])
    _ = load(&stage, ["v20.mp4"])
    #expect(short(stage.wait(3)).suffix(2) == ["ERROR 102 1", "IDLE ERROR 1"])
    #expect(short(stage.media(["type": "GET_STATUS", "requestId": 5])) == ["[]"])

    var round = try self.stage(["decode-error=v20@after=2s"])
    _ = load(&round, ["v20.mp4", "v4.mp4"], repeatMode: "REPEAT_ALL")
    let said = short(round.wait(10))
    #expect(said.filter { $0 == "ERROR 102 1" }.count == 2 && said.filter { $0 == "PLAYING 2" }.count >= 1)
  }

  @Test("only the chosen time a fault about an address strikes; a film watched from behind the flaw plays on")
  func occurrences() throws {
    var stage = try stage(["decode-error=v20#1@after=2s"])
    _ = load(&stage, ["v20.mp4", "v2.mp4"], repeatMode: "REPEAT_ALL")
    #expect(short(stage.wait(30)).filter { $0.hasPrefix("ERROR") } == ["ERROR 102 1", "ERROR 102 2"])

    var sought = try self.stage(["decode-error=v20@after=2s"])
    _ = load(&sought, ["v20.mp4"])
    _ = sought.media(request("SEEK", ["currentTime": 5]))
    #expect(short(sought.wait(20)).last == "IDLE FINISHED 1")
  }

  @Test("an item that stalls buffers, and goes on after its time, or never; pausing does not mend it")
  func stalls() throws {
    var stage = try stage(["stall=v20//5s@after=2s"])
    _ = load(&stage, ["v20.mp4"])
    #expect(short(stage.wait(2)).suffix(1) == ["BUFFERING 1"])
    _ = stage.media(request("PAUSE"))
    let resumed = short(stage.media(request("PLAY")))
    #expect(resumed == ["BUFFERING 1"])
    #expect(short(stage.wait(6)).contains("PLAYING 1"))
    #expect(short(stage.wait(20)).last == "IDLE FINISHED 1")

    var stuck = try self.stage(["stall=v20@after=2s"])
    _ = load(&stuck, ["v20.mp4"])
    _ = stuck.wait(2)
    #expect(stuck.wait(600).isEmpty)
    _ = stuck.media(request("SEEK", ["currentTime": 9]))
    #expect(short(stuck.wait(20)).last == "IDLE FINISHED 1")
  }

  @Test(
    "who leaves an item that buffers hears of the next one as IDLE before it plays", arguments: [true, false])
  func nextWhileBuffering(interrupts: Bool) throws {
    var stage = try stage(["stall=v20"]) { $0.media.interruptsNextItem = interrupts }
    _ = load(&stage, ["v20.mp4", "v4.mp4"])
    let said = stage.media(request("QUEUE_UPDATE", ["jump": 1]))
    #expect(
      short(said + stage.wait(0.5))
        == ["IDLE INTERRUPTED 1>2"] + (interrupts ? ["IDLE INTERRUPTED 2"] : []) + ["PLAYING 2"])
    if interrupts {
      let second = said.dropFirst().first?["status"]?.array?.first
      #expect(second?["extendedStatus"]?["playerState"] == "LOADING" && second?["loadingItemId"] == nil)
    }
  }

  @Test("a medium that never answers loads for ever; everything waits but a LOAD, which gets through at once")
  func neverAnswers() throws {
    var stage = try stage(["never-answers=v20"])
    _ = load(&stage, ["v2.mp4", "v20.mp4", "v4.mp4"])
    _ = stage.wait(10)
    for type in ["GET_STATUS", "STOP", "QUEUE_UPDATE"] { #expect(stage.media(request(type)).isEmpty) }
    #expect(stage.wait(3600).isEmpty)
    let media: JSONValue = ["contentId": "http://h/v4.mp4", "contentType": "video/mp4"]
    let said = stage.media(["type": "LOAD", "requestId": 10, "media": media])
    #expect(short(said).filter { $0.hasPrefix("INVALID") }.count == 3)
    #expect(short(stage.wait(0.2)) == ["PLAYING 1"])
  }

  @Test("a QUEUE_LOAD that waits is done after the LOAD that overtakes it, whatever session it names")
  func heldQueueLoad() throws {
    var stage = try stage(["never-answers=v20"])
    _ = load(&stage, ["v20.mp4"])
    let queue = request("QUEUE_LOAD", ["items": [MediaRuleTests.item("v4.mp4")]])
    #expect(stage.media(queue).isEmpty)
    let media: JSONValue = ["contentId": "http://h/v8.mp4", "contentType": "video/mp4"]
    let said = stage.media(["type": "LOAD", "requestId": 10, "media": media])
    #expect(short(said).filter { $0.hasPrefix("IDLE") } == ["IDLE 1"], "one load at a time: \(short(said))")
    let later = stage.wait(1)
    #expect(later.compactMap { $0["requestId"]?.int }.filter { $0 > 0 }.first == 10, "\(short(later))")
    #expect(later.last?["status"]?.array?.first?["mediaSessionId"] == 3)
    #expect(short(stage.wait(20)).last?.hasPrefix("IDLE FINISHED") == true)
  }

  @Test(
    "a QUEUE_LOAD waits for what loads, and is done then, or replaces it at once", arguments: [true, false])
  func queueLoadWaits(waits: Bool) throws {
    var stage = try stage { $0.media.queueLoadsWait = waits }
    let items = { (name: String) -> JSONValue in [MediaRuleTests.item(name)] }
    _ = stage.media(["type": "QUEUE_LOAD", "requestId": 2, "items": items("v20.mp4")])
    let said = short(stage.media(["type": "QUEUE_LOAD", "requestId": 3, "items": items("v4.mp4")]))
    #expect(said == (waits ? [] : ["LOAD_CANCELLED ", "IDLE 2"]))
    let later = stage.wait(0.5)
    #expect(later.contains { $0["requestId"] == 2 } == waits)
    #expect(later.last?["requestId"] == 3 && short(later).last?.hasPrefix("PLAYING") == true)
  }

  @Test("a load in mid-queue may die without a word: who asks learns it, and can go on")
  func silentDeath() throws {
    var stage = try stage(["silent-load=v20"])
    _ = load(&stage, ["v2.mp4", "v20.mp4", "v4.mp4"])
    #expect(short(stage.wait(2)).last == "IDLE FINISHED 1>2")
    #expect(stage.wait(60).isEmpty)
    #expect(short(stage.media(["type": "GET_STATUS", "requestId": 5])) == ["IDLE ERROR 2"])
    #expect(short(stage.media(request("PLAY"))) == ["INVALID_PLAYER_STATE "])
    #expect(short(stage.media(request("QUEUE_UPDATE", ["jump": 1])) + stage.wait(0.5)).last == "PLAYING 3")
  }

  @Test("the first item of a load cannot die without a word: its LOAD is answered")
  func firstItem() throws {
    var stage = try stage(["silent-load=v20"])
    #expect(short(load(&stage, ["v20.mp4", "v4.mp4"])).contains("PLAYING 1"))
  }

  @Test("a film with breaks of its own shows no track, whatever is asked for", arguments: [true, false])
  func tracksOfFilmsWithBreaks(hides: Bool) throws {
    var stage = try stage { $0.ads.breaksHideTracks = hides }
    let media: JSONValue = [
      "contentId": "http://h/v20.mp4", "contentType": "video/mp4",
      "tracks": [["trackId": 1, "type": "TEXT", "language": "en"]],
      "breaks": [["id": "b", "breakClipIds": ["c"], "position": 10]],
      "breakClips": [["id": "c", "contentId": "http://h/v2.mp4", "contentType": "video/mp4"]],
    ]
    let shown: JSONValue = hides ? [] : [1]
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": media, "activeTrackIds": [1]])
    #expect(stage.wait(0.5).last?["status"]?.array?.first?["activeTrackIds"] == shown)
    for wanted in [["activeTrackIds": [1]], ["language": "en"], ["enableTextTracks": true]]
      as [[String: JSONValue]]
    {
      let said = stage.media(request("EDIT_TRACKS_INFO", wanted)).first
      #expect(said?["status"]?.array?.first?["activeTrackIds"] == shown)
    }
  }

  @Test("an end that nobody saw leaves an empty status in the same application session")
  func endUnseen() throws {
    var stage = try stage()
    _ = load(&stage, ["v2.mp4", "v4.mp4"])
    stage.receiver.handle(.connectionClosed(Stage.connection))
    stage.receiver.advance(by: .seconds(60))
    stage.receiver.handle(.connectionOpened(Stage.connection))
    let transport = stage.transport
    for endpoint in [.receiver, transport] { stage.connect("sender-0", to: endpoint) }
    _ = stage.receiver.takeOutputs()
    #expect(short(stage.media(["type": "GET_STATUS", "requestId": 5])) == ["[]"])
    #expect(stage.receiver.model.applicationTransport == transport)
  }
}
