import Foundation
import Testing

@Suite("Reports", .timeLimit(.minutes(20)))
struct ReportTests {
  /// Writes two devices, what they played over the night of 25 October 2026 in Berlin, and an outage.
  private func fill(_ stage: Stage) async throws {
    try await stage.castq("device", "add", "lobby", "192.0.2.1")
    try await stage.castq("device", "add", "bar", "192.0.2.2")
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

  private func rows(_ stage: Stage, _ arguments: String...) async throws -> [Document] {
    try await stage.castq(["report"] + arguments + ["--jsonl"]).outLines.map { try Document($0) }
  }

  /// `key: value` of two members of each row.
  private func pairs(_ rows: [Document], _ key: String, _ value: String) -> [String] {
    rows.map { "\($0[key]?.string ?? "-"): \($0[value]?.number.map { "\($0)" } ?? "-")" }
  }

  @Test("plays are counted by media, device, day, hour and rule, in a zone and a period")
  func plays() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      #expect(
        pairs(try await rows(stage, "plays"), "media", "plays") == [
          "http://m/a: 2.0", "http://m/b: 1.0", "http://m/s: 1.0",
        ])
      #expect(
        pairs(try await rows(stage, "plays", "--by", "device"), "device", "shown_s") == [
          "bar: 0.0", "lobby: 6900.0",
        ])
      #expect(
        pairs(try await rows(stage, "plays", "--by", "rule"), "rule", "shown_s") == [
          "-: 3600.0", "beer: 300.0", "lunch: 3000.0",
        ])
      let days = try await rows(stage, "plays", "--by", "day", "--tz", "Europe/Berlin")
      #expect(pairs(days, "day", "shown_s") == ["2026-10-24: 1800.0", "2026-10-25: 5100.0"])
      let hours = try await rows(
        stage, "plays", "--by", "hour", "--tz", "Europe/Berlin", "--until", "2026-10-25T02:00:00Z")
      #expect(
        pairs(hours, "hour", "shown_s")
          == [
            "2026-10-24T23:00+02:00: 1800.0", "2026-10-25T00:00+02:00: 1800.0",
            "2026-10-25T02:00+02:00: 1500.0",
            "2026-10-25T02:00+01:00: 1500.0",
          ])
      let late = try await rows(stage, "plays", "--by", "device", "--since", "2026-10-25T01:00:00Z")
      #expect(pairs(late, "device", "shown_s") == ["bar: 0.0", "lobby: 1800.0"])
      #expect(pairs(late, "device", "plays") == ["bar: 1.0", "lobby: 1.0"])
      #expect(pairs(try await rows(stage, "plays", "-d", "bar"), "media", "failed") == ["http://m/a: 1.0"])
      expectSilence(try await stage.castq("group", "add", "upstairs", "bar"))
      #expect(try await rows(stage, "plays", "-d", "@upstairs").count == 1)
      let document = try await stage.json(
        "report", "plays", "--by", "day", "--tz", "UTC", "--until", "2026-10-25")
      #expect(document["report"] == .string("plays") && document["by"] == .string("day"))
      #expect(document["until"] == .string("2026-10-25T00:00:00.000Z") && document["since"] == .null)
      #expect(document["total"]?["plays"]?.int == 1 && document["total"]?["reported"]?.int == 1)
      let csv = try await stage.castq("report", "plays", "--csv").outLines
      #expect(
        csv.first
          == "media,title,plays,shown_s,finished,interrupted,cancelled,skipped,failed,unknown,playing,reported,inferred,unobserved"
      )
      #expect(csv.contains("http://m/b,'=1+1,1,3000,1,0,0,0,0,0,0,1,0,0"), "a spreadsheet reads no formula")
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

  @Test("gaps, outages, adherence and shares are reported")
  func others() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      let gaps = try await rows(stage, "gaps")
      #expect(
        pairs(gaps, "device", "dark_s") == ["lobby: 2.0"]
          && pairs(gaps, "device", "longest_s") == ["lobby: 1.75"])
      #expect(
        pairs(try await rows(stage, "gaps", "--by", "media"), "media", "gaps") == [
          "http://m/b: 1.0", "http://m/s: 1.0",
        ])
      let outages = try await rows(stage, "outages", "-d", "lobby")
      #expect(
        outages.count == 1 && outages[0]["cause"] == .string("no answer")
          && outages[0]["seconds"]?.int == 3600)
      let open = try await rows(stage, "outages").first
      #expect(open?["ended_at"] == .null && open?["device"] == .string("bar"))
      let days = try await rows(stage, "outages", "--by", "day", "--tz", "Europe/Berlin", "-d", "lobby")
      #expect(pairs(days, "day", "seconds") == ["2026-10-25: 1800.0", "2026-10-26: 1800.0"])
      let values = try await stage.castq("report", "outages", "--csv", "--tz", "Asia/Tokyo", "-d", "lobby")
        .outLines
      #expect(values.last == "2026-10-25T22:30:00.000Z,2026-10-25T23:30:00.000Z,lobby,3600,no answer")
      // The decision came ten minutes late and held longer than its occurrence.
      let adherence = try await rows(stage, "adherence")
      #expect(pairs(adherence, "rule", "planned_s") == ["lunch: 3600.0"])
      #expect(pairs(adherence, "rule", "shown_s") == ["lunch: 3000.0"])
      #expect(adherence.first?["occurrences"]?.int == 1 && adherence.first?["part"]?.number == 0.8333)
      #expect(
        pairs(try await rows(stage, "adherence", "--by", "day", "--tz", "UTC"), "day", "missing_s") == [
          "2026-10-25: 600.0"
        ])
      let shares = try await rows(stage, "share", "--tz", "UTC")
      #expect(pairs(shares, "hour", "shown_s") == ["2026-10-25T12:00+00:00: 300.0"])
      #expect(shares.first?["due_s"] == .null, "nobody knows the rule any more")
      #expect(pairs(try await rows(stage, "share", "--by", "rule"), "rule", "plays") == ["beer: 1.0"])
    }
  }

  @Test("a rule that was switched on in the middle of its window was not to show anything before")
  func middle() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      // The window was from 12:00, and its decision at 12:10: the rule was switched on at 12:05.
      try await stage.python(
        """
        import sqlite3, sys; d = sqlite3.connect(sys.argv[1])
        rule, starts = d.execute("SELECT rule_id, starts_at FROM decision WHERE rule_id IS NOT NULL AND kind = 'rule'").fetchone()
        change = "INSERT INTO rule_history (rule_id, revision, at, before, after) VALUES (?, ?, ?, ?, '{}')"
        d.execute(change, (rule, 1, starts - 86400000, None))
        d.execute(change, (rule, 2, starts + 300000, '{"enabled": false}'))
        d.commit()
        """)
      let adherence = try await rows(stage, "adherence")
      #expect(pairs(adherence, "rule", "planned_s") == ["lunch: 3300.0"])
      #expect(pairs(adherence, "rule", "shown_s") == ["lunch: 3000.0"])
    }
  }

  @Test(
    "an announcement that waited for the end of an item is planned for as long as its programme, and misses nothing"
  )
  func waited() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      // It was to come at 14:00, waited for 17 s as it was told to, and took three.
      try await stage.python(
        """
        import sqlite3, sys; d = sqlite3.connect(sys.argv[1])
        start = 1792936800000
        d.execute("INSERT INTO decision (device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, "
          "starts_at, planned_at, reason) VALUES (1, 'lobby', ?, ?, 'announcement', 10, 'call', 1, 'c', '2026-10-25T14:00', ?, ?, 'r')",
          (start + 17000, start + 20000, start, start))
        d.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence, "
          "kind, rule_name) VALUES (99, 1, 1, 'lobby', 'C', 'http://m/c', ?, ?, 3, 'finished', 'reported', 'announcement', 'call')",
          (start + 17000, start + 20000))
        d.commit()
        """)
      let call = try await rows(stage, "adherence").first { $0["rule"]?.string == "call" }
      #expect(call?["planned_s"]?.number == 3 && call?["shown_s"]?.number == 3, "\(String(describing: call))")
      #expect(call?["missing_s"]?.number == 0)
    }
  }

  @Test("what the plan says of the past counts where nobody was there to decide")
  func planned() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      try stage.tone("film.wav", seconds: 1)
      expectSilence(
        try await stage.castq(
          "schedule", "add", "evening", "--play", "film.wav", "-d", "lobby", "--daily", "00:00-24:00", "--tz",
          "UTC"))
      expectSilence(
        try await stage.castq("share", "add", "beer", "film.wav", "-d", "lobby", "--per-hour", "600s"))
      // As if the rules had been there since that day.
      try await stage.python(
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('UPDATE rule_history SET at = 1792886400000'); d.commit()"
      )
      let period = ["--since", "2026-10-25T08:00:00Z", "--until", "2026-10-25T13:00:00Z"]
      let rows = try await stage.castq(["report", "adherence", "--jsonl"] + period).outLines.map {
        try Document($0)
      }
      #expect(pairs(rows, "rule", "planned_s") == ["evening: 18000.0"])
      // An edit, and the end of the rule, are of their own time.
      for change in [
        [
          "schedule", "add", "evening", "--replace", "--play", "film.wav", "-d", "lobby", "--daily",
          "01:00-02:00",
          "--tz", "UTC",
        ], ["schedule", "rm", "evening"],
      ] {
        expectSilence(try await stage.castq(change))
        let later = try await stage.castq(["report", "adherence", "--jsonl"] + period).outLines.map {
          try Document($0)
        }
        #expect(pairs(later, "rule", "planned_s") == ["evening: 18000.0"], "\(change)")
      }
      let shares = try await stage.castq(["report", "share", "--jsonl", "--by", "rule"] + period).outLines.map
      { try Document($0) }
      #expect(
        pairs(shares, "rule", "due_s") == ["beer: 50.0"]
          && pairs(shares, "rule", "difference_s") == ["beer: 250.0"])
    }
  }

  @Test(
    "an edit of a day part, a calendar, a group or a device's name is of its own time, and so is their end: neither what was planned nor why is another one"
  )
  func named() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      try stage.tone("film.wav", seconds: 1)
      // Nobody has decided anything there.
      try await stage.castq("device", "add", "hall", "192.0.2.3")
      func schedule(_ words: String) async throws {
        expectSilence(try await stage.castq(words.split(separator: " ").map(String.init)))
      }
      try await schedule("calendar add feasts 2026-10-25 Sunday")
      try await schedule("daypart add part 08:00-09:00 --on @feasts 08:00-10:00")
      try await schedule("group add g hall")
      try await schedule("schedule add morning --play film.wav -d @all --daypart part --tz UTC")
      try await schedule("schedule add noon --play film.wav -d @g --daily 10:00-11:00 --tz Asia/Kathmandu")
      try await schedule("schedule add late --play film.wav -d bar --daily 11:00-12:00 --tz UTC")
      // As if all of it had been there since that day.
      try await stage.python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        for table in ("rule_history", "named_history"): db.execute(f"UPDATE {table} SET at = 1792886400000")
        db.commit()
        """)
      let moment = "2026-10-25T09:30:00Z"
      func planned() async throws -> [String] {
        let period = ["--since", "2026-10-25T03:00:00Z", "--until", "2026-10-25T13:00:00Z"]
        let report = try await stage.castq(["report", "adherence", "--jsonl"] + period).outLines
        return pairs(try report.map { try Document($0) }, "rule", "planned_s")
      }
      func why(_ device: String, _ moment: String) async throws -> [String] {
        let lines = try await stage.castq("why", moment, "-d", device).outLines.dropFirst()
        return lines.filter { !$0.contains("later") }
      }
      let expected = ["late: 3600.0", "morning: 21600.0", "noon: 3600.0"]
      #expect(try await planned() == expected)
      var bar = "bar"
      let first = try await why("hall", moment)
      let late = try await why(bar, "2026-10-25T11:30:00Z")
      #expect(first.first?.hasPrefix("morning  won: ") == true && first.count == 2, "\(first)")
      // An outage of the bar has lasted for days.
      #expect(late.first == "late  lost: was due, and the device did not answer" && late.count == 2)
      for change in [
        "daypart add part 08:00-08:30 --replace",
        "daypart add part 08:00-09:00 --on @feasts 08:00-08:10 --replace",
        "calendar rm feasts 2026-10-25", "group rm g hall", "group add g bar", "device alias bar counter",
        "schedule add late --play film.wav -d hall --daily 11:00-12:00 --tz UTC --replace",
        "schedule rm noon", "schedule rm morning", "group rm g", "daypart rm part", "calendar rm feasts",
      ] {
        try await schedule(change)
        #expect(try await planned() == expected, "\(change)")
        if change.hasPrefix("device alias") { bar = "counter" }
        #expect(try await why("hall", moment) == first, "\(change)")
        #expect(try await why(bar, "2026-10-25T11:30:00Z") == late, "\(change)")
      }
    }
  }

  @Test("a rule without a zone was read in the one that its device or the site had then")
  func zones() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      try stage.tone("film.wav", seconds: 1)
      try await stage.castq("device", "add", "hall", "192.0.2.3")
      try await stage.castq("device", "add", "yard", "192.0.2.4")
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

  @Test("removing media, devices and rules changes no report")
  func removed() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      let reports = [
        ["plays", "--by", "hour"], ["gaps"], ["outages", "--by", "device", "--until", "2026-10-26"],
        ["adherence"], ["plays"],
      ]
      func all() async throws -> [String] {
        var texts: [String] = []
        for report in reports {
          texts.append(try await stage.castq(["report"] + report + ["--json", "--tz", "UTC"]).stdout)
        }
        return texts + [try await stage.castq("history", "--json").stdout]
      }
      let before = try await all()
      #expect(
        before.allSatisfy { (try? Document($0)["rows"] ?? Document($0)["plays"])?.elements.isEmpty == false })
      for device in ["lobby", "bar"] {
        expectSilence(try await stage.castq("clear", "-d", device))
        expectSilence(try await stage.castq("device", "rm", device))
      }
      #expect(try await all() == before)
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
