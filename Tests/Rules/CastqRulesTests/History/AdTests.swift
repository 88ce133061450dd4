import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// A ledger that is told statuses as receivers write them.
private struct AdBench {
  var ledger = PlaybackLedger()
  var facts: [PlaybackFact] = []
  /// The picture so far: updates are sparse.
  var status: MediaStatus?
  let turn = EntryTurn(entry: EntryID(1), turn: 1)
  let start: JSONValue

  init(_ media: JSONValue) { start = media }

  /// Tells a status at a moment, twice: the second time must tell nothing.
  mutating func tell(
    _ position: Double?, _ ad: (String, String, Double)? = nil, state: String = "PLAYING",
    breakTime: Double? = nil,
    skippable: Double? = nil, at seconds: Double, reason: String? = nil, item: Int = 1
  ) {
    let told: JSONValue =
      ad.map {
        .members([
          "breakId": .string($0.0), "breakClipId": .string($0.1), "currentBreakClipTime": JSONValue($0.2),
          "currentBreakTime": JSONValue(breakTime ?? $0.2), "whenSkippable": JSONValue(skippable),
        ])
      } ?? [:]
    let json: JSONValue = .members([
      "mediaSessionId": 1, "playerState": .string(state), "currentTime": JSONValue(position),
      "currentItemId": .integer(Int64(item)), "playbackRate": ad == nil ? 1 : 0, "breakStatus": told,
      "idleReason": JSONValue(reason), "media": status == nil ? start : nil,
    ])
    guard let update = MediaStatusUpdate(json: json) else { return }
    let merged = MediaStatusReducer.merge(update, into: status)
    status = merged
    facts += observe(merged, at: seconds)
    #expect(observe(merged, at: seconds) == [], "told again at \(seconds)")
  }

  private mutating func observe(_ status: MediaStatus?, at seconds: Double) -> [PlaybackFact] {
    ledger.observe(
      status, turn: { EntryTurn(entry: EntryID(Int64($0.rawValue)), turn: 1) },
      at: Tick(.milliseconds(Int64(seconds * 1000))), wall: Self.wall(seconds))
  }

  mutating func lose(at seconds: Double) {
    facts += ledger.lost(
      PlayEnding(.deviceLost, "out of sight"), evidence: .inferred,
      at: Tick(.milliseconds(Int64(seconds * 1000))),
      wall: Self.wall(seconds))
  }

  static func wall(_ seconds: Double) -> WallTime { WallTime(milliseconds: Int64(seconds * 1000)) }

  /// `break/clip played`, with `skipped` behind those that were.
  var ads: [String] {
    facts.compactMap { fact in
      guard case .adEnded(_, let ad) = fact else { return nil }
      let seconds = (ad.played * 10).rounded() / 10
      return "\(ad.breakID)/\(ad.clipID) \(seconds)\(ad.isSkipped ? " skipped" : "")"
    }
  }

  var ends: [EndedPlay] { facts.compactMap { if case .ended(_, let play) = $0 { play } else { nil } } }
  var starts: [StartedPlay] { facts.compactMap { if case .started(_, let play) = $0 { play } else { nil } } }
}

@Suite("Ads in what was played")
struct AdTests {
  /// What the receiver was given in the recording `breaks`.
  private static let media: JSONValue = [
    "contentId": "v6.mp4", "contentType": "video/mp4", "duration": 6,
    "breaks": [
      ["id": "pre", "breakClipIds": ["c1", "c2"], "position": 0],
      ["id": "mid", "breakClipIds": ["c3"], "position": 3],
      ["id": "post", "breakClipIds": ["c1"], "position": -1],
    ],
    "breakClips": [
      ["id": "c1", "duration": 2], ["id": "c2", "duration": 4, "whenSkippable": 1],
      ["id": "c3", "duration": 2],
    ],
  ]

  @Test("the recorded breaks are told clip by clip, and the content counts without them")
  func recording() throws {
    var bench = AdBench(Self.media)
    bench.tell(0, ("pre", "c1", 0), state: "BUFFERING", at: 0.698)
    bench.tell(0, ("pre", "c1", 0), at: 0.698)
    bench.tell(0, ("pre", "c1", 0), at: 0.801)
    bench.tell(0, ("pre", "c1", 0.358227), at: 1.206)
    bench.tell(0, ("pre", "c1", 0.662341), state: "PAUSED", at: 1.509)
    bench.tell(0, ("pre", "c1", 0.743039), at: 1.81)
    bench.tell(0, ("pre", "c1", 1.663859), at: 2.811)
    bench.tell(0, ("pre", "c2", 0), breakTime: 2, skippable: 1, at: 3.179)
    bench.tell(0, ("pre", "c2", 0), breakTime: 2, skippable: 1, at: 3.195)
    bench.tell(0, ("pre", "c2", 1.226578), breakTime: 3.226578, skippable: 1, at: 4.513)
    bench.tell(0, ("pre", "c2", 1.499335), breakTime: 3.499335, skippable: 1, at: 4.791)
    bench.tell(0, at: 4.791)
    bench.tell(1.393258, at: 6.288)
    bench.tell(4.5, at: 6.395)
    bench.tell(4.5, ("seek-1795215194972", "c3", 0), at: 6.395)
    bench.tell(4.5, ("seek-1795215194972", "c3", 0), at: 6.414)
    bench.tell(4.5, at: 8.527)
    #expect(!bench.ledger.isContentOver)
    bench.tell(-1, ("post", "c1", 0), at: 10.146)
    #expect(bench.ledger.isContentOver)
    bench.tell(-1, ("post", "c1", 0), at: 10.16)
    bench.tell(6, at: 12.278)
    bench.tell(6, state: "IDLE", at: 12.278, reason: "FINISHED")
    #expect(
      bench.ads == ["pre/c1 2.0", "pre/c2 1.5 skipped", "seek-1795215194972/c3 2.0", "post/c1 2.0"])
    let end = try #require(bench.ends.first)
    #expect(bench.ends.count == 1)
    #expect((end.outcome, end.evidence, end.position) == (.finished, .reported, 6))
    #expect(abs(end.played - 3.0) < 0.1, "1.5 s, then from 4.5 to 6: \(end.played)")
    #expect(bench.starts.map(\.at) == [AdBench.wall(0.698)], "begun with the first frame, an ad's")
  }

  /// How a clip that lasts 10 s and may be skipped after 5 leaves the screen.
  @Test(
    "skipped is what went on before its length, at a time at which it could be skipped",
    arguments: [
      (10.2, 5.0, 10.0, "b/c 10.0"), (9.7, 5, 10, "b/c 10.0"), (7, 5, 10, "b/c 7.0 skipped"),
      (3, 5, 10, "b/c 3.0"), (7, nil, 10, "b/c 7.0"), (7, -1, 10, "b/c 7.0"), (2, 0, 10, "b/c 2.0 skipped"),
      (7, 5, nil, "b/c 7.0"), (30, nil, nil, "b/c 30.0"),
    ] as [(Double, Double?, Double?, String)])
  func skipping(moment: Double, skippable: Double?, length: Double?, expected: String) {
    let clip: JSONValue = .members(["id": "c", "duration": JSONValue(length)])
    var bench = AdBench(["contentId": "v", "duration": 60, "breakClips": [clip]])
    bench.tell(0, ("b", "c", 0), skippable: skippable, at: 0)
    bench.tell(0, at: moment)
    #expect(bench.ads == [expected])
    // The answer to a skip is a status, and the next one follows at once.
    bench.tell(0, ("b", "d", 0), skippable: 1, at: 100)
    bench.tell(0, ("b", "d", 7), skippable: 1, at: 107)
    bench.tell(0, at: 107.1)
    #expect(bench.ads.last == "b/d 7.1 skipped")
  }

  @Test("a receiver whose ads run faster than the clock has not skipped them")
  func fastReceiver() {
    var bench = AdBench(Self.media)
    bench.tell(0, ("pre", "c2", 0), skippable: 1, at: 0)
    bench.tell(0, ("pre", "c2", 1.2), skippable: 1, at: 0.13)
    bench.tell(0, ("pre", "c1", 0), breakTime: 4, at: 0.4)
    bench.tell(0, at: 0.6)
    #expect(bench.ads == ["pre/c2 4.0", "pre/c1 2.0"])
  }

  @Test("the same clip twice in a row is two plays")
  func repeatedClip() {
    var bench = AdBench(Self.media)
    bench.tell(3, ("mid", "c3", 0), at: 0)
    bench.tell(3, ("mid", "c3", 0), breakTime: 2, at: 2)
    bench.tell(3, at: 4)
    #expect(bench.ads == ["mid/c3 2.0", "mid/c3 2.0"])
  }

  @Test(
    "a break inside the stream takes its time out of the content, whether the timeline runs on or not",
    arguments: [(true, 12.0, 30.0), (false, 5.0, 20.0)])
  func embedded(isExpanded: Bool, after: Double, length: Double) {
    var bench = AdBench([
      "contentId": "v", "duration": JSONValue(length) ?? 0,
      "breaks": [
        ["id": "e", "breakClipIds": ["c"], "position": 5, "isEmbedded": true, "expanded": .bool(isExpanded)]
      ],
      "breakClips": [["id": "c", "duration": 7]],
    ])
    bench.tell(0, at: 0)
    bench.tell(5, ("e", "c", 0), at: 5)
    bench.tell(isExpanded ? 9 : 5, ("e", "c", 4), at: 9)
    bench.tell(after, at: 12)
    bench.tell(nil, state: "IDLE", at: 12 + length - after, reason: "FINISHED")
    #expect(bench.ads == ["e/c 7.0"])
    #expect(bench.ends.map(\.played) == [5 + length - after])
    #expect(bench.ends.map(\.outcome) == [.finished])
  }

  @Test(
    "a play that is cut in an ad keeps the ad; after the content it counts as finished",
    arguments: ["pre", "mid", "post"], ["lost", "CANCELLED", "INTERRUPTED", "ERROR"])
  func cut(name: String, how: String) throws {
    var bench = AdBench(Self.media)
    bench.tell(0, at: 0)
    let position: Double = ["mid": 3, "post": -1][name] ?? 0
    let began: Double = ["mid": 3, "post": 6][name] ?? 0.1
    bench.tell(position, (name, "c2", 0), skippable: 1, at: began)
    if how == "lost" {
      bench.lose(at: began + 2)
    } else {
      bench.tell(nil, state: "IDLE", at: began + 2, reason: how)
    }
    #expect(bench.ads == ["\(name)/c2 2.0"], "cut, not skipped")
    let end = try #require(bench.ends.first)
    #expect(abs(end.played - min(began, 6)) < 0.2)
    #expect((end.outcome == .finished) == (name == "post"))
    #expect(end.reason != nil)
    #expect(bench.ledger.current == nil)
  }

  @Test("an ad that fails is kept with what was told of it")
  func failedAd() {
    var bench = AdBench(Self.media)
    bench.tell(0, ("pre", "c2", 0), skippable: 1, at: 0)
    bench.ledger.adFailed()
    bench.tell(0, at: 3)
    #expect(bench.ads == ["pre/c2 0.0"])
    bench.tell(1, at: 4)
    bench.ledger.adFailed()
    #expect(bench.ends.isEmpty)
  }

  @Test("ads are no gap between two plays")
  func gaps() {
    var bench = AdBench(Self.media)
    bench.tell(5, at: 0)
    bench.tell(-1, ("post", "c1", 0), at: 1)
    bench.tell(6, state: "IDLE", at: 3, reason: "FINISHED")
    bench.tell(0, ("pre", "c1", 0), at: 3.25, item: 2)
    bench.tell(0, at: 5.25, item: 2)
    #expect(bench.starts.map(\.gapBefore) == [nil, 0.25])
    #expect(bench.ads == ["post/c1 2.0", "pre/c1 2.0"])
  }

  @Test("numbers out of this world do no harm")
  func hostile() {
    for value in [1e308, -1e308, 0] {
      var bench = AdBench(["contentId": "v", "breakClips": [["id": "c", "duration": JSONValue(value) ?? 0]]])
      bench.tell(value, ("b", "c", value), breakTime: value, skippable: value, at: 0)
      bench.tell(0, ("b", "c", -value), breakTime: -value, skippable: -value, at: 1)
      bench.lose(at: 1e9)
      #expect(!bench.ads.isEmpty)
      let progress = bench.status.flatMap { AdProgress($0, elapsed: 1e300) }
      #expect(progress?.words.isEmpty == false)
    }
  }

  @Test(
    "what a person sees counts down",
    arguments: [
      ("pre", "c2", 1.0, 4.0, 0.0, "Ad 2/2, skippable in 3 s"),
      ("pre", "c2", 1, 4, 2.5, "Ad 2/2, skippable in 1 s"),
      ("pre", "c2", 1, 4, 3, "Ad 2/2, skippable"), ("mid", "c3", 1, nil, 0, "Ad 1/1"),
      ("mid", "c3", 1, -1, 0, "Ad 1/1"), ("seek-1", "c3", 0, 0, 0, "Ad, skippable"),
      ("mid", "x", 0, nil, 0, "Ad"),
    ] as [(String, String, Double, Double?, Double, String)])
  func progress(name: String, clip: String, time: Double, skippable: Double?, elapsed: Double, words: String)
  {
    var bench = AdBench(Self.media)
    bench.tell(0, (name, clip, time), skippable: skippable, at: 0)
    let progress = bench.status.flatMap { AdProgress($0, elapsed: elapsed) }
    #expect(progress?.words == words)
    let length = clip == "x" ? .infinity : clip == "c2" ? 4.0 : 2
    #expect(progress?.position == min(time + elapsed, length))
    #expect(progress?.remaining == (clip == "x" ? nil : max(length - time - elapsed, 0)))
  }
}
