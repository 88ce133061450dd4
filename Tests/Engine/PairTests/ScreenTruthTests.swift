import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Foundation
import Testing

/// What castq says of a screen by its rows, against what the receiver itself showed.
@Suite("What the rows say of a screen was on it")
struct ScreenTruthTests {
  /// The daily run makes some days, and `make endurance` a fifth of what CASTQ_STORMS says: one takes some seconds.
  private static let days =
    ProcessInfo.processInfo.environment["CASTQ_STORMS"].flatMap { Int($0) }.map { max($0 / 5, 6) } ?? 6
  private static let blocks = 2

  @Test(
    "where castq saw the screen, its timeline has what was on it, and why it was dark", arguments: 0..<blocks)
  func days(_ block: Int) throws {
    let size = max(Self.days / Self.blocks, 1)
    var (seen, unseen) = (0, 0)
    for seed in (block * size)..<(block * size + size) {
      var day = try ScreenDay(seed: seed)
      day.live(hours: 5)
      day.compare()
      #expect(day.truth.complaints.isEmpty, "\(day.story)")
      seen += day.truth.seen
      unseen += day.truth.unseen
    }
    #expect(seen > 100 * size && unseen > 0, "\(seen) moments were compared, \(unseen) castq has not seen")
  }
}

/// Some hours of two screens, one of them with rules.
struct ScreenDay {
  private let seed: Int
  private var dice: Dice
  private var site: VirtualSite
  private(set) var truth = ScreenTruth()

  init(seed: Int) throws {
    self.seed = seed
    var dice = Dice(seed: UInt64(seed) &+ 700_000)
    var configuration = DaemonConfiguration()
    configuration.standard.quietHours = [try QuietHours("02:10-02:50"), try QuietHours("04:30-04:35")]
    configuration.standard.quietShow = QuietShow.allCases[seed % QuietShow.allCases.count]
    // Questions between items tell nothing here, and cost most of the time.
    var feeding = FeederConfiguration()
    feeding.statusInterval = .seconds(120)
    let feeds = (0..<2).map { index in
      var rows = VirtualRows()
      rows.repeatMode = dice.chance(0.7) ? .all : .off
      rows.append(Self.list(&dice, 2...6))
      var receiver = ReceiverConfiguration()
      receiver.seed = UInt64(seed * 1000 + index)
      var feed = VirtualFeed(
        rows: rows, receiver: VirtualReceiver(configuration: receiver, fetching: FeedFixture.fetching),
        configuration: feeding, isOfSite: true)
      guard index == 1 else { return feed }
      let rules = (1...3).map { number in
        ScheduledRunTests.window(
          Int64(number), "p\(number)", from: Double(dice.number(60...18_000)),
          seconds: dice.number(30...3000), priority: number)
      }
      feed.book = ScheduleBook(rules: rules)
      for number in 1...3 { feed.rows.setProgramme("p\(number)", Self.list(&dice, 1...2)) }
      return feed
    }
    site = VirtualSite(feeds, configuration)
    self.dice = dice
  }

  private static func list(_ dice: inout Dice, _ count: ClosedRange<Int>) -> [EntryDraft] {
    (0..<dice.number(count)).map { index in
      index > 0 && dice.chance(0.15)
        ? FeedFixture.draft("dead.mp4") : FeedFixture.draft("v\(dice.number(10...400)).mp4")
    }
  }

  mutating func live(hours: Double) {
    let end = Tick(.seconds(hours * 3600))
    for id in site.ids { site.ask(.feed(FeedRequest(patience: 10)), of: id) }
    while site.now < end {
      site.run(for: .milliseconds(dice.number(1_000...400_000)))
      strike()
    }
    site.run(for: .seconds(60))
  }

  private mutating func strike() {
    let id = site.ids[dice.number(0...site.ids.count - 1)]
    switch dice.number(0...13) {
    case 0...2: site.ask(.feed(FeedRequest(patience: 10)), of: id)
    case 3: site.ask(.perform(.stop(quits: dice.chance(0.3))), of: id)
    case 4: site.ask(.perform(.next), of: id)
    case 5: site.ask(.perform(dice.chance(0.5) ? .pause : .play(nil)), of: id)
    case 6: site.control(id, .reboot(downFor: .seconds(dice.number(1...200))))
    case 7:
      site.control(
        id, .drop(for: .seconds(dice.number(1...200)), dice.chance(0.5) ? .silent : .refuse))
    case 8: site.control(id, .takeover(appID: "YouTube"))
    case 9: site.control(id, .foreignLoad(url: "http://guest/film.mp4", contentType: "video/mp4"))
    case 10: site.control(id, dice.chance(0.5) ? .exit : .key(.stop))
    case 11: site.crash(for: .seconds(dice.number(1...120)))
    case 12: site.failRows(for: .seconds(dice.number(1...60)))
    default:
      let list = Self.list(&dice, 1...4)
      site.edit(id) { $0.append(list) }
    }
  }

  mutating func compare() {
    for id in site.ids { truth.compare(site, id) }
  }

  /// Everything that is needed to see what happened.
  var story: String {
    """
    seed \(seed): \(truth.complaints.count): \(truth.complaints.prefix(10).joined(separator: "\n"))
    \(site.feeds.flatMap { ["== device"] + $0.log }.joined(separator: "\n"))
    """
  }
}
