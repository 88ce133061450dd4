import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Foundation
import Testing

/// A loop of days in virtual time: a device that reboots every night, clocks that change.
struct LongLoopTests {
  /// Seconds of an hour.
  private static let hour = 3600.0

  private static func loop(_ names: [String]) -> VirtualFeed {
    var configuration = FeederConfiguration()
    configuration.imageDuration = 75
    // A position every minute is enough to go on from.
    configuration.statusInterval = .seconds(60)
    configuration.itemsAhead = 6
    configuration.lowWater = 3
    var feed = FeedFixture.feed(names, repeatMode: .all, configuration: configuration)
    feed.logLimit = 400
    feed.watch.limit = 400
    return feed
  }

  @Test("days of loop are dark only while the device reboots, and nothing grows")
  func days() {
    // In full three of them, in which the state may not be larger in the last than in the first.
    let days = ProcessInfo.processInfo.environment["CASTQ_STORMS"] == nil ? 1 : 3
    let names = ["v120.mp4", "a.jpg", "v60.mp4", "v90.mp4"]
    var feed = Self.loop(names)
    var sizes: [Int] = []
    var plays = 0
    var ends: [PlayOutcome: Int] = [:]
    for hour in 0..<24 * days {
      // At three in the night the device starts anew, and in the last night the clocks go back.
      if hour % 24 == 3 { feed.control(.reboot(downFor: .seconds(40))) }
      if hour == 24 * days - 22 { feed.jumpClock(by: .seconds(-3600)) }
      feed.run(until: Tick(.seconds(Double(hour + 1) * Self.hour)))
      for fact in feed.rows.takeFacts() {
        guard case .ended(_, let play) = fact else { continue }
        plays += 1
        ends[play.outcome, default: 0] += 1
      }
      sizes.append("\(feed.feeder)".utf8.count + "\(feed.session)".utf8.count)
    }
    #expect(feed.end == nil)
    // A reboot each night, each cut short by nothing but itself, and what its launch and load take.
    let dark = feed.watch.darkStretches.filter { $0.since > Tick(.seconds(5)) }
    #expect(
      dark.count == days && feed.watch.longestReturn < 10, "\(dark.map { ($0.since.sinceStart, $0.seconds) })"
    )
    #expect(dark.allSatisfy { $0.seconds < 50 })
    #expect(ends[.interrupted] == days && ends.keys.allSatisfy { [.finished, .interrupted].contains($0) })
    let mean =
      names.map { Double($0.dropFirst().prefix { $0.isNumber }) ?? 75 }.reduce(0, +) / Double(names.count)
    #expect(
      abs(Double(plays) * mean - Double(sizes.count) * Self.hour) < Double(sizes.count) * Self.hour * 0.02,
      "\(plays) plays")
    #expect(feed.rows.rows.count == names.count)
    // The state of feeder and session as text, from when what it remembers is full: as large in the last third as before.
    let first = sizes[8..<12 * days].max() ?? 0
    let last = sizes[16 * days..<24 * days].max() ?? 0
    #expect(
      Double(last) < Double(first) * 1.05 + 200, "\(first) characters at first, \(last) at last")
    // Lost and found once a night, and the beginning.
    #expect(feed.stateChanges <= 1 + days * 2, "\(feed.stateChanges)")
  }
}
