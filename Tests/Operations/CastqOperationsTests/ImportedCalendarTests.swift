import CastProtocol
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

@Suite("Calendars of other programs, by the functions that read them")
struct ImportedCalendarTests {
  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1

  /// The starts of a rule's event, each week, or once.
  private static let weekly = "DTSTART:\(year)0604T113000\r\nDURATION:PT2H\r\nRRULE:FREQ=WEEKLY;COUNT=4"
  private static let evening = "DTSTART:\(year)0701T200000\r\nDURATION:PT2H"

  private static func calendar(_ events: [(String, String)]) -> String {
    let body = events.map { "BEGIN:VEVENT\r\n\($0)\r\nSUMMARY:\($1)\r\nEND:VEVENT\r\n" }.joined()
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body)END:VCALENDAR\r\n"
  }

  private let site: OperationsSite
  private let hall: CallOptions

  init() async throws {
    site = try OperationsSite()
    var call = site.call
    call.device = ["hall"]
    hall = call
    _ = try Workspace(call).addDevice(named: "hall", at: "192.0.2.11")
    try await site.add(programmes: "lunch", "gala")
  }

  /// Imports days, of which all can be taken.
  private func days(_ name: String, _ path: String, keeping pattern: String? = nil) async throws {
    let outcome = try await site.schedule().importDays(of: name, from: path, keeping: pattern)
    #expect(outcome.value?.name == name && outcome.issues.isEmpty && outcome.isComplete, "\(outcome)")
  }

  private func rules(
    _ path: String, priority: Int = 0, isDry: Bool = false
  ) async throws -> (lines: [String], issues: [String]) {
    let outcome = try await site.schedule().importRules(from: path, priority: priority, isDry: isDry)
    return (try #require(outcome.value).lines, outcome.issues.map { "\($0)" })
  }

  private func rule(_ name: String) throws -> JSONValue { try site.schedule().ruleDocument(name) }

  private func add(_ name: String, on call: CallOptions, change: (inout ScheduleRule) -> Void = { _ in })
    async throws
  {
    var rule = ScheduleRule(id: RuleID(0), name: name, programme: "", kind: .window, form: .always)
    change(&rule)
    _ = try await ScheduleCall(call).add(rule, playing: "gala", replaces: false)
  }

  @Test("days are imported, and replaced by the next import, which keeps its pattern")
  func files() async throws {
    let eve = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Public holiday: Eve")
    let birthday = ("DTSTART;VALUE=DATE:\(Self.year)0305", "Birthday")
    let path = try site.file("days.ics", Self.calendar([eve, birthday]))
    try await days("feasts", path, keeping: "public*")
    #expect(try site.days("feasts") == ["\(Self.year)-12-24  Public holiday: Eve"])
    let yearly = ("DTSTART;VALUE=DATE:20000101\r\nRRULE:FREQ=YEARLY", "Public New Year")
    try site.file("days.ics", Self.calendar([yearly, birthday]))
    try await days("feasts", path)
    let later = try site.days("feasts")
    #expect(
      (9...11).contains(later.count) && later.contains("\(Self.year)-01-01  Public New Year"), "\(later)")
    try await days("feasts", path, keeping: "*")
    #expect(try site.days("feasts").contains("\(Self.year)-03-05  Birthday"))
  }

  @Test("an address is read, too, and what cannot be read is told with its place")
  func sources() async throws {
    let good = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")
    let server = try await PageServer(["days.ics": Self.calendar([good])])
    try await days("web", "\(server.address)/days.ics")
    #expect(try site.days("web") == ["\(Self.year)-12-24  Eve"])
    let mixed = try await site.schedule().importDays(
      of: "mixed", from: site.file("mixed.ics", Self.calendar([("DTSTART:2026", "Odd"), good])), keeping: nil)
    #expect(
      mixed.issues.map { "\($0)".contains("mixed.ics:4:9: `2026` is not a date") } == [true],
      "\(mixed.issues)")
    #expect(try site.days("mixed") == ["\(Self.year)-12-24  Eve"], "the rest is there")
    await expectFailure(.inputMissing, saying: "404") {
      try await days("web", "\(server.address)/none.ics")
    }
    await expectFailure(.inputMissing, saying: "none.ics") {
      try await days("none", "\(site.folder)/none.ics")
    }
    try await site.schedule().addDay(LocalDate("2026-12-24"), label: "Eve", to: "hand")
    await expectFailure(.badData, saying: "added by hand") {
      try await days("hand", "\(server.address)/days.ics")
    }
  }

  @Test(
    "what is no calendar, is cut off or cannot be read at all is an error with its place, and the calendar of before stays"
  )
  func unusable() async throws {
    let eve = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")
    let good = Self.calendar([eve])
    let page = "<html>\r\n<pre>\r\n\(good)</pre></html>\r\n"
    let server = try await PageServer(["page.ics": page])
    try await days("feasts", site.file("days.ics", good))
    let cut = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n\(eve.0)\r\nEND:VEVENT\r\n"
    let files = [
      ("cut.ics", cut, "cut.ics:4:1: the calendar has no end; the file may be cut off"),
      (
        "event.ics", String(cut.dropLast(11)), "event.ics:2:1: the event has no end; the file may be cut off"
      ),
      ("odd.ics", Self.calendar([("DTSTART:2026", "Odd")]), "odd.ics:4:9: `2026` is not a date"),
      ("empty.ics", "", "empty.ics:1:1: this is not a calendar"),
      ("page.ics", page, "page.ics:1:1: this is not a calendar"),
      ("junk.ics", "\u{1}\u{2}\n:::\n", "junk.ics:1:1: this is not a calendar"),
    ]
    func expectRefusal<Value>(
      _ outcome: CalendarOutcome<Value>, _ words: String,
      sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
      #expect(outcome.value == nil && !outcome.isUsable, sourceLocation: sourceLocation)
      #expect(
        outcome.issues.map { "\($0)".contains("/\(words)") } == [true], "\(outcome.issues)",
        sourceLocation: sourceLocation)
      #expect(outcome.refusal.exit == .badData, sourceLocation: sourceLocation)
    }
    var everywhere = site.call
    everywhere.device = ["@all"]
    for (name, text, words) in files {
      let path = try site.file(name, text)
      for calendar in ["feasts", "new"] {
        expectRefusal(
          try await site.schedule().importDays(of: calendar, from: path, keeping: nil), words)
      }
      expectRefusal(try await ScheduleCall(everywhere).importRules(from: path), words)
    }
    expectRefusal(
      try await site.schedule().importDays(of: "feasts", from: "\(server.address)/page.ics", keeping: nil),
      "page.ics:1:1: this is not a calendar")
    #expect(try site.names(.calendars, "calendar") == ["feasts"])
    #expect(try site.days("feasts") == ["\(Self.year)-12-24  Eve"])
  }

  @Test(
    "events are rules: each way to repeat is kept, a moved event moves, and the next import changes and removes"
  )
  func rules() async throws {
    // Wednesdays: the second one is moved by an hour, the third one is left out; and an evening once.
    let start =
      "DTSTART;TZID=Europe/Berlin:\(Self.year)0604T113000\r\nDTEND;TZID=Europe/Berlin:\(Self.year)0604T140000"
    let weekly =
      "UID:w\r\n\(start)\r\nRRULE:FREQ=DAILY;INTERVAL=7;COUNT=4\r\nEXDATE;TZID=Europe/Berlin:\(Self.year)0618T113000"
    let moved =
      "UID:w\r\nRECURRENCE-ID;TZID=Europe/Berlin:\(Self.year)0611T113000\r\nDTSTART;TZID=Europe/Berlin:\(Self.year)0611T123000\r\nDURATION:PT1H"
    let both = [(weekly, "Lunch"), (moved, "Lunch")]
    let path = try site.file(
      "site.ics", Self.calendar(both + [(Self.evening, "gala"), (Self.evening, "Nobody's")]))
    let first = try await rules(path, priority: 5)
    #expect(first.issues.count == 1 && first.issues[0].contains("there is no programme `Nobody's`"))
    let shown = try await site.plan(
      from: "\(Self.year)-06-01", to: "\(Self.year)-07-02", in: "Europe/Berlin"
    ).filter { $0["rule"]?.string != nil }.map {
      "\($0["start"]?.string?.prefix(16) ?? "") \($0["programme"]?.string ?? "")"
    }
    let expected = [
      "\(Self.year)-06-04T09:30 lunch", "\(Self.year)-06-11T10:30 lunch", "\(Self.year)-06-25T09:30 lunch",
    ]
    #expect(shown.filter { $0.hasSuffix("lunch") } == expected)
    #expect(shown.filter { $0.hasSuffix("gala") }.count == 1)
    #expect(try rule("gala")["priority"]?.int == 5)
    // The same again changes nothing; without the evening its rule goes, and a rule of a person stays.
    try await add("mine", on: site.call)
    try site.file("site.ics", Self.calendar(both + [(Self.evening, "gala")]))
    let again = try await rules(path, priority: 5)
    #expect(again.lines.isEmpty && again.issues.isEmpty)
    try site.file("site.ics", Self.calendar(both))
    let dry = try await rules(path, priority: 5, isDry: true)
    #expect(dry.lines == ["- rule gala"] && dry.issues.isEmpty)
    #expect(try await rules(path, priority: 5).lines == dry.lines)
    let names = try site.names(.rules, "rule")
    #expect(!names.contains("gala") && names.contains("mine"), "\(names)")
  }

  @Test("what somebody else made under an event's name stays as it is, and the other events are rules")
  func others() async throws {
    try await add("Gala", on: hall) { $0.note = "mine" }
    try await site.schedule().addDay(LocalDate("2026-12-24"), label: "Eve", to: "lunch days")
    let path = try site.file("site.ics", Self.calendar([(Self.evening, "gala"), (Self.weekly, "lunch")]))
    let mine = try rule("gala")
    let first = try await rules(path)
    #expect(first.lines.isEmpty)
    let words = [
      "site.ics:3:1: there is a rule `Gala` already, which this calendar has not ma",
      "site.ics:8:1: there is a calendar `lunch days` already, which this calendar ",
    ]
    #expect(first.issues.count == 2 && zip(first.issues, words).allSatisfy { $0.contains("/\($1)") })
    #expect(try rule("gala") == mine)
    #expect(try site.days("lunch days") == ["2026-12-24  Eve"])
    // Once there is room, the events are rules, and later imports may change and remove them.
    try await site.schedule().removeDay(nil, from: "lunch days")
    let second = try await rules(path)
    #expect(second.issues.count == 1 && second.lines.contains { $0.hasPrefix("+ rule lunch: ") })
    #expect(try rule("gala") == mine)
  }

  @Test("the calendar of a rule's days goes with the rule, unless something else names it")
  func calendars() async throws {
    let path = try site.file("site.ics", Self.calendar([(Self.weekly, "lunch"), (Self.weekly, "gala")]))
    _ = try await rules(path)
    #expect(try site.names(.calendars, "calendar") == ["gala days", "lunch days"])
    try await add("other", on: hall) { $0.notOn = "gala days" }
    // Whoever removes the rule makes room for the next import.
    try site.schedule().ask { (store) throws(StoreError) in try store.removeRule("lunch", at: .now) }
    #expect(try site.names(.calendars, "calendar") == ["gala days"])
    let again = try await rules(path)
    #expect(again.issues.isEmpty && again.lines.contains { $0.hasPrefix("+ rule lunch: ") })
    try site.file("site.ics", Self.calendar([(Self.evening, "Nothing")]))
    let dry = try await rules(path, isDry: true)
    #expect(dry.lines == ["- calendar lunch days", "- rule gala", "- rule lunch"])
    #expect(try await rules(path).lines == dry.lines)
    #expect(try site.names(.calendars, "calendar") == ["gala days"])
    #expect(try site.names(.rules, "rule") == ["other"])
  }

  @Test("what a person said of single times of an imported rule stays with the next import")
  func exceptions() async throws {
    let path = try site.file("site.ics", Self.calendar([(Self.weekly, "lunch")]))
    _ = try await rules(path)
    _ = try await site.schedule().except(.skip, at: "lunch@\(Self.year)-06-11")
    try await site.schedule().setEnabled(false, "lunch")
    let again = try await rules(path)
    #expect(again.lines.isEmpty && again.issues.isEmpty)
    #expect(try rule("lunch")["enabled"] == false)
    #expect(try rule("lunch")["exceptions"]?.array?.count == 1)
  }

  @Test(
    "a password of an address is sent, and neither stored nor shown; a version that is known is not sent again"
  )
  func addresses() async throws {
    func page(_ events: [(String, String)]) -> PageServer.Page {
      let text = Self.calendar(events)
      return PageServer.Page(
        text: text, head: ["Content-Type": "text/calendar", "ETag": "\"\(text.hashValue)\""])
    }
    let server = try await PageServer([
      "days.ics": page([("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")])
    ])
    let address = "\(server.address.replacing("http://", with: "HTTP://me:sesame@"))/days.ics?key=sesame"
    func asked(_ answer: String, _ body: () async throws -> Void) async throws {
      try await body()
      // The name and the password of the address, as HTTP has them.
      #expect(server.answers().last == "\(answer) Basic bWU6c2VzYW1l")
    }
    func days(_ pattern: String? = nil) async throws {
      let outcome = try await site.schedule().importDays(of: "feasts", from: address, keeping: pattern)
      #expect(outcome.issues.isEmpty)
    }
    try await asked("200") { try await days() }
    try await asked("304") { try await days() }
    #expect(try site.days("feasts") == ["\(Self.year)-12-24  Eve"])
    // With another pattern the same version may have other days.
    try await asked("200") { try await days("nothing") }
    #expect(try site.days("feasts") == [])
    server.set("days.ics", page([("DTSTART;VALUE=DATE:\(Self.year)1225", "nothing")]))
    try await asked("200") { try await days() }
    #expect(try site.days("feasts") == ["\(Self.year)-12-25  nothing"])
    server.set("days.ics", page([(Self.weekly, "lunch"), (Self.evening, "gala")]))
    try await asked("200") { _ = try await rules(address) }
    server.set("days.ics", page([(Self.weekly, "lunch")]))
    try await asked("200") { _ = try await rules(address) }
    #expect(try site.names(.rules, "rule") == ["lunch"])
    for list in [ScheduleList.rules, .calendars] {
      #expect(!"\(try site.schedule().document(list))".contains("sesame"))
    }
    #expect(
      !SiteWriter.text(try site.schedule().ask { (store) throws(StoreError) in try store.site() }).contains(
        "sesame"))
    for file in ["castq.db", "castq.db-wal"] {
      let bytes = FileManager.default.contents(atPath: "\(site.folder)/\(file)") ?? Data()
      #expect(bytes.range(of: Data("sesame".utf8)) == nil, "\(file) has the password")
    }
  }
}
