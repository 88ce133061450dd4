import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Synchronization
import Testing

/// Entries whose addresses are those of pages, and whose links expire. A link that has expired is 403 here.
@Suite struct ResolverTests {
  private static let rules = ResolverRules([
    ResolverRule(patterns: [try? AddressPattern("pages")].compactMap { $0 }, command: ["find"])
  ])

  /// What is fetched, and when, in seconds.
  private final class Fetches: Sendable {
    let all = Mutex<[(url: String, at: Double)]>([])

    /// Those that came too late for their link.
    var late: [String] {
      all.withLock { $0.filter { $0.at > VirtualResolver.end(of: $0.url) ?? .infinity }.map(\.url) }
    }
  }

  private func feed(
    _ names: [String], repeatMode: QueueRepeat = .off,
    configuration: FeederConfiguration = FeederConfiguration(),
    into fetches: Fetches = Fetches(), _ change: (inout VirtualResolver) -> Void = { _ in }
  ) -> VirtualFeed {
    var rows = VirtualRows()
    rows.repeatMode = repeatMode
    rows.append(
      names.map { name in
        guard let page = name.split(separator: "page:").first, name.hasPrefix("page:") else {
          return FeedFixture.draft(name)
        }
        return EntryDraft(media: MediaInformation(contentID: "http://pages/\(page)", contentType: nil))
      })
    let receiver = VirtualReceiver(configuration: ReceiverConfiguration()) { url, type, now in
      fetches.all.withLock { $0.append((url, now.sinceStart.seconds)) }
      if let end = VirtualResolver.end(of: url), now.sinceStart.seconds > end {
        return (.failed(.status(403)), .milliseconds(15))
      }
      return FeedFixture.fetching(String(url.prefix { $0 != "?" }), type)
    }
    var feed = VirtualFeed(rows: rows, receiver: receiver, configuration: configuration)
    feed.resolvers = Self.rules
    change(&feed.resolver)
    return feed
  }

  @Test(
    "short links keep a list playing, in its order, with nothing dark after the first: those of a minute for three hours",
    arguments: [(60.0, 36, 300.0), (20, 20, 60), (7, 20, 30)])
  func short(_ lifetime: Double, _ count: Int, _ length: Double) {
    let fetches = Fetches()
    let names = (0..<count).map { _ in "page:v\(Int(length)).mp4" }
    var feed = feed(names, into: fetches) { $0.lifetime = .seconds(lifetime) }
    feed.run(until: Tick(.seconds(Double(count + 1) * (length + 5))))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == (1...count).map(Int64.init))
    #expect(feed.rows.turns(.failed).isEmpty)
    #expect(fetches.late == [])
    #expect(feed.rows.ends(of: 10).first.map { abs($0.played - length) < 1 } == true)
    // The first link takes three seconds.
    #expect(feed.watch.darkSeconds < 4 + Double(count) * 0.2, "\(feed.watch.darkSeconds)")
    #expect(feed.log.count { $0.hasSuffix("QUEUE_LOAD") } == 1)
    // A site is asked for the next entry alone, as often as its links demand.
    let calls = Double(count) * length / max(lifetime / 2, 5)
    #expect(Double(feed.resolver.calls.count) < calls * 1.2 + 10, "\(feed.resolver.calls.count)")
  }

  @Test("a link is looked for when its entry is one of the next three, and only once when it does not expire")
  func late() {
    var feed = feed((0..<10).map { _ in "page:v60.mp4" })
    feed.run(until: Tick(.seconds(30)))
    #expect(feed.resolver.calls.count == 4)
    feed.run(until: Tick(.seconds(90)))
    #expect(feed.resolver.calls.count == 5)
    feed.run(until: Tick(.seconds(900)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.resolver.calls.count == 10)
    #expect(feed.log.count { $0.hasSuffix("QUEUE_REMOVE") } <= 1)
  }

  @Test("a link of ten minutes is replaced two minutes before it expires, and what plays is not touched")
  func replaced() {
    let fetches = Fetches()
    var feed = feed(["page:v1500.mp4", "page:v5.mp4"], into: fetches) { $0.lifetime = .seconds(600) }
    feed.run(until: Tick(.seconds(1600)))
    #expect(feed.end == .drained(failed: 0))
    let second = feed.resolver.calls.filter { $0.address == "http://pages/v5.mp4" }.map(
      \.at.sinceStart.seconds)
    #expect(second.count == 4, "\(second)")
    for (before, after) in zip(second, second.dropFirst()) {
      #expect(abs(after - before - 483) < 1, "\(second)")
    }
    #expect(fetches.all.withLock { $0.count } == 2)
    #expect(fetches.late == [])
    #expect(feed.rows.ends(of: 1).map(\.outcome) == [.finished])
  }

  @Test("what the page says of itself is kept with the entry")
  func described() {
    var feed = feed(["page:v5.mp4"])
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.rows.rows[0].draft.media.metadata?.title == "Page v5.mp4")
    #expect(feed.rows.rows[0].draft.media.url == "http://pages/v5.mp4")
  }

  @Test("a page without a link costs its entry alone, with the resolver's words, as often as its rule says")
  func failing() {
    var feed = feed(["v5.mp4", "page:dead.mp4", "v6.mp4", "page:v7.mp4"]) {
      $0.failure = { address, _ in address.contains("dead") ? "find: the film is gone" : nil }
    }
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 1))
    #expect(feed.rows.entries(.finished) == [1, 3, 4])
    let ends = feed.rows.ends(of: 2)
    #expect(ends.map(\.outcome) == [.failed, .failed])
    #expect(ends.allSatisfy { $0.reason?.note == "find: the film is gone" })
    let times = feed.resolver.calls.filter { $0.address.contains("dead") }.map(\.at.sinceStart.seconds)
    #expect(times.count == 2 && times[1] - times[0] >= 5, "\(times)")
  }

  @Test(
    "a page that has a link at the third attempt plays, when its rule allows that many; others play meanwhile"
  )
  func retried() {
    var feed = feed(["page:v5.mp4", "v6.mp4"]) { $0.failure = { $1 < 3 ? "try again" : nil } }
    feed.rows.rows[0].place.draft.onError = .retry(2)
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [2, 1])
  }

  @Test("an entry that must not fail stops the list")
  func stopping() {
    var feed = feed(["page:v5.mp4", "v6.mp4"]) { $0.failure = { _, _ in "gone" } }
    feed.rows.rows[0].place.draft.onError = .stop
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.end == .entryFailed(PlayReason(note: "gone")))
  }

  @Test("a resolver that takes long delays its own entry: the others play meanwhile, and it follows")
  func slow() {
    var feed = feed(["v5.mp4", "page:v4.mp4", "v6.mp4", "v7.mp4"]) { $0.latency = .seconds(9) }
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 3, 2, 4])
    #expect(feed.watch.darkSeconds < 2)
  }

  @Test("the first entry is waited for: the list keeps its order")
  func first() {
    var feed = feed(["page:v5.mp4", "v6.mp4"]) { $0.latency = .seconds(9) }
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.rows.entries(.finished) == [1, 2])
  }

  @Test("a list in which no page has a link ends, and one that loops pauses longer each time")
  func allDead() {
    var once = feed(["page:v5.mp4", "page:v6.mp4"]) { $0.failure = { _, _ in "gone" } }
    once.run(until: Tick(.seconds(300)))
    #expect(once.end == .drained(failed: 2))
    var loop = feed(["page:v5.mp4", "page:v6.mp4"], repeatMode: .all) { $0.failure = { _, _ in "gone" } }
    loop.run(until: Tick(.seconds(3600)))
    #expect(loop.end == nil)
    #expect((20...400).contains(loop.resolver.calls.count), "\(loop.resolver.calls.count)")
  }

  @Test("while no page has a link the fallback list is shown, and it may have pages of its own")
  func fallback() {
    var feed = feed(["page:dead.mp4"], repeatMode: .all) {
      $0.failure = { address, _ in address.contains("dead") ? "gone" : nil }
    }
    feed.rows.fallback = [
      EntryDraft(media: MediaInformation(contentID: "http://pages/v4.mp4", contentType: nil))
    ]
    feed.run(until: Tick(.seconds(300)))
    #expect(feed.rows.entries(.finished).contains(1000), "\(feed.log.suffix(30))")
  }

  @Test("a link that could not be played is not used again")
  func unplayable() {
    var feed = feed(["page:dead.mp4", "v6.mp4"])
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.rows.entries(.finished) == [2])
    #expect(feed.rows.ends(of: 1).map(\.outcome) == [.failed, .failed])
    #expect(feed.resolver.calls.count == 2)
  }

  @Test("a loop of one page plays on, and a round of several keeps its links while they hold")
  func loops() {
    let fetches = Fetches()
    var one = feed(["page:v30.mp4"], repeatMode: .all, into: fetches) { $0.lifetime = .seconds(60) }
    one.run(until: Tick(.seconds(3600)))
    #expect(one.rows.entries(.finished).count > 115)
    #expect(one.watch.darkSeconds < 20, "\(one.log.prefix(90).joined(separator: "\n"))")
    #expect(one.rows.turns(.failed).isEmpty && fetches.late == [])
    var several = feed(["page:v30.mp4", "page:v20.mp4"], repeatMode: .all)
    several.run(until: Tick(.seconds(3600)))
    #expect(several.resolver.calls.count == 2)
    #expect(several.rows.entries(.finished).count > 140)
  }

  @Test("another feeder adopts what plays, and replaces links of which it knows nothing")
  func adopted() {
    let fetches = Fetches()
    var feed = feed(["page:v200.mp4", "page:v10.mp4", "page:v11.mp4"], into: fetches) {
      $0.lifetime = .seconds(90)
    }
    feed.run(until: Tick(.seconds(40)))
    feed.killFeeder()
    feed.run(until: Tick(.seconds(400)))
    #expect(feed.end == .drained(failed: 0))
    #expect(feed.rows.entries(.finished) == [1, 2, 3])
    #expect(fetches.late == [])
    #expect(fetches.all.withLock { $0.count } == 3)
  }

  @Test("a device that is away for an hour has fresh links when it is back, and costs none meanwhile")
  func away() {
    let fetches = Fetches()
    var feed = feed(["page:v100.mp4", "page:v10.mp4"], into: fetches) { $0.lifetime = .seconds(60) }
    feed.run(until: Tick(.seconds(30)))
    let before = feed.resolver.calls.count
    feed.cutPower(for: .seconds(3600))
    #expect(feed.resolver.calls.count - before <= 2)
    feed.run(until: Tick(.seconds(4200)))
    #expect(feed.end == .drained(failed: 0))
    #expect(fetches.late == [])
    #expect(feed.rows.turns(.failed).isEmpty)
  }

  @Test("a row that calls the page a web page does not open the application for those")
  func rowsOfBefore() {
    var feed = feed(["page:v5.mp4"])
    feed.rows.rows[0].place.draft.media.contentType = "text/html"
    feed.run(until: Tick(.seconds(60)))
    #expect(feed.rows.entries(.finished) == [1])
    #expect(!feed.log.contains { $0.contains("open pages") })
  }
}
