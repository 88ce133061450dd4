import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// A loop of three days in virtual time: a device that reboots every night, clocks that change.
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

  @Test("three days of loop are dark only while the device reboots, and nothing grows")
  func threeDays() {
    let names = ["v120.mp4", "a.jpg", "v60.mp4", "v90.mp4"]
    var feed = Self.loop(names)
    var sizes: [Int] = []
    var plays = 0
    var ends: [PlayOutcome: Int] = [:]
    for hour in 0..<72 {
      // At three in the night the device starts anew, and in the second night the clocks go back.
      if hour % 24 == 3 { feed.control(.reboot(downFor: .seconds(40))) }
      if hour == 26 { feed.jumpClock(by: .seconds(-3600)) }
      feed.run(until: Tick(.seconds(Double(hour + 1) * Self.hour)))
      for fact in feed.rows.takeFacts() {
        guard case .ended(_, let play) = fact else { continue }
        plays += 1
        ends[play.outcome, default: 0] += 1
      }
      sizes.append("\(feed.feeder)".utf8.count + "\(feed.session)".utf8.count)
    }
    #expect(feed.end == nil)
    // Three reboots, each cut short by nothing but itself, and what its launch and load take.
    let dark = feed.watch.darkStretches.filter { $0.since > Tick(.seconds(5)) }
    #expect(
      dark.count == 3 && feed.watch.longestReturn < 10, "\(dark.map { ($0.since.sinceStart, $0.seconds) })")
    #expect(dark.allSatisfy { $0.seconds < 50 })
    #expect(ends[.interrupted] == 3 && ends.keys.allSatisfy { [.finished, .interrupted].contains($0) })
    let mean =
      names.map { Double($0.dropFirst().prefix { $0.isNumber }) ?? 75 }.reduce(0, +) / Double(names.count)
    #expect(abs(Double(plays) * mean - 72 * Self.hour) < 72 * Self.hour * 0.02, "\(plays) plays")
    #expect(feed.rows.rows.count == names.count)
    // The state of feeder and session as text: as large on the third day as on the first.
    let first = sizes[4..<24].max() ?? 0
    let last = sizes[48...].max() ?? 0
    #expect(
      Double(last) < Double(first) * 1.05 + 200, "\(first) characters on the first day, \(last) on the third")
    // Lost and found once a night, and the beginning.
    #expect(feed.stateChanges <= 1 + 3 * 2, "\(feed.stateChanges)")
  }
}
