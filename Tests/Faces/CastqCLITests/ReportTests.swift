import Foundation
import Testing

@Suite("Reports", .timeLimit(.minutes(20)))
struct ReportTests {
  /// Writes two devices, what they played over the night of 25 October 2026 in Berlin, and an outage.
  private func fill(_ stage: Stage) async throws {
    try stage.add(device: "lobby", at: "192.0.2.1")
    try stage.add(device: "bar", at: "192.0.2.2")
    try await stage.python(
      """
      import sqlite3, sys
      from datetime import datetime
      db = sqlite3.connect(sys.argv[1])
      ms = lambda t: t and int(datetime.fromisoformat(t + "+00:00").timestamp() * 1000)
      rows = [
        (1, "lobby", "A", "http://m/a", "2026-10-24T21:30:00", "2026-10-24T22:30:00", 3600, "finished", None, "base", None),
        (1, "lobby", "=1+1", "http://m/b", "2026-10-25T00:30:00", "2026-10-25T01:30:00", 3000, "finished", 0.25, "rule", "lunch"),
        (2, "bar", "A", "http://m/a", None, "2026-10-25T10:00:00", 0, "failed", None, "base", None),
        (1, "lobby", "S", "http://m/s", "2026-10-25T12:00:00", "2026-10-25T12:05:00", 300, "finished", 1.75, "share", "beer")]
      for i, (d, n, t, u, s, e, p, o, g, k, r) in enumerate(rows):
          db.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, "
            "evidence, gap_before_s, kind, rule_name) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, 'reported', ?, ?, ?)",
            (i + 1, d, n, t, u, ms(s), ms(e), p, o, g, k, r))
      db.execute("INSERT INTO decision (device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, "
        "starts_at, ends_at, planned_at, reason) VALUES (1, 'lobby', ?, ?, 'rule', 9, 'lunch', 1, 'p', '2026-10-25T01:00', ?, ?, ?, 'r')",
        tuple(ms(t) for t in ("2026-10-25T00:10:00", "2026-10-25T02:00:00", "2026-10-25T00:00:00", "2026-10-25T01:00:00",
          "2026-10-25T00:00:00")))
      for d, n, b, e in [(1, "lobby", "2026-10-25T22:30:00", "2026-10-25T23:30:00"), (2, "bar", "2026-10-20T00:00:00", None)]:
          db.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (?, ?, ?, ?, 'no answer')",
            (d, n, ms(b), ms(e)))
      db.commit()
      """)
  }

  /// `key: value` of two members of each row.
  private func pairs(_ rows: [Document], _ key: String, _ value: String) -> [String] {
    rows.map { "\($0[key]?.string ?? "-"): \($0[value]?.number.map { "\($0)" } ?? "-")" }
  }

  @Test("a report is a document, rows of values or a table")
  func forms() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      expectSilence(try await stage.castq("group", "add", "upstairs", "bar"))
      let rows = try await stage.castq("report", "plays", "-d", "@upstairs", "--jsonl").outLines
      #expect(try rows.map { try Document($0)["media"]?.string } == ["http://m/a"])
      let document = try await stage.json(
        "report", "plays", "--by", "day", "--tz", "UTC", "--until", "2026-10-25")
      #expect(document["report"] == .string("plays") && document["by"] == .string("day"))
      #expect(document["until"] == .string("2026-10-25T00:00:00.000Z") && document["since"] == .null)
      #expect(document["total"]?["plays"]?.int == 1 && document["total"]?["reported"]?.int == 1)
      let csv = try await stage.castq("report", "plays", "--csv").outLines
      #expect(csv.count == 4 && csv.first?.hasPrefix("media,title,plays,shown_s,") == true)
      let table = try await stage.castq("report", "plays", "--by", "day", "--tz", "UTC").stdout
      #expect(table.contains("total") && !table.contains("█"), "bars are for terminals")
    }
  }

  @Test("people read and write times by the clocks of the site, and tables name them; programs get UTC")
  func oneClock() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      let folder = "\(stage.folder)/config/castq"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // What else is wrong in the file is no matter for times.
      let text = "timezone: Asia/Kathmandu\ndefaults: {volume: loud}\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
      let legend = "times in Asia/Kathmandu"
      func lines(_ words: String...) async throws -> [String] {
        let ending = try await stage.castq(words, variables: ["TZ": "UTC"])
        #expect(ending.exit == 0, "\(ending.stderr)")
        return ending.outLines
      }
      let plays = try await lines("history", "--since", "2026-10-25 06:14", "--until", "2026-10-25 06:16")
      #expect(plays.count == 3 && plays[1].hasPrefix("2026-10-25 06:15:00") && plays[2] == legend, "\(plays)")
      #expect(try await lines("history", "--tz", "UTC").last == "times in UTC")
      #expect(try await lines("history", "--tz", "local").last == "times in UTC")
      // Cron mails nothing for an empty window.
      #expect(try await lines("history", "--since", "2026-10-25 00:30", "--until", "2026-10-25 00:31") == [])
      let days = try await lines("report", "plays", "--by", "day")
      #expect(days[1].hasPrefix("2026-10-25") && days.last == legend, "\(days)")
      #expect(try await lines("report", "plays").last?.contains("times in") == false)
      let outages = try await lines("report", "outages", "-d", "lobby")
      #expect(outages[1].hasPrefix("2026-10-26 04:15:00") && outages.last == legend, "\(outages)")
      #expect(
        try await lines("report", "outages", "--csv", "-d", "lobby").last?.hasPrefix(
          "2026-10-25T22:30:00.000Z") == true)
      try stage.tone("good.wav", seconds: 1)
      let list = try stage.file("list.yaml", "- {url: good.wav, not_before: 2099-01-01T00:00:00Z}\n")
      expectSilence(try await stage.castq("enqueue", "-d", "lobby", list))
      let queue = try await lines("queue", "-d", "lobby")
      #expect(queue[1].contains("2099-01-01 05:45") && queue.last == legend, "\(queue)")
      expectOneLine(
        try await stage.castq("run", "-d", "lobby", "--until", "2020-01-01T00:00:00Z"), exit: 64,
        saying: "2020-01-01 05:45:00 has passed")
      // Rules need the whole file.
      try Data("timezone: Asia/Kathmandu\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
      _ = try await lines("schedule", "add", "day", "--play", "good.wav", "-d", "lobby", "--always")
      #expect(try await lines("schedule", "log", "day").last == legend)
      let seen = try await stage.shell(
        "TERM=xterm script -qec \"castq history --since '2026-10-25 00:30' --until '2026-10-25 00:31'\" /dev/null </dev/null"
      ).ended().stdout
      #expect(
        seen.contains("nothing was played from 2026-10-25 00:30:00 to 2026-10-25 00:31:00 Asia/Kathmandu"),
        "\(seen)")
    }
  }

  @Test("a terminal gets bars, and no columns of zeros; history names the rule of a play")
  func terminal() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      let program = try stage.shell(
        "TERM=xterm script -qec 'stty cols 100; castq report plays --by device' /dev/null </dev/null")
      let lines = await program.ended().stdout.split(whereSeparator: \.isNewline)
      #expect(lines.contains { $0.hasPrefix("lobby") && $0.contains("████████████████████") }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("bar") && !$0.contains("█") })
      #expect(lines.first?.contains("FAILED") == true && lines.first?.contains("CANCELLED") == false)
      let plays = try await stage.history()
      #expect(plays.map { $0["schedule"]?.string } == [nil, "lunch", nil, "beer"])
      #expect(plays.map { $0["kind"]?.string } == ["base", "rule", "base", "share"])
      #expect(plays.allSatisfy { $0.keys.isSuperset(of: ["rule_revision", "occurrence", "planned_at"]) })
    }
  }

  @Test("a rule without a zone was read in the one that its device or the site had then")
  func zones() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      try stage.tone("film.wav", seconds: 1)
      try stage.add(device: "hall", at: "192.0.2.3")
      try stage.add(device: "yard", at: "192.0.2.4")
      func give(device: String, site: String) async throws {
        try stage.file("site.yaml", "devices: {hall: {tz: \(device)}}\n")
        #expect(try await stage.castq("schedule", "apply", "site.yaml").exit == 0)
        try stage.file("config.yaml", "timezone: \(site)\n")
        let daemon = try stage.start(["daemon", "--config", "config.yaml"])
        _ = await daemon.stderr.line(containing: "ready")
        daemon.signal(SIGTERM)
        _ = await daemon.ended()
      }
      for device in ["hall", "yard"] {
        try await stage.castq(
          "schedule", "add", "in \(device)", "--play", "film.wav", "-d", device, "--daily", "10:00-11:00")
      }
      try await give(device: "Asia/Kathmandu", site: "Asia/Tokyo")
      // As if all of it had been there since that day.
      try await stage.python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        for table in ("rule_history", "zone_history"): db.execute(f"UPDATE {table} SET at = 1792886400000")
        db.execute("DELETE FROM decision WHERE at > 1793500000000")
        db.commit()
        """)
      /// What was planned in an hour, and why.
      func planned(_ hour: String) async throws -> [String] {
        let period = ["--since", "2026-10-25T\(hour):00Z", "--until", "2026-10-25T\(hour):01Z"]
        let report = try await stage.castq(
          ["report", "adherence", "--jsonl", "--config", "config.yaml"] + period
        ).outLines
        var words = pairs(try report.map { try Document($0) }, "rule", "planned_s").filter {
          $0.hasPrefix("in ")
        }
        for device in ["hall", "yard"] {
          let why = try await stage.castq(
            "why", "2026-10-25T\(hour):30Z", "-d", device, "--config", "config.yaml")
          words += why.outLines.filter { $0.hasPrefix("in ") && $0.contains("won:") }.map {
            String($0.prefix(7))
          }
        }
        return words
      }
      func all() async throws -> [[String]] {
        [try await planned("04:15"), try await planned("01:00"), try await planned("09:00")]
      }
      let expected = [["in hall: 1.0", "in hall"], ["in yard: 1.0", "in yard"], []]
      let first = try await all()
      #expect(first == expected)
      try await give(device: "Europe/Berlin", site: "Europe/Berlin")
      let second = try await all()
      #expect(second == expected)
    }
  }

  @Test(
    "what a report does not have is refused",
    arguments: [
      (["outages", "--by", "media"], "device, day, hour"), (["adherence", "--by", "media"], "rule"),
      (["share", "--by", "media"], "rule"), (["plays", "--by", "moon"], "moon"),
      (["gaps", "--csv", "--json"], "choose one"),
      (["plays", "--since", "today", "--until", "yesterday"], "nothing lies between"),
      (["plays", "--tz", "No/Where"], "Europe/Berlin"),
    ])
  func refused(arguments: [String], words: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(["report"] + arguments)
      #expect(
        ending.exit == 64 && (ending.stderr + ending.stdout).contains(words),
        "\(ending.stderr)\(ending.stdout)")
    }
  }
}
