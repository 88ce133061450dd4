import CastProtocol
import CastqSchedule
import CastqText
import Foundation
import Testing

/// Calendars as other programs write them.
@Suite struct CalendarFileTests {
  private func file(_ lines: [String]) -> CalendarFile {
    CalendarFile(
      Array((["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR"]).joined(separator: "\r\n").utf8),
      file: "days.ics")
  }

  private func event(_ lines: String...) -> [String] { ["BEGIN:VEVENT"] + lines + ["END:VEVENT"] }

  private func days(
    _ lines: [String], _ from: String = "2026-01-01", _ to: String = "2027-12-31", site: String = "UTC",
    keep: String? = nil
  ) -> [String] {
    let file = self.file(lines)
    #expect(file.issues.isEmpty, "\(file.issues)")
    let days = file.days(from: Bench.day(from), through: Bench.day(to), clocks: TestZone.clocks(site)) {
      keep.map { NamePattern($0) }?.matches($0) ?? true
    }
    return days.days.sorted { $0.key < $1.key }.map { "\($0.key.text) \($0.value)" }
  }

  @Test("days, stretches of days, and times on the days that their clock shows")
  func dates() {
    #expect(
      days(
        event(
          "DTSTART;VALUE=DATE:20261224", "SUMMARY:Christmas Eve\\, closed", "BEGIN:VALARM", "SUMMARY:x",
          "END:VALARM"))
        == ["2026-12-24 Christmas Eve, closed"])
    #expect(
      days(event("DTSTART;VALUE=DATE:20261230", "DTEND;VALUE=DATE:20270102", "SUMMARY:Fair")) == [
        "2026-12-30 Fair", "2026-12-31 Fair", "2027-01-01 Fair",
      ])
    #expect(
      days(event("DTSTART:20261230T220000", "DURATION:PT4H", "SUMMARY:N")) == [
        "2026-12-30 N", "2026-12-31 N",
      ])
    #expect(days(event("DTSTART:20261230T220000", "DTEND:20261231T000000", "SUMMARY:N")) == ["2026-12-30 N"])
    #expect(days(event("DTSTART;VALUE=DATE:20261230", "DURATION:P2D", "SUMMARY:N")).count == 2)
    #expect(days(event("DTSTART;VALUE=DATE:20251230", "SUMMARY:Long ago")).isEmpty)
    // What somebody else calls a day is cleaned and cut.
    #expect(
      days(
        event("DTSTART;VALUE=DATE:20261224", "SUMMARY:a\u{1B}[31mb\\n" + String(repeating: "ä", count: 200)))
        == ["2026-12-24 ab " + String(repeating: "ä", count: 98)])
    // Folded lines, small letters, a zone in quotes, lines without a carriage return.
    let text =
      "begin:vcalendar\nBegin:VEVENT\nDTSTART;TZID=\"Europe/Berlin\":20261224T080000\nSUMMARY:Chri\n stm\n\tas\nEND:VEVENT\nEND:VCALENDAR\n"
    let folded = CalendarFile(Array(text.utf8), file: "a.ics")
    #expect(folded.issues.isEmpty)
    let found = folded.days(from: .earliest, through: .latest, clocks: TestZone.clocks("UTC")) { _ in true }
    #expect(found.days == [Bench.day("2026-12-24"): "Christmas"])
  }

  @Test(
    "rules repeat days, without those that are left out, moved or cancelled", .enabled(if: TestZone.isThere))
  func repeats() {
    #expect(
      days(event("DTSTART;VALUE=DATE:20200510", "RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "SUMMARY:Mothers"))
        == [
          "2026-05-10 Mothers", "2027-05-09 Mothers",
        ])
    let weekly = [
      "UID:a", "DTSTART;TZID=Europe/Berlin:20260601T080000", "DTEND;TZID=Europe/Berlin:20260601T090000",
      "RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20260608T080000", "SUMMARY:W",
    ]
    let moved = event(
      "UID:a", "RECURRENCE-ID:20260615T060000Z", "DTSTART;TZID=Europe/Berlin:20260616T080000", "SUMMARY:M")
    let whole = ["BEGIN:VEVENT"] + weekly + ["RDATE;VALUE=DATE:20260701", "END:VEVENT"]
    #expect(
      days(whole + moved) == ["2026-06-01 W", "2026-06-16 M", "2026-06-22 W", "2026-07-01 W"])
    let cancelled = event(
      "UID:a", "RECURRENCE-ID:20260622T060000Z", "DTSTART:20260622T060000Z", "STATUS:CANCELLED")
    #expect(days(whole + moved + cancelled).count == 3)
    // The last one is that of UNTIL, by the clock of the event.
    #expect(
      days(
        event(
          "DTSTART;TZID=Europe/Berlin:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260603T060000Z", "SUMMARY:U"
        )
      ).count == 3)
    #expect(
      days(
        event(
          "DTSTART;TZID=Europe/Berlin:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260603T055959Z", "SUMMARY:U"
        )
      ).count == 2)
  }

  @Test("only events whose name has a pattern are taken")
  func keep() {
    let lines =
      event("DTSTART;VALUE=DATE:20261224", "SUMMARY:Public holiday: Eve")
      + event("DTSTART;VALUE=DATE:20261226", "SUMMARY:Birthday")
    #expect(days(lines, keep: "holiday") == ["2026-12-24 Public holiday: Eve"])
    #expect(days(lines, keep: "public*eve").count == 1 && days(lines, keep: "pub*x").isEmpty)
    #expect(days(lines, keep: "holiday*").isEmpty, "a pattern with a star is for the whole name")
    #expect(days(lines, keep: "*").count == 2 && days(lines, keep: "BIRTH").count == 1)
  }

  @Test(
    "what cannot be read is an issue with its place, and costs its event",
    arguments: [
      (["DTSTART;VALUE=DATE:20260230"], "days.ics:4:20: `20260230` is not a date"),
      (["SUMMARY:x"], "days.ics:3:1: the event has no DTSTART"),
      (["DTSTART:20260101", "RRULE:FREQ=MINUTELY"], "days.ics:5:7: `FREQ=MINUTELY` is not read"),
      (["DTSTART:20260101", "RRULE:FREQ=SECONDLY"], "castq reads YEARLY, MONTHLY, WEEKLY, DAILY and HOURLY"),
      (
        ["DTSTART:20260101", "RRULE:FREQ=HOURLY"],
        "days.ics:3:1: the event repeats within a day, and begins on a date"
      ),
      (["DTSTART:20260101T080000", "RRULE:FREQ=DAILY;BYHOUR=24"], "not a number from 0 to 23"),
      (["DTSTART:20260101T080000", "RRULE:FREQ=DAILY;BYMINUTE=-1"], "not a number from 0 to 59"),
      (["DTSTART:20260101", "RRULE:FREQ=DAILY;BYDAY=XX"], "`XX` is not a day of the week"),
      (
        ["DTSTART:20260105", "RRULE:FREQ=WEEKLY;BYDAY=2MO"],
        "days.ics:5:7: BYDAY has a number, and the rule is WEEKLY"
      ),
      (["DTSTART:20260105", "RRULE:BYDAY=-1MO;FREQ=DAILY"], "BYDAY has a number, and the rule is DAILY"),
      (
        ["DTSTART:20260105", "RRULE:FREQ=YEARLY;BYWEEKNO=2;BYDAY=2MO"],
        "days.ics:5:7: BYDAY has a number beside BYWEEKNO"
      ),
      (["DTSTART:20260101", "RRULE:COUNT=2"], "the rule has no FREQ"),
      (["DTSTART:20260101", "RRULE:FREQ=DAILY;COUNT=0"], "not a number from 1"),
      (["DTSTART:20260101T080000", "RRULE:FREQ=DAILY;BYSECOND=8"], "`BYSECOND=8` is not read"),
      (["DTSTART:20260101", "DURATION:-P1D"], "is not a duration"),
      (["DTSTART:20260101", "nothing"], "the line has no name"),
      (["DTSTART:20260101T250000"], "is not a date"),
      (["DTSTART:20260101", "EXRULE:FREQ=DAILY"], "EXRULE is not read"),
    ])
  func mistakes(_ lines: [String], _ words: String) {
    let good = event("DTSTART;VALUE=DATE:20261224", "SUMMARY:Eve")
    let file = self.file(["BEGIN:VEVENT"] + lines + ["END:VEVENT"] + good)
    #expect(file.issues.contains { $0.description.contains(words) }, "\(file.issues)")
    let days = file.days(from: Bench.day("2026-12-24"), through: .latest, clocks: .utc) {
      _ in true
    }
    #expect(days.days[Bench.day("2026-12-24")] == "Eve")
  }

  @Test("a file that is cut off, hostile or no calendar is told, and takes no time")
  func hostile() {
    #expect(
      CalendarFile(Array("hello".utf8), file: "a").issues.contains { $0.message == "this is not a calendar" })
    #expect(
      CalendarFile(Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101".utf8), file: "a").issues.first?
        .message == "the event has no end")
    #expect(CalendarFile(Array("END:VEVENT\n".utf8), file: "a").issues.count == 1)
    // Rules that never match, or match each day for ten thousand years, in great numbers.
    let never = event(
      "DTSTART;VALUE=DATE:00010101", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9", "SUMMARY:n")
    let always = event(
      "DTSTART;VALUE=DATE:00010101", "DURATION:P9999D", "RRULE:FREQ=DAILY;COUNT=1000000", "SUMMARY:a")
    let file = self.file(Array(repeating: never + always, count: 10).flatMap(\.self))
    let days = file.days(from: .earliest, through: .latest, clocks: .utc) { _ in true }
    #expect(days.days.count <= 100_000)
    let deep = CalendarFile(Array(String(repeating: "BEGIN:VCALENDAR\n", count: 10_000).utf8), file: "a")
    #expect(deep.issues.count == 100)
    let cut = file.days(from: .earliest, through: .latest, clocks: .utc) { _ in true
    }
    #expect(!cut.isComplete)
    // Bytes by chance, and a good file with some of them changed.
    var generator = SeededGenerator(seed: 0x1C5)
    let good = Array(
      (["BEGIN:VCALENDAR"] + never + always + ["END:VCALENDAR"]).joined(separator: "\r\n").utf8)
    for _ in 0..<scheduleRuns(100, 20_000) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = CalendarFile(bytes, file: "a").days(
        from: Bench.day("2026-01-01"), through: Bench.day("2026-12-31"), clocks: .utc
      ) { _ in true }
    }
  }

  /// The rules of the events, each name being a programme's.
  private func rules(_ lines: [String], _ from: String = "2026-01-01", _ to: String = "2026-12-31")
    -> CalendarRules
  {
    file(lines).rules(
      from: Bench.day(from), through: Bench.day(to), clocks: .utc
    ) { $0 }
  }

  /// Every start that rules give.
  private static func starts(_ made: CalendarRules) -> [LocalTime] {
    made.rules.flatMap { rule -> [LocalTime] in
      let days = rule.onlyOn.flatMap { made.calendars[$0]?.keys }.map(Array.init) ?? []
      switch rule.form {
      case .once(let time): return [time]
      case .daily(let part, _): return days.map { LocalTime($0, second: part.start) }
      case .cron(let cron):
        let fields = cron.text.split(separator: " ").map { $0.split(separator: ",").compactMap { Int($0) } }
        let seconds = fields[1].flatMap { hour in fields[0].map { hour * 3600 + $0 * 60 } }
        return days.flatMap { day in seconds.map { LocalTime(day, second: $0) } }
      case .always, .daypart, .calendar: return []
      }
    }.sorted()
  }

  @Test("an event that repeats within a day is a rule with the times that its days have in common")
  func timesOfTheDay() throws {
    let news = rules(
      event(
        "DTSTART:20260105T080000", "DURATION:PT5M", "RRULE:FREQ=DAILY;BYHOUR=8,12,18;BYMINUTE=0,30;COUNT=12",
        "SUMMARY:news"))
    #expect(news.issues.isEmpty)
    let rule = try #require(news.rules.first)
    #expect(news.rules.count == 1 && rule.formText == "cron 0,30 8,12,18 * * *" && rule.length == 300)
    #expect(news.calendars["news days"]?.keys.map(\.text).sorted() == ["2026-01-05", "2026-01-06"])
    // Each third hour is another time on each day; those that have the same days are one rule.
    let hourly = rules(
      event("DTSTART:20260105T080000", "RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=16", "SUMMARY:bell"))
    #expect(
      hourly.rules.map { "\($0.name): \($0.formText)" } == [
        "bell: cron 0 8,11,14,17,20,23 * * *", "bell 02:00: cron 0 2,5 * * *",
      ])
    #expect(Self.starts(hourly).count == 16 && Self.starts(hourly).last?.text == "2026-01-07T05:00")
    #expect(hourly.rules.allSatisfy { $0.length == nil }, "as long as the programme")
    // What is left out, or moved, is that one time of the day.
    let left = rules(
      event(
        "UID:a", "DTSTART:20260105T080000", "RRULE:FREQ=DAILY;BYHOUR=8,9;UNTIL=20260106T080000",
        "EXDATE:20260105T090000", "SUMMARY:x")
        + event("UID:a", "RECURRENCE-ID:20260106T080000", "DTSTART:20260106T101500", "SUMMARY:x"))
    #expect(Self.starts(left).map(\.text) == ["2026-01-05T08:00", "2026-01-06T10:15"])
    #expect(
      Self.starts(
        rules(event("DTSTART:20260105T080000", "RDATE:20260106T093000,20260107T080000", "SUMMARY:x"))
      )
      .map(\.text) == ["2026-01-05T08:00", "2026-01-06T09:30", "2026-01-07T08:00"])
    #expect(
      days(event("DTSTART:20260105T220000", "DURATION:PT3H", "RRULE:FREQ=HOURLY;COUNT=2", "SUMMARY:n"))
        == ["2026-01-05 n", "2026-01-06 n"])
  }

  @Test(
    "each hour of ten years is within what a file may repeat; a file with many such events is told, and cut")
  func hours() {
    let hourly = event("DTSTART:20200101T080000", "DURATION:PT10M", "RRULE:FREQ=HOURLY", "SUMMARY:bell")
    let one = rules(hourly, "2026-01-01", "2035-12-31")
    #expect(one.issues.isEmpty && one.rules.map(\.formText).count == 1, "\(one.rules.map(\.formText))")
    #expect(Self.starts(one).count == 3652 * 24)
    let many = rules(Array(repeating: hourly, count: 4).flatMap(\.self), "2026-01-01", "2035-12-31")
    #expect(many.issues.map(\.kind) == [.limit])
  }

  @Test(
    "dateutil has the same starts of rules by chance",
    .enabled(if: ForeignJudge.python != nil, "python-dateutil is missing: `make venv` installs it"))
  func oracle() throws {
    var generator = SeededGenerator(seed: 0xD47E)
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator) ?? values[0] }
    func some(_ values: ClosedRange<Int>, _ most: Int, signed: Bool = false) -> String {
      (0..<Int.random(in: 1...most, using: &generator)).map { _ in
        "\(Int.random(in: values, using: &generator) * (signed && Bool.random(using: &generator) ? -1 : 1))"
      }.joined(separator: ",")
    }
    var lines = ""
    for _ in 0..<scheduleRuns(300, 20_000) {
      let day = LocalDate(number: Int.random(in: 18_000...21_000, using: &generator))
      let start = day.civil.day > 28 ? day.advanced(by: -3) : day
      let frequency = pick(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"])
      var rule = "FREQ=\(frequency)"
      func maybe(_ part: @autoclosure () -> String) {
        if Int.random(in: 0..<4, using: &generator) == 0 { rule += ";" + part() }
      }
      maybe(
        "INTERVAL=\(frequency == "HOURLY" ? pick([1, 5, 7, 11, 25, 49]) : Int.random(in: 1...4, using: &generator))"
      )
      let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
      let ordinal =
        frequency == "MONTHLY" || frequency == "YEARLY" ? pick(["", "1", "2", "3", "-1", "-2"]) : ""
      // No rule that never matches: dateutil looks for its days until the year 9999.
      let months = Int.random(in: 0..<3, using: &generator) == 0 ? ";BYMONTH=\(some(1...12, 3))" : ""
      let monthDays = "BYMONTHDAY=\(some(1...(months.isEmpty ? 31 : 28), 3, signed: true))"
      let kinds = [
        "", "BYDAY=\(ordinal)\(pick(weekdays))",
        "BYDAY=\(weekdays.shuffled(using: &generator).prefix(3).joined(separator: ","))",
      ]
      let monthly = frequency == "WEEKLY" ? [] : [monthDays]
      let yearly =
        frequency == "YEARLY"
        ? [
          "BYYEARDAY=\(some(1...365, 3, signed: true))",
          "BYWEEKNO=\(some(1...52, 2, signed: true));BYDAY=\(pick(weekdays))",
        ] : []
      let shape = pick(kinds + monthly + yearly)
      if !shape.isEmpty { rule += ";" + shape }
      if !yearly.contains(shape) { rule += months }
      let hours = some(0...23, 3)
      maybe("BYHOUR=\(hours)")
      maybe("BYMINUTE=\(some(0...59, 3))")
      let isChosen = rule.contains("BYMINUTE") || !shape.isEmpty && !["DAILY", "HOURLY"].contains(frequency)
      if isChosen { maybe("BYSETPOS=\(pick(["1", "-1"]))") }
      maybe("WKST=\(pick(weekdays))")
      if Bool.random(using: &generator) {
        maybe("COUNT=\(Int.random(in: 1...40, using: &generator))")
      } else {
        rule += ";UNTIL=\(start.advanced(by: 900).text.filter { $0 != "-" })T235900"
      }
      let first = start.advanced(by: Int.random(in: -100...800, using: &generator))
      let last = first.advanced(by: frequency == "HOURLY" ? 60 : 1200)
      let begin = LocalTime(start, second: Int.random(in: 0..<1440, using: &generator) * 60)
      let text = begin.text.filter { $0 != "-" && $0 != ":" }
      let made = rules(event("DTSTART:\(text)00", "RRULE:\(rule)", "SUMMARY:x"), first.text, last.text)
      #expect(made.issues.isEmpty, "\(rule): \(made.issues)")
      let starts = Self.starts(made).map { "\($0.seconds / 60)" }.joined(separator: ",")
      lines +=
        "[\(begin.seconds / 60), \"\(rule)\", \(first.number * 1440), \(last.number * 1440 + 1439), [\(starts)]]\n"
    }
    let answers = try ForeignJudge.output(
      of: #require(ForeignJudge.python), [ForeignJudge.script("check_repeats.py")], input: lines
    ).split(separator: "\n")
    let cases = lines.split(separator: "\n")
    #expect(answers.count == cases.count)
    for (answer, line) in zip(answers, cases) where answer != "true" {
      Issue.record("\(line): dateutil says \(answer)")
    }
  }
}
