import CastProtocol
import CastReceiverSim
import Testing

/// What of playback differs between receivers (protocol 6, 10, 12.5, 21).
@Suite struct MediaSwitchTests {
  /// Where media come from.
  private struct Source {
    var answer: VirtualReceiver.Fetching
    static let recorded = Source(answer: Stage.recordedMedia)
    /// Media of that type whose length nobody knows.
    static func unknown(_ contentType: String) -> Source {
      Source { _, _ in (.loaded(MediaFacts(contentType: contentType)), .zero) }
    }
  }

  private func stage(
    of source: Source = .recorded, senders: [EndpointID] = ["sender-0"],
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.silenceLimit = .seconds(100_000)
    change(&configuration)
    return Stage(configuration, senders: senders, fetching: source.answer)
  }

  private func load(
    _ stage: inout Stage, _ url: String = "http://h/v20.mp4", _ more: [String: JSONValue] = [:],
    with options: [String: JSONValue] = [:]
  ) -> [JSONValue] {
    let media: [String: JSONValue] = ["contentId": .string(url), "contentType": "video/mp4"]
    let request: [String: JSONValue] = [
      "type": "LOAD", "requestId": 2, "media": .object(media.merging(more) { $1 }),
    ]
    return stage.media(.object(request.merging(options) { $1 })) + stage.wait(0.3)
  }

  private func entry(_ bodies: [JSONValue]) -> JSONValue? {
    bodies.last { $0["status"]?.array?.isEmpty == false }?["status"]?.array?.first
  }

  private func request(_ type: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    .object(
      ["type": .string(type), "requestId": 9, "mediaSessionId": 1].merging(more) { $1 })
  }

  private static let live: [String: JSONValue] = [
    "contentType": "application/x-mpegurl", "streamType": "LIVE",
  ]

  @Test("a live stream starts at its edge, its window moves on while it is paused, and it can end")
  func liveWindow() {
    var stage = stage(of: .unknown("application/x-mpegurl")) {
      $0.media.liveWindow = 30
      $0.media.liveEdge = 100
    }
    let loaded = entry(load(&stage, "http://h/live", Self.live))
    #expect(loaded?["currentTime"] == 100 && loaded?["media"]?["duration"] == -1)
    #expect(loaded?["liveSeekableRange"]?["start"] == 70 && loaded?["liveSeekableRange"]?["end"] == 100)
    #expect(loaded?["liveSeekableRange"]?["isMovingWindow"] == true)

    _ = stage.wait(9.7)
    let back = entry(stage.media(request("SEEK", ["currentTime": 10])))
    #expect(abs((back?["currentTime"]?.double ?? 0) - 80) < 0.1, "no further back than the window")
    let edge = entry(stage.media(request("SEEK")))
    #expect(abs((edge?["currentTime"]?.double ?? 0) - 110) < 0.1, "the edge has gone on meanwhile")

    _ = stage.media(request("PAUSE"))
    _ = stage.wait(60)
    let resumed = entry(stage.media(request("PLAY")))
    #expect(abs((resumed?["currentTime"]?.double ?? 0) - 140) < 0.1, "the window has overtaken it")

    stage.receiver.handle(.control(.liveEnded))
    let done = entry(stage.bodies(.media))
    #expect(done?["liveSeekableRange"]?["isLiveDone"] == true)
    #expect(done?["liveSeekableRange"]?["isMovingWindow"] == false)
    #expect(entry(stage.wait(40))?["idleReason"] == "FINISHED")
  }

  @Test(
    "liveSeekableRange is told of the media that are configured",
    arguments: [
      (MediaSwitches.LiveRange.none, "application/x-mpegurl", false), (.manifests, "video/mp4", false),
      (.manifests, "application/x-mpegurl", true), (.all, "video/mp4", true),
    ])
  func liveRange(range: MediaSwitches.LiveRange, contentType: String, isTold: Bool) {
    var stage = stage(of: .unknown(contentType)) {
      $0.media.liveRange = range
    }
    let live: [String: JSONValue] = ["contentType": .string(contentType), "streamType": "LIVE"]
    let status = entry(load(&stage, "http://h/live", live))
    #expect(status?["playerState"] == "PLAYING" && (status?["liveSeekableRange"] != nil) == isTold)
  }

  @Test("a file of unknown length grows in a storm of full statuses, where configured")
  func growingLength() {
    var stage = stage(of: .unknown("video/mp4")) {
      $0.media.growingTime = 0.25
    }
    let durations = load(&stage).compactMap {
      $0["status"]?.array?.first?["media"]?["duration"]?.double
    }
    #expect(durations.count >= 10 && durations.last == 10)
    #expect(durations.dropFirst() == durations.dropFirst().sorted()[...])
    #expect(stage.wait(0.5).isEmpty)
  }

  @Test("a manifest that cannot be had fails after its time, and what waited goes on then")
  func lateManifestFailure() {
    var stage = stage()
    #expect(load(&stage, "http://h/nope.m3u8", Self.live).map { $0["type"] } == ["MEDIA_STATUS"])
    #expect(stage.media(["type": "GET_STATUS", "requestId": 3]).isEmpty)
    #expect(stage.wait(2).isEmpty)
    let late = stage.wait(0.5)
    #expect(late.map { $0["type"] } == ["LOAD_FAILED", "MEDIA_STATUS", "MEDIA_STATUS"])
    #expect(late.first?["detailedErrorCode"] == 321 && late.last?["requestId"] == 3)
  }

  @Test("the number of a request is seen by all, or by the asker alone", arguments: [false, true])
  func repliesApart(isApart: Bool) {
    var stage = stage(senders: ["sender-0", "sender-1"]) { $0.media.repliesApart = isApart }
    _ = load(&stage)
    stage.receiver.send(
      request("PAUSE"), .media, from: "sender-1", to: stage.transport, over: Stage.connection)
    let said = stage.receiver.takeOutputs().compactMap(\.message).map { message in
      "\(message.destination) #\(message.body?["requestId"]?.int ?? -1)"
    }
    #expect(said == (isApart ? ["sender-1 #9", "* #0"] : ["* #9"]))
  }

  @Test("the LOADING status carries the number of its LOAD on some firmware", arguments: [false, true])
  func numbersLoading(isNumbered: Bool) {
    var stage = stage { $0.media.numbersLoadingStatus = isNumbered }
    #expect(load(&stage).map { $0["requestId"]?.int } == [isNumbered ? 2 : 0, 2])
  }

  @Test("requests without media, and skips too early, are refused as measured or as documented")
  func playerState() {
    for documented in [false, true] {
      var stage = stage { $0.media.refusesByPlayerState = documented }
      let refusal: JSONValue =
        documented
        ? ["type": "INVALID_PLAYER_STATE", "requestId": 9]
        : ["type": "INVALID_REQUEST", "requestId": 9, "reason": "INVALID_MEDIA_SESSION_ID"]
      #expect(stage.media(request("PLAY")) == [refusal])
      _ = load(&stage)
      let wrong = stage.media(request("PLAY", ["mediaSessionId": 7])).first
      #expect(wrong?["reason"] == "INVALID_MEDIA_SESSION_ID")
      let early = stage.media(request("SKIP_AD")).first
      #expect(early?["type"] == (documented ? "INVALID_PLAYER_STATE" : "ERROR"))
    }
  }

  @Test("a number used twice is refused in either spelling")
  func repeatedNumbers() {
    for (isOld, word) in [(false, "DUPLICATE_REQUEST_ID"), (true, "DUPLICATE_REQUESTID")] {
      var stage = stage(senders: ["sender-0", "sender-1"]) {
        $0.media.refusesRepeatedRequestIDs = true
        $0.media.spellsRepeatedOldWay = isOld
      }
      let status: JSONValue = ["type": "GET_STATUS", "requestId": 3]
      #expect(stage.media(status).first?["type"] == "MEDIA_STATUS")
      #expect(stage.media(status).first?["reason"]?.string == word)
      #expect(
        stage.media(status, from: "sender-1").first?["type"] == "MEDIA_STATUS", "somebody else's number")
    }
  }

  @Test(
    "a request whose command is missing is refused where that is enforced",
    arguments: [("PAUSE", 1), ("SEEK", 2), ("EDIT_TRACKS_INFO", 4096), ("SET_PLAYBACK_RATE", 8192)])
  func enforced(type: String, bit: Int) {
    let more: [String: JSONValue] = ["currentTime": 3, "activeTrackIds": [], "playbackRate": 1]
    for (commands, answer) in [(12_303, "MEDIA_STATUS"), (12_303 & ~bit, "INVALID_REQUEST")] {
      var stage = stage {
        $0.media.enforcesCommands = true
        $0.media.commands = commands
      }
      #expect(entry(load(&stage))?["supportedMediaCommands"]?.int == commands)
      let said = stage.media(request(type, more)).first
      #expect(said?["type"]?.string == answer)
      if answer == "INVALID_REQUEST" { #expect(said?["reason"] == "NOT_SUPPORTED") }
    }
  }

  @Test("a medium named by an entity is looked up where the receiver can")
  func entities() {
    for (known, answer) in [(["film:1": "http://h/v4.mp4"], "MEDIA_STATUS"), ([:], "INVALID_REQUEST")] {
      var stage = stage { $0.media.entities = known }
      let media: JSONValue = ["entity": "film:1", "contentType": "video/mp4"]
      _ = stage.media(["type": "LOAD", "requestId": 2, "media": media])
      let said = stage.bodies(.media) + stage.wait(0.3)
      if answer == "MEDIA_STATUS" {
        #expect(said.last?["type"]?.string == answer && entry(said)?["media"]?["duration"] == 4)
      } else {
        #expect(said.isEmpty)
      }
    }
  }

  @Test("contentUrl wins over contentId; an Android TV application takes its own credentials")
  func addressesAndCredentials() {
    var stage = stage()
    let said = load(&stage, "an id", ["contentUrl": "http://h/v4.mp4"], with: ["credentials": "me"])
    #expect(entry(said)?["media"]?["duration"] == 4 && stage.receiver.model.credentials == "me")
  }

  private static let tracks: JSONValue = [
    ["trackId": 1, "type": "TEXT", "language": "en"], ["trackId": 2, "type": "TEXT", "language": "de-CH"],
    ["trackId": 3, "type": "AUDIO", "language": "en"], ["trackId": 4, "type": "AUDIO", "language": "fr"],
    ["trackId": 5, "type": "VIDEO"],
  ]

  @Test(
    "language wins over ids, ids over the switch; sound and picture stay; what excludes each other is refused",
    arguments: [
      (#"{"language":"de","activeTrackIds":[1],"enableTextTracks":false}"#, "3,2"),
      (#"{"activeTrackIds":[1],"enableTextTracks":false}"#, "1"), (#"{"enableTextTracks":false}"#, "3"),
      (#"{"enableTextTracks":true}"#, "3,2"), (#"{}"#, "2,3"), (#"{"activeTrackIds":[]}"#, ""),
      (#"{"activeTrackIds":[1,4,5]}"#, "1,4,5"), (#"{"activeTrackIds":[1,2]}"#, "INVALID_PARAMS"),
      (#"{"activeTrackIds":[3,4]}"#, "INVALID_PARAMS"), (#"{"activeTrackIds":[9]}"#, "INVALID_PARAMS"),
      (#"{"activeTrackIds":[1,1]}"#, "INVALID_PARAMS"), (#"{"activeTrackIds":"1"}"#, "INVALID_PARAMS"),
      (#"{"language":"es"}"#, "LANGUAGE_NOT_SUPPORTED"), (#"{"textTrackStyle":7}"#, "INVALID_PARAMS"),
    ])
  func tracks(body: String, expected: String) throws {
    var stage = stage()
    _ = load(&stage, "http://h/v20.mp4", ["tracks": Self.tracks], with: ["activeTrackIds": [2, 3]])
    let more = try JSONValue(parsing: body).object ?? [:]
    let said = stage.media(request("EDIT_TRACKS_INFO", more)).first
    let ids = said?["status"]?.array?.first?["activeTrackIds"]?.array?.compactMap(\.int)
    #expect((ids?.map(String.init).joined(separator: ",") ?? said?["reason"]?.string) == expected)
  }

  @Test(
    "text that is switched on again is the text that was switched off; a style replaces or joins the last")
  func textAgain() {
    for merges in [false, true] {
      var stage = stage { $0.media.mergesTextStyle = merges }
      _ = load(&stage, "http://h/v20.mp4", ["tracks": Self.tracks], with: ["activeTrackIds": [2, 3]])
      _ = stage.media(request("EDIT_TRACKS_INFO", ["enableTextTracks": false]))
      let on = entry(stage.media(request("EDIT_TRACKS_INFO", ["enableTextTracks": true])))
      #expect(on?["activeTrackIds"] == [3, 2])
      _ = stage.media(request("EDIT_TRACKS_INFO", ["textTrackStyle": ["fontScale": 2, "edgeType": "NONE"]]))
      let style = entry(stage.media(request("EDIT_TRACKS_INFO", ["textTrackStyle": ["fontScale": 1]])))
      let joined: JSONValue = merges ? ["fontScale": 1, "edgeType": "NONE"] : ["fontScale": 1]
      #expect(style?["media"]?["textTrackStyle"] == joined)
    }
  }

  @Test(
    "a medium's address or its data may tell of its picture",
    arguments: [
      ("http://h/v4.mp4?video=4k-hdr", nil, "3840x2160 hdr"),
      ("http://h/v4.mp4", "1280x720-dv", "1280x720 dv"),
      ("http://h/v4.mp4?video=large", nil, "none"), ("http://h/v4.mp4", nil, "none"),
    ])
  func pictures(url: String, mark: String?, expected: String) {
    var stage = stage()
    let data: JSONValue? = mark.map { ["video": .string($0)] }
    let info = entry(load(&stage, url, data.map { ["customData": $0] } ?? [:]))?["videoInfo"]
    let shown = info.map {
      "\($0["width"]?.int ?? 0)x\($0["height"]?.int ?? 0) \($0["hdrType"]?.string ?? "")"
    }
    #expect((shown ?? "none") == expected)
  }

  @Test("a session that is stored on one receiver goes on where it was on another")
  func transfers() {
    var first = stage { $0.media.transfersSessions = true }
    let items: JSONValue = ["v4.mp4", "v20.mp4", "v6.mp4"].reduce([]) {
      .array(($0.array ?? []) + [MediaRuleTests.item($1)])
    }
    _ = first.media([
      "type": "QUEUE_LOAD", "requestId": 2, "items": items, "startIndex": 1, "repeatMode": "REPEAT_ALL",
    ])
    let bits = entry(first.wait(5))?["supportedMediaCommands"]?.int ?? 0
    #expect(bits & 262_144 != 0)
    let state = first.media(request("STORE_SESSION")).first
    #expect(state?["type"] == "SESSION_STATE" && state?["requestId"] == 9)
    var second = stage { $0.media.transfersSessions = true }
    _ = second.media(
      .members(["type": "RESUME_SESSION", "requestId": 2, "sessionState": state?["sessionState"]]))
    let resumed = entry(second.wait(0.3))
    #expect(resumed?["currentItemId"] == 2 && resumed?["repeatMode"] == "REPEAT_ALL")
    #expect(abs((resumed?["currentTime"]?.double ?? 0) - 4.9) < 0.1)
    #expect(resumed?["items"]?.array?.count == 3)
  }

  @Test(
    "what only assistants send is not supported",
    arguments: [
      "LOAD_BY_ENTITY", "CUSTOM_COMMAND", "DISPLAY_STATUS", "PLAY_AGAIN", "PLAY_STRING", "FOCUS_STATE",
      "EXECUTE_ACTION_SCRIPT", "SHOW_REMOTE_CONTROL_OVERLAY", "CUSTOM_STATE", "CLOUD_STATUS",
    ])
  func assistants(type: String) {
    var stage = stage()
    let refusal: JSONValue = ["type": "INVALID_REQUEST", "requestId": 9, "reason": "NOT_SUPPORTED"]
    #expect(stage.media(["type": .string(type), "requestId": 9]) == [refusal])
  }

  @Test("options leave out what they name, and an opinion stays until it is taken back")
  func optionsAndOpinions() {
    var stage = stage()
    _ = load(&stage, "http://h/v20.mp4", ["metadata": ["metadataType": 0, "title": "A"]])
    for (options, hasMetadata, hasItems) in [(0, true, true), (1, false, true), (2, true, false)] {
      let status = entry(
        stage.media(["type": "GET_STATUS", "requestId": 5, "options": .integer(Int64(options))]))
      #expect((status?["media"]?["metadata"] != nil) == hasMetadata && (status?["items"] != nil) == hasItems)
    }
    let liked = entry(stage.media(request("USER_ACTION", ["userAction": "LIKE"])))
    #expect(liked?["media"]?["userActionStates"] == [["userAction": "LIKE"]])
    let cleared = entry(stage.media(request("USER_ACTION", ["userAction": "LIKE", "clear": true])))
    #expect(cleared?["media"]?["userActionStates"] == [])
  }
}
