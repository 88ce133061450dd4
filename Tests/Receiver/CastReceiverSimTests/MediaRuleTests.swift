import CastProtocol
import CastReceiverSim
import Testing

/// Rules of the media application that no recording shows (protocol 6–8, 21).
struct MediaRuleTests {
  static func item(_ name: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    let type: JSONValue = name.hasSuffix("jpg") ? "image/jpeg" : "video/mp4"
    let media: JSONValue = ["contentId": .string("http://h/\(name)"), "contentType": type]
    return .object(more.merging(["media": media]) { left, _ in left })
  }

  private func load(_ stage: inout Stage, _ names: [String], repeatMode: String = "REPEAT_OFF") -> [JSONValue]
  {
    stage.media([
      "type": "QUEUE_LOAD", "requestId": 2, "items": .array(names.map { Self.item($0) }),
      "repeatMode": .string(repeatMode),
    ])
  }

  /// A short form of what was said: type or state, number, current item.
  private func shapes(_ bodies: [JSONValue]) -> [String] {
    bodies.map { body in
      let number = body["requestId"]?.int.map { " #\($0)" } ?? ""
      guard let entry = body["status"]?.array?.first else {
        return (body["type"]?.string ?? "") + number + (body["itemId"]?.int.map { " item \($0)" } ?? "")
      }
      let reason = entry["idleReason"]?.string.map { "/\($0)" } ?? ""
      let loading = entry["extendedStatus"] == nil ? "" : " loading \(entry["loadingItemId"]?.int ?? 0)"
      return (entry["playerState"]?.string ?? "") + reason + number
        + " of \(entry["currentItemId"]?.int ?? 0)" + loading
    }
  }

  @Test("a LOAD that fails is answered with LOAD_FAILED and IDLE/ERROR, and the session is gone")
  func failedLoad() {
    var stage = Stage()
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": Self.item("nope.mp4")["media"] ?? .null])
    let said = stage.wait(1)
    #expect(shapes(said) == ["LOAD_FAILED #2 item 1", "IDLE/ERROR #0 of 1"])
    #expect(said.first?["detailedErrorCode"]?.int == 104)
    #expect(stage.media(["type": "GET_STATUS", "requestId": 3]).first?["status"]?.array == [])
  }

  @Test("a queue goes on past items that fail; the load is answered when one plays")
  func failingItems() {
    var stage = Stage()
    _ = load(&stage, ["nope1.mp4", "v2.mp4", "nope3.mp4", "nope4.mp4"])
    #expect(
      shapes(stage.wait(1)) == ["ERROR item 1", "IDLE/ERROR #0 of 1 loading 2", "PLAYING #2 of 2"])
    // Between two statuses of an item lies the one a second after its start.
    #expect(
      shapes(stage.wait(3)) == [
        "PLAYING #0 of 2", "IDLE/FINISHED #0 of 2 loading 3", "ERROR item 3", "IDLE/ERROR #0 of 3 loading 4",
        "IDLE/ERROR #0 of 4",
      ])
  }

  @Test("a repeating queue in which everything fails ends, and its load fails")
  func everythingFails() {
    var stage = Stage()
    _ = load(&stage, ["nope1.mp4", "nope2.mp4"], repeatMode: "REPEAT_ALL")
    #expect(
      shapes(stage.wait(60)) == [
        "ERROR item 1", "IDLE/ERROR #0 of 1 loading 2", "LOAD_FAILED #2 item 2", "IDLE/ERROR #0 of 2",
      ])
  }

  @Test("a load that replaces another answers that one with LOAD_CANCELLED; what waited goes on after it")
  func cancelledLoad() {
    var stage = Stage()
    _ = load(&stage, ["v2.mp4"])
    #expect(stage.media(["type": "STOP", "requestId": 3, "mediaSessionId": 1]).isEmpty)
    let media = Self.item("v4.mp4")["media"] ?? .null
    #expect(
      shapes(stage.media(["type": "LOAD", "requestId": 4, "media": media])) == [
        "LOAD_CANCELLED #2", "IDLE #0 of 1 loading 0",
      ])
    #expect(shapes(stage.wait(0.5)) == ["PLAYING #4 of 1", "INVALID_REQUEST #3"])
  }

  @Test("playbackDuration is ignored, unless the configuration says otherwise", arguments: [false, true])
  func playbackDuration(isHonoured: Bool) {
    var configuration = ReceiverConfiguration()
    configuration.media.honoursPlaybackDuration = isHonoured
    var stage = Stage(configuration)
    let items: JSONValue = [
      Self.item("x.jpg", ["playbackDuration": 3]), Self.item("v2.mp4", ["playbackDuration": 1]),
    ]
    _ = stage.media(["type": "QUEUE_LOAD", "requestId": 2, "items": items])
    #expect(shapes(stage.wait(1)) == ["PAUSED #2 of 1"])
    let later = shapes(stage.wait(3.18))
    #expect(
      later == (isHonoured ? ["IDLE/FINISHED #0 of 1 loading 2", "PLAYING #0 of 2", "PLAYING #0 of 2"] : []))
    #expect(shapes(stage.wait(0.5)) == (isHonoured ? ["IDLE/FINISHED #0 of 2"] : []))
  }

  @Test(
    "a malformed or untimely request is refused with the right reason",
    arguments: [
      (#"{"type":"LOAD"}"#, "INVALID_PARAMS"),
      (#"{"type":"LOAD","media":{"contentType":"video/mp4"}}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_LOAD","items":[]}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_LOAD","items":[{"media":{"contentId":"a"},"itemId":4}]}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_LOAD","items":[{"media":{"contentId":"a"}}],"startIndex":1}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_LOAD","items":[{"media":{"contentId":"a"}}],"repeatMode":"X"}"#, "INVALID_PARAMS"),
      (#"{"type":"SEEK","mediaSessionId":1}"#, "INVALID_PARAMS"),
      (#"{"type":"SET_VOLUME","mediaSessionId":1,"volume":{"level":2}}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_INSERT","mediaSessionId":1,"items":[]}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_REORDER","mediaSessionId":1,"itemIds":[1,1]}"#, "INVALID_PARAMS"),
      (#"{"type":"QUEUE_GET_ITEMS","mediaSessionId":1}"#, "INVALID_PARAMS"),
      (#"{"type":"PRECACHE","mediaSessionId":1}"#, "INVALID_PARAMS"),
      (#"{"type":"PLAY","mediaSessionId":"1"}"#, "INVALID_MEDIA_SESSION_ID"),
      (#"{"type":"STORE_SESSION"}"#, "INVALID_MEDIA_SESSION_ID"),
    ])
  func refusals(request: String, reason: String) throws {
    var stage = Stage()
    _ = load(&stage, ["v10.mp4", "v4.mp4"])
    _ = stage.wait(1.5)
    guard case .object(var members) = try JSONValue(parsing: request) else { return }
    members["requestId"] = 9
    let expected: JSONValue = ["type": "INVALID_REQUEST", "requestId": 9, "reason": .string(reason)]
    #expect(stage.media(.object(members)) == [expected])
    members["requestId"] = "9"
    #expect(stage.media(.object(members)).isEmpty, "a number that is no integer is ignored")
  }

  @Test("repeatMode after a plain LOAD gets no answer")
  func repeatModeWithoutQueue() {
    var stage = Stage()
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": Self.item("v10.mp4")["media"] ?? .null])
    _ = stage.wait(2)
    let mode: JSONValue = [
      "type": "QUEUE_UPDATE", "requestId": 3, "mediaSessionId": 1, "repeatMode": "REPEAT_ALL",
    ]
    #expect(stage.media(mode).isEmpty)
  }

  @Test(
    "a block of items moves as the protocol's example says",
    arguments: [
      (nil, [1, 3, 6, 2, 5, 4]), (1, [2, 5, 4, 1, 3, 6]), (3, [1, 2, 5, 4, 3, 6]), (5, [1, 3, 2, 5, 4, 6]),
    ])
  func reorder(before: Int?, expected: [Int]) {
    var stage = Stage()
    _ = load(&stage, Array(repeating: "v10.mp4", count: 6))
    _ = stage.wait(1.5)
    let said = stage.media(
      .members([
        "type": "QUEUE_REORDER", "requestId": 3, "mediaSessionId": 1, "itemIds": [2, 5, 4],
        "insertBefore": JSONValue(before),
      ]))
    #expect(said.first?["itemIds"]?.array?.compactMap(\.int) == expected)
  }

  @Test("the place in the queue stays with what plays when items before it come and go")
  func placeInQueue() {
    var stage = Stage()
    _ = stage.media([
      "type": "QUEUE_LOAD", "requestId": 2, "items": .array((0..<4).map { _ in Self.item("v10.mp4") }),
      "startIndex": 1,
    ])
    _ = stage.wait(1.5)
    let edits: [(JSONValue, now: [Int])] = [
      (["type": "QUEUE_INSERT", "insertBefore": 1, "items": [Self.item("v4.mp4")]], [1, 2, 3]),
      (["type": "QUEUE_REMOVE", "itemIds": [5, 1]], [2, 3]),
    ]
    for (edit, now) in edits {
      guard case .object(var members) = edit else { continue }
      members["requestId"] = 3
      members["mediaSessionId"] = 1
      let status = stage.media(.object(members)).last?["status"]?.array?.first
      #expect(status?["currentItemId"]?.int == 2)
      #expect(status?["items"]?.array?.compactMap { $0["itemId"]?.int } == now)
    }
  }

  @Test(
    "only a break between the old and the new place is shown by a seek",
    arguments: [(4.0, false), (8.0, true)])
  func seekOverBreak(target: Double, isShown: Bool) {
    var stage = Stage()
    let media: JSONValue = [
      "contentId": "http://h/v10.mp4", "contentType": "video/mp4",
      "breaks": [
        ["id": "a", "breakClipIds": ["c"], "position": 2], ["id": "b", "breakClipIds": ["c"], "position": 7],
      ],
      "breakClips": [["id": "c", "contentId": "http://h/v2.mp4", "contentType": "video/mp4"]],
    ]
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": media, "currentTime": 5])
    _ = stage.wait(1)
    let said = stage.media([
      "type": "SEEK", "requestId": 3, "mediaSessionId": 1, "currentTime": .number(target),
    ])
    let breaks = said.compactMap { $0["status"]?.array?.first?["breakStatus"]?["breakClipId"]?.string }
    #expect(breaks == (isShown ? ["c"] : []))
  }

  @Test("a medium the device cannot play fails, whether the request or the server says so")
  func formats() {
    let cases: [(declared: String?, served: String?, audioOnly: Bool, plays: Bool)] = [
      ("video/mp4", "video/mp4", false, true), ("video/mp4", nil, false, true),
      ("video/mp4", "text/html", false, false), ("video/mp4", "application/octet-stream", false, true),
      ("video/x-matroska", "video/x-matroska", false, false), (nil, "audio/mpeg; charset=x", false, true),
      ("video/mp4", "video/mp4", true, false), ("audio/mpeg", "audio/mpeg", true, true),
      ("image/png", "image/png", true, false), ("application/x-mpegURL", "text/html", false, true),
    ]
    for one in cases {
      var configuration = ReceiverConfiguration()
      configuration.isAudioOnly = one.audioOnly
      var stage = Stage(configuration) { _, _ in
        (.loaded(MediaFacts(duration: 5, contentType: one.served)), .milliseconds(10))
      }
      let media: JSONValue = .members(["contentId": "http://h/a", "contentType": JSONValue(one.declared)])
      _ = stage.media(["type": "LOAD", "requestId": 2, "media": media])
      let failed = stage.wait(0.5).contains { $0["type"]?.string == "LOAD_FAILED" }
      #expect(failed == !one.plays, "\(one)")
    }
  }

  @Test("a message that would not fit a frame is shown with less")
  func fitting() {
    var stage = Stage()
    let long = String(repeating: "ä", count: 13_000)
    let items = (0..<3).map { _ in
      JSONValue.object([
        "media": ["contentId": "http://h/v10.mp4", "contentType": "video/mp4", "customData": .string(long)]
      ])
    }
    for (number, item) in items.enumerated() {
      let type = number == 0 ? "QUEUE_LOAD" : "QUEUE_INSERT"
      stage.receiver.send(
        ["type": .string(type), "requestId": 3, "mediaSessionId": 1, "items": [item]], .media,
        from: "sender-0",
        to: stage.transport, over: Stage.connection)
      stage.receiver.advance(by: .seconds(1))
    }
    stage.receiver.send(
      ["type": "QUEUE_GET_ITEMS", "requestId": 5, "mediaSessionId": 1, "itemIds": [1, 2, 3]], .media,
      from: "sender-0", to: stage.transport, over: Stage.connection)
    let messages = stage.receiver.takeOutputs().compactMap(\.message)
    #expect(messages.allSatisfy { FrameCodec.bodyLength(of: $0) <= 65_536 })
    let last = messages.last { $0.body?["status"] != nil }?.body?["status"]?.array?.first
    #expect(last?["items"]?.array?.map { $0["media"] != nil } == [true, false])
    #expect(last?["media"] != nil)
    #expect(messages.last?.body?["items"]?.array?.count == 2)
  }
}
