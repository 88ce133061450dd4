import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// A feeder and a receiver that behaves: everything is played, in order, once, and history says so.
struct FeedingTests {
  @Test("every entry plays once, in order, as the receiver reports")
  func plainList() {
    var feed = FeedFixture.feed(["v4.mp4", "v2.mp4", "v6.mp4"])
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 2, 3])
    for (entry, length) in [(1, 4.0), (2, 2.0), (3, 6.0)] {
      let ends = feed.rows.ends(of: Int64(entry))
      #expect(ends.map(\.evidence) == [.reported])
      #expect(ends.map(\.played) == [length])
    }
  }

  @Test("a dead entry fails after its retries in the receiver's words and the rest plays")
  func deadEntry() {
    var feed = FeedFixture.feed(["v2.mp4", "dead.mp4", "v2.mp4"])
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 1))
    #expect(feed.rows.entries(.finished) == [1, 3])
    #expect(feed.rows.ends(of: 2).map(\.outcome) == [.failed, .failed])
    #expect(
      feed.rows.ends(of: 2).allSatisfy { $0.reason?.errorType != nil || $0.reason?.idleReason == "ERROR" })
    #expect(feed.rows.state(2) == .failed)
  }

  @Test("a list in which everything is dead ends", arguments: [1, 2, 3, 30])
  func allDead(count: Int) {
    var feed = FeedFixture.feed((0..<count).map { "dead\($0).mp4" })
    feed.run(until: Tick(.seconds(600)))
    #expect(feed.end == .drained(failed: count))
    #expect(feed.rows.turns(.failed).count == count * 2)
  }

  @Test("a loop starts again without a gap, each round in order")
  func loop() {
    var feed = FeedFixture.feed(["v2.mp4", "v3.mp4"], repeatMode: .all)
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == nil)
    let finished = feed.rows.entries(.finished)
    #expect(finished.count > 40)
    #expect(finished == (0..<finished.count).map { $0 % 2 == 0 ? 1 : 2 })
    #expect(feed.rows.facts.allSatisfy { $0.gap.map { $0 < 0.2 } ?? true })
  }

  @Test(
    "a loop with a dead entry plays each of the others once a round, and tries the dead one twice",
    arguments: [2, 12, 20])
  func loopWithDeadEntry(seconds: Int) {
    let film = "v\(seconds).mp4"
    var feed = FeedFixture.feed([film, film, "dead.mp4", film, film, film], repeatMode: .all)
    feed.run(until: Tick(.seconds(30 * 5 * seconds)))
    let finished = feed.rows.entries(.finished)
    #expect(finished.count > 100)
    #expect(finished == (0..<finished.count).map { [1, 2, 4, 5, 6][$0 % 5] })
    let rounds = finished.count { $0 == 1 }
    #expect((2 * rounds - 2...2 * rounds).contains(feed.rows.entries(.failed).count))
  }

  @Test("one entry alone loops without the receiver running dry")
  func loopOfOne() {
    var feed = FeedFixture.feed(["v2.mp4"], repeatMode: .all)
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.rows.entries(.finished).count >= 28)
    #expect(feed.rows.facts.allSatisfy { $0.gap.map { $0 < 0.2 } ?? true })
  }

  @Test("repeat one plays the same entry again and again")
  func repeatOne() {
    var feed = FeedFixture.feed(["v2.mp4", "v3.mp4"], repeatMode: .one)
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == nil)
    #expect(feed.rows.entries(.finished).count > 20)
    #expect(Set(feed.rows.entries(.finished)) == [1])
  }

  @Test("images and entries with an end of their own are timed by the sender")
  func timedEntries() {
    var configuration = FeederConfiguration()
    configuration.imageDuration = 5
    var feed = FeedFixture.feed(["a.jpg", "v4.mp4", "b.jpg"], configuration: configuration)
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 2, 3])
    #expect(feed.rows.ends(of: 1).allSatisfy { abs($0.played - 5) < 0.3 })
  }

  @Test("each entry plays at its own speed, whatever the one before had")
  func speeds() {
    var feed = FeedFixture.feed([])
    for rate in [nil, 2, nil, 1.5] as [Double?] {
      var draft = FeedFixture.draft("v8.mp4")
      draft.playbackRate = rate
      feed.rows.append(draft)
    }
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.log.filter { $0.hasSuffix("SET_PLAYBACK_RATE") }.count == 3)
    #expect(feed.rows.entries(.finished) == [1, 2, 3, 4])
    // Eight seconds each: 8 + 4 + 8 + 5.3 and what the changes cost.
    #expect((25.0...28.0).contains(feed.now.sinceStart.seconds))
  }

  @Test("no message is larger than a receiver accepts, whatever the metadata")
  func hugeMetadata() {
    var feed = FeedFixture.feed([])
    for index in 0..<40 {
      let size = [10, 3_000, 20_000, 60_000, 80_000][index % 5]
      feed.rows.append(FeedFixture.draft("v2.mp4", title: String(repeating: "é", count: size / 2)))
    }
    feed.run(until: Tick(.seconds(600)))
    #expect(feed.largestFrame <= 65_536)
    #expect(feed.end == .drained(failed: 8))
    #expect(feed.rows.entries(.finished).count == 32)
  }

  @Test("a list far longer than a message finishes in order, none twice, and the receiver never runs dry")
  func longList() {
    var feed = FeedFixture.feed((0..<800).map { "v\(1 + $0 % 3).mp4" })
    feed.run(until: Tick(.seconds(4_000)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == (1...800).map { Int64($0) })
    #expect(feed.log.filter { $0.hasSuffix("QUEUE_LOAD") }.count == 1)
    #expect(feed.largestFrame <= 65_536)
  }
}

extension PlaybackFact {
  /// The gap before a play; nil for other facts.
  var gap: Double? {
    if case .started(_, let play) = self { play.gapBefore } else { nil }
  }
}
