import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import Foundation
import Testing

/// Everything that goes wrong, at every point of an item, for every kind of list: the screen comes back, nothing is lost, and
/// history says what was.
struct FaultMatrixTests {
  /// Seconds after the start: before the launch, while it loads, at the first frame, in the middle, at the end, between two
  /// items, and in later ones.
  private static let moments = [0.3, 0.53, 0.7, 3, 5.4, 6.55, 6.65, 6.8, 12.4, 21.3]

  /// A third of all combinations, in which each moment meets each mishap and each kind of list; in full all of them.
  private static func tries(_ parts: Int?...) -> Bool {
    isThorough || parts.reduce(0) { $0 + ($1 ?? 0) }.isMultiple(of: 3)
  }
  private static let isThorough = ProcessInfo.processInfo.environment["CASTQ_STORMS"] != nil

  private static func feed(_ kind: ListKind, _ faults: [String], seed: UInt64) -> VirtualFeed {
    var configuration = FeederConfiguration()
    configuration.imageDuration = MediaTime(seconds: ListKind.imageDuration)
    configuration.pageDuration = configuration.imageDuration
    var feed = FeedFixture.feed(
      kind.names, faults: faults.compactMap { try? Fault(parsing: $0) }, seed: seed,
      configuration: configuration)
    feed.lease = .seconds(60)
    return feed
  }

  @Test(
    "a list survives whatever happens once, at every moment", arguments: Mishap.withOutages, ListKind.allCases
  )
  func once(_ mishap: Mishap, _ kind: ListKind) {
    var complaints: [String] = []
    var story = ""
    let parts = (Mishap.withOutages.firstIndex(of: mishap), ListKind.allCases.firstIndex(of: kind))
    for (index, moment) in Self.moments.enumerated() where Self.tries(index, parts.0, parts.1) {
      var feed = Self.feed(kind, [], seed: UInt64(index))
      feed.run(until: Tick(.seconds(moment)))
      mishap.strike(&feed)
      feed.run(until: feed.now + .seconds(1200))
      let found = Self.complaints(feed, mishap.excuses)
      if !found.isEmpty, story.isEmpty { story = feed.log.joined(separator: "\n") }
      complaints += found.map { "at \(moment): \($0)" }
    }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))\nthe first of them:\n\(story)")
  }

  /// How a receiver may misbehave all the time, and what of history that excuses.
  private static let receivers: [(fault: String, excuses: FeedVerdict.Excuses)] = [
    ("drop-custom-data", []), ("renumber-session", []), ("duplicate-broadcasts", []),
    ("backward-time=2s", .wrongTimes), ("empty-status@after=5s", []), ("kill-app@after=9s", []),
    ("repeat-statuses=3s", []), ("refuse=QUEUE_INSERT/INVALID_PLAYER_STATE", []), ("hush=all/20s", .silence),
    ("hush=own", .silence),
  ]

  @Test(
    "a receiver that misbehaves all the time plays every list to its end, also through mishaps",
    arguments: receivers, ListKind.allCases)
  func misbehaving(_ receiver: (fault: String, excuses: FeedVerdict.Excuses), _ kind: ListKind) {
    var complaints: [String] = []
    var story = ""
    let mishaps: [Mishap?] = [nil, .cut, .kill(500), .reboot(2), .loss(1, .silent)]
    let place = ListKind.allCases.firstIndex(of: kind)
    for (number, mishap) in mishaps.enumerated() {
      for (index, moment) in [3, 6.65].enumerated() where Self.tries(number, index, place) {
        var feed = Self.feed(kind, [receiver.fault], seed: 1)
        feed.run(until: Tick(.seconds(moment)))
        mishap?.strike(&feed)
        feed.run(until: feed.now + .seconds(1200))
        let found = Self.complaints(feed, receiver.excuses)
        if !found.isEmpty, story.isEmpty { story = feed.log.joined(separator: "\n") }
        complaints += found.map { "\(mishap.map(String.init(describing:)) ?? "nothing") at \(moment): \($0)" }
      }
    }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))\nthe first of them:\n\(story)")
  }

  private static func complaints(_ feed: VirtualFeed, _ excuses: FeedVerdict.Excuses) -> [String] {
    guard case .drained? = feed.end else { return ["did not end: \(String(describing: feed.end))"] }
    return FeedVerdict(feed: feed, excuses: excuses, imageDuration: ListKind.imageDuration).complaints
  }
}
