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
}
