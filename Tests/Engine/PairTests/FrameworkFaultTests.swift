import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// What the genuine framework does with media that break, hang or vanish (protocol 21.22–21.26), and receivers that refuse.
struct FrameworkFaultTests {
  private static let names = ["v6.mp4", "v8.mp4", "v5.mp4", "v7.mp4"]

  private func run(
    _ faults: [String], names: [String] = names, _ change: (inout FeederConfiguration) -> Void = { _ in }
  ) throws -> VirtualFeed {
    var configuration = FeederConfiguration()
    change(&configuration)
    var feed = FeedFixture.feed(
      names, faults: try faults.map { try Fault(parsing: $0) }, configuration: configuration)
    feed.run(until: Tick(.seconds(1200)))
    return feed
  }

  private func darkest(_ feed: VirtualFeed) -> Double { feed.watch.darkStretches.map(\.seconds).max() ?? 0 }

  @Test("an address that never answers costs its limit and two seconds, wherever it stands", arguments: 0..<4)
  func neverAnswers(place: Int) throws {
    let feed = try run(["never-answers=\(Self.names[place])"])
    #expect(feed.rows.entries(.failed) == [Int64(place + 1)], "\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.entries(.finished).count == 3)
    #expect(darkest(feed) <= 47, "\(darkest(feed)) s")
    guard case .drained(failed: 1)? = feed.end else {
      Issue.record("ended as \(String(describing: feed.end))")
      return
    }
  }

  @Test(
    "a medium that breaks has failed, and nothing else has", arguments: ["decode-error", "network-error"],
    0..<4)
  func breaks(kind: String, place: Int) throws {
    let feed = try run(["\(kind)=\(Self.names[place])@after=2s"]) { $0.onError = .skip }
    #expect(feed.rows.entries(.failed) == [Int64(place + 1)], "\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.turns(.finished).map(\.turn) == [1, 1, 1])
  }

  @Test("a load that dies in silence is noticed within seconds", arguments: 1..<4)
  func silentLoad(place: Int) throws {
    let feed = try run(["silent-load=\(Self.names[place])"]) { $0.onError = .skip }
    #expect(feed.rows.entries(.failed) == [Int64(place + 1)], "\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.entries(.finished).count == 3)
    #expect(darkest(feed) <= 4, "\(darkest(feed)) s")
  }

  @Test(
    "a receiver that refuses edits shows the list all the same, and is asked seldom",
    arguments: ["QUEUE_INSERT", "QUEUE_REMOVE"],
    ["INVALID_PARAMS", "INVALID_PLAYER_STATE", "INVALID_MEDIA_SESSION_ID", "NOT_SUPPORTED"])
  func refuses(type: String, reason: String) throws {
    let names = (0..<16).map { "v\(4 + $0 % 3).mp4" }
    let feed = try run(["refuse=\(type)/\(reason)"], names: names) {
      $0.itemsAhead = 4
      $0.lowWater = 2
      $0.itemsBehind = 2
    }
    #expect(feed.rows.entries(.finished).sorted() == Array(1...16), "\(feed.log.joined(separator: "\n"))")
    #expect(feed.log.count { $0.hasSuffix(type) } <= 40)
  }
}
