import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqText
import Foundation
import Testing

@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct PlannerTests {
  private let lobby = ScheduleDevice(id: "lobby", groups: ["shop"])

  /// Such as `07:00-09:00 breakfast`, in UTC.
  private func lines(_ plan: DevicePlan) -> [String] {
    plan.segments.map {
      let times = [$0.start, $0.end].map { RFC3339.text($0).dropFirst(11).prefix(5) }.joined(separator: "-")
      return "\(times) \($0.programme ?? $0.kind.word)"
    }
  }

  private func plan(
    _ rules: [ScheduleRule], _ from: String, _ to: String, base: Bool = true, lengths: [String: Int] = [:]
  ) -> DevicePlan {
    var book = Bench.book("UTC", rules)
    book.lengths = lengths
    var planner = Planner(book, range: Bench.range("2026-12-14T\(from)Z", "2026-12-14T\(to)Z"))
    var device = lobby
    device.hasBase = base
    return planner.plan(for: device)
  }

  @Test("priority wins, then the more precise target, then what began last, then the name")
  func order() {
    let low = Bench.rule(1, "low", "daily", "00:00-24:00", priority: -1)
    let all = Bench.rule(2, "all", "daily", "08:00-20:00")
    let group = Bench.rule(3, "group", "daily", "07:00-12:00", target: .group("shop"))
    let device = Bench.rule(4, "device", "daily", "09:00-10:00", target: .device("lobby"))
    let other = Bench.rule(5, "other", "daily", "00:00-24:00", priority: 9, target: .device("bar"))
    let later = Bench.rule(6, "later", "daily", "18:00-19:00")
    let urgent = Bench.rule(7, "urgent", "daily", "09:30-09:40", priority: 5)
    #expect(
      lines(plan([low, all, group, device, other, later, urgent], "06:00:00", "21:00:00")) == [
        "06:00-07:00 low", "07:00-09:00 group", "09:00-09:30 device", "09:30-09:40 urgent",
        "09:40-10:00 device",
        "10:00-12:00 group", "12:00-18:00 all", "18:00-19:00 later", "19:00-20:00 all", "20:00-21:00 low",
      ])
    let one = Bench.rule(1, "b", "daily", "08:00-09:00")
    let two = Bench.rule(2, "a", "daily", "08:00-09:30")
    let tied = plan([one, two], "08:00:00", "09:30:00")
    #expect(lines(tied) == ["08:00-09:30 a"])
    #expect(tied.segments[0].tiedWith == [RuleID(1)])
    #expect(tied.issues == [.tie(at: Bench.moment("2026-12-14T08:00:00Z"), rules: [RuleID(2), RuleID(1)])])
  }

  @Test(
    "a device that is stopped shows nothing from then on, which is one fact; devices beside it are planned apart"
  )
  func stopped() {
    let book = Bench.book("UTC", [Bench.rule(1, "day", "daily", "08:00-12:00")])
    var planner = Planner(book, range: Bench.range("2026-12-14T07:00:00Z", "2026-12-14T13:00:00Z"))
    var (open, shut) = (lobby, lobby)
    (open.hasBase, shut.hasBase) = (false, false)
    let stop = Bench.moment("2026-12-14T09:00:00Z")
    shut.stoppedAt = stop
    let before = planner.plan(for: open)
    let plan = planner.plan(for: shut)
    #expect(lines(plan) == ["07:00-08:00 dark", "08:00-09:00 day", "09:00-12:00 day", "12:00-13:00 dark"])
    #expect(plan.segments.map(\.isStopped) == [false, false, true, true])
    #expect(plan.segments.map(\.shownKind) == [.dark, .rule, .dark, .dark])
    let range = Bench.range("2026-12-14T07:00:00Z", "2026-12-14T08:00:00Z")
    #expect(
      plan.issues == [.dark(range), .stopped(stop..<Bench.moment("2026-12-14T13:00:00Z"), since: stop)])
    #expect(plan.issues.allSatisfy { $0.isFailure })
    #expect(planner.plan(for: open) == before && !before.segments.contains { $0.isStopped })
    // A stop that is to come within the range of a plan is no stop of the time before it.
    shut.stoppedAt = Bench.moment("2026-12-14T13:00:00Z")
    #expect(planner.plan(for: shut).issues == before.issues)
  }

  @Test(
    "a queue of which nothing is due yet is dark until its time, and what keeps the screen is no darkness")
  func loss() {
    var planner = Planner(
      Bench.book("UTC", [Bench.rule(1, "day", "daily", "08:00-09:00")]),
      range: Bench.range("2026-12-14T07:00:00Z", "2026-12-14T11:00:00Z"))
    var later = lobby
    later.baseFrom = Bench.moment("2026-12-14T10:00:00Z")
    let plan = planner.plan(for: later)
    #expect(lines(plan) == ["07:00-08:00 dark", "08:00-09:00 day", "09:00-10:00 dark", "10:00-11:00 base"])
    #expect(plan.issues.map(\.isFailure) == [true, true])
    #expect(planner.plan(for: lobby).issues.isEmpty, "a device beside it has a plan of its own")
    var (off, guest) = (lobby, lobby)
    off.loss = Outlook(.unreachable)
    guest.loss = Outlook(.guest, until: Bench.moment("2026-12-14T08:30:00Z"))
    #expect(planner.plan(for: guest).segments.map(\.silence) == [.guest, .guest, nil, nil])
    #expect(
      planner.plan(for: off).segments.allSatisfy { $0.silence == .unreachable && $0.shownKind == .dark })
  }

  @Test("in quiet hours a device shows nothing, a stop comes before them, and devices beside it have none")
  func quietHours() throws {
    let book = Bench.book("UTC", [Bench.rule(1, "day", "daily", "08:00-12:00")])
    var planner = Planner(book, range: Bench.range("2026-12-14T07:00:00Z", "2026-12-14T13:00:00Z"))
    var rules = DeviceRules()
    rules.quietHours = [try QuietHours("09:00-10:00"), try QuietHours("11:30-12:30")]
    var (open, quiet) = (lobby, lobby)
    open.hasBase = false
    quiet.hasBase = false
    quiet.darkHours = DarkHours(rules, local: TimeZoneRules())
    let before = planner.plan(for: open)
    let plan = planner.plan(for: quiet)
    #expect(
      lines(plan) == [
        "07:00-08:00 dark", "08:00-09:00 day", "09:00-10:00 day", "10:00-11:30 day", "11:30-12:00 day",
        "12:00-12:30 dark", "12:30-13:00 dark",
      ])
    #expect(
      plan.segments.map(\.silence) == [nil, nil, .quietHours, nil, .quietHours, .quietHours, nil])
    #expect(plan.segments.map(\.shownKind) == [.dark, .rule, .dark, .rule, .dark, .dark, .dark])
    func range(_ from: String, _ to: String) -> Range<WallTime> {
      Bench.range("2026-12-14T\(from):00Z", "2026-12-14T\(to):00Z")
    }
    #expect(
      plan.issues == [
        .dark(range("07:00", "08:00")), .quiet(range("09:00", "10:00")), .quiet(range("11:30", "12:30")),
        .dark(range("12:30", "13:00")),
      ])
    #expect(plan.issues.map(\.isFailure) == [true, false, false, true], "quiet hours are a note")
    #expect(planner.plan(for: open) == before && before.segments.allSatisfy { $0.silence == nil })
    quiet.stoppedAt = Bench.moment("2026-12-14T09:30:00Z")
    let stopped = planner.plan(for: quiet)
    #expect(stopped.segments.map(\.silence) == [nil, nil, .quietHours, .stopped, .stopped])
    #expect(stopped.issues.contains(.quiet(range("09:00", "09:30"))))
  }

  @Test(
    "what is on when a plan begins is called by its beginning, however long ago that is",
    arguments: [1, 20, 300, 900])
  func beginning(days: Int) throws {
    var long = Bench.rule(1, "long", "once", "2026-01-01T08:00", length: 86_400 * 1000)
    long.priority = 1
    let book = Bench.book(
      "UTC", [long, Bench.rule(2, "gong", "once", "2026-01-02T09:00", priority: 2, length: 600)])
    let start = Bench.moment("2026-01-02T09:10:00Z").adding(seconds: Double(days) * 86_400 - 3600)
    var planner = Planner(book, range: start..<start.adding(seconds: 60))
    let segment = try #require(planner.plan(for: lobby).segments.first)
    var beginnings = SegmentBeginning(book, start: start)
    // After the announcement; what has gone on for years is called by its occurrence.
    let expected = days > 400 ? "2026-01-01T08:00:00Z" : "2026-01-02T09:10:00Z"
    #expect(beginnings.beginning(of: segment, on: lobby) == Bench.moment(expected))
  }

  @Test("an announcement interrupts its priority and below, and gives back; the fifth one waits")
  func announcements() {
    let day = Bench.rule(1, "day", "daily", "08:00-20:00", target: .device("lobby"))
    let noon = Bench.rule(2, "noon", "cron", "0 12 * * *", kind: .trigger, length: 600)
    let vip = Bench.rule(3, "vip", "daily", "12:05-12:08", priority: 1)
    #expect(
      lines(plan([day, noon, vip], "11:00:00", "13:00:00")) == [
        "11:00-12:00 day", "12:00-12:05 noon", "12:05-12:08 vip", "12:08-12:10 noon", "12:10-13:00 day",
      ])
    let nested = (0..<6).map {
      Bench.rule(
        Int64($0 + 10), "n\($0)", "cron", "\($0) 12 * * *", kind: .trigger, length: $0 == 3 ? 240 : 1800)
    }
    #expect(
      lines(plan([day] + nested, "11:59:00", "13:00:00")) == [
        "11:59-12:00 day", "12:00-12:01 n0", "12:01-12:02 n1", "12:02-12:03 n2", "12:03-12:07 n3",
        "12:07-12:30 n4",
        "12:30-12:35 n5", "12:35-13:00 day",
      ])
  }

  @Test("what is as long as its programme is planned with the expected length, and is a moment without one")
  func open() {
    let bell = Bench.rule(1, "bell", "cron", "0 12 * * *", kind: .trigger)
    #expect(
      lines(plan([bell], "11:59:00", "12:10:00", lengths: ["bell": 120])) == [
        "11:59-12:00 base", "12:00-12:02 bell", "12:02-12:10 base",
      ])
    #expect(
      lines(plan([bell], "11:59:00", "12:10:00")) == [
        "11:59-12:00 base", "12:00-12:00 bell", "12:00-12:10 base",
      ])
  }

  @Test("what is as long as nobody knows is a moment where it wins, and nothing below a higher priority")
  func openBelow() {
    let bell = Bench.rule(1, "bell", "cron", "0 12 * * *", kind: .trigger)
    let sale = Bench.rule(2, "sale", "daily", "11:00-13:00", priority: 1)
    #expect(lines(plan([bell, sale], "11:59:00", "12:10:00")) == ["11:59-12:10 sale"])
    let other = Bench.rule(3, "other", "cron", "0 12 * * *", priority: 2, kind: .trigger)
    #expect(
      lines(plan([bell, sale, other], "11:59:00", "12:10:00")) == [
        "11:59-12:00 sale", "12:00-12:00 other", "12:00-12:10 sale",
      ])
  }

  @Test(
    "a queue ends when what is left of it has been played; rules, quiet hours and stops leave it where it is")
  func end() {
    let sale = Bench.rule(1, "sale", "daily", "12:05-12:10")
    let book = Bench.book("UTC", [sale])
    var device = lobby
    device.baseSeconds = 600
    func planned(_ from: String, _ to: String, _ device: ScheduleDevice) -> [String] {
      var planner = Planner(book, range: Bench.range("2026-12-14T\(from)Z", "2026-12-14T\(to)Z"))
      return lines(planner.plan(for: device))
    }
    let whole = ["12:00-12:05 base", "12:05-12:10 sale", "12:10-12:15 base", "12:15-12:30 dark"]
    #expect(planned("12:00:00", "12:30:00", device) == whole)
    var before = Planner(book, range: Bench.range("2026-12-14T12:00:00Z", "2026-12-14T12:12:00Z"))
    let later = before.advanced(device)
    #expect(
      later.baseSeconds == 180
        && planned("12:12:00", "12:30:00", later)
          == Array(
            whole[2...].map {
              $0.replacingOccurrences(of: "12:10", with: "12:12")
            })
    )
    device.baseFrom = Bench.moment("2026-12-14T12:20:00Z")
    #expect(
      planned("12:15:00", "12:35:00", device) == ["12:15-12:20 dark", "12:20-12:30 base", "12:30-12:35 dark"])
    (device.baseFrom, device.stoppedAt) = (nil, Bench.moment("2026-12-14T12:12:00Z"))
    #expect(planned("12:10:00", "12:35:00", device) == ["12:10-12:12 base", "12:12-12:35 base"])
    device.baseSeconds = nil
    device.stoppedAt = nil
    #expect(planned("12:10:00", "12:35:00", device) == ["12:10-12:35 base"])
    device.baseSeconds = 0
    #expect(planned("12:10:00", "12:35:00", device) == ["12:10-12:35 dark"])
  }

  @Test("what is paused has no end of its own, and of the queue as much is left as before")
  func paused() {
    let book = Bench.book("UTC", [Bench.rule(1, "sale", "daily", "12:05-12:10")])
    var device = lobby
    (device.baseSeconds, device.isPaused) = (120, true)
    var planner = Planner(book, range: Bench.range("2026-12-14T12:00:00Z", "2026-12-14T12:30:00Z"))
    let plan = planner.plan(for: device)
    #expect(lines(plan) == ["12:00-12:05 base", "12:05-12:10 sale", "12:10-12:12 base", "12:12-12:30 dark"])
    #expect(plan.segments.map(\.isPaused) == [true, false, false, false])
    let wording = PlanWording(book, zone: TimeZoneRules())
    #expect(plan.segments.map { wording.note($0, on: device) } == ["paused", "", "", ""])
    #expect(plan.issues.contains(.paused(plan.segments[0].start..<plan.segments[0].end)))
    func advanced(_ time: String) -> ScheduleDevice {
      var before = Planner(book, range: Bench.range("2026-12-14T12:00:00Z", "2026-12-14T\(time)Z"))
      return before.advanced(device)
    }
    #expect(advanced("12:04:00").baseSeconds == 120 && advanced("12:04:00").isPaused)
    #expect(advanced("12:11:00").baseSeconds == 60 && !advanced("12:11:00").isPaused)
    device.baseSeconds = nil
    #expect(advanced("12:04:00").isPaused && !advanced("12:11:00").isPaused)
    // A rule that is paused gives the screen back as the clock says it.
    var late = Planner(book, range: Bench.range("2026-12-14T12:06:00Z", "2026-12-14T12:30:00Z"))
    #expect(late.plan(for: device).segments.map(\.isPaused) == [true, false])
    // What is stopped is not paused.
    device.stoppedAt = Bench.moment("2026-12-14T11:00:00Z")
    #expect(planner.plan(for: device).segments.allSatisfy { !$0.isPaused })
  }

  @Test("what began before a plan and lasts as long as its programme goes on in it for the expected length")
  func underway() {
    let bell = Bench.rule(1, "bell", "cron", "0 12 * * *", kind: .trigger)
    #expect(
      lines(plan([bell], "12:01:00", "12:10:00", lengths: ["bell": 240])) == [
        "12:01-12:04 bell", "12:04-12:10 base",
      ])
    #expect(lines(plan([bell], "12:04:00", "12:10:00", lengths: ["bell": 240])) == ["12:04-12:10 base"])
    // By the length of what plays in its place, and at the time to which it was moved.
    var other = Bench.rule(1, "bell", "cron", "0 12 * * *")
    other.exceptions[Bench.local("2026-12-14T12:00")] = .replace("song")
    #expect(
      lines(plan([other], "12:05:00", "12:10:00", lengths: ["bell": 240, "song": 480])) == [
        "12:05-12:08 song", "12:08-12:10 base",
      ])
    other.exceptions[Bench.local("2026-12-14T12:00")] = .move(Bench.local("2026-12-14T12:03"))
    #expect(
      lines(plan([other], "12:05:00", "12:10:00", lengths: ["bell": 240])) == [
        "12:05-12:07 bell", "12:07-12:10 base",
      ])
    // Of many that go on at once the last one is on the screen.
    let each = Bench.rule(1, "each", "calendar", "*:*:*")
    let often = plan([each], "12:00:00", "12:00:02", lengths: ["each": 86_400])
    #expect(
      often.segments.first?.occurrence?.original == Bench.local("2026-12-14T12:00:00"), "\(often.segments)")
  }

  @Test("dark time, shares over a hundred per cent, broken rules and collapsed parts are named")
  func checks() {
    let first = Bench.rule(1, "first", "daily", "08:00-10:00", kind: .share(ShareTerms(secondsPerHour: 2400)))
    let second = Bench.rule(
      2, "second", "daily", "09:00-11:00", kind: .share(ShareTerms(secondsPerHour: 1800)))
    let morning = Bench.rule(3, "morning", "daily", "06:00-09:30")
    let lost = Bench.rule(4, "lost", "daypart", "nowhere")
    var dark = plan([first, second, morning, lost], "05:00:00", "12:00:00", base: false)
    #expect(
      lines(dark) == ["05:00-06:00 dark", "06:00-09:30 morning", "09:30-11:00 share", "11:00-12:00 dark"])
    func range(_ from: String, _ to: String) -> Range<WallTime> {
      Bench.range("2026-12-14T\(from):00Z", "2026-12-14T\(to):00Z")
    }
    #expect(
      dark.issues == [
        .broken(RuleID(4), RuleFault("there is no day part nowhere")), .dark(range("05:00", "06:00")),
        .overfull(range("09:00", "10:00"), seconds: 4200), .dark(range("11:00", "12:00")),
      ])
    #expect(dark.issues.map(\.isFailure) == [false, true, true, true])
    dark = plan([morning], "05:00:00", "12:00:00")
    #expect(dark.issues.isEmpty)
    var night = Planner(
      Bench.book("Europe/Berlin", [Bench.rule(1, "gap", "daily", "02:15-02:45")]),
      range: Bench.range("2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z"))
    let plan = night.plan(for: lobby)
    #expect(plan.segments.map(\.kind) == [.base])
    guard case .collapsed(let occurrence)? = plan.issues.first else {
      Issue.record("no part is named"); return
    }
    #expect(occurrence.original.text == "2026-03-29T02:15")
  }

  @Test("devices with the same rules have the same plan, and others do not")
  func alike() {
    let rules = [
      Bench.rule(1, "all", "daily", "08:00-20:00"),
      Bench.rule(2, "shop", "daily", "09:00-10:00", target: .group("shop")),
      Bench.rule(3, "bar", "daily", "11:00-12:00", target: .device("bar")),
    ]
    var shared = Planner(
      Bench.book("Europe/Berlin", rules), range: Bench.range("2026-12-14T00:00:00Z", "2026-12-15T00:00:00Z"))
    for device in [
      lobby, ScheduleDevice(id: "door", groups: ["shop", "other"]), ScheduleDevice(id: "bar"),
      ScheduleDevice(id: "desk"),
      ScheduleDevice(id: "far", zone: Bench.zone("Asia/Kathmandu")),
      ScheduleDevice(id: "dark", groups: ["shop"], hasBase: false),
    ] {
      var alone = Planner(shared.book, range: shared.range)
      #expect(shared.plan(for: device) == alone.plan(for: device))
    }
  }

  @Test("a rule that fires each second is planned as far as the limit, and named")
  func bounded() {
    let book = Bench.book("UTC", [Bench.rule(1, "each", "calendar", "*:*:*", length: 1)])
    var planner = Planner(book, range: Bench.range("2026-01-01T00:00:00Z", "2036-01-01T00:00:00Z"))
    let plan = planner.plan(for: lobby)
    #expect(plan.segments.count == 20_001)
    #expect(plan.issues == [.tooOften(RuleID(1), from: Bench.moment("2026-01-01T05:33:20Z"))])
  }

  @Test("at every moment the plan has the winner that comparing all occurrences finds")
  func naive() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<scheduleRuns(40, 2_000) {
      let zone = TestZone.names.randomElement(using: &generator) ?? "UTC"
      var rules = (1...Int64.random(in: 1...9, using: &generator)).map { RandomRules.rule($0, &generator) }
      rules.append(RandomRules.rule(100, &generator, kind: .trigger))
      let book = RandomRules.book(zone, rules)
      let start = RandomRules.night(zone, &generator)
      let range = start..<start.adding(seconds: 4 * 86_400)
      var planner = Planner(book, range: range)
      let plan = planner.plan(for: lobby)
      // Together the segments are the range.
      #expect(plan.segments.first?.start == range.lowerBound && plan.segments.last?.end == range.upperBound)
      #expect(zip(plan.segments, plan.segments.dropFirst()).allSatisfy { $0.end == $1.start })
      let all = try rules.flatMap { rule in
        Array(try RuleTimetable(rule, zone: book.zone(of: rule, on: lobby), in: book).occurrences(in: range))
          .map { (rule, $0) }
      }
      let moments =
        plan.segments.flatMap { [$0.start, $0.end.adding(seconds: -0.001)] }
        + all.flatMap { [$0.1.start, $0.1.end ?? $0.1.start] }
      for moment in moments where range.contains(moment) {
        let on = all.filter { $0.1.start <= moment && moment < ($0.1.end ?? $0.1.start) }
        let winner = on.max { left, right in
          func key(_ pair: (ScheduleRule, Occurrence)) -> [Int64] {
            let precision: Int64 = pair.0.target == .all ? 0 : pair.0.target == .group("shop") ? 1 : 2
            return [
              Int64(pair.0.priority), pair.0.kind == .trigger ? 1 : 0, precision, pair.1.start.milliseconds,
            ]
          }
          let keys = (key(left), key(right))
          return keys.0 == keys.1 ? left.0.name > right.0.name : keys.0.lexicographicallyPrecedes(keys.1)
        }
        let segment = plan.segments.first { $0.start <= moment && moment < $0.end }
        #expect(segment?.occurrence?.rule == winner?.1.rule, "\(zone) \(RFC3339.text(moment))")
      }
    }
  }

  @Test("1,000 rules on 200 devices over 14 days are planned, one device after the other")
  func large() throws {
    var generator = SeededGenerator(seed: 1_000)
    let count: Int64 = scheduleRuns(1, 2) == 1 ? 200 : 1_000
    let rules = (1...count).map { number in
      var rule = RandomRules.rule(number, &generator)
      rule.target =
        number % 10 == 0 ? .all : number % 2 == 0 ? .group("g\(number % 20)") : .device("d\(number % 200)")
      return rule
    }
    let book = RandomRules.book("Europe/Berlin", rules)
    let start = Bench.moment("2026-03-23T00:00:00Z")
    let clock = ContinuousClock()
    var segments = 0
    let elapsed = clock.measure {
      var planner = Planner(book, range: start..<start.adding(seconds: 14 * 86_400))
      for number in 0..<Int(count) / 5 {
        let plan = planner.plan(for: ScheduleDevice(id: "d\(number)", groups: ["g\(number % 20)"]))
        segments += plan.segments.count
      }
    }
    print(
      "plan of \(count) rules on \(count / 5) devices: \(elapsed), \(segments) segments")
    #expect(segments > 1_000)
  }

  @Test("what is known to have nothing to play is passed over, for its occurrence alone, and named once")
  func passedOver() {
    let rules = [
      Bench.rule(1, "fair", "daily", "08:00-20:00", priority: 5),
      Bench.rule(2, "sale", "daily", "08:00-20:00"),
    ]
    var lobby = ScheduleDevice(id: "lobby", hasBase: false)
    let range = Bench.moment("2026-12-14T11:00:00Z")..<Bench.moment("2026-12-15T11:00:00Z")
    var planner = Planner(Bench.book("UTC", rules), range: range)
    let whole = planner.plan(for: lobby)
    #expect(whole.segments.map { $0.occurrence?.rule.number } == [1, nil, 1])
    let key = OccurrenceKey(rule: RuleID(1), original: Bench.local("2026-12-14T08:00"))
    lobby.passedOver = [key: "its list is empty"]
    let plan = planner.plan(for: lobby)
    #expect(plan.segments.map { $0.occurrence?.rule.number } == [2, nil, 1])
    #expect(
      plan.issues.filter { $0.word == "broken" } == [.broken(RuleID(1), RuleFault("its list is empty"))])
  }
}
