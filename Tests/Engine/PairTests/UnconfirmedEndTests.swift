import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import Testing

/// Plays that castq ends without a report of the device.
@Suite struct UnconfirmedEndTests {
  enum End: CaseIterable { case stop, leave }

  private func end(_ feed: inout VirtualFeed, _ end: End) {
    switch end {
    case .stop: feed.stop("by hand")
    case .leave: feed.leave()
    }
  }

  /// Seconds of the play that history has last.
  private func played(_ feed: VirtualFeed) -> Double? {
    switch feed.rows.facts.last {
    case .ended(_, let play): play.played
    case .progressed(_, let play): play.played
    case .started, .adEnded, nil: nil
    }
  }

  @Test(
    "a device that has been silent for some seconds has played until it was heard last",
    arguments: End.allCases)
  func silent(how: End) {
    var feed = FeedFixture.feed(["v90.mp4"])
    feed.run(until: Tick(.seconds(20)))
    feed.control(.drop(for: nil, .silent))
    feed.run(until: Tick(.seconds(28)))
    end(&feed, how)
    let seconds = played(feed) ?? -1
    #expect(seconds > 14 && seconds < 20.5, "\(seconds)")
  }

  @Test(
    "a device that answers heartbeats has played until now, however long ago its last status was",
    arguments: End.allCases)
  func quiet(how: End) {
    var feed = FeedFixture.feed(["v90.mp4"])
    feed.run(until: Tick(.milliseconds(24_500)))
    end(&feed, how)
    let seconds = played(feed) ?? -1
    #expect(seconds > 22 && seconds < 24.6, "\(seconds)")
  }

  @Test("a page that is skipped was there until its device was heard last")
  func page() {
    var feed = FeedFixture.feed(["a.html", "v4.mp4"])
    feed.run(until: Tick(.seconds(20)))
    feed.control(.drop(for: nil, .silent))
    feed.run(until: Tick(.seconds(28)))
    feed.ask(.perform(.next))
    let seconds = feed.rows.ends(of: 1).first?.played ?? -1
    #expect(seconds > 8 && seconds < 20.5, "\(seconds)")
  }
}
