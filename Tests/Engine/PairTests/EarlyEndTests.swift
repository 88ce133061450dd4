import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// Items that say they are over long before their length: files that were cut short, streams that break off, receivers that err.
@Suite struct EarlyEndTests {
  /// `60-3.mp4` is a minute long and over after three seconds, `60.mp4` plays to its end.
  static let fetching: VirtualReceiver.Fetching = { url, _ in
    let name = url.split(separator: "/").last?.dropLast(".mp4".count) ?? ""
    let numbers = name.split(separator: "-").compactMap { Double($0) }
    var facts = MediaFacts(duration: numbers.first ?? 4, contentType: "video/mp4")
    if numbers.count > 1 { facts.flaw = .ends(at: numbers[1]) }
    return (.loaded(facts), .milliseconds(20))
  }

  static func feed(
    _ names: [String], repeatMode: QueueRepeat = .off, seed: UInt64 = 1,
    _ edit: (inout EntryDraft) -> Void = { _ in }
  ) -> VirtualFeed {
    var rows = VirtualRows()
    rows.repeatMode = repeatMode
    rows.append(
      names.map { name in
        var draft = FeedFixture.draft("\(name).mp4")
        edit(&draft)
        return draft
      })
    var receiver = ReceiverConfiguration()
    receiver.seed = seed
    return VirtualFeed(
      rows: rows, receiver: VirtualReceiver(configuration: receiver, fetching: fetching))
  }

  private func ends(_ feed: VirtualFeed) -> [EndedPlay] {
    feed.rows.facts.compactMap { if case .ended(_, let play) = $0 { play } else { nil } }
  }

  @Test(
    "an item that ends early is finished with its true seconds, and says how early it was",
    arguments: [0.5, 1, 2])
  func early(rate: Double) throws {
    var feed = Self.feed(["600-3", "10"]) { $0.playbackRate = rate }
    feed.run(until: Tick(.seconds(120)))
    #expect(feed.end == .drained(failed: 0))
    let plays = ends(feed)
    #expect(plays.map(\.outcome) == [.finished, .finished])
    #expect(plays.map(\.evidence) == [.reported, .reported])
    #expect(plays.map(\.cause) == [.endedEarly, .completed])
    #expect(plays.map(\.reasonWords) == ["ended 9:57 before its length", nil])
    #expect(abs((plays.first?.played ?? 0) - 3) < 0.3)
    #expect(abs((plays.first?.position?.seconds ?? 0) - 3) < 0.3)
    #expect(plays.last?.played == 10)
    #expect(feed.rows.rows.map(\.state) == [.finished, .finished])
  }

  @Test("some seconds before its length are no early end, and count by the clock", arguments: [8.0, 9.5, 10])
  func nearly(place: Double) throws {
    var feed = Self.feed(["10-\(place)"])
    feed.run(until: Tick(.seconds(60)))
    let play = try #require(ends(feed).first)
    #expect(play.cause == .completed)
    #expect(play.reasonWords == nil)
    #expect(abs(play.played - place) < 1)
  }

  @Test("what a person seeks past, or a time limit leaves out, is no early end")
  func asked() throws {
    var feed = Self.feed(["600"])
    feed.run(until: Tick(.seconds(10)))
    feed.stranger(["type": "SEEK", "requestId": 1, "currentTime": 580])
    feed.run(until: Tick(.seconds(60)))
    let play = try #require(ends(feed).first)
    #expect(play.cause == .completed)
    #expect(abs(play.played - 29.5) < 1.5, "\(play.played)")
    var limited = Self.feed(["600"]) { $0.playbackDuration = 4 }
    limited.run(until: Tick(.seconds(60)))
    #expect(ends(limited).map(\.cause) == [.timeLimit])
    #expect(ends(limited).allSatisfy { abs($0.played - 4) < 0.5 && $0.reasonWords == nil })
  }

  @Test("the length is the one that the receiver says, not that of the list")
  func listedLength() {
    var feed = Self.feed(["10"]) { $0.media.streamDuration = 600 }
    feed.run(until: Tick(.seconds(60)))
    #expect(ends(feed).map(\.cause) == [.completed])
    #expect(ends(feed).map(\.played) == [10])
  }

  @Test("a list whose items all end early is loaded at a growing pace, and its dark times are gaps")
  func slowed() {
    var feed = Self.feed(["600-0.1", "600-0.2", "600-0.1"], repeatMode: .all)
    feed.run(until: Tick(.seconds(600)))
    let count = ends(feed).count
    // Three in each load; without pauses they would be more than a thousand.
    #expect((10...400).contains(count), "\(count) plays in ten minutes")
    let gaps = feed.rows.facts.compactMap {
      if case .started(_, let play) = $0 { play.gapBefore } else { nil }
    }
    #expect(gaps.contains { $0 > 3 }, "\(gaps)")
  }

  @Test(
    "an end that nobody saw counts no further than the receiver was seen",
    arguments: [true, false])
  func unseen(isCut: Bool) throws {
    var feed = Self.feed(["20-12", "60"])
    feed.run(until: Tick(.seconds(8)))
    if isCut { feed.cutConnection() }
    feed.control(.drop(for: .seconds(12), .silent))
    feed.run(until: Tick(.seconds(120)))
    let (turn, play) = try #require(
      feed.rows.facts.compactMap { if case .ended(let turn, let play) = $0 { (turn, play) } else { nil } }
        .first)
    #expect(play.evidence != .reported, "\(play)\n\(feed.log.joined(separator: "\n"))")
    #expect(play.played <= feed.watch.contentSeconds(of: turn) + 0.2, "\(play)")
    #expect((play.unobserved ?? 0) > 3)
  }
}
