import CastProtocol
import CastqSchedule
import CastqText
import Foundation
import Testing

/// What another reader of calendars says of the days of a calendar, and of the moments of the rules that are made of it.
@Suite struct CalendarJudgeTests {
  @Test(
    "recurring-ical-events has the same days and moments of 500 calendars by chance, in five zones",
    .enabled(
      if: ForeignJudge.python != nil && TestZone.isThere,
      "recurring-ical-events is missing: `make venv` installs it"))
  func judge() throws {
    var calendars = RandomCalendars(seed: 0x1CA1)
    let (first, last) = (Bench.day("2027-01-01"), Bench.day("2028-02-04"))
    var clocks: [String: CalendarClocks] = [:]
    for site in RandomCalendars.sites { clocks[site] = TestZone.clocks(site) }
    var cases: [String] = []
    for number in 0..<500 {
      let text = calendars.next()
      let site = RandomCalendars.sites[number % RandomCalendars.sites.count]
      let known = try #require(clocks[site])
      let file = CalendarFile(Array(text.utf8), file: "\(number).ics")
      let made = file.rules(from: first, through: last, clocks: known) { $0 }
      let days = file.days(from: first, through: last, clocks: known) { _ in true }
      #expect(file.issues.isEmpty && made.issues.isEmpty && days.issues.isEmpty, "\(made.issues)")
      let times = try Self.moments(of: made, site).map { "[\($0), \($1)]" }.joined(separator: ",")
      let words = days.days.keys.sorted { $0.number < $1.number }.map { "\"\($0.text)\"" }
      let calendar = JSONValue.string(text).text
      cases.append(
        "[\(calendar), \"\(site)\", \"\(first.text)\", \"\(last.text)\", [\(times)], [\(words.joined(separator: ","))]]"
      )
    }
    let answers = try ForeignJudge.output(
      of: #require(ForeignJudge.python), [ForeignJudge.script("check_calendars.py")],
      input: cases.joined(separator: "\n") + "\n"
    ).split(separator: "\n")
    #expect(answers.count == cases.count)
    for (answer, line) in zip(answers, cases) where answer != "true" {
      Issue.record("\(line): recurring-ical-events says \(answer)")
    }
  }

  /// The starts and ends of rules of times, in seconds since 1970.
  private static func moments(of made: CalendarRules, _ site: String) throws -> [(Int64, Int64)] {
    let rules = made.rules.enumerated().map { index, rule in
      var rule = rule
      rule.id = RuleID(Int64(index))
      return rule
    }
    let book = Bench.book(
      site, rules, calendars: made.calendars.map { HolidayCalendar(name: $0.key, days: $0.value) })
    let range = Bench.range("2026-01-01T00:00:00Z", "2029-01-01T00:00:00Z")
    var found: Set<[Int64]> = []
    for rule in rules where rule.programme.hasPrefix("t") {
      let zone = rule.zone ?? Bench.zone(site)
      for each in try RuleTimetable(rule, zone: zone, in: book).occurrences(in: range) {
        found.insert([each.start.wholeSeconds, (each.end ?? each.start).wholeSeconds])
      }
    }
    return found.map { ($0[0], $0[1]) }.sorted { $0 < $1 }
  }
}
