import CastProtocol
import CastqSchedule
import CastqText
import Testing

/// Everything that can happen to a machine, by chance: clocks that are set, edits, kills, devices that go, programmes that fail.
@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct ScheduleStormTests {
  private func rules(_ generator: inout SeededGenerator) -> [ScheduleRule] {
    (1...Int64.random(in: 1...7, using: &generator)).map { number in
      let kind: [RuleKind] = [.window, .window, .trigger, .share(ShareTerms(secondsPerHour: 300))]
      // An edit that makes another kind of the same rule is left out: its announcement may have to wait after a kill.
      var rule = RandomRules.rule(number, &generator, kind: kind[Int(number) % kind.count])
      rule.revision = Int.random(in: 1...3, using: &generator)
      rule.start = [.hard, .next, .wait(seconds: 90)].randomElement(using: &generator) ?? .hard
      rule.end = Bool.random(using: &generator) ? .cut : .finish
      rule.missed = [.skip, .run, .within(seconds: 900)].randomElement(using: &generator) ?? .skip
      rule.resume = [.second, .item, .restart].randomElement(using: &generator) ?? .second
      if rule.form.hasOnlyStarts, Bool.random(using: &generator) { rule.length = nil }
      if Int.random(in: 0...9, using: &generator) == 0 { rule.onlyOn = "a calendar that is not there" }
      return rule
    }
  }

  private func event(_ rules: [ScheduleRule], _ generator: inout SeededGenerator) -> ScheduleMachine.Event {
    switch Int.random(in: 0...9, using: &generator) {
    case 0: .dark
    case 1: .back
    case 2: .programmeFailed("its list is empty")
    case 3, 4: .programmeEnded
    case 5: .timer
    default:
      .itemEnded(
        shares: Dictionary(rules.map { ($0.id, Int64(15_000)) }, uniquingKeysWith: { $1 }),
        next: Bool.random(using: &generator) ? 20_000 : nil)
    }
  }

  @Test(
    "whatever happens, one winner follows another, each is decided once, and a new process finds the same")
  func storms() {
    var generator = SeededGenerator(seed: 2_000)
    for _ in 0..<scheduleRuns(30, 2_000) {
      let zone = TestZone.names.randomElement(using: &generator) ?? "UTC"
      var rules = rules(&generator)
      var world = VirtualScreen(
        RandomRules.book(zone, rules), at: RandomRules.night(zone, &generator),
        base: Bool.random(using: &generator))
      for _ in 0..<80 {
        switch Int.random(in: 0...19, using: &generator) {
        case 0: world.set(world.wall.adding(seconds: Double.random(in: -90_000...90_000, using: &generator)))
        case 1:
          rules = self.rules(&generator)
          world.edit(rules)
        case 2:
          // What waits for the end of an item comes at once after a kill: nobody knows the item any more. A programme that failed is
          // tried again, and what was missed while the device was dark is late.
          let isSettled = !world.machine.isWaiting && world.machine.failures.isEmpty && !world.isDark
          let before = (world.machine.onAir, world.decisions.count)
          world.kill(for: 0)
          if isSettled {
            #expect(world.machine.onAir?.occurrence.key == before.0?.occurrence.key)
            #expect(world.decisions.count == before.1)
          }
        case 3...9:
          world.run(until: world.wall.adding(seconds: Double.random(in: 1...20_000, using: &generator)))
        default: world.send(event(rules, &generator))
        }
        #expect(world.machine.onAir?.occurrence.key == world.decisions.last?.onAir?.occurrence.key)
        #expect(world.decisions.last?.beneath.count ?? 0 <= 140)
      }
      for (one, next) in zip(world.decisions, world.decisions.dropFirst()) {
        let isSame =
          one.onAir?.occurrence.key == next.onAir?.occurrence.key
          && one.onAir?.programme == next.onAir?.programme
        #expect(!isSame, "decided twice: \(next.reason)")
      }
      #expect(world.wakes.allSatisfy { $0 >= 0 && $0 <= 97_200 })
    }
  }
}
