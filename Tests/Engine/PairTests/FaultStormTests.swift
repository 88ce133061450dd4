import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import Foundation
import Testing

/// Chance breaks what nobody thought of. A seed that fails tells its story.
struct FaultStormTests {
  @Test("a feeder killed at random moments loses no entry and shows none twice", arguments: 0..<10)
  func kills(_ block: Int) {
    for seed in Self.seeds(block, of: 10) {
      var dice = Dice(seed: UInt64(seed) &+ 7_000)
      var storm = Storm(seed: seed, &dice)
      for _ in 0..<dice.number(1...3) {
        storm.wait(dice.fraction() * 12)
        storm.strike(.kill(dice.chance(0.7) ? dice.number(50...2_000) : dice.number(2_000...15_000)))
      }
      storm.end()
      #expect(storm.complaints.isEmpty, "\(storm.story)")
    }
  }

  /// A thousand of them are a matter of minutes: the daily run makes some, and `make endurance` all.
  private static let storms = ProcessInfo.processInfo.environment["CASTQ_STORMS"].flatMap { Int($0) } ?? 100

  /// The seeds of one block; a seed belongs to the same storm however many there are.
  private static func seeds(_ block: Int, of blocks: Int) -> Range<Int> {
    let size = max(storms / blocks, 1)
    return (block * size)..<(block * size + size)
  }

  @Test("any sequence of mishaps ends with everything shown, and an honest history", arguments: 0..<20)
  func mixed(_ block: Int) {
    for seed in Self.seeds(block, of: 20) {
      var dice = Dice(seed: UInt64(seed) &+ 90_000)
      var storm = Storm(seed: seed, &dice)
      for _ in 0..<dice.number(1...6) {
        storm.wait(dice.fraction() * 15)
        storm.strike(Mishap.all[dice.number(0...Mishap.all.count - 1)])
      }
      storm.end()
      #expect(storm.complaints.isEmpty, "\(storm.story)")
    }
  }

  @Test(
    "an outage of the database loses nothing of what one run shows, whatever else happens", arguments: 0..<10)
  func outages(_ block: Int) {
    for seed in Self.seeds(block, of: 10) {
      var dice = Dice(seed: UInt64(seed) &+ 120_000)
      var storm = Storm(seed: seed, &dice)
      storm.wait(dice.fraction() * 8)
      storm.strike(.outage(dice.number(1...20)))
      for _ in 0..<dice.number(0...4) {
        storm.wait(dice.fraction() * 15)
        storm.strike(Mishap.withinRun[dice.number(0...Mishap.withinRun.count - 1)])
      }
      storm.end()
      #expect(storm.complaints.isEmpty, "\(storm.story)")
    }
  }
}

/// One bad day of one list.
struct Storm {
  private let seed: Int
  private let names: [String]
  private var feed: VirtualFeed
  private var excuses: FeedVerdict.Excuses = []
  private var strikes: [String] = []
  private var wasKilled = false
  private var hasJumped = false
  private var wasOutage = false

  init(seed: Int, _ dice: inout Dice) {
    self.seed = seed
    names = (0..<dice.number(2...7)).map { index in
      dice.chance(0.35) ? "p\(index).jpg" : "v\(dice.number(2...12)).mp4"
    }
    var configuration = FeederConfiguration()
    configuration.imageDuration = MediaTime(seconds: ListKind.imageDuration)
    configuration.itemsAhead = dice.number(1...8)
    configuration.lowWater = max(configuration.itemsAhead / 2, 1)
    configuration.itemsBehind = dice.number(0...3)
    feed = FeedFixture.feed(names, seed: UInt64(seed), configuration: configuration)
    feed.lease = .seconds(dice.number(1...120))
  }

  mutating func wait(_ seconds: Double) { feed.run(until: feed.now + .seconds(seconds)) }

  mutating func strike(_ mishap: Mishap) {
    guard feed.end == nil else { return }
    strikes.append("\(feed.now.sinceStart) \(mishap)")
    if case .kill = mishap { wasKilled = true }
    if case .clock = mishap { hasJumped = true }
    if case .outage = mishap { wasOutage = true }
    // What two processes know of a picture rests on the time of the day.
    if wasKilled, hasJumped { excuses.insert(.wrongPictureTimes) }
    excuses.formUnion(mishap.excuses)
    mishap.strike(&feed)
  }

  mutating func end() { feed.run(until: feed.now + .seconds(3_600)) }

  var complaints: [String] {
    // A run that ends before its database works again says what is missing.
    if case .failed? = feed.end, wasOutage, !feed.rowsWork { return [] }
    guard case .drained? = feed.end else { return ["did not end: \(String(describing: feed.end))"] }
    return FeedVerdict(feed: feed, excuses: excuses, imageDuration: ListKind.imageDuration).complaints
  }

  /// Everything that is needed to see what happened.
  var story: String {
    """
    seed \(seed): \(complaints.joined(separator: "; "))
    list \(names)
    struck by \(strikes.joined(separator: ", "))
    \(feed.log.joined(separator: "\n"))
    """
  }
}
