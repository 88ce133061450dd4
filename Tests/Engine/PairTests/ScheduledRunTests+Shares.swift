import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

/// Shares on a device whose queue is empty.
extension ScheduledRunTests {
  /// A share of every hour that is alone on its device.
  private static func alone(_ terms: ShareTerms) -> VirtualFeed {
    let ad = ScheduleRule(id: RuleID(1), name: "ad", programme: "ad", kind: .share(terms), form: .always)
    var feed = feed([], repeatMode: .off, [ad], ["ad": ["x10.mp4"]])
    feed.screen.hasBase = false
    return feed
  }

  @Test("a share that is removed while nothing else is on leaves the screen dark when its item ends")
  func removedAlone() {
    var feed = Self.alone(ShareTerms(secondsPerHour: 1800))
    feed.run(until: Tick(.seconds(45)))
    let before = Self.shown(feed).count
    #expect(before >= 3, "\(feed.log.joined(separator: "\n"))")
    // Another rule keeps its schedule.
    feed.book = ScheduleBook(rules: [Self.window(2, "tea", from: 3_000, seconds: 60)])
    feed.poke()
    feed.run(until: Tick(.seconds(150)))
    #expect(Self.shown(feed).count <= before + 1, "\(Self.shown(feed))")
    #expect(feed.watch.all.last?.shown == .dark, "\(feed.log.joined(separator: "\n"))")
  }

  @Test("a share that is alone keeps its distance between two plays")
  func distance() {
    var feed = Self.alone(ShareTerms(secondsPerHour: 1800, minGap: 60))
    feed.run(until: Tick(.seconds(260)))
    let plays = feed.watch.stretches.filter { if case .turn = $0.shown { true } else { false } }
    #expect((3...4).contains(plays.count), "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))")
  }
}
