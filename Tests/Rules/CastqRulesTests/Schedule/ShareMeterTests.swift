import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite struct ShareMeterTests {
  /// A screen that plays items of shares and of a base, as the meter chooses.
  private struct Screen {
    var meter = ShareMeter()
    var now = WallTime(milliseconds: 1_800_000_000_000)
    /// Milliseconds by rule; the base's are at nil.
    var played: [RuleID?: Int64] = [:]
    var plays: [RuleID?: Int] = [:]
    var onAir: Int64 = 0

    /// - Parameter actual: how long the item is really seen, which is not always what was expected.
    mutating func step(_ offers: [ShareMeter.Offer], base: ShareMeter.Base, actual: Int64? = nil) {
      let rule: RuleID?
      let expected: Int64
      switch meter.choice(of: offers, base: base, at: now) {
      case .share(let number):
        rule = number
        expected = offers.first { $0.rule == number }?.length ?? 0
      case .base:
        rule = nil
        guard case .item(let length) = base else { return }
        expected = length ?? 30_000
      case .nothing: return
      }
      let length = actual ?? expected
      now = now.adding(seconds: Double(length) / 1000)
      onAir += length
      played[rule, default: 0] += length
      plays[rule, default: 0] += 1
      meter.itemEnded(of: rule, milliseconds: length, offers: offers, base: base, at: now)
    }

    /// By how many milliseconds the share is ahead (positive) or behind.
    func error(_ offer: ShareMeter.Offer) -> Double {
      Double(played[offer.rule] ?? 0) - Double(onAir) * Double(offer.terms.secondsPerHour) / 3600
    }
  }

  private func offers(_ shares: [Int], length: Int64 = 10_000) -> [ShareMeter.Offer] {
    shares.enumerated().map {
      .init(rule: RuleID(Int64($0 + 1)), terms: ShareTerms(secondsPerHour: $1), length: length)
    }
  }

  @Test(
    "2000, 400, 200, 200, 600 and 200 s of each hour are 200, 40, 20, 20, 60 and 20 plays of ten seconds, in every hour"
  )
  func known() {
    var screen = Screen()
    let offers = offers([2000, 400, 200, 200, 600, 200])
    for hour in 1...24 {
      let before = screen.plays
      for _ in 0..<360 { screen.step(offers, base: .item(10_000)) }
      for (offer, wanted) in zip(offers, [200, 40, 20, 20, 60, 20]) {
        let plays = (screen.plays[offer.rule] ?? 0) - (before[offer.rule] ?? 0)
        #expect(abs(plays - wanted) <= 1, "hour \(hour), rule \(offer.rule.number): \(plays)")
      }
    }
    #expect(screen.plays[nil] == nil)
  }

  @Test("no share is ever ahead or behind by more than the longest item on the air, whatever their lengths")
  func bound() {
    var generator = SeededGenerator(seed: 3600)
    for _ in 0..<scheduleRuns(100, 10_000) {
      var left = 3600
      var shares: [Int] = []
      for _ in 0..<Int.random(in: 1...7, using: &generator) where left > 1 {
        let share = Int.random(in: 1...left, using: &generator)
        shares.append(Bool.random(using: &generator) ? share : max(1, share / 10))
        left -= shares[shares.count - 1]
      }
      let most = Int64.random(in: 1_000...600_000, using: &generator)
      let varied = Bool.random(using: &generator)
      var screen = Screen()
      var lengths = shares.map { _ in Int64.random(in: 500...most, using: &generator) }
      var baseLength = Int64.random(in: 500...most, using: &generator)
      var worst = 0.0
      let hours = Int64(Bool.random(using: &generator) ? 1 : 3) * 3_600_000
      while screen.onAir < hours, screen.plays.values.reduce(0, +) < 400 {
        let offers = zip(self.offers(shares), lengths).map {
          ShareMeter.Offer(rule: $0.rule, terms: $0.terms, length: $1)
        }
        let before = screen.plays
        screen.step(offers, base: .item(baseLength))
        // What has played has another item next; what waits keeps its own.
        if varied {
          if screen.plays[nil] != before[nil] { baseLength = Int64.random(in: 500...most, using: &generator) }
          for (index, offer) in offers.enumerated() where screen.plays[offer.rule] != before[offer.rule] {
            lengths[index] = Int64.random(in: 500...most, using: &generator)
          }
        }
        worst = max(worst, offers.map { abs(screen.error($0)) }.max() ?? 0)
      }
      #expect(worst <= Double(most) + 1, "shares \(shares), items up to \(most) ms: \(worst)")
    }
  }

  @Test("a process that is killed each hour keeps what it owes")
  func kills() {
    var screen = Screen()
    let offers = offers([700, 333, 59], length: 15_000)
    for _ in 0..<48 {
      let until = screen.onAir + 3_600_000
      while screen.onAir < until { screen.step(offers, base: .item(47_000)) }
      screen.meter = ShareMeter(screen.meter.credits)
      for offer in offers { #expect(abs(screen.error(offer)) <= 47_000 + 48) }
    }
  }

  @Test("what was longer or shorter than expected is made good")
  func unexpected() {
    var generator = SeededGenerator(seed: 5)
    var screen = Screen()
    let offers = offers([900, 450], length: 10_000)
    for _ in 0..<2_000 {
      screen.step(offers, base: .item(10_000), actual: Int64.random(in: 1_000...40_000, using: &generator))
    }
    for offer in offers { #expect(abs(screen.error(offer)) <= 80_000) }
  }

  @Test("nothing is earned while the device is dark, and never more than an hour")
  func frozen() {
    var screen = Screen()
    let offers = offers([360])
    for _ in 0..<100 { screen.step(offers, base: .item(10_000)) }
    let before = screen.meter
    screen.now = screen.now.adding(seconds: 86_400)
    #expect(screen.meter == before && screen.meter.credits == before.credits)
    // Two days of items that could not be interrupted: 17,280 s would be due.
    for _ in 0..<48 {
      screen.meter.itemEnded(
        of: nil, milliseconds: 3_600_000, offers: offers, base: .item(nil), at: screen.now)
    }
    #expect(screen.meter.credits[RuleID(1)]?.owed == 3_600_000)
  }

  @Test("without a base, and over a hundred per cent, shares are kept in proportion")
  func proportions() {
    for (base, shares) in [(ShareMeter.Base.none, [600, 300, 100]), (.item(10_000), [3600, 1800, 600])] {
      var screen = Screen()
      for _ in 0..<6_000 { screen.step(offers(shares), base: base) }
      #expect((5_999...6_001).contains(screen.plays.values.reduce(0, +)))
      for (rule, wanted) in zip([1, 2, 3] as [Int64], [3_600, 1_800, 600]) {
        #expect(abs((screen.plays[RuleID(rule)] ?? 0) - wanted) <= 2, "\(shares): \(screen.plays)")
      }
    }
  }

  @Test("a rule plays no more often in an hour, and no sooner after its last play, than it may")
  func limits() {
    var screen = Screen()
    let often = ShareMeter.Offer(
      rule: RuleID(1), terms: ShareTerms(secondsPerHour: 1800, maxPerHour: 4), length: 10_000)
    let close = ShareMeter.Offer(
      rule: RuleID(2), terms: ShareTerms(secondsPerHour: 1200, minGap: 300), length: 10_000)
    for _ in 0..<3_600 { screen.step([often, close], base: .item(10_000)) }
    // Ten hours, whose first and last are not whole.
    #expect((36...44).contains(screen.plays[RuleID(1)] ?? 0))
    #expect((110...121).contains(screen.plays[RuleID(2)] ?? 0))
    var alone = Screen()
    alone.meter.itemEnded(of: RuleID(2), milliseconds: 10_000, offers: [close], base: .none, at: alone.now)
    #expect(alone.meter.choice(of: [close], base: .none, at: alone.now.adding(seconds: 299)) == .nothing)
    #expect(
      alone.meter.choice(of: [close], base: .none, at: alone.now.adding(seconds: 300)) == .share(RuleID(2)))
    #expect(
      alone.meter.choice(of: [close], base: .none, at: alone.now.adding(seconds: -1)) == .share(RuleID(2)))
  }
}
