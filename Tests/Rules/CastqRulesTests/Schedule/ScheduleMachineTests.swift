import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct ScheduleMachineTests {
  private let morning = "2026-12-14T"

  private func world(_ rules: [ScheduleRule], at: String, base: Bool = true) -> VirtualScreen {
    VirtualScreen(Bench.book("UTC", rules), at: Bench.moment("\(morning)\(at)Z"), base: base)
  }

  private func trigger(
    _ number: Int64, _ name: String, _ cron: String, length: Int? = 300, resume: ResumeMode = .second
  ) -> ScheduleRule {
    var rule = Bench.rule(number, name, "cron", cron, kind: .trigger, length: length)
    rule.resume = resume
    return rule
  }

  private let breakfast = Bench.rule(1, "breakfast", "daily", "08:00-10:30")
  private let lunch = Bench.rule(2, "lunch", "daily", "10:30-14:00")

  @Test("the base plays until a rule wins, and goes on where it was")
  func windows() {
    var world = world([breakfast, lunch], at: "07:00:00")
    world.run(until: "15:00:00")
    #expect(
      world.lines == [
        "07:00:00 base second", "08:00:00 breakfast begins", "10:30:00 lunch begins", "14:00:00 base second",
      ])
    #expect(world.decisions.map(\.kind) == [.base, .rule, .rule, .base])
    #expect(
      world.decisions.map(\.reason) == [
        "no rule is on", "breakfast: daily 08:00-10:30", "lunch: daily 10:30-14:00; breakfast has ended",
        "no rule is on; lunch has ended",
      ])
  }

  @Test("a rule that starts at the next item waits for it, and one that waits, waits no longer than it says")
  func starts() {
    var next = lunch
    next.start = .next
    var first = world(
      [breakfast, next].map { rule in
        var rule = rule
        if rule.name == "breakfast" { rule.priority = -1 }
        return rule
      }, at: "10:00:00")
    first.run(until: "10:31:00")
    // Breakfast is over, and says that it may be cut.
    #expect(first.lines.last == "10:30:00 lunch begins")
    next = Bench.rule(3, "news", "daily", "09:00-09:30", priority: 1)
    next.start = .next
    var second = world([breakfast, next], at: "08:30:00")
    second.run(until: "09:07:00")
    #expect(second.lines == ["08:30:00 breakfast begins"])
    second.send(.itemEnded(shares: [:], next: nil))
    #expect(second.lines.last == "09:07:00 news begins")
    next.start = .wait(seconds: 90)
    var third = world([breakfast, next], at: "08:30:00")
    third.run(until: "09:20:00")
    #expect(third.lines.last == "09:01:30 news begins")
    third.run(until: "09:31:00")
    #expect(third.lines.last == "09:30:00 breakfast second")
  }

  @Test("an item may finish after the time of its rule, unless what comes next is hard")
  func finishing() {
    var film = breakfast
    film.end = .finish
    var alone = world([film], at: "10:00:00")
    alone.run(until: "10:50:00")
    #expect(alone.lines.count == 1)
    alone.send(.itemEnded(shares: [:], next: nil))
    #expect(alone.lines.last == "10:50:00 base second")
    var hard = world([film, lunch], at: "10:00:00")
    hard.run(until: "10:50:00")
    #expect(hard.lines.last == "10:30:00 lunch begins")
  }

  @Test("announcements nest, and each gives the screen back as it says")
  func announcements() {
    var world = world(
      [
        breakfast, trigger(10, "bell", "0 9 * * *", length: 600, resume: .restart),
        trigger(11, "fire", "2 9 * * *", length: 60, resume: .item),
      ], at: "08:59:00")
    world.run(until: "09:30:00")
    #expect(
      world.lines == [
        "08:59:00 breakfast begins", "09:00:00 bell begins", "09:02:00 fire begins", "09:03:00 bell item",
        "09:10:00 breakfast restart",
      ])
  }

  @Test("an announcement without a length ends with its programme; the fifth waits for one of four")
  func open() {
    var world = world(
      [breakfast] + (0..<5).map { trigger(Int64(10 + $0), "a\($0)", "\($0) 9 * * *", length: nil) },
      at: "08:59:00")
    world.run(until: "09:05:00")
    #expect(world.lines.last == "09:03:00 a3 begins")
    world.send(.programmeEnded)
    #expect(world.lines.last == "09:05:00 a4 begins")
    for _ in 0..<3 { world.send(.programmeEnded) }
    #expect(world.lines.last == "09:05:00 a0 second")
    world.send(.programmeEnded)
    #expect(world.lines.last == "09:05:00 breakfast second")
    // What has fired does not fire again.
    world.run(until: "10:00:00")
    #expect(world.lines.last == "09:05:00 breakfast second")
  }

  @Test(
    "a trigger that was missed does what it says, and once",
    arguments: [
      (MissedPolicy.skip, false), (.run, true), (.within(seconds: 900), true), (.within(seconds: 300), false),
    ])
  func missed(policy: MissedPolicy, plays: Bool) {
    var bell = trigger(10, "bell", "*/10 9 * * *", length: 60)
    bell.missed = policy
    var world = world([breakfast, bell], at: "08:59:00")
    world.send(.dark)
    world.run(until: "09:26:40")
    world.send(.back)
    world.run(until: "09:29:00")
    let shown = ["09:26:40 bell begins", "09:27:40 breakfast second"]
    #expect(Array(world.lines.dropFirst()) == (plays ? shown : ["09:26:40 breakfast second"]))
    #expect(world.decisions.contains { $0.reason.hasSuffix(" 400 s late") } == plays)
  }

  @Test(
    "a start that a window of a higher priority had beaten anyway was not missed",
    arguments: [(1, []), (0, ["bell was missed at 2026-12-14T09:00, and is skipped"])])
  func beaten(priority: Int, notes: [String]) {
    var window = breakfast
    window.priority = priority
    var world = world([window, trigger(10, "bell", "0 9 * * *", length: 60)], at: "08:59:00")
    world.send(.dark)
    world.run(until: "09:10:00")
    world.send(.back)
    #expect(world.notes == notes)
  }

  @Test(
    "the first rule that a device ever has may be for a moment that has just passed, as an announcement is")
  func firstRule() {
    var gong = Bench.rule(10, "gong", "once", "\(morning)09:00", kind: .trigger, length: 60)
    #expect(world([gong], at: "09:01:10").lines == ["09:01:10 base second"])
    gong.missed = .within(seconds: 120)
    #expect(world([gong], at: "09:01:10").lines == ["09:01:10 gong begins"])
    #expect(world([gong], at: "09:02:10").lines == ["09:02:10 base second"])
  }

  @Test(
    "an announcement whose device goes off as it begins is missed when its time has passed, and does what its rule says",
    arguments: [(MissedPolicy.skip, "09:00:02"), (.within(seconds: 60), "09:01:00"), (.run, "")])
  func darkAtStart(policy: MissedPolicy, end: String) {
    var bell = trigger(10, "bell", "0 9 * * *", length: nil)
    bell.missed = policy
    var world = world([breakfast, bell], at: "08:59:00")
    world.run(until: "09:00:00")
    #expect(world.lines.last == "09:00:00 bell begins")
    world.send(.darkAtStart)
    world.send(.darkAtStart)
    world.run(until: "09:20:00")
    let decision = world.decisions.last
    if end.isEmpty {
      #expect(decision?.onAir?.programme == "bell")
    } else {
      #expect(decision?.onAir?.programme == "breakfast")
      #expect(decision?.reason == "breakfast continues; bell was missed, the device was off")
      #expect(decision.map { RFC3339.text($0.at).dropFirst(11).prefix(8) == end } == true)
    }
    world.send(.back)
    #expect(world.lines.last == (end.isEmpty ? "09:20:00 bell second" : "09:20:00 breakfast second"))
    #expect(world.lines.count == 3, "\(world.lines)")
    world.run(until: "09:30:00")
    #expect(world.lines.count == 3, "it does not begin again: \(world.lines)")
  }

  @Test("an announcement of which something was seen continues when its device is back")
  func darkLater() {
    var world = world([breakfast, trigger(10, "bell", "0 9 * * *", length: nil)], at: "08:59:00")
    world.run(until: "09:00:05")
    world.send(.dark)
    world.run(until: "09:20:00")
    world.send(.back)
    #expect(world.lines.last == "09:20:00 bell second")
  }

  @Test("a new process continues the item of a share, unless the share is over, or something else is on")
  func killedShare() {
    let ad = Bench.rule(20, "ad", "daily", "08:00-10:00", kind: .share(ShareTerms(secondsPerHour: 900)))
    var world = world([breakfast, ad], at: "09:00:00")
    let count = world.decisions.count
    world.kill(for: 5, in: RuleID(20))
    #expect(world.lines.last == "09:00:05 ad continues" && world.decisions.count == count)
    // The item has ended: what was on is on again.
    world.send(.itemEnded(shares: [:], next: 60_000))
    #expect(world.lines.last == "09:00:05 breakfast second")
    world.run(until: "09:59:58")
    world.kill(for: 5, in: RuleID(20))
    #expect(world.lines.last == "10:00:03 breakfast second", "the share is over")
    world.run(until: "10:29:58")
    world.kill(for: 5, in: RuleID(20))
    #expect(world.lines.last == "10:30:03 base second", "something else is on")
  }

  @Test("an edit that changes neither programme nor time gives the decision the new revision")
  func revisions() {
    var world = world([breakfast], at: "09:00:00")
    var other = breakfast
    (other.revision, other.priority) = (2, 5)
    world.edit([other])
    #expect(world.decisions.count == 1 && world.decisions.last?.onAir?.revision == 2)
  }

  @Test("a broken programme leaves the screen to what lies below; an edit tries it again")
  func failures() {
    var sale = Bench.rule(5, "sale", "daily", "08:00-20:00", priority: 4)
    var world = world([breakfast, sale], at: "08:59:00")
    world.send(.programmeFailed("its list is empty"))
    #expect(world.lines == ["08:59:00 sale begins", "08:59:00 breakfast begins"])
    #expect(
      world.decisions.last?.reason
        == "breakfast: daily 08:00-10:30; sale failed: its list is empty")
    #expect(world.decisions.last?.passedOver.map(\.reason) == ["its list is empty"])
    #expect(world.decisions.last?.passedOver.map(\.key.rule) == [RuleID(5)])
    world.run(until: "09:30:00")
    #expect(world.lines.count == 2)
    // What waits longer may not be played either: both are named.
    world.send(.programmeFailed("nothing of its list can be played"))
    #expect(world.decisions.last?.passedOver.map(\.key.rule) == [RuleID(1), RuleID(5)])
    sale.revision = 2
    world.edit([breakfast, sale])
    #expect(world.lines.last == "09:30:00 sale begins")
    #expect(world.decisions.last?.passedOver == [])
  }

  @Test("an edit counts at once; one that changes only an end interrupts nothing")
  func edits() {
    var world = world([breakfast], at: "09:00:00")
    var longer = Bench.rule(1, "breakfast", "daily", "08:00-11:00")
    longer.revision = 2
    world.edit([longer])
    world.run(until: "10:45:00")
    #expect(world.lines == ["09:00:00 breakfast begins"])
    world.edit([longer, Bench.rule(7, "brunch", "daily", "10:00-12:00")])
    #expect(world.lines.last == "10:45:00 brunch begins")
    world.edit([])
    #expect(world.lines.last == "10:45:00 base second")
  }

  @Test("the volume of a rule is set while it is on, and restored")
  func volume() {
    var loud = breakfast
    loud.volume = 0.7
    var world = world([loud, lunch], at: "07:59:00")
    world.run(until: "12:00:00")
    #expect(world.volumes == [0.7, nil])
  }

  @Test("a clock that is set is followed at once, and nothing fires twice")
  func clocks() {
    var world = world([breakfast, lunch, trigger(10, "bell", "0 9 * * *", length: 60)], at: "08:59:30")
    world.run(until: "09:30:00")
    #expect(world.lines.last == "09:01:00 breakfast second")
    world.set("08:58:00")
    world.run(until: "09:20:00")
    #expect(world.lines.last == "09:01:00 breakfast second")
    world.set("13:00:00")
    #expect(world.lines.last == "13:00:00 lunch begins")
    world.set("08:00:00")
    #expect(world.lines.last == "08:00:00 breakfast begins")
  }

  @Test(
    "a new process continues the last decision at the second, with no other one, also within announcements")
  func kills() {
    var world = world(
      [
        breakfast, trigger(10, "bell", "0 9 * * *", length: 600),
        trigger(11, "fire", "2 9 * * *", length: nil),
      ], at: "08:59:00")
    world.run(until: "09:03:00")
    let count = world.decisions.count
    world.kill(for: 20)
    #expect(world.lines.last == "09:03:20 fire second")
    #expect(world.decisions.count == count)
    world.send(.programmeEnded)
    world.kill(for: 30)
    #expect(world.lines.suffix(2) == ["09:03:20 bell second", "09:03:50 bell second"])
    world.run(until: "09:20:00")
    #expect(world.lines.last == "09:10:00 breakfast second")
    // Over the end of a rule.
    world.run(until: "10:29:00")
    world.kill(for: 120)
    #expect(world.lines.last == "10:31:00 base second")
  }

  @Test("shares play between items, credits are handed over, and an announcement is left alone")
  func shares() {
    let advert = Bench.rule(20, "advert", "always", kind: .share(ShareTerms(secondsPerHour: 360)))
    var world = world([breakfast, advert], at: "08:00:00")
    for _ in 0..<360 {
      world.advance(10)
      world.send(.itemEnded(shares: [RuleID(20): 10_000], next: 10_000))
    }
    #expect((35...37).contains(world.shares.count))
    #expect(world.decisions.count == 1)
    #expect(world.lines.filter { $0.hasSuffix("breakfast second") }.count >= 34)
    #expect(abs(world.credits[RuleID(20)]?.owed ?? .max) <= 10_000)
  }
}
