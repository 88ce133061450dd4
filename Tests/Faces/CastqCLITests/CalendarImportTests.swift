import Foundation
import Testing

@Suite("Calendars of other programs", .timeLimit(.minutes(20)))
struct CalendarImportTests {
  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1

  private static func calendar(_ events: [(String, String)]) -> String {
    let body = events.map { "BEGIN:VEVENT\r\n\($0)\r\nSUMMARY:\($1)\r\nEND:VEVENT\r\n" }.joined()
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body)END:VCALENDAR\r\n"
  }

  @Test(
    "what cannot be read is told with its place, on the terminal and in a document, and the exit status says so"
  )
  func failures() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      let page = try stage.file("page.ics", "<html>")
      for command in [["calendar", "import", "page", page], ["schedule", "import", page, "-d", "lobby"]] {
        let ending = try await stage.castq(command + ["--json"])
        let error = try Document(ending.stdout)["error"]
        #expect(ending.exit == 65 && error?["exit"]?.int == 65, "\(ending)")
        #expect(error?["message"]?.string?.contains("page.ics:1:") == true, "\(ending)")
      }
      let rules = try await stage.castq("schedule", "import", "page.ics", "-d", "@all")
      #expect(rules.exit == 65 && rules.stderr.hasPrefix("page.ics:1:1: this is not a calendar"), "\(rules)")
      let good = ("DTSTART;VALUE=DATE:\(Self.year)1224", "Eve")
      let mixed = try await stage.castq(
        "calendar", "import", "mixed", "-", input: Self.calendar([("DTSTART:2026", "Odd"), good]))
      expectOneLine(mixed, exit: 65, saying: "-:4:9: `2026` is not a date")
      #expect(try await stage.castq("calendar", "ls", "mixed").stdout.contains("Eve"), "the rest is there")
    }
  }

  /// The starts of a rule's event, each week, or once.
  private static let weekly = "DTSTART:\(year)0604T113000\r\nDURATION:PT2H\r\nRRULE:FREQ=WEEKLY;COUNT=4"
  private static let evening = "DTSTART:\(year)0701T200000\r\nDURATION:PT2H"

  @Test("an address is one source from every folder, and its password is in nothing that is printed")
  func addresses() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      for name in ["lunch", "gala"] { try await stage.castq("programme", "add", name, "menus.m3u") }
      let server = try await WebServer(
        stage, files: ["days.ics": Self.calendar([(Self.weekly, "lunch"), (Self.evening, "gala")])])
      let address =
        "\(server.address.replacing("http://", with: "HTTP://me:sesame@"))/tagged/days.ics?key=sesame"
      func imports(in folder: String, _ command: String) async throws -> Ending {
        try await stage.shell("cd '\(folder)' && castq \(command)").ended()
      }
      #expect(try await imports(in: stage.folder, "calendar import feasts '\(address)'").exit == 0)
      #expect(try await imports(in: "/", "calendar import feasts '\(address)'").exit == 0)
      #expect(await server.log.line(containing: "tagged 304") != nil, "\(server.log.text)")
      // Rules of an address are recognised from another folder.
      let first = try await imports(in: stage.folder, "schedule import '\(address)' -d lobby")
      #expect(first.exit == 0 && first.outLines.count == 3, "\(first)")
      try Self.calendar([(Self.weekly, "lunch")]).write(
        toFile: "\(stage.folder)/www/days.ics", atomically: false, encoding: .utf8)
      let second = try await imports(in: "/", "schedule import '\(address)' -d lobby --dry-run")
      #expect(second.exit == 0 && second.stdout == "- rule gala\n", "\(second)")
      for words in [["schedule", "show", "lunch"], ["schedule", "export"], ["calendar", "ls"]] {
        #expect(try await stage.castq(words + ["--json"]).stdout.contains("sesame") == false)
      }
    }
  }
}
