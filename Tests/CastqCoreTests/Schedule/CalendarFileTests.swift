import CastProtocol
import CastqCore
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
    var zones: [ZoneName: TimeZoneRules] = [:]
    for zone in file.zones where TestZone.isThere { zones[zone] = TestZone.rules(zone.text) }
    let days = file.days(
      from: Bench.day(from), through: Bench.day(to),
      site: site == "UTC" ? TimeZoneRules() : TestZone.rules(site), zones: zones
    ) { keep.map { NamePattern($0) }?.matches($0) ?? true }
    return days.sorted { $0.key < $1.key }.map { "\($0.key.text) \($0.value)" }
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
    // Folded lines, small letters, a zone in quotes, lines without a carriage return.
    let text =
      "begin:vcalendar\nBegin:VEVENT\nDTSTART;TZID=\"Europe/Berlin\":20261224T080000\nSUMMARY:Chri\n stm\n\tas\nEND:VEVENT\nEND:VCALENDAR\n"
    let folded = CalendarFile(Array(text.utf8), file: "a.ics")
    #expect(folded.issues.isEmpty && folded.zones == [Bench.zone("Europe/Berlin")])
    let found = folded.days(from: .earliest, through: .latest, site: TimeZoneRules(), zones: [:]) { _ in true
    }
    #expect(found == [Bench.day("2026-12-24"): "Christmas"])
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
      (["DTSTART:20260101", "RRULE:FREQ=HOURLY"], "days.ics:5:7: `FREQ=HOURLY` is not read"),
      (["DTSTART:20260101", "RRULE:FREQ=DAILY;BYDAY=XX"], "`XX` is not a day of the week"),
      (["DTSTART:20260101", "RRULE:COUNT=2"], "the rule has no FREQ"),
      (["DTSTART:20260101", "RRULE:FREQ=DAILY;COUNT=0"], "not a number from 1"),
      (["DTSTART:20260101", "RRULE:FREQ=DAILY;BYHOUR=8"], "`BYHOUR=8` is not read"),
      (["DTSTART:20260101", "DURATION:-P1D"], "is not a duration"),
      (["DTSTART:20260101", "nothing"], "the line has no name"),
      (["DTSTART:20260101T250000"], "is not a date"),
      (["DTSTART:20260101", "EXRULE:FREQ=DAILY"], "EXRULE is not read"),
    ])
  func mistakes(_ lines: [String], _ words: String) {
    let good = event("DTSTART;VALUE=DATE:20261224", "SUMMARY:Eve")
    let file = self.file(["BEGIN:VEVENT"] + lines + ["END:VEVENT"] + good)
    #expect(file.issues.contains { $0.description.contains(words) }, "\(file.issues)")
    let days = file.days(from: Bench.day("2026-12-24"), through: .latest, site: TimeZoneRules(), zones: [:]) {
      _ in true
    }
    #expect(days[Bench.day("2026-12-24")] == "Eve")
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
    let days = file.days(from: .earliest, through: .latest, site: TimeZoneRules(), zones: [:]) { _ in true }
    #expect(days.count <= 100_000)
    let deep = CalendarFile(Array(String(repeating: "BEGIN:VCALENDAR\n", count: 10_000).utf8), file: "a")
    #expect(deep.issues.count == 100)
    let cut = file.expansion(from: .earliest, through: .latest, site: TimeZoneRules(), zones: [:]) { _ in true
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
        from: Bench.day("2026-01-01"), through: Bench.day("2026-12-31"), site: TimeZoneRules(), zones: [:]
      ) { _ in true }
    }
  }

  @Test(
    "dateutil has the same days of rules by chance",
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
      let frequency = pick(["YEARLY", "MONTHLY", "WEEKLY", "DAILY"])
      var rule = "FREQ=\(frequency)"
      func maybe(_ part: @autoclosure () -> String) {
        if Int.random(in: 0..<4, using: &generator) == 0 { rule += ";" + part() }
      }
      maybe("INTERVAL=\(Int.random(in: 1...4, using: &generator))")
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
      if !shape.isEmpty, frequency != "DAILY" { maybe("BYSETPOS=\(pick(["1", "-1"]))") }
      maybe("WKST=\(pick(weekdays))")
      if Bool.random(using: &generator) {
        maybe("COUNT=\(Int.random(in: 1...40, using: &generator))")
      } else {
        maybe("UNTIL=\(start.advanced(by: 900).text.replacingOccurrences(of: "-", with: ""))")
      }
      let first = start.advanced(by: Int.random(in: -100...800, using: &generator))
      let last = first.advanced(by: 1200)
      let text = start.text.replacingOccurrences(of: "-", with: "")
      let file = self.file(event("DTSTART;VALUE=DATE:\(text)", "RRULE:\(rule)", "SUMMARY:x"))
      #expect(file.issues.isEmpty, "\(rule)")
      let days = file.days(from: first, through: last, site: TimeZoneRules(), zones: [:]) { _ in true }
      let numbers = days.keys.map(\.number).sorted().map { "\($0)" }.joined(separator: ",")
      lines += "[\(start.number), \"\(rule)\", \(first.number), \(last.number), [\(numbers)]]\n"
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
