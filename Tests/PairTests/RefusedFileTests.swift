import CastProtocol
import CastTestKit
import CastqCore
import Testing

/// Files that the device refuses as they are, and which nobody has read.
@Suite struct RefusedFileTests {
  private func feed(_ names: [String], converting: [String]) -> VirtualFeed {
    var feed = FeedFixture.feed(names)
    for name in converting { feed.files.conversions["http://media/\(name)"] = "http://media/v6\(name)" }
    return feed
  }

  @Test(
    "a refused file is read once, before its second attempt, which is sent converted; what the receiver has plays meanwhile"
  )
  func converted() {
    var feed = feed(["dead1.mp4", "v5.mp4"], converting: ["dead1.mp4"])
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.failed) == [1])
    #expect(feed.rows.entries(.finished) == [2, 1])
    #expect(feed.files.reads.map(\.file) == ["http://media/dead1.mp4"])
  }

  @Test("a file that stays unknown costs its entry a wait, not the list its end")
  func unknown() {
    var feed = feed(["dead1.mp4", "v5.mp4"], converting: ["dead1.mp4"])
    feed.files.isUseless = true
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 1))
    #expect(feed.rows.entries(.failed) == [1, 1])
    #expect(feed.rows.entries(.finished) == [2])
    #expect(feed.files.reads.count == 1, "an attempt waits once")
  }

  @Test("who feeds next asks again: a run that ended while a file was read has kept nothing of it")
  func nextRun() {
    var feed = feed(["dead1.mp4"], converting: ["dead1.mp4"])
    feed.files.latency = .seconds(20)
    feed.run(until: Tick(.seconds(5)))
    #expect(feed.files.reads.count == 1)
    feed.killFeeder()
    feed.run(until: Tick(.seconds(90)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1])
  }
}
