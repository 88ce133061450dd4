import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// Entries that may be on the screen only at certain times. The clock begins at 1,000 seconds.
@Suite struct WindowTests {
  private func feed(
    _ entries: [(name: String, opens: Double?, closes: Double?)], repeatMode: QueueRepeat = .off
  ) -> VirtualFeed {
    var configuration = FeederConfiguration()
    configuration.imageDuration = 6
    configuration.pageDuration = 6
    var feed = FeedFixture.feed([], repeatMode: repeatMode, configuration: configuration)
    for entry in entries {
      var draft = FeedFixture.draft(entry.name)
      draft.notBefore = entry.opens.map { WallTime(milliseconds: Int64((1000 + $0) * 1000)) }
      draft.notAfter = entry.closes.map { WallTime(milliseconds: Int64((1000 + $0) * 1000)) }
      feed.rows.append(draft)
    }
    return feed
  }

  private func shown(_ feed: VirtualFeed, _ entry: Int64) -> [ClosedRange<Double>] {
    feed.watch.all.compactMap { stretch in
      guard case .turn(let turn) = stretch.shown, turn.entry.rawValue == entry else { return nil }
      return stretch.since.sinceStart.seconds...stretch.until.sinceStart.seconds
    }
  }

  @Test("an entry leaves the screen when its window closes", arguments: ["v60.mp4", "a.jpg", "a.html"])
  func cut(_ name: String) {
    var feed = feed([(name, nil, 20), ("v5.mp4", nil, nil)], repeatMode: .one)
    feed.run(until: Tick(.seconds(40)))
    #expect(shown(feed, 1).last.map { abs($0.upperBound - 20) < 2 } == true, "\(shown(feed, 1))")
    #expect(shown(feed, 2).first.map { $0.lowerBound < 23 } == true)
  }

  @Test("an entry that opens while others loop comes on time, and one that closes is taken from the receiver")
  func loop() {
    var feed = feed([("v5.mp4", nil, nil), ("v4.mp4", 31, nil), ("v3.mp4", nil, 17)], repeatMode: .all)
    feed.run(until: Tick(.seconds(120)))
    #expect(shown(feed, 2).first.map { (31...37).contains($0.lowerBound) } == true, "\(shown(feed, 2))")
    #expect(shown(feed, 2).count > 5)
    #expect(shown(feed, 3).last.map { $0.upperBound <= 17.5 } == true)
    #expect(feed.watch.darkSeconds < 2)
    #expect(feed.log.count { $0.hasSuffix("QUEUE_LOAD") } == 1)
  }

  @Test("clips of half a second are one load: the receiver never runs out of them", arguments: [1, 2, 3])
  func shortClips(_ seed: UInt64) {
    var feed = FeedFixture.feed(Array(repeating: "clip.mp4", count: 60), seed: seed)
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished).count == 60)
    #expect(feed.log.count { $0.hasSuffix("QUEUE_LOAD") } == 1, "\(feed.log.suffix(60))")
  }

  @Test("while nothing may be shown the device is left alone, and the list goes on by itself")
  func waiting() {
    var feed = feed([("v5.mp4", nil, nil), ("v4.mp4", 3600, nil), ("v3.mp4", nil, 4)])
    feed.run(until: Tick(.seconds(3000)))
    #expect(feed.end == nil)
    #expect(feed.feeder.current == nil)
    #expect(feed.rows.state(3) == .skipped)
    feed.run(until: Tick(.seconds(3700)))
    #expect(feed.end == .drained(failed: 0))
    #expect(shown(feed, 2).first.map { (3600...3605).contains($0.lowerBound) } == true)
    #expect(feed.rows.entries(.finished) == [1, 2])
  }

  @Test("a clock that was ahead for a moment has passed over nothing for good")
  func clockSetBack() {
    var feed = feed([("v30.mp4", nil, nil), ("v4.mp4", nil, 600)])
    feed.run(until: Tick(.seconds(5)))
    feed.jumpClock(by: .seconds(3600))
    feed.poke()
    feed.run(until: Tick(.seconds(8)))
    #expect(feed.rows.state(2) == .skipped)
    feed.jumpClock(by: .seconds(-3600))
    feed.poke()
    feed.run(until: Tick(.seconds(90)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 2])
  }

  @Test("a live stream ends when its window closes, and what follows begins")
  func live() {
    var feed = feed([("v900000.mp4", nil, 600), ("v5.mp4", nil, nil)])
    feed.run(until: Tick(.seconds(700)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 2])
    #expect(feed.rows.ends(of: 1).first.map { abs($0.played - 599) < 2 } == true)
  }
}
