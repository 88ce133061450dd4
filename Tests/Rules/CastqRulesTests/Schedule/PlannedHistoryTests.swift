import CastProtocol
import CastqSchedule
import CastqText
import Testing

/// The machine lives through days, and what it did is compared with what was planned before.
@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct PlannedHistoryTests {
  /// Programmes of a shop, with hard times and hard nights.
  private static func rules(_ generator: inout SeededGenerator) -> [ScheduleRule] {
    var rules = (1...8).map { RandomRules.rule($0, &generator) }
    for number in 20...21 as ClosedRange<Int64> {
      var rule = RandomRules.rule(number, &generator, kind: .trigger)
      // A trigger begins at a time: one that is always on has begun before any process.
      if rule.form == .always { rule.form = Bench.form("cron", "10 */2 * * *") }
      if rule.form.hasOnlyStarts { rule.length = number == 20 ? 60 : 900 }
      rules.append(rule)
    }
    rules.append(Bench.rule(30, "breakfast", "daypart", "breakfast"))
    rules.append(Bench.rule(31, "night", "daypart", "night"))
    return rules
  }

  @Test(
    "history equals the plan within a second, every moment has one winner, also when the process is killed",
    arguments: TestZone.names)
  func history(zone: String) throws {
    var generator = SeededGenerator(seed: 400)
    // Pacific/Apia over the day that it left out, the others over both nights of 2026.
    let first = Bench.moment(zone == "Pacific/Apia" ? "2011-06-01T00:00:00Z" : "2025-12-01T00:00:00Z")
    let days = Double(scheduleRuns(8, 400))
    let changes = TestZone.changes(
      TestZone.rules(zone), from: first.wholeSeconds, to: first.wholeSeconds + 400 * 86_400)
    let nights = changes.map { WallTime(milliseconds: ($0 - 4 * 86_400) * 1000) }
    for start in scheduleRuns(1, 0) == 1 ? (nights.isEmpty ? [first] : Array(nights.suffix(1))) : [first] {
      let book = RandomRules.book(zone, Self.rules(&generator))
      try compare(book, zone, start..<start.adding(seconds: days * 86_400), &generator)
    }
  }

  @Test("of ten thousand rules for one device, each moment is decided as it was planned")
  func many() throws {
    var generator = SeededGenerator(seed: 10_000)
    let count = Int64(scheduleRuns(1_000, 10_000))
    let rules = (1...count).map { number in
      let start = Int.random(in: 0..<1440, using: &generator)
      let end = start + Int.random(in: 5...360, using: &generator)
      func clock(_ minute: Int) -> String {
        let (hour, rest) = (minute / 60 % 24, minute % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
      }
      return Bench.rule(
        number, "rule \(number)", "daily", "\(clock(start))-\(clock(end))",
        priority: Int.random(in: 0...9, using: &generator))
    }
    let book = Bench.book("Europe/Berlin", rules)
    let range = Bench.range("2026-12-14T08:00:00Z", "2026-12-14T10:00:00Z")
    let device = ScheduleDevice(id: "lobby", groups: ["shop"])
    let clock = ContinuousClock()
    var segments: [PlanSegment] = []
    let planned = clock.measure {
      var planner = Planner(book, range: range)
      segments = planner.plan(for: device).segments
    }
    var world: VirtualScreen?
    let begun = clock.measure { world = VirtualScreen(book, at: range.lowerBound) }
    let lived = clock.measure { world?.run(until: range.upperBound.adding(seconds: -1)) }
    let decisions = try #require(world?.decisions)
    #expect(decisions.map { $0.onAir?.occurrence.rule } == segments.map { $0.occurrence?.rule })
    #expect(zip(decisions, segments).allSatisfy { abs($0.at - $1.start) < 1 })
    #expect(segments.count > 5)
    let explained = clock.measure { _ = Explainer(book, device: device, at: range.lowerBound).explanation() }
    let wakes = world?.wakes.count ?? 0
    print(
      "\(count) rules for one device: planned in \(planned), begun in \(begun), \(wakes) moments in \(lived), explained in \(explained)"
    )
  }

  private func compare(
    _ book: ScheduleBook, _ zone: String, _ range: Range<WallTime>, _ generator: inout SeededGenerator
  ) throws {
    var planner = Planner(book, range: range)
    let plan = planner.plan(for: ScheduleDevice(id: "lobby", groups: ["shop"]))
    #expect(plan.issues.filter { if case .tooOften = $0 { true } else { false } }.isEmpty)
    // What began before the range is known after two days of it.
    var world = VirtualScreen(book, at: range.lowerBound.adding(seconds: -2 * 86_400))
    world.lateness = 0...0.9
    while world.wall < range.upperBound {
      world.run(until: world.wall.adding(seconds: Double.random(in: 10_000...90_000, using: &generator)))
      let count = world.decisions.count
      if Bool.random(using: &generator) {
        world.kill(for: 0)
        #expect(world.decisions.count == count, "a decision was made twice")
      }
    }
    var index = 0
    var starts: [WallTime] = []
    for segment in plan.segments where segment.start < segment.end {
      // A second after its start, and to its end.
      for moment in [
        min(segment.start.adding(seconds: 1), segment.end.adding(seconds: -0.001)),
        segment.end.adding(seconds: -0.001),
      ] {
        while index + 1 < world.decisions.count, world.decisions[index + 1].at <= moment { index += 1 }
        let shown = world.decisions[index].onAir?.occurrence.key
        try #require(
          shown == segment.occurrence?.key,
          "\(zone) \(RFC3339.text(moment)): \(world.decisions[index].reason), planned \(segment.programme ?? "base")"
        )
      }
      starts.append(segment.start)
    }
    // No decision is anywhere else.
    var place = 0
    for decision in world.decisions where range.contains(decision.at) {
      while place + 1 < starts.count, starts[place + 1] <= decision.at { place += 1 }
      #expect(decision.at - starts[place] <= 1, "\(zone) \(RFC3339.text(decision.at)) \(decision.reason)")
    }
    #expect(plan.segments.count > 20)
  }
}
