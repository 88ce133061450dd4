import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// Files that the device refuses as they are.
@Suite struct RefusedFileTests {
  private func feed(_ names: [String], converting: [String]) -> VirtualFeed {
    var feed = FeedFixture.feed(names)
    for name in converting { feed.files.conversions["http://media/\(name)"] = "http://media/v6\(name)" }
    return feed
  }

  @Test("what a device refuses is converted in its place: what follows waits, in a list that repeats, too")
  func inPlace() {
    let names = ["dead1.mkv", "v4.mp4", "dead2.avi", "dead3.avi", "v5.mp4"]
    var feed = feed(names, converting: ["dead1.mkv", "dead2.avi", "dead3.avi"])
    feed.files.know(["http://media/dead1.mkv", "http://media/dead2.avi", "http://media/dead3.avi"])
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.failed) == [1, 3, 4])
    #expect(feed.rows.entries(.finished) == [1, 2, 3, 4, 5])
    #expect(feed.files.reads.isEmpty)
  }

  @Test("what follows a file that the device may refuse is sent as soon as that is displayed")
  func displayedTrial() {
    var feed = feed(["v9.mkv", "v5.mp4"], converting: ["v9.mkv"])
    feed.files.know(["http://media/v9.mkv"])
    feed.run(until: Tick(.seconds(5)))
    #expect(feed.rows.entries(.finished).isEmpty)
    #expect(feed.feeder.heldEntries == [EntryID(1), EntryID(2)])
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.rows.entries(.finished) == [1, 2] && feed.end == .drained(failed: 0))
  }

  @Test(
    "a refused file that nobody has read is read once, before its second attempt, which is sent converted")
  func converted() {
    var feed = feed(["dead1.mp4", "v5.mp4"], converting: ["dead1.mp4"])
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.failed) == [1])
    #expect(feed.rows.entries(.finished) == [1, 2])
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
