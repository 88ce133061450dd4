import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqCore
import Synchronization
import Testing

extension ScheduledRunTests {
  /// Whether the file of a programme is there; while it is not, the receiver takes five seconds to find out.
  private final class Shelf: Sendable {
    let isEmpty = Mutex(true)
  }

  @Test("a programme stays on the air when its application hangs up while its list is loaded again")
  func hangUpWhileLoading() {
    var rows = VirtualRows()
    rows.repeatMode = .all
    rows.append(FeedFixture.draft("v90.mp4"))
    rows.setProgramme("lunch", [FeedFixture.draft("v10.mp4")])
    let shelf = Shelf()
    let receiver = VirtualReceiver(configuration: ReceiverConfiguration()) { url, type, _ in
      if url.hasSuffix("v10.mp4"), shelf.isEmpty.withLock({ $0 }) {
        return (.failed(.status(404)), .seconds(5))
      }
      return FeedFixture.fetching(url, type)
    }
    var feed = VirtualFeed(rows: rows, receiver: receiver)
    feed.book = ScheduleBook(rules: [Self.window(1, "lunch", from: 20, seconds: 600)])
    while feed.log.count(where: { $0.hasSuffix("LOAD") }) < 3, feed.now < Tick(.seconds(60)) {
      feed.run(until: feed.now + .milliseconds(100))
    }
    feed.run(until: feed.now + .seconds(1))
    feed.control(.exit)
    shelf.isEmpty.withLock { $0 = false }
    feed.run(until: Tick(.seconds(90)))
    let story = "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))"
    #expect(!feed.rows.turns(.failed).isEmpty, "\(story)")
    #expect(!feed.rows.decisions.contains { $0.reason.contains("lunch failed") }, "\(story)")
    #expect(feed.rows.entries(.finished).contains(2), "\(story)")
  }

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
