import Foundation
import Testing

/// The past of plans and reasons is what was on the screen.
extension PlanTests {
  /// A morning of `bar`: an outage, a guest, a stop, and the end of its queue.
  private static let morning = """
    import datetime, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    def at(text):
        return int(datetime.datetime.fromisoformat(f"2026-01-20T{text}+00:00").timestamp() * 1000)
    db.execute("UPDATE device SET created_at = ? WHERE id = 2", (at("08:00:00"),))
    play = ("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence, cause,"
      " caused_by, gap_before_s, kind) VALUES (?, 1, 2, 'bar', ?, ?, ?, ?, 'interrupted', 'reported', ?, ?, ?, 'base')")
    for number, (begin, end, cause, by, gap) in enumerate((
        ("08:10:00", "09:00:00", "completed", None, None), ("09:00:01", "09:30:00", "device_lost", None, 1),
        ("10:00:05", "10:20:00", "guest", "Holiday video", None), ("10:50:00", "11:00:00", "stopped", None, None),
        ("11:30:00", "12:00:00", "completed", None, None))):
        name = f"film-{'abcde'[number]}"
        db.execute(play, (200 + number, name, f"http://192.0.2.1/{name}.mp4", at(begin), at(end), cause, by, gap))
    db.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (2, 'bar', ?, ?, 'closed the connection')",
      (at("09:30:00"), at("10:00:00")))
    db.commit()
    """

  @Test(
    "the past of a plan is what was on the screen: plays, outages, guests, stops, and nothing before the first row"
  )
  func past() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      try stage.file("morning.py", Self.morning)
      let written = try await stage.shell("python3 morning.py castq.db").ended()
      #expect(written.exit == 0, "\(written.stderr)")
      func castq(_ arguments: String...) async throws -> Ending {
        try await stage.castq(arguments + ["-d", "bar"], variables: ["TZ": "UTC"])
      }
      let range = ["--from", "2026-01-20T07:00:00Z", "--to", "2026-01-20T13:00:00Z"]
      let lines = try await castq("plan", range[0], range[1], range[2], range[3]).outLines
      #expect(
        lines.dropLast() == [
          "Tue 20 Jan 08:00–08:10  unobserved  castq did not see the screen", "Tue 20 Jan 08:10–09:30  base",
          "Tue 20 Jan 09:30–10:00  dark  bar did not answer (closed the connection); due: film-b",
          "Tue 20 Jan 10:00–10:20  base",
          "Tue 20 Jan 10:20–10:50  guest  another sender had the screen (Holiday video); due: film-c",
          "Tue 20 Jan 10:50–11:00  base", "Tue 20 Jan 11:00–11:30  stopped  stopped by castq; due: film-d",
          "Tue 20 Jan 11:30–12:00  base",
          "Tue 20 Jan 12:00–13:00  dark  nothing was left to play, and no rule was on",
        ], "\(lines)")
      let document = try Document(
        try await castq("plan", "--json", range[0], range[1], range[2], range[3]).stdout)
      let segments = try #require(document["segments"]?.elements)
      let kinds = ["unobserved", "base", "dark", "base", "guest", "base", "stopped", "base", "dark"]
      #expect(segments.map { $0["kind"]?.string } == kinds)
      #expect(
        segments[0]["start"]?.string == "2026-01-20T08:00:00.000Z", "before its first row nothing is known")
      #expect(segments[2]["cause"]?.string == "unreachable" && segments[8]["cause"]?.string == "nothing_due")
      let csv = try await castq("plan", "--csv", range[0], range[1], range[2], range[3]).outLines
      #expect(csv.count == 10 && csv[5].contains(",guest,,"), "\(csv)")
      let check = try await castq("plan", "--check", range[0], range[1], range[2], range[3])
      #expect(
        check.exit == 1
          && check.outLines == [
            "bar  Tue 20 Jan 09:30–10:00: nothing plays", "bar  Tue 20 Jan 12:00–13:00: nothing plays",
          ], "\(check.stdout)")

      // Each of them is the answer of why, and the outage is that of the report.
      for (time, line) in [
        ("07:30", "07:30:00  nothing is known of bar before 08:00:00"),
        ("09:15", "09:15:00  base: film-b 09:00:01–09:30:00"),
        (
          "09:45",
          "09:45:00  dark: bar did not answer 09:30:00–10:00:00 (closed the connection); film-b was due"
        ),
        (
          "10:30",
          "10:30:00  guest: another sender had the screen 10:20:00–10:50:00 (Holiday video); film-c was due"
        ),
        ("11:10", "11:10:00  stopped: stopped by castq 11:00:00–11:30:00; film-d was due"),
        ("12:30", "12:30:00  dark: nothing was left to play, and no rule was on since 12:00:00"),
      ] {
        let why = try await castq("why", "2026-01-20T\(time):00Z")
        #expect(why.outLines.first == line, "\(why.stdout)\(why.stderr)")
      }
      let dark = try Document(try await castq("why", "--json", "2026-01-20T09:45:00Z").stdout)
      #expect(
        dark["winner"]?["cause"]?.string == "unreachable" && dark["screen"]?["cause"]?.string == "unreachable"
      )
      #expect(
        dark["screen"]?["start"] == segments[2]["start"] && dark["screen"]?["end"] == segments[2]["end"])
      let report = try await castq(
        "report", "outages", "--json", "--since", "2026-01-20T07:00:00Z", "--until", "2026-01-20T13:00:00Z")
      #expect(
        try Document(report.stdout)["rows"]?.elements.first?["seconds"]?.int == 1800, "\(report.stdout)")
    }
  }

  @Test("within two seconds after a planned change, why names the change and when it was on the screen")
  func boundary() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      func why(_ time: String) async throws -> [String] {
        try await stage.castq(["why", "2026-01-12T\(time)Z", "-d", "lobby"], variables: ["TZ": "UTC"])
          .outLines
      }
      for time in ["07:00:00", "07:00:01"] {
        let lines = try await why(time)
        #expect(lines.first == "07:00:00  breakfast began; on the screen 3.00 s later", "\(lines)")
        #expect(lines.dropFirst().first == "breakfast  won: began 08:00", "\(lines)")
      }
      #expect(
        try await why("09:30:00").first
          == "09:30:00  breakfast ended; nothing was on the screen within a minute")
      #expect(
        try await why("07:00:30").first == "07:00:30  rule: Welcome 07:00:03–07:01:03, by breakfast → menus")
    }
  }

  @Test("a queue ends in a plan when what is left of it has been played, and one that repeats does not")
  func queueEnd() async throws {
    try await Stage.with { stage in
      try await stage.castq("device", "add", "lobby", "127.0.0.1:1")
      let list = "#EXTM3U\n#EXTINF:600,A\nhttp://192.0.2.1/a.mp4\n#EXTINF:900,B\nhttp://192.0.2.1/b.mp4\n"
      try stage.file("list.m3u", list)
      #expect(try await stage.castq("enqueue", "list.m3u").exit == 0)
      func plan(_ range: String...) async throws -> [(kind: String?, seconds: Double)] {
        let document = try Document(try await stage.castq(["plan", "--json"] + range).stdout)
        return document["segments"]?.elements.map { segment in
          let ends = ["start", "end"].compactMap { segment[$0]?.string }.compactMap {
            try? Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
          }
          return (segment["kind"]?.string, ends.count == 2 ? ends[1].timeIntervalSince(ends[0]) : 0)
        } ?? []
      }
      let now = try await plan("--to", "+1h")
      #expect(now.map(\.kind) == ["base", "dark"] && abs((now.first?.seconds ?? 0) - 1500) < 60, "\(now)")
      let later = try await plan("--from", "+20m", "--to", "+1h")
      #expect(
        later.map(\.kind) == ["base", "dark"] && abs((later.first?.seconds ?? 0) - 300) < 60, "\(later)")
      #expect(try await plan("--from", "+1h", "--to", "+2h").map(\.kind) == ["dark"])
      #expect(try await stage.castq("plan", "--check").exit == 1)
      #expect(try await stage.castq("why", "+1h").outLines.first?.hasPrefix("The screen is dark: ") == true)
      #expect(try await stage.castq("why", "+10m").outLines.first?.hasPrefix("base  won: ") == true)
      try await stage.castq("repeat", "all")
      #expect(try await plan("--from", "+1h", "--to", "+2h").map(\.kind) == ["base"])
    }
  }
}
