import CastProtocol
import CastReceiverSim
import Testing

/// Ads beyond what the recordings show (protocol 9).
@Suite struct AdBreakTests {
  private static let vast = """
    <VAST version="3.0"><Ad><InLine><AdTitle>Soap</AdTitle><Creatives><Creative>
    <Linear skipoffset="00:00:02"><Duration>00:00:04</Duration>
    <VideoClicks><ClickThrough><![CDATA[http://h/soap?a=1&b=2]]></ClickThrough></VideoClicks>
    <MediaFiles><MediaFile type="video/mp4"><![CDATA[ http://h/v4.mp4 ]]></MediaFile></MediaFiles>
    </Linear></Creative></Creatives></InLine></Ad></VAST>
    """

  private static let fetching: VirtualReceiver.Fetching = { url, hint in
    if hint == MediaFacts.documentType {
      return url.contains("nope")
        ? (.failed(.status(404)), .milliseconds(20))
        : (.loaded(MediaFacts(text: url.contains("vmap") ? vmap : vast)), .milliseconds(20))
    }
    return Stage.recordedMedia(url, hint)
  }

  private static let vmap = """
    <vmap:VMAP><vmap:AdBreak timeOffset="start" breakId="pre"><vmap:AdSource><vmap:VASTAdData>\(vast)</vmap:VASTAdData>
    </vmap:AdSource></vmap:AdBreak><vmap:AdBreak timeOffset="end" breakId="post"><vmap:AdSource>
    <vmap:AdTagURI templateType="vast3"><![CDATA[http://h/vast.xml]]></vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
    """

  private func load(_ stage: inout Stage, _ more: [String: JSONValue]) {
    let media: [String: JSONValue] = ["contentId": "http://h/v6.mp4", "contentType": "video/mp4"]
    _ = stage.media(["type": "LOAD", "requestId": 2, "media": .object(media.merging(more) { $1 })])
  }

  /// The breaks and clips that statuses told of, in order, each once.
  private func clips(_ bodies: [JSONValue]) -> [String] {
    var seen: [String] = []
    for body in bodies {
      let status = body["status"]?.array?.first?["breakStatus"]
      guard let found = status?["breakId"]?.string else { continue }
      let name = "\(found)/\(status?["breakClipId"]?.string ?? "")"
      if seen.last != name { seen.append(name) }
    }
    return seen
  }

  private static let preRoll: [String: JSONValue] = [
    "breaks": [["id": "b", "breakClipIds": ["c"], "position": 0]],
    "breakClips": [["id": "c", "vastAdsRequest": ["adTagUrl": "http://h/vast.xml"]]],
  ]

  @Test("a clip that VAST names is played, is skippable when VAST says so, and shows what VAST tells")
  func playsVAST() {
    var stage = Stage(fetching: Self.fetching)
    load(&stage, Self.preRoll)
    let said = stage.wait(0.5)
    let clip = said.compactMap { $0["status"]?.array?.first?["media"]?["breakClips"]?.array?.first }.last
    #expect(clip?["title"] == "Soap" && clip?["contentUrl"] == "http://h/v4.mp4")
    #expect(clip?["clickThroughUrl"] == "http://h/soap?a=1&b=2" && clip?["whenSkippable"]?.double == 2)
    let skip: JSONValue = ["type": "SKIP_AD", "requestId": 5, "mediaSessionId": 1]
    #expect(stage.media(skip).first?["type"] == "ERROR")
    _ = stage.wait(2)
    #expect(stage.media(skip).first?["type"] == "MEDIA_STATUS")
  }

  @Test(
    "a VAST document that does not come costs its clip, and is told as the film's error, as the clip's, or not",
    arguments: [
      (AdSwitches.FailedClip.film, [104] as [Int], [1] as [Int]), (.clip, [901], []), (.silent, [], []),
    ])
  func losesVAST(told: AdSwitches.FailedClip, codes: [Int], items: [Int]) {
    var configuration = ReceiverConfiguration()
    configuration.ads.failedClips = told
    var stage = Stage(configuration, fetching: Self.fetching)
    load(
      &stage,
      [
        "breaks": [["id": "b", "breakClipIds": ["c", "d"], "position": 0]],
        "breakClips": [
          ["id": "c", "vastAdsRequest": ["adTagUrl": "http://h/nope.xml"]],
          ["id": "d", "contentId": "http://h/v2.mp4", "contentType": "video/mp4"],
        ],
      ])
    let said = stage.wait(6)
    #expect(clips(said) == ["b/c", "b/d"])
    #expect(said.compactMap { $0["detailedErrorCode"]?.int } == codes)
    #expect(said.compactMap { $0["itemId"]?.int } == items)
  }

  @Test("VMAP tells all breaks of a film, at its beginning and its end")
  func playsVMAP() {
    var stage = Stage(fetching: Self.fetching)
    load(&stage, ["vmapAdsRequest": ["adTagUrl": "http://h/vmap.xml"], "breaks": [], "breakClips": []])
    #expect(clips(stage.wait(20)) == ["pre/pre-clip", "post/post-clip"])
  }

  @Test("a break that is part of the stream is told while the content runs on, and is watched after it")
  func tellsEmbedded() {
    var stage = Stage(fetching: Self.fetching)
    load(
      &stage,
      [
        "breaks": [
          ["id": "e", "breakClipIds": ["x", "y"], "position": 1, "isEmbedded": true, "expanded": true]
        ],
        "breakClips": [["id": "x", "duration": 1.5], ["id": "y", "duration": 1]],
      ])
    let said = stage.wait(4.5)
    #expect(clips(said) == ["e/x", "e/y"])
    let times = said.compactMap { $0["status"]?.array?.first?["currentTime"]?.double }
    #expect(times == times.sorted() && (times.last ?? 0) >= 3.4)
    let status = stage.media(["type": "GET_STATUS", "requestId": 9]).first?["status"]?.array?.first
    #expect(status?["media"]?["breaks"]?.array?.first?["isWatched"] == true)
    #expect(status?["breakStatus"] == [:])
  }

  @Test("a break that follows a pre-roll within a second is dropped")
  func dropsCloseBreaks() {
    var stage = Stage(fetching: Self.fetching)
    load(
      &stage,
      [
        "breaks": [
          ["id": "a", "breakClipIds": ["c"], "position": 0],
          ["id": "b", "breakClipIds": ["c"], "position": 0.5],
          ["id": "d", "breakClipIds": ["c"], "position": 3],
        ],
        "breakClips": [["id": "c", "contentId": "http://h/v2.mp4", "contentType": "video/mp4"]],
      ])
    #expect(clips(stage.wait(14)) == ["a/c", "d/c"])
  }

  @Test(
    "documents that are no VAST are no ad",
    arguments: [
      "", "<VAST>", "<Linear></Linear>", "<Linear><MediaFile>", "<Linear skipoffset=\"", "\u{0}<\u{0}",
      "<VAST><!-- \(vast) --></VAST>",
    ])
  func refusesRubbish(_ text: String) {
    var stage = Stage(fetching: { url, hint in
      hint == MediaFacts.documentType
        ? (.loaded(MediaFacts(text: text)), .milliseconds(1)) : Stage.recordedMedia(url, hint)
    })
    load(&stage, Self.preRoll)
    // The clip's moment passes, and the film plays.
    #expect(stage.wait(3).last?["status"]?.array?.first?["playerState"] == "PLAYING")
  }
}
