import Foundation
import Testing

@Suite("Calendars of other programs", .timeLimit(.minutes(5)))
struct CalendarImportTests {
  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1

  private static func calendar(_ events: [(String, String)]) -> String {
    let body = events.map { "BEGIN:VEVENT\r\n\($0)\r\nSUMMARY:\($1)\r\nEND:VEVENT\r\n" }.joined()
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body)END:VCALENDAR\r\n"
  }

  @Test("days are imported, and replaced by the next import, which keeps its pattern")
  func files() async throws {
    try await Stage.with { stage in
      let eve = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Public holiday: Eve")
      try stage.file("days.ics", Self.calendar([eve, ("DTSTART;VALUE=DATE:\(Self.year)0305", "Birthday")]))
      let imported = try await stage.json("calendar", "import", "feasts", "days.ics", "--keep", "public*")
      #expect(imported.keys.isEmpty == false)
      func days() async throws -> [String] {
        try await stage.castq("calendar", "ls", "feasts").outLines.dropFirst().map { String($0) }
      }
      #expect(try await days() == ["\(Self.year)-12-24  Public holiday: Eve"])
      let yearly = ("DTSTART;VALUE=DATE:20000101\r\nRRULE:FREQ=YEARLY", "Public New Year")
      try stage.file(
        "days.ics", Self.calendar([yearly, ("DTSTART;VALUE=DATE:\(Self.year)0305", "Birthday")]))
      expectSilence(try await stage.castq("calendar", "import", "feasts", "days.ics"))
      let later = try await days()
      #expect(
        (9...11).contains(later.count) && later.contains("\(Self.year)-01-01  Public New Year"), "\(later)")
      expectSilence(try await stage.castq("calendar", "import", "feasts", "days.ics", "--keep", "*"))
      #expect(try await days().contains("\(Self.year)-03-05  Birthday"))
    }
  }

  @Test("an address is read, too, and what cannot be read is told with its place")
  func sources() async throws {
    try await Stage.with { stage in
      let good = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")
      let server = try await WebServer(stage, files: ["days.ics": Self.calendar([good])])
      expectSilence(try await stage.castq("calendar", "import", "web", "\(server.address)/days.ics"))
      #expect(try await stage.castq("calendar", "ls", "web").stdout.contains("\(Self.year)-12-24  Eve"))
      expectOneLine(
        try await stage.castq("calendar", "import", "web", "\(server.address)/none.ics"), exit: 66,
        saying: "404")
      let mixed = try await stage.castq(
        "calendar", "import", "mixed", "-", input: Self.calendar([("DTSTART:2026", "Odd"), good]))
      expectOneLine(mixed, exit: 65, saying: "-:4:9: `2026` is not a date")
      #expect(try await stage.castq("calendar", "ls", "mixed").stdout.contains("Eve"), "the rest is there")
      expectOneLine(
        try await stage.castq("calendar", "import", "page", "-", input: "<html>"), exit: 65, saying: "")
      expectOneLine(
        try await stage.castq("calendar", "import", "none", "none.ics"), exit: 66, saying: "none.ics")
      expectSilence(try await stage.castq("calendar", "add", "hand", "2026-12-24", "Eve"))
      expectOneLine(
        try await stage.castq("calendar", "import", "hand", "www/days.ics"), exit: 65, saying: "added by hand"
      )
    }
  }

  @Test(
    "events are rules: each way to repeat is kept, a moved event moves, and the next import changes and removes"
  )
  func rules() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      try await stage.castq("programme", "add", "lunch", "menus.m3u")
      try await stage.castq("programme", "add", "gala", "menus.m3u")
      // Wednesdays: the second one is moved by an hour, the third one is left out; and an evening once.
      let start =
        "DTSTART;TZID=Europe/Berlin:\(Self.year)0604T113000\r\nDTEND;TZID=Europe/Berlin:\(Self.year)0604T140000"
      let weekly =
        "UID:w\r\n\(start)\r\nRRULE:FREQ=DAILY;INTERVAL=7;COUNT=4\r\nEXDATE;TZID=Europe/Berlin:\(Self.year)0618T113000"
      let moved =
        "UID:w\r\nRECURRENCE-ID;TZID=Europe/Berlin:\(Self.year)0611T113000\r\nDTSTART;TZID=Europe/Berlin:\(Self.year)0611T123000\r\nDURATION:PT1H"
      let evening = "DTSTART:\(Self.year)0701T200000\r\nDURATION:PT2H"
      let all = Self.calendar([(weekly, "Lunch"), (moved, "Lunch"), (evening, "gala"), (evening, "Nobody's")])
      try stage.file("site.ics", all)
      let first = try await stage.castq("schedule", "import", "site.ics", "-d", "lobby", "--priority", "5")
      #expect(first.exit == 65 && first.errorLines.count == 1, "\(first.stderr)")
      #expect(first.stderr.contains("there is no programme `Nobody's`"))
      let plan = try await stage.castq(
        "plan", "-d", "lobby", "--from", "\(Self.year)-06-01", "--to", "\(Self.year)-07-02", "--tz",
        "Europe/Berlin", "--json")
      let shown = try Document(plan.stdout)["segments"]?.elements.filter { $0["rule"] != .null }.map {
        "\($0["start"]?.string?.prefix(16) ?? "") \($0["programme"]?.string ?? "")"
      }
      let expected = [
        "\(Self.year)-06-04T09:30 lunch", "\(Self.year)-06-11T10:30 lunch", "\(Self.year)-06-25T09:30 lunch",
      ]
      #expect(shown?.filter { $0.hasSuffix("lunch") } == expected)
      #expect(shown?.filter { $0.hasSuffix("gala") }.count == 1)
      #expect(try await stage.json("schedule", "show", "gala")["priority"]?.int == 5)
      // The same again changes nothing; without the evening its rule goes, and a rule of a person stays.
      try await stage.castq("schedule", "add", "mine", "--play", "gala", "-d", "lobby", "--always")
      try stage.file("site.ics", Self.calendar([(weekly, "Lunch"), (moved, "Lunch"), (evening, "gala")]))
      expectSilence(try await stage.castq("schedule", "import", "site.ics", "-d", "lobby", "--priority", "5"))
      try stage.file("site.ics", Self.calendar([(weekly, "Lunch"), (moved, "Lunch")]))
      let dry = try await stage.castq(
        "schedule", "import", "site.ics", "-d", "lobby", "--priority", "5", "--dry-run")
      #expect(dry.stdout == "- rule gala\n" && dry.exit == 0)
      #expect(
        try await stage.castq("schedule", "import", "site.ics", "-d", "lobby", "--priority", "5").stdout
          == dry.stdout)
      let names = try await stage.json("schedule", "ls")["rules"]?.elements.compactMap { $0["rule"]?.string }
      #expect(names?.contains("gala") == false && names?.contains("mine") == true, "\(names ?? [])")
    }
  }
}
