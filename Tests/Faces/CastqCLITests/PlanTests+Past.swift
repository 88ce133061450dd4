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
      let check = try await castq("plan", "--check", range[0], range[1], range[2], range[3])
      #expect(
        check.exit == 1
          && check.outLines == [
            "bar  Tue 20 Jan 09:30–10:00: nothing plays", "bar  Tue 20 Jan 12:00–13:00: nothing plays",
          ], "\(check.stdout)")
    }
  }
}
