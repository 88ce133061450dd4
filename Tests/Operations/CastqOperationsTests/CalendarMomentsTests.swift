import CastProtocol
import CastqOperations
import CastqSchedule
import Foundation
import Testing

/// Calendars as other programs write them, from the file to the days of a calendar and to the moments of a plan. The site is in Berlin.
@Suite("Moments of calendars")
struct CalendarMomentsTests {
  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1

  /// The last Sunday of a month, on which clocks change in Berlin: `MMDD`.
  private static func lastSunday(_ month: Int) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let sunday = (25...31).first { day in
      calendar.date(from: DateComponents(year: year, month: month, day: day)).map {
        calendar.component(.weekday, from: $0) == 1
      } ?? false
    }
    return sunday ?? 0
  }

  /// A file; `YYYY` in it is the next year.
  private static func calendar(_ parts: String...) -> String {
    let body = "BEGIN:VCALENDAR\nVERSION:2.0\n\(parts.joined(separator: "\n"))\nEND:VCALENDAR\n"
    return body.replacing("YYYY", with: "\(year)").replacing("\n", with: "\r\n")
  }

  private static func event(_ lines: String, _ name: String = "menus") -> String {
    "BEGIN:VEVENT\nSUMMARY:\(name)\n\(lines)\nEND:VEVENT"
  }

  private static func zone(_ name: String) -> String {
    """
    BEGIN:VTIMEZONE
    TZID:\(name)
    BEGIN:STANDARD
    DTSTART:16010101T000000
    TZOFFSETFROM:+0900
    TZOFFSETTO:+0900
    END:STANDARD
    END:VTIMEZONE
    """
  }

  private static func morning(_ zone: String) -> String {
    event("DTSTART;TZID=\(zone):YYYY0111T090000\nDTEND;TZID=\(zone):YYYY0111T100000")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// Starts and ends of what is shown, without the year and in UTC.
    let moments: [String]

    init(_ name: String, _ text: String, _ moments: [String]) {
      (testDescription, self.text, self.moments) = (name, text, moments)
    }
  }

  private static let tokyo = ["01-11T00:00 01-11T01:00"]
  private static let (spring, autumn) = (lastSunday(3), lastSunday(10))

  private static func date(_ month: Int, _ day: Int) -> String {
    String(format: "YYYY%02d%02d", month, day)
  }

  /// Midnight in Berlin, which is an hour earlier in UTC, and two in summer.
  private static func midnight(_ month: Int, _ day: Int, summer: Bool) -> String {
    String(format: "%02d-%02dT%02d:00", month, day - 1, summer ? 22 : 23)
  }

  static let cases: [Case] = [
    // RFC 5545, 3.2.19: a VTIMEZONE of that name defines it. python-icalendar has the same moments.
    Case(
      "F2 a zone of Windows that the file defines",
      calendar(zone("Tokyo Standard Time"), morning("Tokyo Standard Time")), tokyo),
    Case(
      "F2 a zone of the file in words", calendar(zone("Our Tokyo office"), morning("Our Tokyo office")), tokyo
    ),
    // CLDR's windowsZones.xml: Tokyo Standard Time is Asia/Tokyo.
    Case("F2 a zone of Windows alone", calendar(morning("Tokyo Standard Time")), tokyo),
    // The zone database's `backward`: Japan is Asia/Tokyo, PRC is Asia/Shanghai.
    Case("F2 a name without a slash", calendar(morning("Japan")), tokyo),
    Case("F2 PRC", calendar(morning("PRC")), ["01-11T01:00 01-11T02:00"]),
    // python-icalendar reads both as Asia/Tokyo.
    Case("F3 small letters", calendar(morning("asia/tokyo")), tokyo),
    Case("F3 a name behind a program's own", calendar(morning("/mozilla.org/20050126_1/Asia/Tokyo")), tokyo),
    // RFC 5545, 3.3.6 and 3.8.5.3: days are nominal, hours are exact.
    Case(
      "F4 the day of 25 hours",
      calendar(
        event(
          "DTSTART;VALUE=DATE:\(date(10, autumn))\nDTEND;VALUE=DATE:\(autumn == 31 ? "YYYY1101" : date(10, autumn + 1))"
        )),
      ["\(midnight(10, autumn, summer: true)) 10-\(autumn)T23:00"]),
    Case(
      "F4 the day of 23 hours",
      calendar(
        event(
          "DTSTART;VALUE=DATE:\(date(3, spring))\nDTEND;VALUE=DATE:\(spring == 31 ? "YYYY0401" : date(3, spring + 1))"
        )),
      ["\(midnight(3, spring, summer: false)) 03-\(spring)T22:00"]),
    Case(
      "F4 a night by its end",
      calendar(event("DTSTART:\(date(10, autumn - 1))T220000\nDTEND:\(date(10, autumn))T060000")),
      ["10-\(autumn - 1)T20:00 10-\(autumn)T05:00"]),
    Case(
      "F4 a night by its hours", calendar(event("DTSTART:\(date(10, autumn - 1))T220000\nDURATION:PT8H")),
      ["10-\(autumn - 1)T20:00 10-\(autumn)T04:00"]),
    // RFC 5545, 3.8.4.4; recurring-ical-events agrees.
    Case(
      "F6 this and the later ones are moved",
      calendar(
        event(
          "UID:m@x\nDTSTART;TZID=Europe/Berlin:YYYY0104T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;INTERVAL=7;COUNT=6"
        ),
        event(
          "UID:m@x\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:YYYY0118T090000\nDTSTART;TZID=Europe/Berlin:YYYY0119T110000\nDURATION:PT2H"
        )),
      [
        "01-04T08:00 01-04T09:00", "01-11T08:00 01-11T09:00", "01-19T10:00 01-19T12:00",
        "01-26T10:00 01-26T12:00",
        "02-02T10:00 02-02T12:00", "02-09T10:00 02-09T12:00",
      ]),
    // RFC 5545, 3.8.7.4: the version with the larger SEQUENCE is the later one.
    Case(
      "F6 two versions of an event",
      calendar(
        event("UID:v@x\nSEQUENCE:2\nDTSTART:YYYY0105T120000\nDURATION:PT1H"),
        event("UID:v@x\nSEQUENCE:1\nDTSTART:YYYY0104T090000\nDURATION:PT1H")), ["01-05T11:00 01-05T12:00"]),
    // Google Calendar, Thunderbird and recurring-ical-events show the day.
    Case(
      "F7 an end on the day it begins",
      calendar(event("DTSTART;VALUE=DATE:YYYY0115\nDTEND;VALUE=DATE:YYYY0115")),
      ["01-14T23:00 01-15T23:00"]),
  ]

  private let site: OperationsSite

  init() async throws {
    site = try OperationsSite(zone: "Europe/Berlin")
    try await site.add(programmes: "menus")
  }

  /// What a plan of the year shows, in UTC.
  private func plan() async throws -> [String] {
    try await site.plan(from: "\(Self.year)-01-01", to: "\(Self.year)-12-01").filter {
      $0["rule"]?.string != nil
    }
    .map { segment in
      let (start, end) = (segment["start"]?.string ?? "", segment["end"]?.string ?? "")
      return "\(start.prefix(16).dropFirst(5)) \(end.prefix(16).dropFirst(5))"
    }
  }

  @Test("an imported event is shown at its moments", arguments: cases)
  func moments(_ row: Case) async throws {
    let path = try site.file("site.ics", row.text)
    let imported = try await site.schedule().importRules(from: path)
    #expect(imported.issues.isEmpty && imported.value?.changes.isEmpty == false, "\(imported)")
    let shown = try await plan()
    #expect(shown == row.moments, "\(imported)")
  }

  @Test(
    "a rule that can never be on is never made: a zone that is nowhere is an error with file, line and reason",
    arguments: ["Nowhere/Atlantis", "Office time", "/mozilla.org/20050126_1/Nowhere/Atlantis"])
  func nowhere(_ zone: String) async throws {
    // The rest of the file is read.
    let good = Self.event("DTSTART:YYYY0105T120000\nDURATION:PT1H")
    let path = try site.file("site.ics", Self.calendar(Self.morning(zone), good))
    let words = "site.ics:5:"
    let rules = try await site.schedule().importRules(from: path)
    let issue = try #require(rules.issues.first.map { "\($0)" })
    #expect(rules.isUsable && rules.issues.count == 1, "\(rules)")
    #expect(issue.contains(words) && issue.contains("there is no time zone `\(zone)`"), "\(issue)")
    #expect(try await plan() == ["01-05T11:00 01-05T12:00"])
    let days = try await site.schedule().importDays(of: "feasts", from: path, keeping: nil)
    #expect(days.issues.first.map { "\($0)" }?.contains(words) == true, "\(days)")
    #expect(try site.days("feasts") == ["\(Self.year)-01-05  menus"])
  }

  @Test(
    "an imported day is the site's day",
    arguments: [
      // Google writes every single event in UTC: 23:00Z is midnight in Berlin.
      ("DTSTART:YYYY0114T230000Z\nDTEND:YYYY0115T230000Z", ["01-15"]),
      ("DTSTART:YYYY0714T220000Z\nDTEND:YYYY0716T220000Z", ["07-15", "07-16"]),
      ("DTSTART;TZID=Tokyo Standard Time:YYYY0115T080000\nDURATION:PT8H", ["01-15"]),
      ("DTSTART;TZID=Tokyo Standard Time:YYYY0115T070000\nDURATION:PT1H", ["01-14"]),
      ("DTSTART;VALUE=DATE:YYYY0115\nDTEND;VALUE=DATE:YYYY0115", ["01-15"]),
    ])
  func days(_ lines: String, _ days: [String]) async throws {
    let path = try site.file("days.ics", Self.calendar(Self.event(lines, "closed")))
    let outcome = try await site.schedule().importDays(of: "c", from: path, keeping: nil)
    #expect(outcome.issues.isEmpty && outcome.isComplete, "\(outcome)")
    #expect(try site.days("c") == days.map { "\(Self.year)-\($0)  closed" })
  }

  @Test("webcal is the web: what calendars give for subscribing is read")
  func webcal() async throws {
    let text = Self.calendar(Self.event("DTSTART:YYYY0105T120000\nDURATION:PT1H"))
    let server = try await PageServer(["days.ics": text])
    let address = "\(server.address.replacing("http://", with: "webcal://"))/days.ics"
    let days = try await site.schedule().importDays(of: "c", from: address, keeping: nil)
    #expect(days.issues.isEmpty && days.isComplete, "\(days)")
    #expect(try site.days("c") == ["\(Self.year)-01-05  menus"])
    let rules = try await site.schedule().importRules(from: address)
    #expect(rules.issues.isEmpty, "\(rules)")
    #expect(try await plan() == ["01-05T11:00 01-05T12:00"])
  }
}
