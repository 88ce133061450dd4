import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// Entries with ad breaks, on a receiver that plays them: history tells ads from content, and nothing mistakes one for the other.
struct AdTests {
  /// Six seconds with two clips before, one in the middle and two behind.
  private static func draft() -> EntryDraft {
    var draft = FeedFixture.draft("v6.mp4")
    draft.media.adBreaks = [
      AdBreakInfo(identifier: "pre", clipIdentifiers: ["a", "b"], position: .at(0)),
      AdBreakInfo(identifier: "mid", clipIdentifiers: ["a"], position: .at(3)),
      AdBreakInfo(identifier: "post", clipIdentifiers: ["b", "a"], position: .postroll),
    ]
    draft.media.adBreakClips = [("a", "v2.mp4", nil), ("b", "v4.mp4", 1.0)].map { id, name, skippable in
      var clip = AdBreakClipInfo(identifier: id)
      clip.contentID = "http://media/\(name)"
      clip.contentType = "video/mp4"
      clip.duration = id == "a" ? 2 : 4
      clip.whenSkippable = skippable.map { MediaTime(seconds: $0) }
      return clip
    }
    return draft
  }

  private static func words(_ feed: VirtualFeed, of entry: Int64) -> [String] {
    feed.rows.facts.compactMap { fact in
      guard case .adEnded(let turn, let ad) = fact, turn.entry.rawValue == entry else { return nil }
      return "\(ad.breakID)/\(ad.clipID) \((ad.played * 10).rounded() / 10)\(ad.isSkipped ? " skipped" : "")"
    }
  }

  @Test("ads before, in and after the content are told clip by clip, and the list goes on without a gap")
  func allBreaks() {
    var feed = FeedFixture.feed(["v2.mp4"])
    feed.rows.append(Self.draft())
    feed.rows.append(FeedFixture.draft("v2.mp4"))
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 2, 3])
    let end = feed.rows.ends(of: 2).first
    #expect(end?.evidence == .reported)
    #expect(end.map { abs($0.played - 6) < 0.05 } == true, "content alone: \(end?.played ?? 0)")
    #expect(
      Self.words(feed, of: 2) == ["pre/a 2.0", "pre/b 4.0", "mid/a 2.0", "post/b 4.0", "post/a 2.0"])
    #expect(feed.rows.facts.allSatisfy { $0.gap.map { $0 < 0.2 } ?? true })
    #expect(!feed.log.contains { $0.hasSuffix("QUEUE_UPDATE") }, "nobody pressed on")
    #expect(feed.log.filter { $0.hasSuffix("QUEUE_LOAD") }.count == 1)
  }

  @Test("the time an entry was given runs while its content does")
  func timedEntry() {
    var feed = FeedFixture.feed([])
    var draft = Self.draft()
    draft.playbackDuration = 4
    feed.rows.append(draft)
    feed.rows.append(FeedFixture.draft("v2.mp4"))
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.rows.entries(.finished) == [1, 2])
    #expect(feed.rows.ends(of: 1).allSatisfy { abs($0.played - 4) < 0.3 }, "\(feed.rows.ends(of: 1))")
    #expect(Self.words(feed, of: 1) == ["pre/a 2.0", "pre/b 4.0", "mid/a 2.0"])
  }

  @Test("a clip that somebody skips is told as skipped, and the rest is played")
  func skipping() {
    var feed = FeedFixture.feed([])
    feed.rows.append(Self.draft())
    feed.run(until: Tick(.seconds(5)))
    feed.stranger(["type": "SKIP_AD", "requestId": 1])
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.rows.entries(.finished) == [1])
    let words = Self.words(feed, of: 1)
    #expect(words.count == 5)
    #expect(words.filter { $0.hasSuffix("skipped") }.map { $0.prefix(5) } == ["pre/b"], "\(words)")
    #expect(feed.rows.ends(of: 1).allSatisfy { abs($0.played - 6) < 0.05 })
  }

  @Test(
    "the connection may break in any ad: what was shown is kept, and the content is played to its end",
    arguments: [1.5, 4, 10, 14.5, 18])
  func cut(at seconds: Double) {
    var feed = FeedFixture.feed([])
    feed.rows.append(Self.draft())
    feed.rows.append(FeedFixture.draft("v2.mp4"))
    feed.run(until: Tick(.milliseconds(Int64(seconds * 1000))))
    feed.cutConnection()
    feed.run(until: Tick(.seconds(240)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.state(1) == .finished)
    #expect(feed.rows.state(2) == .finished)
    #expect(!Self.words(feed, of: 1).contains { $0.hasSuffix("skipped") })
    let played = feed.rows.ends(of: 1).reduce(0) { $0 + $1.played }
    #expect((5.8...6.5).contains(played), "\(feed.rows.ends(of: 1))")
  }

  @Test("an ad that cannot be had fails nobody but itself")
  func deadAd() {
    var feed = FeedFixture.feed([])
    var draft = Self.draft()
    draft.media.adBreakClips[0].contentID = "http://media/dead.mp4"
    feed.rows.append(draft)
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.ends(of: 1).map(\.outcome) == [.finished])
    #expect(feed.rows.ends(of: 1).allSatisfy { abs($0.played - 6) < 0.05 })
    let words = Self.words(feed, of: 1)
    #expect(words.filter { $0.contains("/b") } == ["pre/b 4.0", "post/b 4.0"])
    #expect(words.allSatisfy { $0.contains("/b") || $0.hasSuffix("/a 0.0") }, "\(words)")
  }
}
