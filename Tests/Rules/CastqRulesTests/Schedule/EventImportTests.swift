import CastProtocol
import CastqSchedule
import CastqText
import Testing

/// What an import of calendar events changes, and where a calendar is said to come from.
@Suite struct EventImportTests {
  private static func made(_ lines: String) -> CalendarRules {
    let file = CalendarFile(
      Array("BEGIN:VCALENDAR\r\n\(lines)END:VCALENDAR\r\n".utf8), file: "a.ics")
    return file.rules(
      from: Bench.day("2026-01-01"), through: Bench.day("2026-12-31"), clocks: .utc
    ) { $0 }
  }

  private static func event(_ name: String, count: Int = 1) -> String {
    "BEGIN:VEVENT\r\nDTSTART:20260601T080000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=\(count)\r\nSUMMARY:\(name)\r\nEND:VEVENT\r\n"
  }

  /// The rows after an import into them.
  private static func rows(_ result: EventImport, _ before: SiteSchedule = SiteSchedule()) -> SiteSchedule {
    var rows = before
    for (member, change) in result.difference.changes {
      switch change {
      case .add, .change:
        rows.rules[member.name] = result.site.rules[member.name] ?? rows.rules[member.name]
        rows.calendars[member.name] = result.site.calendars[member.name] ?? rows.calendars[member.name]
      case .remove:
        if member.section == .rules { rows.rules[member.name] = nil }
        if member.section == .calendars { rows.calendars[member.name] = nil }
      }
    }
    return rows
  }

  @Test("an import changes and removes what it has made, and no rule of a person or of another import")
  func own() throws {
    let first = EventImport(
      Self.made(Self.event("a", count: 3) + Self.event("b")), note: "from x", over: SiteSchedule(),
      file: "a.ics")
    #expect(
      first.difference.lines.map { $0.prefix(14) } == [
        "+ calendar a d", "+ rule a: {\"da", "+ rule b: {\"de",
      ])
    let rows = Self.rows(first)
    #expect(
      EventImport(
        Self.made(Self.event("a", count: 3) + Self.event("b")), note: "from x", over: rows, file: "a.ics"
      ).difference.changes.isEmpty, "twice is once")
    // The rule that repeated happens once now: its calendar goes, and so does the other rule.
    let later = EventImport(Self.made(Self.event("A")), note: "from x", over: rows, file: "a.ics")
    #expect(
      later.difference.lines.map { $0.prefix(16) } == ["- calendar a day", "~ rule A: daily ", "- rule b"])
    let other = EventImport(Self.made(Self.event("a", count: 3)), note: "from y", over: rows, file: "a.ics")
    #expect(other.difference.changes.isEmpty)
    #expect(other.issues.map(\.message) == ["there is a rule `a` already, which this calendar has not made"])
  }

  @Test("a rule that a person has replaced is that person's from then on")
  func replaced() {
    let first = EventImport(Self.made(Self.event("a")), note: "from x", over: SiteSchedule(), file: "a.ics")
    var rows = Self.rows(first)
    rows.rules["a"]?.note = ""
    #expect(EventImport(Self.made(""), note: "from x", over: rows, file: "a.ics").difference.changes.isEmpty)
    #expect(
      EventImport(Self.made(Self.event("a")), note: "from x", over: rows, file: "a.ics").issues.count == 1)
  }

  @Test("events whose names differ in case alone are two rules")
  func cases() {
    let made = Self.made(Self.event("lunch") + Self.event("Lunch", count: 2))
    #expect(Set(made.rules.map { $0.name.lowercased() }).count == 2, "\(made.rules.map(\.name))")
  }

  @Test(
    "a source on the web is the same from every folder, without its secrets; two of a server are two",
    arguments: [
      ("-", "-"), ("a.ics", "/home/a.ics"), ("/srv/a.ics", "/srv/a.ics"),
      ("file:///srv/a%20b.ics", "/srv/a b.ics"),
      ("https://me:sesame@h/a.ics", "https://h/a.ics"), ("HTTP://h/a.ics", "HTTP://h/a.ics"),
      ("http://h/a.ics?key=sesame", "http://h/a.ics?…"), ("httpd/a.ics", "/home/httpd/a.ics"),
      ("http:a.ics", "/home/http:a.ics"),
    ])
  func origins(_ source: String, _ expected: String) {
    let origin = CalendarOrigin.text(of: source, in: "/home")
    #expect(origin.hasPrefix(expected), "\(origin)")
    #expect(!origin.contains("sesame"))
    #expect(origin.utf8.count == expected.utf8.count + (source.contains("?") ? 8 : 0), "\(origin)")
    guard source.contains("?") else { return }
    #expect(origin != CalendarOrigin.text(of: source + "2", in: "/home"))
    #expect(origin == CalendarOrigin.text(of: source, in: "/"))
  }
}
