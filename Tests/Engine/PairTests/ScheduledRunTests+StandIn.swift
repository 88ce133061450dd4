import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import Testing

extension ScheduledRunTests {
  @Test("a programme stays on the air while the link of what stands in for it is being looked for")
  func slowStandIn() {
    var feed = Self.feed(
      ["v30.mp4"], [Self.window(1, "lunch", from: 20, seconds: 600)], ["lunch": ["dead.mp4"]])
    feed.rows.setFiller(
      of: "lunch",
      [EntryDraft(media: MediaInformation(contentID: "http://pages/v4.mp4", contentType: nil))])
    feed.resolvers = ResolverRules([
      ResolverRule(patterns: [try? AddressPattern("pages")].compactMap { $0 }, command: ["find"])
    ])
    feed.resolver.latency = .milliseconds(600)
    feed.run(until: Tick(.seconds(60)))
    let story = "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))"
    #expect(feed.rows.decisions.map { $0.onAir?.programme } == [nil, "lunch"], "\(story)")
    #expect(feed.rows.entries(.finished).contains(3), "\(story)")
  }

  @Test("what lies below plays where what stands in for a dead programme is a page that never comes")
  func deadPage() {
    var feed = FeedFixture.feed(["v30.mp4"], repeatMode: .all) { $0.pages.readyDelay = .seconds(3600) }
    feed.book = ScheduleBook(rules: [Self.window(1, "lunch", from: 20, seconds: 600)])
    feed.rows.setProgramme("lunch", [FeedFixture.draft("dead.mp4")])
    feed.rows.setFiller(of: "lunch", [FeedFixture.draft("a.html")])
    feed.run(until: Tick(.seconds(120)))
    let story = "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))"
    #expect(feed.rows.decisions.last?.reason.contains("lunch failed") == true, "\(story)")
    #expect(Self.shown(feed).last?.hasPrefix("1@") == true, "\(story)")
  }
}
