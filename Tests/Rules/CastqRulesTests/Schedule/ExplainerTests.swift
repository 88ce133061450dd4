import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqText
import Testing

@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct ExplainerTests {
  private let lobby = ScheduleDevice(id: "lobby", groups: ["shop"])

  private func why(
    _ rules: [ScheduleRule], _ at: String, passedOver: [OccurrenceKey: String] = [:],
    lengths: [String: Int] = [:]
  ) -> [String] {
    var lobby = lobby
    lobby.passedOver = passedOver
    let feast = HolidayCalendar(name: "feast", days: [Bench.day("2026-12-25"): "Christmas Day"])
    let lunch = Daypart(
      name: "lunch", part: Bench.part("11:30-14:00"),
      exceptions: [.init(.calendar("feast"), nil), .init(.weekdays(Weekdays(.sunday)), nil)])
    var book = Bench.book("Europe/Berlin", rules, dayparts: [lunch], calendars: [feast])
    book.lengths = lengths
    return Explainer(book, device: lobby, at: Bench.moment(at)).explanation().candidates.map(\.text)
  }

  @Test("of those that are on, one has won, and the others say what they lack")
  func contenders() {
    let rules = [
      Bench.rule(1, "sale", "daily", "08:00-20:00", priority: 3),
      Bench.rule(2, "fair", "daily", "09:00-20:00", priority: 5),
      Bench.rule(3, "shop", "daily", "10:00-20:00", priority: 5, target: .group("shop")),
      Bench.rule(4, "lobby", "daily", "08:00-20:00", priority: 5, target: .device("lobby")),
      Bench.rule(5, "desk", "daily", "10:30-20:00", priority: 5, target: .device("lobby")),
      Bench.rule(6, "door", "daily", "10:30-20:00", priority: 5, target: .device("lobby")),
      Bench.rule(7, "bar", "daily", "08:00-20:00", target: .device("bar")),
      Bench.rule(8, "advert", "always", kind: .share(ShareTerms(secondsPerHour: 120))),
    ]
    #expect(
      why(rules, "2026-12-14T11:00:00Z") == [
        "desk  won: daily 10:30-20:00, priority 5, Europe/Berlin",
        "door  lost: tied with desk, whose name comes first",
        "lobby  lost: began 08:00, and desk 10:30", "shop  lost: for group, and desk is for device",
        "fair  lost: for all, and desk is for device", "sale  lost: priority 3 < 5",
        "advert  later: has 120 s of each hour, between items",
      ])
    #expect(
      why(
        rules + [Bench.rule(9, "bell", "cron", "0 12 * * *", priority: 5, kind: .trigger, length: 60)],
        "2026-12-14T11:00:30Z"
      )
      .prefix(2) == [
        "bell  won: cron 0 12 * * *, priority 5, Europe/Berlin", "desk  lost: interrupted by bell",
      ])
  }

  @Test("what is always on has no beginning, and loses to what began")
  func always() {
    let rules = [Bench.rule(1, "day", "always"), Bench.rule(2, "fair", "daily", "09:00-20:00")]
    #expect(
      why(rules, "2026-12-14T11:00:00Z") == [
        "fair  won: daily 09:00-20:00, priority 0, Europe/Berlin",
        "day  lost: is always on, and fair began 09:00",
      ])
  }

  @Test("on a stopped device nothing wins from the stop on, and what would says so")
  func stopped() {
    let book = Bench.book(
      "Europe/Berlin", [Bench.rule(1, "day", "always"), Bench.rule(2, "low", "always", priority: -1)])
    var device = lobby
    device.stoppedAt = Bench.moment("2026-12-14T11:00:00Z")
    func told(_ at: String) -> Explanation {
      Explainer(book, device: device, at: Bench.moment(at)).explanation()
    }
    #expect(told("2026-12-14T10:59:59Z").candidates.first?.outcome == .won)
    let later = told("2026-12-14T11:00:00Z")
    #expect(later.winner.shownKind == .dark && later.winner.occurrence?.rule == RuleID(1))
    #expect(
      later.candidates.map(\.text) == [
        "day  lost: is due, and the device is stopped", "low  lost: priority -1 < 0",
      ])
  }

  @Test("in quiet hours nothing wins, and what would says so")
  func quietHours() throws {
    let book = Bench.book("UTC", [Bench.rule(1, "day", "always")])
    var rules = DeviceRules()
    rules.quietHours = [try QuietHours("22:00-07:00")]
    var device = lobby
    device.darkHours = DarkHours(rules, local: TimeZoneRules())
    func told(_ at: String) -> Explanation {
      Explainer(book, device: device, at: Bench.moment(at)).explanation()
    }
    #expect(told("2026-12-14T21:59:59Z").candidates.first?.outcome == .won)
    let night = told("2026-12-14T22:00:00Z")
    #expect(night.winner.shownKind == .dark && night.winner.silence == .quietHours)
    #expect(night.candidates.map(\.text) == ["day  later: is due, and waits for the end of quiet hours"])
    #expect(told("2026-12-15T07:00:00Z").candidates.first?.outcome == .won)
  }

  @Test("the fifth announcement waits, and says so")
  func waiting() {
    let rules = (0..<5).map {
      Bench.rule(Int64($0), "a\($0)", "cron", "\($0) 12 * * *", kind: .trigger, length: 1800)
    }
    #expect(
      why(rules, "2026-12-14T11:10:00Z").prefix(3) == [
        "a3  won: cron 3 12 * * *, priority 0, Europe/Berlin",
        "a4  later: waits until one of four announcements is over",
        "a2  lost: began 12:02, and a3 12:03",
      ])
  }

  @Test("an announcement that lasts as long as its programme has the screen for the expected length")
  func underway() {
    let rules = [
      Bench.rule(1, "gong", "cron", "0 12 * * *", kind: .trigger),
      Bench.rule(2, "day", "daily", "08:00-20:00"),
    ]
    #expect(
      why(rules, "2026-12-14T11:00:20Z", lengths: ["gong": 30]) == [
        "gong  won: cron 0 12 * * *, priority 0, Europe/Berlin", "day  lost: interrupted by gong",
      ])
    #expect(
      why(rules, "2026-12-14T11:00:30Z", lengths: ["gong": 30]) == [
        "day  won: daily 08:00-20:00, priority 0, Europe/Berlin", "gong  off: was at 12:00",
      ])
  }

  @Test("what is as long as nobody knows wins at its moment where it has the rank, as in the plan")
  func openStart() {
    let gong = Bench.rule(1, "gong", "cron", "0 12 * * *", kind: .trigger)
    let day = Bench.rule(2, "day", "daily", "08:00-20:00")
    let sale = Bench.rule(3, "sale", "daily", "11:00-13:00", priority: 1)
    #expect(
      why([gong, day], "2026-12-14T11:00:00Z") == [
        "gong  won: cron 0 12 * * *, priority 0, Europe/Berlin", "day  lost: interrupted by gong",
      ])
    #expect(
      why([gong, day, sale], "2026-12-14T11:00:00Z").prefix(2) == [
        "sale  won: daily 11:00-13:00, priority 1, Europe/Berlin", "gong  lost: priority 0 < 1",
      ])
    var planner = Planner(
      Bench.book("Europe/Berlin", [gong, day]),
      range: Bench.range("2026-12-14T11:00:00Z", "2026-12-14T11:01:00Z"))
    let explanation = Explainer(
      Bench.book("Europe/Berlin", [gong, day]), device: lobby, at: Bench.moment("2026-12-14T11:00:00Z")
    ).explanation()
    #expect(planner.plan(for: lobby).segments.first == explanation.winner)
  }

  @Test("what is not on says when it is, or why it is not")
  func absent() {
    var rule = Bench.rule(1, "r", "daypart", "lunch")
    #expect(why([rule], "2026-12-14T09:00:00Z") == ["r  later: starts 11:30"])
    #expect(why([rule], "2026-12-14T13:00:00Z") == ["r  off: ended 14:00"])
    #expect(why([rule], "2026-12-25T11:00:00Z") == ["r  off: closed on feast, Christmas Day"])
    #expect(why([rule], "2026-12-13T11:00:00Z") == ["r  off: closed on Sundays"])
    rule.notOn = "feast"
    #expect(why([rule], "2026-12-25T11:00:00Z") == ["r  off: not on feast, Christmas Day"])
    (rule.notOn, rule.onlyOn) = (nil, "feast")
    #expect(why([rule], "2026-12-14T11:00:00Z") == ["r  off: only on feast"])
    rule.onlyOn = nil
    (rule.validFrom, rule.validUntil) = (Bench.day("2026-12-15"), Bench.day("2026-12-16"))
    #expect(why([rule], "2026-12-14T11:00:00Z") == ["r  off: valid from 2026-12-15"])
    #expect(why([rule], "2026-12-17T11:00:00Z") == ["r  off: valid until 2026-12-16"])
    rule.isEnabled = false
    #expect(why([rule], "2026-12-15T11:00:00Z") == ["r  off: disabled"])
    #expect(
      why([Bench.rule(1, "r", "daypart", "tea")], "2026-12-15T11:00:00Z") == [
        "r  broken: there is no day part tea"
      ])
    #expect(
      why([Bench.rule(1, "r", "daily", "08:00-09:00 mon-fri")], "2026-12-13T11:00:00Z") == [
        "r  off: not on Sundays"
      ])
    #expect(
      why([Bench.rule(1, "r", "cron", "0 8 15 * *", length: 60)], "2026-12-14T11:00:00Z") == [
        "r  later: starts Tue 15 Dec 2026 08:00"
      ])
    #expect(
      why([Bench.rule(1, "r", "once", "2026-12-01T08:00", length: 60)], "2026-12-14T11:00:00Z") == [
        "r  off: has no more starts"
      ])
    #expect(
      why([Bench.rule(1, "r", "daily", "02:15-02:45")], "2026-03-29T11:00:00Z") == [
        "r  off: clocks skip it on 2026-03-29"
      ])
    var skipped = Bench.rule(1, "r", "daily", "08:00-09:00")
    skipped.exceptions[Bench.local("2026-12-14T08:00")] = .skip
    #expect(why([skipped], "2026-12-14T07:30:00Z") == ["r  off: skipped on 2026-12-14"])
    skipped.exceptions[Bench.local("2026-12-14T08:00")] = .move(Bench.local("2026-12-20T18:00"))
    #expect(why([skipped], "2026-12-14T07:30:00Z") == ["r  off: moved from 08:00 to Sun 20 Dec 2026 18:00"])
  }

  @Test("a programme that failed leaves the screen to what lies below it")
  func failed() {
    let rules = [
      Bench.rule(1, "fair", "daily", "08:00-20:00", priority: 5),
      Bench.rule(2, "sale", "daily", "08:00-20:00"),
    ]
    let key = OccurrenceKey(rule: RuleID(1), original: Bench.local("2026-12-14T08:00"))
    #expect(
      why(rules, "2026-12-14T11:00:00Z", passedOver: [key: "its list is empty"]) == [
        "sale  won: daily 08:00-20:00, priority 0, Europe/Berlin", "fair  broken: its list is empty",
      ])
  }

  @Test("a share of which nothing can be played is passed over, and has no part of the time")
  func emptyShare() {
    let promo = Bench.rule(1, "promo", "always", kind: .share(ShareTerms(secondsPerHour: 720)))
    var device = ScheduleDevice(id: "lobby", hasBase: false)
    let book = Bench.book("UTC", [promo])
    func told() -> Explanation {
      Explainer(book, device: device, at: Bench.moment("2026-12-14T11:00:00Z")).explanation()
    }
    #expect(told().candidates.map(\.text) == ["promo  later: has 720 s of each hour, between items"])
    device.emptyShares = ["promo": "its list is empty"]
    #expect(told().candidates.map(\.text) == ["promo  broken: its list is empty"])
    #expect(told().winner.kind == .dark && told().winner.shares.isEmpty)
    var planner = Planner(book, range: Bench.range("2026-12-14T11:00:00Z", "2026-12-14T12:00:00Z"))
    let plan = planner.plan(for: device)
    #expect(plan.issues.map(\.word).sorted() == ["broken", "dark"])
    device.emptyShares = [:]
    #expect(planner.plan(for: device).segments.map(\.kind) == [.share])
  }

  @Test("the winner of an explanation is the winner of the plan")
  func samePlan() {
    var generator = SeededGenerator(seed: 99)
    for _ in 0..<scheduleRuns(30, 1_000) {
      let zone = TestZone.names.randomElement(using: &generator) ?? "UTC"
      let rules = (1...Int64.random(in: 1...9, using: &generator)).map { RandomRules.rule($0, &generator) }
      let book = RandomRules.book(zone, rules)
      let at = RandomRules.night(zone, &generator).adding(
        seconds: Double.random(in: 0...400_000, using: &generator))
      let explanation = Explainer(book, device: lobby, at: at).explanation()
      let won = explanation.candidates.filter { $0.outcome == .won }.map(\.rule)
      #expect(
        won == [explanation.winner.occurrence?.rule].compactMap { $0 },
        "\(zone) \(RFC3339.text(at)) \(explanation.candidates.map(\.text))")
    }
  }

  @Test("1,000 rules are explained")
  func large() {
    var generator = SeededGenerator(seed: 1_000)
    let rules = (1...Int64(scheduleRuns(100, 1_000))).map { RandomRules.rule($0, &generator) }
    let book = RandomRules.book("Europe/Berlin", rules)
    var explanation: Explanation?
    let elapsed = ContinuousClock().measure {
      explanation = Explainer(book, device: lobby, at: Bench.moment("2026-03-28T12:00:00Z")).explanation()
    }
    print("why of \(rules.count) rules: \(elapsed)")
    #expect(explanation?.candidates.count == rules.count)
  }
}
