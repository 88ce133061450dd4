import Foundation
import Testing

@Suite("Calendars of other programs", .timeLimit(.minutes(20)))
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
      try await stage.castq("device", "add", "lobby", "127.0.0.1:1")
      let page = try stage.file("page.ics", "<html>")
      for command in [["calendar", "import", "page", page], ["schedule", "import", page, "-d", "lobby"]] {
        let ending = try await stage.castq(command + ["--json"])
        let error = try Document(ending.stdout)["error"]
        #expect(ending.exit == 65 && error?["exit"]?.int == 65, "\(ending)")
        #expect(error?["message"]?.string?.contains("page.ics:1:") == true, "\(ending)")
      }
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
    "what is no calendar, is cut off or cannot be read at all is an error with its place, and the calendar of before stays"
  )
  func unusable() async throws {
    try await Stage.with { stage in
      let eve = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")
      let good = Self.calendar([eve])
      let page = "<html>\r\n<pre>\r\n\(good)</pre></html>\r\n"
      let server = try await WebServer(stage, files: ["page.ics": page])
      try stage.file("days.ics", good)
      expectSilence(try await stage.castq("calendar", "import", "feasts", "days.ics"))
      let cut = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n\(eve.0)\r\nEND:VEVENT\r\n"
      let files = [
        ("cut.ics", cut, "cut.ics:4:1: the calendar has no end; the file may be cut off"),
        (
          "event.ics", String(cut.dropLast(11)),
          "event.ics:2:1: the event has no end; the file may be cut off"
        ),
        ("odd.ics", Self.calendar([("DTSTART:2026", "Odd")]), "odd.ics:4:9: `2026` is not a date"),
        ("empty.ics", "", "empty.ics:1:1: this is not a calendar"),
        ("page.ics", page, "page.ics:1:1: this is not a calendar"),
        ("junk.ics", "\u{1}\u{2}\n:::\n", "junk.ics:1:1: this is not a calendar"),
      ]
      for (name, text, words) in files {
        try stage.file(name, text)
        for calendar in ["feasts", "new"] {
          expectOneLine(try await stage.castq("calendar", "import", calendar, name), exit: 65, saying: words)
        }
        let rules = try await stage.castq("schedule", "import", name, "-d", "@all")
        #expect(
          rules.exit == 65 && rules.stderr.hasPrefix(words) && rules.errorLines.count == 1, "\(rules.stderr)")
      }
      expectOneLine(
        try await stage.castq("calendar", "import", "feasts", "\(server.address)/page.ics"), exit: 65,
        saying: "page.ics:1:1: this is not a calendar")
      #expect(try await stage.castq("calendar", "ls").outLines.count == 2)
      #expect(try await stage.castq("calendar", "ls", "feasts").stdout.contains("Eve"))
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

  /// The starts of a rule's event, each week, or once.
  private static let weekly = "DTSTART:\(year)0604T113000\r\nDURATION:PT2H\r\nRRULE:FREQ=WEEKLY;COUNT=4"
  private static let evening = "DTSTART:\(year)0701T200000\r\nDURATION:PT2H"

  private func prepare(_ stage: Stage) async throws {
    try await ProgrammeTests.prepare(stage)
    for name in ["lunch", "gala"] { try await stage.castq("programme", "add", name, "menus.m3u") }
  }

  private func members(_ stage: Stage, _ verb: String, _ list: String, _ key: String) async throws -> [String]
  {
    try await stage.json(verb, "ls")[list]?.elements.compactMap { $0[key]?.string } ?? []
  }

  @Test("what somebody else made under an event's name stays as it is, and the other events are rules")
  func others() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      try await stage.castq(
        "schedule", "add", "Gala", "--play", "lunch", "-d", "hall", "--always", "--note", "mine")
      try await stage.castq("calendar", "add", "lunch days", "2026-12-24", "Eve")
      try stage.file("site.ics", Self.calendar([(Self.evening, "gala"), (Self.weekly, "lunch")]))
      let mine = try await stage.json("schedule", "show", "gala")
      let first = try await stage.castq("schedule", "import", "site.ics", "-d", "lobby")
      #expect(first.exit == 65 && first.stdout.isEmpty, "\(first.stdout)")
      #expect(
        first.errorLines.map { String($0.prefix(76)) } == [
          "site.ics:3:1: there is a rule `Gala` already, which this calendar has not ma",
          "site.ics:8:1: there is a calendar `lunch days` already, which this calendar ",
        ], "\(first.stderr)")
      #expect(try await stage.json("schedule", "show", "gala") == mine)
      #expect(try await stage.castq("calendar", "ls", "lunch days").stdout.contains("Eve"))
      // Once there is room, the events are rules, and later imports may change and remove them.
      try await stage.castq("calendar", "rm", "lunch days")
      let second = try await stage.castq("schedule", "import", "site.ics", "-d", "lobby")
      #expect(second.exit == 65 && second.stdout.contains("+ rule lunch: "), "\(second.stdout)")
      #expect(try await stage.json("schedule", "show", "gala") == mine)
    }
  }

  @Test("the calendar of a rule's days goes with the rule, unless something else names it")
  func calendars() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let both = Self.calendar([(Self.weekly, "lunch"), (Self.weekly, "gala")])
      try stage.file("site.ics", both)
      try await stage.castq("schedule", "import", "site.ics", "-d", "lobby")
      #expect(try await members(stage, "calendar", "calendars", "calendar") == ["gala days", "lunch days"])
      try await stage.castq(
        "schedule", "add", "other", "--play", "gala", "-d", "hall", "--always", "--not-on", "gala days")
      // Whoever removes the rule makes room for the next import.
      try await stage.castq("schedule", "rm", "lunch")
      #expect(try await members(stage, "calendar", "calendars", "calendar") == ["gala days"])
      let again = try await stage.castq("schedule", "import", "site.ics", "-d", "lobby")
      #expect(again.exit == 0 && again.stdout.contains("+ rule lunch: "), "\(again)")
      try stage.file("site.ics", Self.calendar([(Self.evening, "Nothing")]))
      let dry = try await stage.castq("schedule", "import", "site.ics", "-d", "lobby", "--dry-run")
      #expect(dry.stdout == "- calendar lunch days\n- rule gala\n- rule lunch\n", "\(dry.stdout)")
      #expect(try await stage.castq("schedule", "import", "site.ics", "-d", "lobby").stdout == dry.stdout)
      #expect(try await members(stage, "calendar", "calendars", "calendar") == ["gala days"])
      #expect(try await members(stage, "schedule", "rules", "rule") == ["other"])
    }
  }

  @Test("what a person said of single times of an imported rule stays with the next import")
  func exceptions() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      try stage.file("site.ics", Self.calendar([(Self.weekly, "lunch")]))
      try await stage.castq("schedule", "import", "site.ics", "-d", "lobby")
      expectSilence(try await stage.castq("schedule", "skip", "lunch@\(Self.year)-06-11"))
      expectSilence(try await stage.castq("schedule", "disable", "lunch"))
      expectSilence(try await stage.castq("schedule", "import", "site.ics", "-d", "lobby"))
      let rule = try await stage.json("schedule", "show", "lunch")
      #expect(rule["enabled"] == .bool(false) && rule["exceptions"]?.elements.count == 1, "\(rule)")
    }
  }

  @Test(
    "an address is one source from every folder; its password is sent, and neither stored nor shown; a version that is known is not sent again"
  )
  func addresses() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let server = try await WebServer(
        stage, files: ["days.ics": Self.calendar([("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")])])
      let address =
        "\(server.address.replacing("http://", with: "HTTP://me:sesame@"))/tagged/days.ics?key=sesame"
      func asked(_ folder: String, _ command: String, saying answer: String) async throws {
        let said = server.log.lines.count
        let ending = try await stage.shell("cd '\(folder)' && castq \(command)").ended()
        #expect(ending.exit == 0, "\(ending.stderr)")
        // The name and the password of the address, as HTTP has them.
        let line = await server.log.line(containing: "tagged \(answer) Basic bWU6c2VzYW1l", from: said)
        #expect(line != nil, "\(server.log.text)")
      }
      try await asked(stage.folder, "calendar import feasts '\(address)'", saying: "200")
      try await asked("/", "calendar import feasts '\(address)'", saying: "304")
      #expect(try await stage.castq("calendar", "ls", "feasts").stdout.contains("Eve"))
      // With another pattern the same version may have other days.
      try await asked("/", "calendar import feasts '\(address)' --keep nothing", saying: "200")
      #expect(try await stage.castq("calendar", "ls", "feasts").stdout.contains("Eve") == false)
      try Self.calendar([("DTSTART;VALUE=DATE:\(Self.year)1225", "nothing")]).write(
        toFile: "\(stage.folder)/www/days.ics", atomically: false, encoding: .utf8)
      try await asked(stage.folder, "calendar import feasts '\(address)'", saying: "200")
      #expect(try await stage.castq("calendar", "ls", "feasts").stdout.contains("\(Self.year)-12-25"))
      // Rules of an address are recognised from another folder.
      try Self.calendar([(Self.weekly, "lunch"), (Self.evening, "gala")]).write(
        toFile: "\(stage.folder)/www/days.ics", atomically: false, encoding: .utf8)
      try await asked(stage.folder, "schedule import '\(address)' -d lobby", saying: "200")
      try Self.calendar([(Self.weekly, "lunch")]).write(
        toFile: "\(stage.folder)/www/days.ics", atomically: false, encoding: .utf8)
      try await asked("/", "schedule import '\(address)' -d lobby", saying: "200")
      #expect(try await members(stage, "schedule", "rules", "rule") == ["lunch"])
      for words in [["schedule", "show", "lunch"], ["schedule", "export"], ["calendar", "ls"]] {
        #expect(try await stage.castq(words + ["--json"]).stdout.contains("sesame") == false)
      }
      for file in [stage.database, "\(stage.database)-wal"] {
        let bytes = FileManager.default.contents(atPath: file) ?? Data()
        #expect(bytes.range(of: Data("sesame".utf8)) == nil, "\(file) has the password")
      }
    }
  }
}
