import CastProtocol
import CastqOperations
import CastqSchedule
import CastqText
import Testing

/// What faces say and draw of a schedule.
@Suite("Schedules in words") struct SpokenScheduleTests {
  private let today = LocalDate(number: 20_787)  // Monday 30 November 2026

  private func rule(_ word: String, _ expression: String) throws -> ScheduleRule {
    ScheduleRule(
      id: RuleID(1), name: "x", programme: "Advent", target: .all,
      form: try RuleForm(word: word, expression: expression))
  }

  private func sentence(_ rule: ScheduleRule, next: LocalTime? = nil) -> String {
    RuleSentence(rule, target: "Lobby TV", next: next, today: today).text
  }

  @Test(
    "a rule is a sentence: its days, its times, its programme, its screens, and when it begins",
    arguments: [
      (
        "daily", "11:30-13:30 mon,wed,fri", "Mondays, Wednesdays and Fridays from 11:30 to 13:30 Advent plays"
      ),
      ("daily", "08:00-10:30", "Every day from 08:00 to 10:30 Advent plays"),
      ("daily", "08:00-10:30 mon-fri", "Mondays to Fridays from 08:00 to 10:30 Advent plays"),
      ("daily", "08:00-10:30 sat,sun", "Saturdays and Sundays from 08:00 to 10:30 Advent plays"),
      ("daypart", "breakfast sun", "Sundays at the time of day breakfast Advent plays"),
      ("cron", "0 * * * *", "Every hour Advent plays"),
      ("cron", "*/15 * * * *", "Every 15 minutes Advent plays"),
      ("cron", "5 * * * *", "Every hour at :05 Advent plays"),
      ("cron", "0 8-18 * * mon", "Mondays every hour from 08:00 to 18:00 Advent plays"),
      ("cron", "*/30 9-16 * * 1-5", "Mondays to Fridays every 30 minutes from 09:00 to 16:30 Advent plays"),
      ("cron", "45 18 * * *", "Every day at 18:45 Advent plays"),
      ("cron", "0 8,18 * * *", "At each time of 0 8,18 * * * Advent plays"),
      ("cron", "*/7 * * * *", "At each time of */7 * * * * Advent plays"),
      ("cron", "0 8 1 * *", "At each time of 0 8 1 * * Advent plays"),
      ("once", "2026-12-24T18:00", "Once, on 24 December at 18:00 Advent plays"),
      ("always", "", "Always Advent plays"),
    ])
  func sentences(word: String, expression: String, words: String) throws {
    let text = sentence(try rule(word, expression))
    #expect(text.hasPrefix("\(words) on Lobby TV instead of the queue."), "\(text)")
  }

  @Test("a sentence names the next time as a person does, and says that a rule is off")
  func nextTime() throws {
    var rule = try rule("daily", "11:30-13:30")
    for (days, words) in [
      (0, "today at 11:30."), (1, "tomorrow at 11:30."), (4, "Friday at 11:30."),
      (9, "Wednesday 9 December at 11:30."),
    ] {
      let next = LocalTime(today.advanced(by: days), second: 11 * 3600 + 1800)
      #expect(sentence(rule, next: next).hasSuffix("Next time: \(words)"))
    }
    #expect(sentence(rule).hasSuffix("It never comes again."))
    rule.isEnabled = false
    #expect(sentence(rule).hasSuffix("It is switched off."))
  }

  @Test("a share says how much of each hour it has, and an announcement that it gives the screen back")
  func kinds() throws {
    var rule = try rule("always", "")
    rule.kind = .share(ShareTerms(secondsPerHour: 120, maxPerHour: 4, minGap: 300))
    #expect(
      sentence(rule)
        == "Always Advent plays on Lobby TV between what else is on, for 2 min of each hour, at most 4 times, at least 5 min apart."
    )
    rule.kind = .share(ShareTerms(secondsPerHour: 90, maxPerHour: nil, minGap: 0))
    #expect(sentence(rule).hasSuffix("for 1 min 30 s of each hour."))
    var gong = try self.rule("cron", "0 9-17 * * *")
    gong.kind = .trigger
    #expect(
      sentence(gong).hasPrefix(
        "Every hour from 09:00 to 17:00 Advent plays on Lobby TV as an announcement, and gives the screen back."
      ))
  }

  @Test(
    "words for times make an expression, and say the same of it again; its last time is not after the one that was given",
    arguments: [
      (60, 540, 1020, "0 9-17 * * *"), (30, 540, 1020, "0,30 9-16 * * *"),
      (15, 0, 1440, "0,15,30,45 * * * *"),
      (60, 0, 1440, "0 * * * *"), (60, 5, 1440, "5 * * * *"), (60, 575, 600, "35 9 * * *"),
      (30, 540, 560, nil), (30, 600, 540, nil),
    ] as [(Int, Int, Int, String?)])
  func expressions(step: Int, from: Int, to: Int, text: String?) throws {
    let made = SpokenCron(every: step, from: from, to: to, on: .all)
    #expect(made?.text == text)
    guard let made, made.first / 60 != made.last / 60 else { return }
    let read = try CronExpression(made.text)
    #expect(SpokenCron(read) == made)
  }

  @Test("limits, ranks and ends are words")
  func limits() throws {
    var rule = try rule("daily", "11:30-13:30")
    (rule.notOn, rule.validUntil) = ("holidays", today.advanced(by: 24))
    (rule.priority, rule.end) = (10, .finish)
    #expect(
      sentence(rule).hasPrefix(
        "Every day from 11:30 to 13:30, but not on days of holidays, until 24 December, Advent plays on Lobby TV instead of the queue and of other times, and its last item may finish."
      ), "\(sentence(rule))")
    rule.priority = -3
    #expect(sentence(rule).contains("where no other time wants the screen"))
    #expect(
      RuleSentence(rule, target: "@foyers", next: nil, today: today).text.contains("on the screens of foyers")
    )
    #expect(RuleSentence(rule, target: "@all", next: nil, today: today).text.contains("on all screens"))
  }

  @Test(
    "a rule without a name has that of its programme, and a number where there is such a rule",
    arguments: [
      ("Menus", [], "Menus"), ("Menus", ["menus"], "Menus 2"), ("Menus", ["Menus", "menus 2"], "Menus 3"),
      ("http://x/films/advent.m3u", [], "advent"), ("/srv/.m3u", [], ".m3u"), ("@all", [], "all"),
      ("--", [], "Time"),
      ("..", [], "Time"), ("menus  ", [], "menus"),
    ])
  func naming(programme: String, known: [String], name: String) {
    #expect(RuleNaming.name(for: programme, besides: known) == name)
  }

  // MARK: - Outlines

  private func segment(
    _ start: Int, _ end: Int, _ kind: String, rule: String? = nil, programme: String? = nil,
    cause: String? = nil,
    shares: [String] = []
  ) -> JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func time(_ minute: Int) -> JSONValue {
      .string(RFC3339.text(WallTime(milliseconds: Int64(minute) * 60_000)))
    }
    return [
      "device": "lobby", "start": time(start), "end": time(end), "kind": .string(kind), "rule": text(rule),
      "programme": text(programme), "cause": text(cause), "shares": .array(shares.map { .string($0) }),
    ]
  }

  private func lane(_ segments: [JSONValue], now: Int = 0) -> PlanOutline.Lane? {
    PlanOutline(segments, now: WallTime(milliseconds: Int64(now) * 60_000)).lanes.first
  }

  @Test("what comes again and again is one stretch, and what it interrupts is whole")
  func outline() {
    let hourly = (0..<5).flatMap { hour in
      [
        segment(hour * 60, hour * 60 + 5, "rule", rule: "news", programme: "news"),
        segment(hour * 60 + 5, hour * 60 + 60, "rule", rule: "day", programme: "menus"),
      ]
    }
    let lane = lane(hourly)
    #expect(lane?.pieces.map(\.title) == ["menus"])
    #expect(lane?.pieces.first.map { $0.end - $0.start } == Double(295 * 60))
    #expect(lane?.repeats.map(\.frequency) == ["hourly"] && lane?.repeats.map(\.title) == ["news"])
    // Two of them are two.
    #expect(self.lane(Array(hourly.prefix(4)))?.repeats.isEmpty == true)
    #expect(self.lane(Array(hourly.prefix(4)))?.pieces.count == 4)
  }

  @Test("now parts what was from what is planned; shares are a stretch beside what they interrupt")
  func parts() {
    let base = [segment(0, 60, "base", shares: ["cola"]), segment(60, 120, "base", shares: ["cola"])]
    #expect(lane(base)?.pieces.count == 1)
    #expect(lane(base)?.repeats.map(\.frequency) == ["ad share"])
    #expect(lane(base, now: 60)?.pieces.count == 2 && lane(base, now: 60)?.repeats.count == 2)
  }

  @Test("a gap of seconds is no piece, and nothing that cannot be read is one")
  func gaps() {
    let gap: JSONValue = [
      "device": "lobby", "start": "1970-01-01T01:00:00Z", "end": "1970-01-01T01:00:40Z", "kind": "dark",
    ]
    let odd: JSONValue = ["device": "lobby", "start": "yesterday", "end": 7, "kind": "dark"]
    #expect(
      lane([segment(0, 60, "base"), gap, odd, segment(61, 90, "base")])?.pieces.map(\.kind) == ["base"])
  }

  @Test(
    "people call what is on by its programme, and what is not by what is so",
    arguments: [
      ("base", nil, "The queue"), ("dark", nil, "Nothing on"), ("dark", "unreachable", "Off"),
      ("guest", "guest", "A guest"), ("unobserved", nil, "Not watched"), ("stopped", "stopped", "Stopped"),
    ] as [(String, String?, String)])
  func titles(kind: String, cause: String?, title: String) {
    #expect(PlanOutline.title(segment(0, 1, kind, cause: cause)) == title)
    #expect(PlanOutline.title(segment(0, 1, "rule", programme: "menus")) == "menus")
  }

  @Test("a programme has one colour, whatever else there is")
  func tones() {
    #expect(PlanOutline.tone("menus") == PlanOutline.tone("menus"))
    let tones = Set((0..<100).map { PlanOutline.tone("programme \($0)") })
    #expect(tones == Set(1...PlanOutline.tones))
  }

  // MARK: - Answers

  private func answer(
    at minute: Int, screen: JSONValue = .null, winner: JSONValue = .null, candidates: [JSONValue] = []
  ) -> SpokenAnswer {
    SpokenAnswer(
      [
        "at": .string(RFC3339.text(WallTime(milliseconds: Int64(minute) * 60_000))), "screen": screen,
        "winner": winner, "candidates": .array(candidates),
      ], now: WallTime(milliseconds: 100 * 60_000))
  }

  @Test(
    "of the past the answer is what was on the screen, and why nothing was",
    arguments: [
      (["title": "Advent 3", "kind": "rule"], "Advent 3 was on the screen."),
      (["kind": "dark", "cause": "unreachable"], "Nothing was on the screen: it did not answer."),
      (["kind": "guest", "cause": "guest"], "Somebody else had the screen."),
      (["kind": "dark", "cause": "loading"], "Nothing was on the screen: it was starting."),
      (["kind": "dark", "cause": "something new"], "Nothing was on the screen: nothing was due."),
      (["kind": "dark", "cause": "nothing_due"], "Nothing was on the screen: nothing was due."),
      (["kind": "unobserved"], "castq did not see the screen at that time."),
      ([:], "Nothing is known of this screen at that time."),
    ] as [(JSONValue, String)])
  func pastAnswers(screen: JSONValue, first: String) {
    #expect(answer(at: 1, screen: screen, winner: ["programme": "menus"]).first == first)
  }

  @Test("of now and of what is to come the answer is the plan")
  func comingAnswers() {
    #expect(answer(at: 100, winner: ["programme": "menus"]).first == "menus is on.")
    #expect(answer(at: 900, winner: ["programme": "menus"]).first == "menus will be on.")
    #expect(answer(at: 900, winner: ["kind": "base"]).first == "The queue will be on.")
    #expect(answer(at: 900, winner: ["kind": "dark"]).first == "Nothing will be on.")
    #expect(
      answer(at: 900, winner: ["kind": "stopped", "cause": "stopped"]).first
        == "Nothing will be on: the screen is stopped.")
    #expect(
      answer(at: 100, winner: ["kind": "dark", "cause": "unreachable"]).first
        == "Nothing is on: the screen does not answer.")
    #expect(
      answer(at: 100, winner: ["kind": "guest", "cause": "guest"]).first == "Somebody else has the screen.")
  }

  @Test("an answer says who else wanted the moment, and has the reasons of all apart")
  func competition() {
    let candidates: [JSONValue] = [
      ["rule": "menus", "outcome": "won", "reason": "priority 2"],
      ["rule": "films", "outcome": "lost", "reason": "a"],
      ["rule": "loop", "outcome": "lost", "reason": "b"], ["rule": "xmas", "outcome": "off", "reason": "c"],
    ]
    let both = answer(at: 900, winner: ["rule": "menus", "programme": "menus"], candidates: candidates)
    #expect(both.competition == "films and loop wanted this time, too." && both.rules.count == 4)
    let alone = answer(at: 900, winner: ["rule": "menus", "programme": "menus"], candidates: [candidates[0]])
    #expect(alone.competition == "Nothing else wanted this time.")
    #expect(answer(at: 900, winner: ["kind": "base"]).competition.isEmpty)
  }
}
