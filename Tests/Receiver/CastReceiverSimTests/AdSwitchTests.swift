import CastProtocol
import CastReceiverSim
import Testing

/// What of ad breaks differs between receivers (protocol 9).
@Suite struct AdSwitchTests {
  private static let ad: JSONValue = ["contentId": "http://h/v2.mp4", "contentType": "video/mp4"]

  private func clip(_ id: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    .object((Self.ad.object ?? [:]).merging(more.merging(["id": .string(id)]) { $1 }) { $1 })
  }

  private func brk(_ id: String, _ clips: [String], at position: Double, _ more: [String: JSONValue] = [:])
    -> JSONValue
  {
    .object(
      [
        "id": .string(id), "breakClipIds": .array(clips.map(JSONValue.string)), "position": .number(position),
      ].merging(more) { $1 })
  }

  private func stage(_ change: (inout ReceiverConfiguration) -> Void = { _ in }) -> Stage {
    var configuration = ReceiverConfiguration()
    configuration.silenceLimit = .seconds(100_000)
    change(&configuration)
    return Stage(configuration)
  }

  private func load(_ stage: inout Stage, _ breaks: [JSONValue], _ clips: [JSONValue]) {
    let media: JSONValue = [
      "contentId": "http://h/v10.mp4", "contentType": "video/mp4", "breaks": .array(breaks),
      "breakClips": .array(clips),
    ]
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": media])
  }

  private func entries(_ bodies: [JSONValue]) -> [JSONValue] {
    bodies.compactMap { $0["status"]?.array?.first }
  }

  /// The breaks that statuses told of, in order, each once.
  private func breaks(_ bodies: [JSONValue]) -> [String] {
    entries(bodies).compactMap { $0["breakStatus"]?["breakId"]?.string }.reduce(into: []) {
      if $0.last != $1 { $0.append($1) }
    }
  }

  private func status(_ stage: inout Stage) -> JSONValue? {
    stage.media(["type": "GET_STATUS", "requestId": 5]).first?["status"]?.array?.first
  }

  @Test("breaks are played before, in and after the content, watched ones only where configured")
  func playsWatched() {
    for (plays, watchedToo, expected) in [
      (true, false, ["pre", "mid", "post"]), (true, true, ["pre", "seen", "mid", "post"]), (false, false, []),
    ] {
      var stage = stage {
        $0.ads.playsBreaks = plays
        $0.ads.playsWatchedBreaks = watchedToo
      }
      load(
        &stage,
        [
          brk("pre", ["a", "b"], at: 0), brk("mid", ["a"], at: 5), brk("post", ["b"], at: -1),
          brk("seen", ["a"], at: 2, ["isWatched": true]),
        ], [clip("a"), clip("b")])
      #expect(breaks(stage.wait(30)) == expected)
    }
  }

  @Test("a break right after the first one is kept where nothing drops it")
  func keepsCloseBreaks() {
    var stage = stage { $0.ads.dropsAfterPreRoll = false }
    load(&stage, [brk("pre", ["a"], at: 0), brk("soon", ["a"], at: 0.5)], [clip("a")])
    #expect(breaks(stage.wait(8)) == ["pre", "soon"])
  }

  @Test("a break tells how many clips it has, and only the clips that are near, where configured")
  func tellsLess() {
    var stage = stage {
      $0.ads.countsClips = true
      $0.ads.trimsClips = true
    }
    let clips = ["a", "b", "c", "d"]
    load(&stage, [brk("pre", clips, at: 0)], clips.map { clip($0) })
    _ = stage.wait(0.5)
    func shown() -> [String] {
      status(&stage)?["media"]?["breakClips"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
    #expect(status(&stage)?["breakStatus"]?["numberBreakClips"] == 4)
    #expect(shown() == ["a", "b"])
    _ = stage.wait(2.1)
    #expect(shown() == ["b", "c"])
    _ = stage.wait(8)
    #expect(shown() == clips)
  }

  @Test("a seek during a break is refused, or waits for its end", arguments: [false, true])
  func seeksInBreak(defers: Bool) {
    var stage = stage { $0.ads.defersSeeks = defers }
    load(&stage, [brk("pre", ["a"], at: 0)], [clip("a")])
    _ = stage.wait(0.5)
    let said = stage.media(["type": "SEEK", "requestId": 9, "mediaSessionId": 1, "currentTime": 7]).first
    #expect((said?["reason"] == "APP_ERROR") == !defers)
    let after = entries(stage.wait(2.5)).last
    #expect(((after?["currentTime"]?.double ?? 0) >= 7) == defers && after?["playerState"] == "PLAYING")
  }

  @Test("a skip is refused before its time, for every clip anew, and goes on to the next clip")
  func skips() {
    var stage = stage()
    load(
      &stage, [brk("pre", ["a", "b", "c"], at: 0)],
      [clip("a", ["whenSkippable": 1]), clip("b", ["whenSkippable": 0]), clip("c")])
    let skip: JSONValue = ["type": "SKIP_AD", "requestId": 9, "mediaSessionId": 1]
    func now() -> String { status(&stage)?["breakStatus"]?["breakClipId"]?.string ?? "content" }
    _ = stage.wait(0.5)
    #expect(stage.media(skip).first?["type"] == "ERROR" && now() == "a")
    _ = stage.wait(1)
    #expect((status(&stage)?["supportedMediaCommands"]?.int ?? 0) & 512 != 0)
    #expect(stage.media(skip).first?["type"] == "MEDIA_STATUS" && now() == "b")
    _ = stage.wait(0.3)
    #expect(stage.media(skip).first?["type"] == "MEDIA_STATUS" && now() == "c")
    _ = stage.wait(0.3)
    #expect(stage.media(skip).first?["type"] == "ERROR" && now() == "c")
  }

  @Test("an embedded break counts in the content's time when it is expanded, and else only where configured")
  func embeddedTime() {
    for (isExpanded, hides, duration, duringAd, after) in [
      (false, true, 7.0, 2.0, 3.0), (true, true, 10.0, 3.5, 6.0), (false, false, 10.0, 3.5, 6.0),
    ] {
      var stage = stage { $0.ads.hidesCollapsedBreaks = hides }
      load(
        &stage, [brk("e", ["x"], at: 2, ["isEmbedded": true, "expanded": .bool(isExpanded)])],
        [["id": "x", "duration": 3, "whenSkippable": 2]])
      _ = stage.wait(3.61)
      let inBreak = status(&stage)
      #expect(inBreak?["media"]?["duration"]?.double == duration)
      #expect(abs((inBreak?["currentTime"]?.double ?? 0) - duringAd) < 0.01)
      #expect(abs((inBreak?["breakStatus"]?["currentBreakTime"]?.double ?? 0) - 1.5) < 0.01)
      _ = stage.wait(2.5)
      #expect(abs((status(&stage)?["currentTime"]?.double ?? 0) - after) < 0.01)
      // A seek over it does not play it.
      let said = stage.media(["type": "SEEK", "requestId": 9, "mediaSessionId": 1, "currentTime": 1])
      #expect(entries(said).last?["currentTime"] == 1)
      let over = stage.media(["type": "SEEK", "requestId": 9, "mediaSessionId": 1, "currentTime": 6.5])
      #expect(entries(over).last?["currentTime"] == 6.5 && breaks(over) == [])
      #expect(entries(stage.wait(5)).last?["idleReason"] == "FINISHED")
    }
  }

  @Test("an embedded clip that may be skipped says so, and is skipped")
  func skipsEmbedded() {
    var stage = stage()
    load(
      &stage, [brk("e", ["x"], at: 2, ["isEmbedded": true, "expanded": true])],
      [["id": "x", "duration": 3, "whenSkippable": 1]])
    let told = entries(stage.wait(3.2)).filter { ($0["supportedMediaCommands"]?.int ?? 0) & 512 != 0 }
    #expect(told.count == 1 && (told.first?["currentTime"]?.double ?? 0) >= 3)
    _ = stage.media(["type": "SKIP_AD", "requestId": 9, "mediaSessionId": 1])
    #expect(status(&stage)?["breakStatus"] == [:] && status(&stage)?["currentTime"]?.double == 5)
  }

  private static func vast(_ ads: String...) -> String {
    "<VAST>" + ads.map { "<Ad><InLine>\($0)</InLine></Ad>" }.joined() + "</VAST>"
  }

  private static func linear(_ title: String, skip: String = "", files: String) -> String {
    "<AdTitle>\(title)</AdTitle><Linear\(skip)><Duration>00:00:02</Duration><MediaFiles>\(files)</MediaFiles></Linear>"
  }

  @Test(
    "of a VAST document the first file that can be played is taken, with shares and entities read",
    arguments: [
      (
        linear(
          "A &amp; B", skip: " skipoffset=\"50%\"",
          files: #"<MediaFile type="application/javascript">x</MediaFile>"#
            + #"<MediaFile type="video/mp4">http://h/v2.mp4?a=1&amp;b=2</MediaFile>"#),
        #"{"contentType":"video/mp4","contentUrl":"http://h/v2.mp4?a=1&b=2","title":"A & B","whenSkippable":1}"#
      ),
      (
        linear("C", files: "<MediaFile>http://h/v2.mp4</MediaFile>"),
        #"{"contentUrl":"http://h/v2.mp4","title":"C"}"#
      ),
    ])
  func readsVAST(ad: String, expected: String) throws {
    var stage = stage()
    load(
      &stage, [brk("pre", ["a"], at: 0)],
      [["id": "a", "vastAdsRequest": ["adsResponse": .string(Self.vast(ad))]]])
    _ = stage.wait(0.5)
    let clip = status(&stage)?["media"]?["breakClips"]?.array?.first?.object ?? [:]
    let seen = clip.filter { ["contentType", "contentUrl", "title", "whenSkippable"].contains($0.key) }
    #expect(.object(seen) == (try JSONValue(parsing: expected)))
  }

  @Test("a VMAP break plays every ad of its document, and one at a share of the film stands there")
  func readsVMAP() {
    let film = "<MediaFile type=\"video/mp4\">http://h/v2.mp4</MediaFile>"
    let pod = Self.vast(Self.linear("1", files: film), Self.linear("2", files: film))
    let vmap =
      "<vmap:VMAP><vmap:AdBreak timeOffset=\"50%\" breakId=\"half\"><vmap:VASTAdData>\(pod)</vmap:VASTAdData>"
      + "</vmap:AdBreak><vmap:AdBreak timeOffset=\"#1\"></vmap:AdBreak></vmap:VMAP>"
    var stage = stage()
    let media: JSONValue = [
      "contentId": "http://h/v10.mp4", "contentType": "video/mp4",
      "vmapAdsRequest": ["adsResponse": .string(vmap)],
    ]
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": media])
    let said = entries(stage.wait(9.5)).filter { $0["breakStatus"]?["breakId"] != nil }
    #expect(said.allSatisfy { $0["currentTime"] == 5 })
    let clips = said.compactMap { $0["breakStatus"]?["breakClipId"]?.string }
    #expect(Set(clips) == ["half-clip", "half-clip-2"])
  }

  @Test("a clip that fails costs its moment, and the break goes on")
  func failingClip() {
    var stage = stage { $0.ads.failedClips = .clip }
    load(
      &stage, [brk("pre", ["a", "b", "c"], at: 0)],
      [clip("a", ["contentId": "http://h/nope.mp4"]), clip("c")])
    let said = stage.wait(4)
    #expect(said.count { $0["detailedErrorCode"] == 901 } == 1)
    let clips = entries(said).compactMap { $0["breakStatus"]?["breakClipId"]?.string }
    #expect(clips.last == "c" && entries(said).last?["breakStatus"] == [:])
  }

  @Test("marks that combine with a tag's last letter do not lead the reader astray")
  func oddText() {
    var stage = stage()
    let text = "<Linear></Linear>\u{301}<Linear\u{301}><MediaFile>x\u{301}</MediaFile>\u{301}</Linear>"
    load(
      &stage, [brk("pre", ["a"], at: 0)], [["id": "a", "vastAdsRequest": ["adsResponse": .string(text)]]])
    #expect(entries(stage.wait(2)).last?["playerState"] == "PLAYING")
  }
}
