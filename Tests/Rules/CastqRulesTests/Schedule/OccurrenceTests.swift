import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct OccurrenceTests {
  private func texts(
    _ zone: String, _ rule: ScheduleRule, _ from: String, _ to: String, dayparts: [Daypart] = [],
    calendars: [HolidayCalendar] = []
  )
    throws -> [String]
  {
    try Bench.occurrences(
      Bench.book(zone, [rule], dayparts: dayparts, calendars: calendars), in: Bench.range(from, to)
    ).map(\.text)
  }

  @Test("adjoining parts adjoin on both nights on which clocks are changed")
  func adjoining() throws {
    for (date, zone) in [
      ("2026-03-28", "Europe/Berlin"), ("2026-10-24", "Europe/Berlin"), ("2026-04-04", "Australia/Lord_Howe"),
      ("2011-12-29", "Pacific/Apia"),
    ] {
      let parts = ["22:00-01:30", "01:30-02:15", "02:15-02:45", "02:45-03:00", "03:00-22:00"]
      let range =
        Bench.moment("\(date)T00:00:00Z")..<Bench.moment("\(date)T00:00:00Z").adding(seconds: 3 * 86_400)
      var all: [Occurrence] = []
      for part in parts {
        all += try Bench.occurrences(Bench.book(zone, [Bench.rule(1, "part", "daily", part)]), in: range)
      }
      all.sort { ($0.start, $0.end ?? $0.start) < ($1.start, $1.end ?? $1.start) }
      for (one, next) in zip(all, all.dropFirst()) {
        #expect(one.end == next.start, "\(zone) \(one.text), \(next.text)")
      }
      #expect(all.count >= 15)
    }
  }

  @Test("a part that clocks skip collapses at the end of the gap; one that is repeated is long")
  func changes() throws {
    #expect(
      try texts(
        "Europe/Berlin", Bench.rule(1, "p", "daily", "02:15-02:45"), "2026-03-28T12:00:00Z",
        "2026-03-30T12:00:00Z") == [
          "2026-03-29T02:15 0 s from 2026-03-29T01:00Z", "2026-03-30T02:15 1800 s from 2026-03-30T00:15Z",
        ])
    #expect(
      try texts(
        "Europe/Berlin", Bench.rule(1, "p", "daily", "01:00-04:00"), "2026-10-25T00:30:00Z",
        "2026-10-25T12:00:00Z")
        == ["2026-10-25T01:00 14400 s from 2026-10-24T23:00Z"])
    #expect(
      try texts(
        "Pacific/Apia", Bench.rule(1, "p", "daily", "08:00-10:00"), "2011-12-29T12:00:00Z",
        "2011-12-31T00:00:00Z") == [
          "2011-12-29T08:00 7200 s from 2011-12-29T18:00Z", "2011-12-30T08:00 0 s from 2011-12-30T10:00Z",
          "2011-12-31T08:00 7200 s from 2011-12-30T18:00Z",
        ])
  }

  @Test("what --for says is elapsed time, also over a night on which clocks are changed")
  func elapsed() throws {
    for form in [("cron", "0 1 29 3 *"), ("calendar", "2026-03-29 01:00"), ("once", "2026-03-29T01:00")] {
      #expect(
        try texts(
          "Europe/Berlin", Bench.rule(1, "p", form.0, form.1, length: 10_800), "2026-03-29T02:59:59Z",
          "2026-03-30T00:00:00Z")
          == ["2026-03-29T01:00 10800 s from 2026-03-29T00:00Z"])
      #expect(
        try texts(
          "Europe/Berlin", Bench.rule(1, "p", form.0, form.1, length: 10_800), "2026-03-29T03:00:00Z",
          "2026-03-30T00:00:00Z") == [])
    }
  }

  @Test("starts that clocks skip are one start, and repeated hours start once")
  func cronNights() throws {
    let cron = Bench.rule(1, "p", "cron", "*/20 2,3 * * *")
    #expect(
      try texts("Europe/Berlin", cron, "2026-03-29T00:00:00Z", "2026-03-29T03:00:00Z").map { $0.prefix(16) }
        == [
          "2026-03-29T02:00", "2026-03-29T03:20", "2026-03-29T03:40",
        ])
    #expect(try texts("Europe/Berlin", cron, "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z").count == 6)
  }

  @Test("validity includes both days, and a calendar says which days count; the day is that of the start")
  func days() throws {
    let calendar = HolidayCalendar(
      name: "feast", days: [Bench.day("2026-12-25"): "Christmas", Bench.day("2026-12-26"): "Boxing Day"])
    var rule = Bench.rule(1, "p", "daily", "22:00-02:00 mon-fri")
    (rule.validFrom, rule.validUntil) = (Bench.day("2026-12-23"), Bench.day("2026-12-28"))
    func days() throws -> [String] {
      try texts("Europe/Berlin", rule, "2026-12-01T00:00:00Z", "2027-02-01T00:00:00Z", calendars: [calendar])
        .map { String($0.prefix(10)) }
    }
    #expect(try days() == ["2026-12-23", "2026-12-24", "2026-12-25", "2026-12-28"])
    rule.notOn = "feast"
    #expect(try days() == ["2026-12-23", "2026-12-24", "2026-12-28"])
    (rule.notOn, rule.onlyOn) = (nil, "feast")
    #expect(try days() == ["2026-12-25"])
    rule.onlyOn = "nothing"
    #expect(throws: RuleFault("there is no calendar nothing")) { try days() }
  }

  @Test("in a day part a calendar beats a weekday, within a kind the first one counts, and closed is closed")
  func dayparts() throws {
    let feast = HolidayCalendar(name: "feast", days: [Bench.day("2026-12-25"): "Christmas"])
    let part = Daypart(
      name: "lunch", part: Bench.part("11:30-14:00"),
      exceptions: [
        .init(.weekdays(try Weekdays("fri,sat")), Bench.part("12:00-15:00")),
        .init(.weekdays(try Weekdays("sat,sun")), nil),
        .init(.calendar("feast"), Bench.part("10:00-16:00")), .init(.calendar("feast"), nil),
      ])
    let times = try texts(
      "Europe/Berlin", Bench.rule(1, "p", "daypart", "lunch"), "2026-12-24T00:00:00Z", "2026-12-29T00:00:00Z",
      dayparts: [part],
      calendars: [feast])
    #expect(
      times.map { $0.prefix(16) } == [
        "2026-12-24T11:30", "2026-12-25T10:00", "2026-12-26T12:00", "2026-12-28T11:30",
      ])
    #expect(throws: RuleFault("there is no day part tea")) {
      try texts(
        "Europe/Berlin", Bench.rule(1, "p", "daypart", "tea"), "2026-12-24T00:00:00Z", "2026-12-29T00:00:00Z")
    }
  }

  @Test("exceptions are named by the time the rule gives: skipped, moved with their length, replaced")
  func exceptions() throws {
    var rule = Bench.rule(1, "p", "daily", "08:00-09:00")
    rule.exceptions = [
      Bench.local("2026-12-02T08:00"): .skip,
      Bench.local("2026-12-04T08:00"): .move(Bench.local("2026-12-01T20:00")),
      Bench.local("2026-12-03T08:00"): .replace("advent"),
      Bench.local("2026-12-05T09:00"): .move(Bench.local("2026-12-01T21:00")),
    ]
    let book = Bench.book("Europe/Berlin", [rule])
    let all = try Bench.occurrences(book, in: Bench.range("2026-12-01T00:00:00Z", "2026-12-06T00:00:00Z"))
    #expect(
      all.map(\.text) == [
        "2026-12-01T08:00 3600 s from 2026-12-01T07:00Z", "2026-12-04T08:00 3600 s from 2026-12-01T19:00Z",
        "2026-12-03T08:00 3600 s from 2026-12-03T07:00Z", "2026-12-05T08:00 3600 s from 2026-12-05T07:00Z",
      ])
    #expect(all.map(\.replacement) == [nil, nil, "advent", nil])
    // It is found where it was moved to, and not where it was.
    #expect(
      try Bench.occurrences(book, in: Bench.range("2026-12-01T19:30:00Z", "2026-12-01T19:31:00Z")).count == 1)
    #expect(
      try Bench.occurrences(book, in: Bench.range("2026-12-04T00:00:00Z", "2026-12-05T00:00:00Z")).isEmpty)
  }

  @Test("always is one stretch, and calendars cut it at midnights")
  func always() throws {
    var rule = Bench.rule(1, "p", "always")
    let range = ("2026-12-20T00:00:00Z", "2026-12-31T00:00:00Z")
    let whole = try Bench.occurrences(Bench.book("Europe/Berlin", [rule]), in: Bench.range(range.0, range.1))
    #expect(whole.count == 1 && whole[0].end == .latest)
    (rule.validFrom, rule.notOn) = (Bench.day("2026-12-01"), "feast")
    let feast = HolidayCalendar(
      name: "feast", days: [Bench.day("2026-12-25"): "", Bench.day("2026-12-26"): ""])
    #expect(
      try texts("Europe/Berlin", rule, range.0, "2026-12-26T00:00:00Z", calendars: [feast]) == [
        "2026-12-01T00:00 2073600 s from 2026-11-30T23:00Z"
      ])
    (rule.notOn, rule.onlyOn) = (nil, "feast")
    #expect(
      try texts("Europe/Berlin", rule, range.0, range.1, calendars: [feast]) == [
        "2026-12-25T00:00 172800 s from 2026-12-24T23:00Z"
      ])
  }

  @Test("a rule that fires each second for ten years is read as far as it is asked for")
  func endless() throws {
    let book = Bench.book("Europe/Berlin", [Bench.rule(1, "p", "calendar", "*:*:*")])
    let timetable = try RuleTimetable(book.rules[0], zone: book.siteZone, in: book)
    var count = 0
    var last = Bench.moment("2026-01-01T00:00:00Z").adding(seconds: -1)
    for occurrence in timetable.occurrences(in: Bench.range("2026-01-01T00:00:00Z", "2036-01-01T00:00:00Z")) {
      #expect(occurrence.start == last.adding(seconds: 1))
      last = occurrence.start
      count += 1
      if count == 20_000 { break }
    }
    #expect(count == 20_000)
  }

  @Test(
    "a rule that never has a day ends at once",
    arguments: [("daypart", "closed"), ("daily", "08:00-09:00 mon")])
  func never(word: String, expression: String) throws {
    var rule = Bench.rule(1, "p", word, expression)
    if word == "daily" { rule.onlyOn = "sundays" }
    let sundays = HolidayCalendar(name: "sundays", days: [Bench.day("2026-11-29"): ""])
    let closed = Daypart(name: "closed", part: .day, exceptions: [.init(.weekdays(.all), nil)])
    let book = Bench.book("Europe/Berlin", [rule], dayparts: [closed], calendars: [sundays])
    #expect(
      try Bench.occurrences(book, in: WallTime(milliseconds: .min)..<Bench.moment("1000-01-01T00:00:00Z"))
        .isEmpty)
    #expect(
      try RuleTimetable(rule, zone: book.siteZone, in: book).next(after: Bench.moment("2026-01-01T00:00:00Z"))
        == nil)
  }

  @Test("what a range has does not depend on the range it is part of")
  func ranges() throws {
    var generator = SeededGenerator(seed: 44)
    for _ in 0..<scheduleRuns(150, 5_000) {
      let zone = TestZone.names.randomElement(using: &generator) ?? "UTC"
      let rule = RandomRules.rule(1, &generator)
      let book = RandomRules.book(zone, [rule])
      let timetable = try RuleTimetable(rule, zone: book.siteZone, in: book)
      let start = RandomRules.night(zone, &generator)
      let all = Array(timetable.occurrences(in: start..<start.adding(seconds: 6 * 86_400)).prefix(2_000))
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.start <= $1.start })
      let from = start.adding(seconds: Double.random(in: 0...2 * 86_400, using: &generator))
      let part = from..<from.adding(seconds: Double.random(in: 1...86_400, using: &generator))
      guard all.count < 2_000 else { continue }
      #expect(
        Array(timetable.occurrences(in: part)) == all.filter { $0.intersects(part) },
        "\(zone) \(rule.formText)")
    }
  }

  @Test("a form is what its two columns say, and says them again")
  func forms() throws {
    for (word, expression) in [
      ("always", ""), ("daily", "08:00-10:30"), ("daily", "22:00-02:00 mon-fri"), ("daypart", "lunch"),
      ("daypart", "lunch sat,sun"),
      ("cron", "*/5 * * * *"), ("calendar", "Mon..Fri 08:00"), ("once", "2026-12-24T18:00"),
    ] {
      let form = try RuleForm(word: word, expression: expression)
      #expect(form.word == word && form.expression == expression)
    }
    for (word, expression) in [
      ("often", ""), ("always", "x"), ("daily", ""), ("daypart", ""), ("daily", "08:00-09:00 mon tue"),
      ("once", "noon"),
    ] {
      #expect(throws: TextError.self) { try RuleForm(word: word, expression: expression) }
    }
  }
}
