import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// Web pages, in an application of their own and in their place in the list.
@Suite struct PageTests {
  private func feed(
    _ names: [String], repeatMode: QueueRepeat = .off,
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) -> VirtualFeed {
    var configuration = FeederConfiguration()
    configuration.pageDuration = 6
    configuration.imageDuration = 6
    return FeedFixture.feed(names, repeatMode: repeatMode, configuration: configuration, receiver: change)
  }

  private func outcomes(_ feed: VirtualFeed) -> [String] {
    feed.rows.facts.compactMap { fact in
      guard case .ended(let turn, let play) = fact else { return nil }
      return "\(turn) \(play.outcome) \(play.evidence)"
    }
  }

  private func opened(_ feed: VirtualFeed) -> [String] {
    feed.log.compactMap { $0.contains("open ") ? String($0.split(separator: " ").last ?? "") : nil }
  }

  @Test(
    "pages and media are shown in order, each for its time, and the application changes only where it has to")
  func inOrder() {
    var feed = feed(["v6.mp4", "a.html", "b.html", "v5.mp4"])
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(
      outcomes(feed) == [
        "e1.1 finished reported", "e2.1 finished inferred", "e3.1 finished inferred",
        "e4.1 finished reported",
      ])
    #expect(opened(feed) == ["media", "pages", "media"])
    for entry: Int64 in [2, 3] {
      #expect(abs(feed.watch.seconds(of: EntryTurn(entry: EntryID(entry), turn: 1)) - 6) < 1)
      #expect(abs((feed.rows.ends(of: entry).first?.played ?? 0) - 6) < 0.2)
    }
    // From one page to the next, nothing is dark.
    #expect(feed.watch.longestReturn < 3)
  }

  @Test("a loop of one page never leaves the screen, and each round is a play of its own")
  func loop() {
    var feed = feed(["a.html"], repeatMode: .all)
    feed.run(until: Tick(.seconds(3600)))
    #expect(feed.rows.entries(.finished).count >= 590)
    #expect(feed.watch.darkSeconds < 3)
    #expect(opened(feed) == ["pages"])
  }

  @Test("a device that closes what nobody talks to is talked to before that")
  func beat() {
    var feed = feed([]) { $0.pages.idleTimeout = .seconds(600) }
    var draft = FeedFixture.draft("a.html")
    draft.playbackDuration = 3000
    feed.rows.append(draft)
    feed.run(until: Tick(.seconds(3100)))
    #expect(outcomes(feed) == ["e1.1 finished inferred"])
    #expect(feed.watch.darkSeconds < 3)
  }

  @Test("a launch that the page stands in the way of is tried again")
  func cancelled() {
    var feed = feed(["a.html", "v5.mp4"]) { $0.pages.cancelsLaunch = true }
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(outcomes(feed) == ["e1.1 finished inferred", "e2.1 finished reported"])
  }

  @Test("an application that is slow to listen, or never says that it does, is told all the same")
  func slow() {
    for delay in [4, 15] {
      var feed = feed(["a.html"]) { $0.pages.readyDelay = .seconds(delay) }
      feed.run(until: Tick(.seconds(120)))
      #expect(feed.end == .drained(failed: 0))
      #expect(feed.rows.entries(.finished) == [1], "ready after \(delay) s")
    }
  }

  @Test("after a forced page nobody listens: the next one gets a new run of the application")
  func forced() {
    var feed = feed([])
    for name in ["a.html", "b.html"] {
      var draft = FeedFixture.draft(name)
      draft.media.customData = ["force": true]
      feed.rows.append(draft)
    }
    feed.run(until: Tick(.seconds(120)))
    #expect(outcomes(feed) == ["e1.1 finished inferred", "e2.1 finished inferred"])
    #expect(feed.watch.seconds(of: EntryTurn(entry: EntryID(2), turn: 1)) > 5)
  }

  @Test("a page is passed over, gone back to, and stopped at once")
  func commands() {
    var feed = feed(["a.html", "b.html", "c.html"])
    feed.run(until: Tick(.seconds(5)))
    feed.ask(.perform(.next))
    feed.run(until: Tick(.seconds(7)))
    #expect(feed.feeder.current?.entry == EntryID(2))
    feed.ask(.perform(.play(EntryID(1))))
    feed.run(until: Tick(.seconds(9)))
    #expect(feed.feeder.current?.entry == EntryID(1))
    let ticket = feed.ask(.perform(.stop(quits: false)))
    feed.run(until: Tick(.seconds(10)))
    #expect(feed.end == .halted)
    #expect(feed.answers[ticket] == .done)
    #expect(
      outcomes(feed) == [
        "e1.1 skipped inferred", "e2.1 skipped inferred", "e1.2 cancelled inferred",
      ])
  }

  @Test("a cut connection does not touch the page on the screen")
  func cut() {
    var feed = feed(["a.html", "b.html"])
    feed.run(until: Tick(.seconds(4)))
    feed.cutConnection()
    feed.run(until: Tick(.seconds(60)))
    #expect(outcomes(feed) == ["e1.1 finished inferred", "e2.1 finished inferred"])
  }

  @Test("a list of which nothing can be shown is tried again however dead the page is that stands in for it")
  func deadStandIn() {
    var feed = feed(["dead.mp4"], repeatMode: .all) { $0.pages.readyDelay = .seconds(3600) }
    feed.rows.fallback = [FeedFixture.draft("a.html")]
    feed.run(until: Tick(.seconds(600)))
    let loads = feed.log.count { $0.hasSuffix("QUEUE_LOAD") }
    feed.run(until: Tick(.seconds(1200)))
    #expect(feed.log.count { $0.hasSuffix("QUEUE_LOAD") } > loads, "\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.turns(.failed).count < 100)
  }
}
