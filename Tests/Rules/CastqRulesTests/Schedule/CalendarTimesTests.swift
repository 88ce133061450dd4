import CastProtocol
import CastqSchedule
import CastqText
import Testing

/// When the rules of events are on, with the right moments and where they are from.
@Suite(.enabled(if: TestZone.isThere, "\(TestZone.missing)")) struct CalendarTimesTests {
  struct Row: Sendable, CustomStringConvertible {
    var lines: [String]
    var right: [String]
    /// Where the right value is from.
    var source: String
    var site = "Europe/Berlin"
    var zone: [String] = []

    var description: String { "\(source): \(lines.joined(separator: " | "))" }
  }

  private static func zone(_ name: String, _ parts: [String]) -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(name)"] + parts + ["END:VTIMEZONE"]
  }

  private static func part(_ kind: String, _ start: String, _ from: String, _ to: String, _ more: String...)
    -> [String]
  {
    ["BEGIN:\(kind)", "DTSTART:\(start)", "TZOFFSETFROM:\(from)", "TZOFFSETTO:\(to)"] + more + ["END:\(kind)"]
  }

  private static func fixed(_ name: String, _ offset: String = "+0900") -> [String] {
    zone(name, part("STANDARD", "16010101T000000", offset, offset))
  }

  private static let europe =
    part("STANDARD", "16010101T030000", "+0200", "+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10")
    + part("DAYLIGHT", "16010101T020000", "+0100", "+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3")

  private static func hour(_ zone: String, _ start: String = "20270111T09") -> [String] {
    ["DTSTART;TZID=\(zone):\(start)0000", "DURATION:PT1H"]
  }

  private static let tokyo = ["2027-01-11T00:00Z/2027-01-11T01:00Z"]

  private static let zones: [Row] =
    [
      "Asia/Tokyo", "asia/tokyo", "ASIA/TOKYO", "Japan", "/mozilla.org/20050126_1/Asia/Tokyo", "/Asia/Tokyo",
      "/freeassociation.sourceforge.net/Asia/Tokyo", "Tokyo Standard Time", "tokyo standard time",
      "Tokyo Standard Time ",
    ].map {
      Row(
        lines: hour($0), right: tokyo,
        source: "3.2.19, tzdata, CLDR windowsZones: no zone at +0900 has a change")
    }
    + ["Nowhere", "Tokyo Standard Time", "Nowhere/Atlantis", "Japan", "\"(UTC+09:00) Osaka, Tokyo\""].map {
      Row(
        lines: hour($0), right: tokyo, source: "3.2.19: VTIMEZONE defines it",
        zone: fixed($0.filter { $0 != "\"" }.replacing(",", with: "\\,")))
    } + [
      Row(
        lines: hour("PRC"), right: ["2027-01-11T01:00Z/2027-01-11T02:00Z"],
        source: "tzdata backward: a link to Asia/Shanghai"),
      Row(
        lines: hour("W. Europe Standard Time", "20270711T09"), right: ["2027-07-11T07:00Z/2027-07-11T08:00Z"],
        source: "CLDR: Europe/Berlin", site: "America/New_York"),
      Row(
        lines: hour("India Standard Time"), right: ["2027-01-11T03:30Z/2027-01-11T04:30Z"],
        source: "CLDR: Asia/Kolkata, +0530"),
      Row(
        lines: hour("Nepal Standard Time"), right: ["2027-01-11T03:15Z/2027-01-11T04:15Z"],
        source: "CLDR: Asia/Kathmandu, +0545"),
      Row(
        lines: hour("Eastern Standard Time", "20270711T09"), right: ["2027-07-11T13:00Z/2027-07-11T14:00Z"],
        source: "CLDR: America/New_York, -0400 in July"),
      Row(
        lines: hour("UTC"), right: ["2027-01-11T09:00Z/2027-01-11T10:00Z"], source: "tzdata: UTC"),
      Row(
        lines: hour("Europe/Berlin"), right: tokyo, source: "3.2.19: what the file says comes first",
        zone: fixed("Europe/Berlin")),
      Row(
        lines: hour("Ours", "20270301T09") + ["RRULE:FREQ=MONTHLY;COUNT=2"],
        right: ["2027-03-01T08:00Z/2027-03-01T09:00Z", "2027-04-01T07:00Z/2027-04-01T08:00Z"],
        source: "3.6.5: the change is on 28 March", site: "Asia/Kathmandu", zone: zone("Ours", europe)),
      Row(
        lines: hour("Ours", "20270601T09"), right: ["2027-06-01T10:30Z/2027-06-01T11:30Z"],
        source: "3.6.5: RDATE and seconds of an offset",
        zone: zone(
          "Ours",
          part("STANDARD", "20200101T000000", "+0000", "+0000")
            + part("DAYLIGHT", "20270501T000000", "+0000", "-013000", "RDATE:20280501T000000"))),
      Row(
        lines: hour("Ours", "20270601T09"), right: ["2027-06-01T08:00Z/2027-06-01T09:00Z"],
        source: "3.6.5: a rule that has ended leaves its last offset",
        zone: zone(
          "Ours",
          part("STANDARD", "19700101T000000", "+0000", "+0000")
            + part(
              "DAYLIGHT", "19800401T000000", "+0000", "+0100", "RRULE:FREQ=YEARLY;UNTIL=19900501T000000Z"))),
    ]

  private static let ends: [Row] = [
    Row(
      lines: ["DTSTART;VALUE=DATE:20271031", "DTEND;VALUE=DATE:20271101"],
      right: ["2027-10-30T22:00Z/2027-10-31T23:00Z"], source: "3.6.1: a day, of 25 hours"),
    Row(
      lines: ["DTSTART;VALUE=DATE:20270328"], right: ["2027-03-27T23:00Z/2027-03-28T22:00Z"],
      source: "3.6.1: a day, of 23 hours"),
    Row(
      lines: ["DTSTART;VALUE=DATE:20270327", "DURATION:P3D"], right: ["2027-03-26T23:00Z/2027-03-29T22:00Z"],
      source: "3.3.6: days are nominal"),
    Row(
      lines: ["DTSTART;VALUE=DATE:20270115", "DTEND;VALUE=DATE:20270115"],
      right: ["2027-01-14T23:00Z/2027-01-15T23:00Z"], source: "recurring-ical-events, Google, Outlook"),
    Row(
      lines: ["DTSTART;VALUE=DATE:20270115"], right: ["2027-01-14T23:00Z/2027-01-15T23:00Z"],
      source: "3.6.1: without DTEND one day"),
    Row(
      lines: ["DTSTART:20270327T220000", "DTEND:20270328T060000"],
      right: ["2027-03-27T21:00Z/2027-03-28T04:00Z"],
      source: "3.8.2.2: a local time"),
    Row(
      lines: ["DTSTART:20271031T010000", "DURATION:PT6H"], right: ["2027-10-30T23:00Z/2027-10-31T05:00Z"],
      source: "3.3.6: hours are exact"),
    Row(
      lines: ["DTSTART:20271030T120000", "DURATION:P1D"], right: ["2027-10-30T10:00Z/2027-10-31T11:00Z"],
      source: "3.3.6: a day is nominal"),
    Row(
      lines: ["DTSTART:20271030T120000", "DURATION:P1DT1H"], right: ["2027-10-30T10:00Z/2027-10-31T12:00Z"],
      source: "3.3.6: first the day, then the hour"),
    Row(
      lines: ["DTSTART:20271029T220000", "DTEND:20271030T060000", "RRULE:FREQ=DAILY;COUNT=2"],
      right: ["2027-10-29T20:00Z/2027-10-30T04:00Z", "2027-10-30T20:00Z/2027-10-31T05:00Z"],
      source: "recurring-ical-events: the end is of the clock"),
    Row(
      lines: ["DTSTART:20271029T220000", "DURATION:PT8H", "RRULE:FREQ=DAILY;COUNT=2"],
      right: ["2027-10-29T20:00Z/2027-10-30T04:00Z", "2027-10-30T20:00Z/2027-10-31T04:00Z"],
      source: "3.8.5.3: the same exact duration"),
    Row(
      lines: ["DTSTART;VALUE=DATE:20271030", "RRULE:FREQ=DAILY;COUNT=2"],
      right: ["2027-10-29T22:00Z/2027-10-30T22:00Z", "2027-10-30T22:00Z/2027-10-31T23:00Z"],
      source: "3.6.1: each is a day"),
    Row(
      lines: ["DTSTART:20270328T023000", "DURATION:PT1H"], right: ["2027-03-28T01:30Z/2027-03-28T02:30Z"],
      source: "3.3.5: by the offset before the gap"),
    Row(
      lines: ["DTSTART:20271031T023000", "DURATION:PT1H"], right: ["2027-10-31T00:30Z/2027-10-31T01:30Z"],
      source: "3.3.5: the first occurrence"),
    Row(
      lines: ["DTSTART:20271031T013000Z", "DURATION:PT1H"], right: ["2027-10-31T01:30Z/2027-10-31T02:30Z"],
      source: "3.3.5: UTC; the second 02:30 of the site"),
    Row(
      lines: ["DTSTART:20270114T230000Z", "DTEND:20270115T230000Z"],
      right: ["2027-01-14T23:00Z/2027-01-15T23:00Z"],
      source: "3.3.5: UTC"),
    Row(
      lines: ["DTSTART;TZID=Asia/Tokyo:20270111T090000", "DTEND:20270111T020000Z"],
      right: ["2027-01-11T00:00Z/2027-01-11T02:00Z"], source: "3.8.2.2: an end in another zone"),
    Row(
      lines: ["DTSTART:20270111T090030", "DURATION:PT1M", "RRULE:FREQ=DAILY;COUNT=2"],
      right: ["2027-01-11T08:00:30Z/2027-01-11T08:01:30Z", "2027-01-12T08:00:30Z/2027-01-12T08:01:30Z"],
      source: "3.3.5: seconds"),
  ]

  private static let versions: [Row] = [
    Row(
      lines: [
        "UID:m", "DTSTART;TZID=Europe/Berlin:20270104T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=6",
        "END:VEVENT", "BEGIN:VEVENT", "UID:m", "SUMMARY:x",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270118T090000",
        "DTSTART;TZID=Europe/Berlin:20270119T110000", "DURATION:PT2H",
      ],
      right: [
        "04T08:00Z/2027-01-04T09", "11T08:00Z/2027-01-11T09", "19T10:00Z/2027-01-19T12",
        "26T10:00Z/2027-01-26T12",
      ]
      .map { "2027-01-\($0):00Z" } + ["02", "09"].map { "2027-02-\($0)T10:00Z/2027-02-\($0)T12:00Z" },
      source: "3.8.4.4, recurring-ical-events"),
    Row(
      lines: [
        "UID:m", "DTSTART:20270104T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=4", "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:m", "RECURRENCE-ID;RANGE=THISANDFUTURE:20270106T090000", "DTSTART:20270106T090000",
        "STATUS:CANCELLED",
      ], right: ["2027-01-04T08:00Z/2027-01-04T09:00Z", "2027-01-05T08:00Z/2027-01-05T09:00Z"],
      source: "3.8.4.4 with 3.8.1.11"),
    Row(
      lines: [
        "UID:m", "SEQUENCE:2", "DTSTART:20270104T090000", "DURATION:PT1H", "END:VEVENT", "BEGIN:VEVENT",
        "UID:m",
        "SUMMARY:x", "SEQUENCE:1", "DTSTART:20270105T090000", "DURATION:PT1H",
      ], right: ["2027-01-04T08:00Z/2027-01-04T09:00Z"], source: "3.8.7.4: the highest SEQUENCE"),
    Row(
      lines: [
        "UID:m", "DTSTART:20270104T090000", "DURATION:PT1H", "END:VEVENT", "BEGIN:VEVENT", "UID:m",
        "SUMMARY:x",
        "SEQUENCE:1", "DTSTART:20270105T090000", "DURATION:PT1H", "STATUS:CANCELLED",
      ], right: [], source: "RFC 5546 3.2.5: a later version cancels it"),
    Row(
      lines: [
        "UID:m", "DTSTART:20270104T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2", "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:m", "SUMMARY:x", "SEQUENCE:2", "RECURRENCE-ID:20270105T090000", "DTSTART:20270105T120000",
        "DURATION:PT1H", "END:VEVENT", "BEGIN:VEVENT", "UID:m", "SUMMARY:x", "SEQUENCE:1",
        "RECURRENCE-ID:20270105T090000", "DTSTART:20270105T150000", "DURATION:PT1H",
      ], right: ["2027-01-04T08:00Z/2027-01-04T09:00Z", "2027-01-05T11:00Z/2027-01-05T12:00Z"],
      source: "3.8.7.4: of an exception, too"),
    Row(
      lines: [
        "DTSTART:20270104T090000", "DURATION:PT1H", "RDATE;VALUE=PERIOD:20270110T090000/PT26H",
      ], right: ["2027-01-04T08:00Z/2027-01-04T09:00Z", "2027-01-10T08:00Z/2027-01-11T10:00Z"],
      source: "3.8.5.2: a period has its own length"),
    Row(
      lines: [
        "DTSTART:20270104T090000Z", "DURATION:PT1H", "RDATE;VALUE=PERIOD:20270110T090000Z/20270110T120000Z",
      ], right: ["2027-01-04T09:00Z/2027-01-04T10:00Z", "2027-01-10T09:00Z/2027-01-10T12:00Z"],
      source: "3.3.9: a period with an end"),
    Row(
      lines: [
        "DTSTART;TZID=Asia/Tokyo:20270104T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3",
        "EXDATE:20270105T000000Z", "EXDATE:20270106T090000",
      ], right: ["2027-01-04T00:00Z/2027-01-04T01:00Z"],
      source: "3.8.5.1: the same moment; the clock of the event"),
    Row(
      lines: ["SUMMARY: x ", "DTSTART:20270104T090000Z", "DURATION:PT1H"],
      right: ["2027-01-04T09:00Z/2027-01-04T10:00Z"], source: "F20: blanks are no part of a name"),
  ]

  @Test("rules of events are on when the RFC says", arguments: zones + ends + versions + reports)
  func times(_ row: Row) throws {
    #expect(try Self.moments(row.lines, row.zone, site: row.site) == row.right)
  }

  /// The moments of the rules, on a device of the site.
  private static func moments(_ lines: [String], _ zone: [String], site: String) throws -> [String] {
    let file = Self.file(lines, zone)
    let made = file.rules(
      from: Bench.day("2027-01-01"), through: Bench.day("2028-01-01"), clocks: lenient(site)
    ) { $0 == "x" ? $0 : nil }
    #expect(file.issues.isEmpty && made.issues.isEmpty, "\(file.issues) \(made.issues)")
    var book = Bench.book(
      site, made.rules, calendars: made.calendars.map { HolidayCalendar(name: $0.key, days: $0.value) })
    for rule in made.rules {
      if let zone = rule.zone, zone != .utc { book.zones[zone] = TestZone.rules(zone.text) }
    }
    return try made.rules.flatMap { rule in
      let range = Bench.range("2026-12-01T00:00:00Z", "2028-02-01T00:00:00Z")
      return try RuleTimetable(rule, zone: rule.zone ?? Bench.zone(site), in: book).occurrences(in: range)
        .map { "\(text($0.start))/\(text($0.end ?? $0.start))" }
    }.sorted()
  }

  private static func text(_ moment: WallTime) -> String {
    let text = RFC3339.text(moment).prefix(19)
    return "\(text.hasSuffix(":00") ? text.dropLast(3) : text)Z"
  }

  private static func file(_ lines: [String], _ zone: [String] = []) -> CalendarFile {
    let all =
      ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:x"] + lines + ["END:VEVENT"] + zone + ["END:VCALENDAR"]
    return CalendarFile(Array(all.joined(separator: "\r\n").utf8), file: "a.ics")
  }

  /// Those of the tests, with names in any case, as a database on disk is looked up.
  private static func lenient(_ site: String) -> CalendarClocks {
    let all = TestZone.clocks(site)
    return CalendarClocks(site: all.site, name: all.siteName) { name in
      all.zone(name) ?? (name.lowercased() == "asia/tokyo" ? all.zone("Asia/Tokyo") : nil)
    }
  }

  @Test(
    "a zone that nobody knows is an error with its place, and costs its event alone",
    arguments: [
      ("Nowhere/Atlantis", "a.ics:4:31: there is no time zone `Nowhere/Atlantis`"),
      ("Customized Time Zone", "a.ics:4:35: there is no time zone `Customized Time Zone`"),
      ("../../etc/passwd", "a.ics:4:31: there is no time zone"),
    ])
  func unknown(_ name: String, _ words: String) throws {
    let good = ["END:VEVENT", "BEGIN:VEVENT", "SUMMARY:good", "DTSTART:20270105T090000", "DURATION:PT1H"]
    let file = Self.file(Self.hour(name) + good)
    let clocks = TestZone.clocks("Europe/Berlin")
    let made = file.rules(from: Bench.day("2027-01-01"), through: Bench.day("2028-01-01"), clocks: clocks) {
      $0
    }
    #expect(made.issues.count == 1 && made.issues[0].description.hasPrefix(words), "\(made.issues)")
    #expect(made.rules.map(\.name) == ["good"] && made.isUsable)
    let days = file.days(from: Bench.day("2027-01-01"), through: Bench.day("2028-01-01"), clocks: clocks) {
      _ in true
    }
    #expect(days.days.values.map { $0 } == ["good"] && days.issues == made.issues)
    #expect(
      Self.file(Self.hour(name)).rules(
        from: Bench.day("2027-01-01"), through: Bench.day("2028-01-01"), clocks: clocks
      ) { $0 }.isUsable == false)
  }

  @Test(
    "days are those of the site",
    arguments: [
      (["DTSTART:20270114T230000Z", "DTEND:20270115T230000Z"], ["2027-01-15"]),
      (["DTSTART;TZID=Asia/Tokyo:20270115T050000", "DURATION:PT1H"], ["2027-01-14"]),
      (["DTSTART;VALUE=DATE:20270115", "DTEND;VALUE=DATE:20270115"], ["2027-01-15"]),
      (["DTSTART;VALUE=DATE:20271031", "DTEND;VALUE=DATE:20271101"], ["2027-10-31"]),
      (
        ["DTSTART:20270110T090000", "DURATION:PT1H", "RDATE;VALUE=PERIOD:20270111T090000/PT26H"],
        ["2027-01-10", "2027-01-11", "2027-01-12"]
      ),
    ])
  func days(_ lines: [String], _ right: [String]) {
    let days = Self.file(lines).days(
      from: Bench.day("2027-01-01"), through: Bench.day("2028-01-01"),
      clocks: TestZone.clocks("Europe/Berlin")
    ) { _ in true }
    #expect(days.days.keys.map(\.text).sorted() == right)
  }

  @Test("calendars are read in UTF-16 and in Latin-1, as lists are, and a fold may be within a letter")
  func characters() {
    let text =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20270115\r\nSUMMARY:Fête d'été\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    var folded = Array(text.utf8)
    if let place = folded.firstIndex(of: 0xC3) {
      folded.insert(contentsOf: Array("\r\n ".utf8), at: place + 1)
    }
    let files: [[UInt8]] = [
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      text.unicodeScalars.map { UInt8($0.value & 0xFF) }, folded,
    ]
    for bytes in files {
      let file = CalendarFile(bytes, file: "a.ics")
      let days = file.days(from: .earliest, through: .latest, clocks: .utc) { _ in true }
      #expect(days.days.values.map { $0 } == ["Fête d'été"] && file.issues.isEmpty, "\(file.issues)")
    }
  }

  @Test(
    "names of vCalendar 1.0 are decoded",
    arguments: [
      ("SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:F=C3=AAte", "Fête"),
      ("SUMMARY;ENCODING=QUOTED-PRINTABLE:F=EAte = 1=", "Fête = 1="), ("SUMMARY:F=C3=AAte", "F=C3=AAte"),
    ])
  func quotedPrintable(_ line: String, _ name: String) {
    let file = CalendarFile(
      Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20270104\n\(line)\nEND:VEVENT\nEND:VCALENDAR\n".utf8),
      file: "a.ics")
    let days = file.days(from: .earliest, through: .latest, clocks: .utc) { _ in true }
    #expect(days.days.values.map { $0 } == [name] && file.issues.isEmpty)
  }

  @Test(
    "a webcal address is asked by https, then by http",
    arguments: [
      ("webcal://h/a.ics", ["https://h/a.ics", "http://h/a.ics"]),
      ("WEBCALS://h/a.ics", ["https://h/a.ics", "http://h/a.ics"]), ("http://h/a.ics", ["http://h/a.ics"]),
      ("webcal.ics", []), ("webcal:a.ics", []),
    ])
  func webcal(_ source: String, _ addresses: [String]) {
    #expect(CalendarOrigin.addresses(of: source) == addresses)
  }

  @Test(
    "zones that are made to hurt are bounded, and cost their events with a place",
    arguments: [
      part("STANDARD", "20200101T000000", "+0000", "+9900"),
      part("STANDARD", "99990101T000000", "+0000", "+2500"),
      part("STANDARD", "20200101T000000", "+0000", "+0100", "RRULE:FREQ=HOURLY"),
      part("STANDARD", "00010101T000000", "+0000", "+0100", "RRULE:FREQ=DAILY;COUNT=1000000"), [],
      ["BEGIN:STANDARD", "DTSTART:20200101T000000", "END:STANDARD"],
    ])
  func hostile(_ parts: [String]) {
    let file = Self.file(Self.hour("Hurt"), Self.zone("Hurt", parts))
    let made = file.rules(from: Bench.day("2027-01-01"), through: Bench.day("2037-01-01"), clocks: .utc) {
      $0
    }
    #expect(made.rules.isEmpty && made.issues.count == 1, "\(made.issues)")
  }

  @Test("zones by the thousand, rules that never match and the year 9999 take bounded work")
  func thousands() {
    var lines = ["BEGIN:VCALENDAR"]
    for number in 0..<3000 {
      lines += Self.zone("Z\(number)", Self.europe)
      lines += ["BEGIN:VEVENT", "SUMMARY:x"] + Self.hour("Z\(number)") + ["END:VEVENT"]
    }
    let never = "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
    lines += Self.zone("Never", Self.part("STANDARD", "00010101T000000", "+0000", "+0100", never))
    lines += [
      "BEGIN:VEVENT", "SUMMARY:x", "DTSTART;TZID=Never:99991231T235959", "DURATION:PT9999999H", "END:VEVENT",
    ]
    let file = CalendarFile(Array((lines + ["END:VCALENDAR"]).joined(separator: "\n").utf8), file: "a.ics")
    let made = file.rules(from: Bench.day("2027-01-01"), through: .latest, clocks: .utc) { $0 }
    #expect(made.issues.count <= 102 && !made.issues.isEmpty)
  }
}
