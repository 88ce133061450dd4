import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Synchronization
import Testing

/// What a receiver goes on playing while nobody of us is there is taken up, not begun again.
@Suite struct AdoptionTests {
  private func loads(_ feed: VirtualFeed) -> Int { feed.log.count { $0.hasSuffix("QUEUE_LOAD") } }

  private func outcomes(_ feed: VirtualFeed) -> [String] {
    feed.rows.facts.compactMap { fact in
      guard case .ended(let turn, let play) = fact else { return nil }
      return "\(turn) \(play.outcome) \(play.evidence)"
    }
  }

  @Test("a short cut does not touch what plays, and history says for how long nobody saw it")
  func cut() {
    var feed = FeedFixture.feed(["v9.mp4", "v4.mp4"])
    feed.run(until: Tick(.seconds(4)))
    feed.cutConnection()
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(loads(feed) == 1)
    #expect(outcomes(feed) == ["e1.1 finished reported", "e2.1 finished reported"])
    let first = feed.rows.ends(of: 1).first
    #expect(first?.played == 9)
    #expect((first?.unobserved ?? 0) >= 1 && first?.cause == .completed)
    #expect(feed.rows.ends(of: 2).first?.reason == nil)
  }

  @Test("a feeder that was killed is followed by one that takes up the same item, and what waits behind it")
  func killed() {
    var feed = FeedFixture.feed(["v4.mp4", "v9.mp4", "v4.mp4", "v3.mp4"])
    feed.run(until: Tick(.seconds(8)))
    feed.killFeeder()
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(loads(feed) == 1)
    #expect(outcomes(feed) == (1...4).map { "e\($0).1 finished reported" })
    #expect(feed.rows.ends(of: 2).first.map { abs($0.played - 9) < 0.5 } == true)
  }

  @Test("history has the seconds in which a feeder did not see what it finds playing, with a row and without")
  func unseenSeconds() throws {
    var feed = FeedFixture.feed(["v9.mp4", "v9.mp4", "v3.mp4"])
    feed.run(until: Tick(.seconds(4)))
    feed.killFeeder(restartAfter: .seconds(3))
    feed.run(until: Tick(.seconds(16)))
    // The second item was on the screen; the third begins and is half over when the next feeder comes.
    feed.killFeeder(restartAfter: .milliseconds(4_500))
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    let kept = try #require(feed.rows.ends(of: 1).first)
    // Between the last status and the end of the first feeder nobody can say what was seen.
    #expect((3...5).contains(kept.unobserved ?? 0) && abs(kept.played - 9) < 0.1, "\(kept)")
    let found = try #require(feed.rows.ends(of: 3).first)
    let unseen = try #require(found.unobserved)
    #expect(unseen > 0.5 && abs(found.played + unseen - 3) < 0.1, "\(found)")
  }

  /// From long before the item's turn until it has failed, in steps of 20 ms. After that its turn has passed unobserved.
  @Test(
    "a file asked for while nobody served it did not fail: it is loaded again, and the list keeps its order")
  func unserved() {
    for step in 0..<52 {
      let refusals = Mutex(0)
      var rows = VirtualRows()
      rows.areFiles = true
      rows.append(["v4.mp4", "v9.mp4", "v5.mp4"].map { FeedFixture.draft($0) })
      let receiver = VirtualReceiver(configuration: ReceiverConfiguration()) { url, type in
        let isRefused =
          url.hasSuffix("v9.mp4")
          && refusals.withLock { count in
            count += 1
            return count == 1
          }
        return isRefused ? (.failed(.status(404)), .milliseconds(15)) : FeedFixture.fetching(url, type)
      }
      var feed = VirtualFeed(rows: rows, receiver: receiver, configuration: FeederConfiguration())
      feed.run(until: Tick(.seconds(3)))
      feed.killFeeder(restartAfter: .milliseconds(Int64(600 + 20 * step)))
      feed.run(until: Tick(.seconds(90)))
      #expect(feed.end == .drained(failed: 0), "step \(step)")
      #expect(feed.rows.entries(.failed) == [], "step \(step)")
      #expect(feed.rows.entries(.finished) == [1, 2, 3], "step \(step): \(outcomes(feed))")
    }
  }

  @Test(
    "a device that goes whenever it shows something is called at a growing pace, one that goes now and then at once"
  )
  func flapping() {
    for (shows, losses) in [(Duration.milliseconds(200), 4...25), (.seconds(8), 6...8)] {
      var feed = FeedFixture.feed(["v60.mp4"], repeatMode: .all)
      var lost = 0
      var shownSince: Tick?
      while feed.now < Tick(.seconds(60)) {
        feed.run(until: feed.now + .milliseconds(20))
        shownSince = feed.feeder.isShowing ? shownSince ?? feed.now : nil
        guard let since = shownSince, feed.now - since >= shows else { continue }
        feed.cutConnection()
        (lost, shownSince) = (lost + 1, nil)
      }
      #expect(losses.contains(lost), "\(lost) losses, shown for \(shows)")
    }
  }

  @Test("a receiver out of sight for several items: none is played again, and none is said to have been seen")
  func longLoss() {
    var feed = FeedFixture.feed(["v6.mp4", "v2.mp4", "v2.mp4", "v30.mp4", "v2.mp4"])
    feed.run(until: Tick(.seconds(2)))
    feed.killFeeder(restartAfter: .seconds(15))
    feed.run(until: Tick(.seconds(90)))
    #expect(feed.end == .drained(failed: 0))
    #expect(loads(feed) == 1)
    #expect(
      outcomes(feed) == [
        "e1.1 finished inferred", "e2.1 unknown unobserved", "e3.1 unknown unobserved",
        "e4.1 finished reported", "e5.1 finished reported",
      ])
    #expect(feed.rows.state(2) == .interrupted)
  }

  @Test("an entry that was removed meanwhile is not taken up; its followers are loaded anew")
  func removed() {
    var feed = FeedFixture.feed(["v9.mp4", "v4.mp4"])
    feed.run(until: Tick(.seconds(3)))
    feed.killFeeder()
    feed.rows.remove(EntryID(1))
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(loads(feed) == 2)
    #expect(feed.rows.entries(.finished) == [2])
  }

  @Test(
    "a receiver that keeps no tags is taken up by its numbers while its application runs, else loaded anew")
  func withoutTags() {
    for isKilled in [false, true] {
      var feed = FeedFixture.feed(["v9.mp4", "v4.mp4"], faults: [Fault(.dropCustomData)])
      feed.run(until: Tick(.seconds(3)))
      if isKilled { feed.killFeeder() } else { feed.cutConnection() }
      feed.run(until: Tick(.seconds(90)))
      #expect(feed.end == .drained(failed: 0))
      #expect(loads(feed) == (isKilled ? 2 : 1))
      #expect(feed.rows.entries(.finished) == [1, 2])
    }
  }

  @Test("a feeder that leaves says how far it got, and the next one goes on from there")
  func leaves() {
    var feed = FeedFixture.feed(["v20.mp4", "v4.mp4"])
    feed.run(until: Tick(.seconds(7)))
    feed.leave()
    #expect(feed.end == .stopped)
    guard case .progressed(let turn, let progress)? = feed.rows.facts.last else {
      Issue.record("no word of how far it got: \(feed.rows.facts)")
      return
    }
    #expect(turn.entry == EntryID(1) && abs(progress.position.seconds - 6) < 1)
    #expect(feed.rows.state(1) == .playing)
    feed.killFeeder()
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.rows.entries(.finished) == [1, 2])
    #expect(loads(feed) == 1)
  }
}
