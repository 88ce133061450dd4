import Foundation
import Testing

/// What plans and reasons say while a device shows nothing on purpose.
extension PlanTests {
  @Test("of a device that is stopped, plan and why say so, what would be on, and how it is started")
  func stopped() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let variables = ["TZ": "UTC"]
      func castq(_ arguments: String...) async throws -> Ending {
        try await stage.castq(arguments, variables: variables)
      }
      expectSilence(
        try await castq(
          "schedule", "add", "day", "--play", "menus", "-d", "lobby", "--always", "--priority", "9"))
      #expect(
        try await castq("why", "+1m", "-d", "lobby").outLines.first?.hasPrefix("day  won: always") == true)
      #expect(try await castq("plan", "--check", "-d", "lobby").exit == 0)
      // The device is off; the stop is kept for it.
      _ = try await castq("stop", "-d", "lobby")

      let why = try await castq("why", "-d", "lobby")
      let words = try #require(why.outLines.first)
      #expect(
        words.hasPrefix("Nothing is on: stopped by castq since ")
          && words.hasSuffix("'castq play' resumes"))
      #expect(why.outLines.contains("day  lost: is due, and the device is stopped"), "\(why.stdout)")
      let document = try Document(try await castq("why", "-d", "lobby", "--json").stdout)
      let winner = document["winner"]
      #expect(winner?["kind"]?.string == "dark" && winner?["rule"] == .null && winner?["programme"] == .null)
      #expect(winner?["due"]?.string == "day" && winner?["stopped_at"] == document["stopped_at"])
      #expect(document["stopped_at"]?.string?.hasSuffix("Z") == true)
      #expect(document["decision"]?["reason"]?.string == "breakfast ended", "what was decided stays")
      // What was before the stop is as it was decided.
      #expect(
        try await castq("why", "2026-01-12T09:15:00+01:00", "-d", "lobby").stdout.contains("breakfast  won: ")
      )

      let check = try await castq("plan", "--check", "-d", "lobby")
      #expect(check.exit == 1 && check.stdout.contains(": stopped by castq since "), "\(check.stdout)")
      let issues = try Document(try await castq("plan", "--check", "--json", "-d", "lobby").stdout)["issues"]
      #expect(issues?.elements.first?["kind"]?.string == "stopped")
      let plan =
        try Document(try await castq("plan", "--json", "-d", "lobby").stdout)["segments"]?.elements ?? []
      #expect(!plan.isEmpty && plan.allSatisfy { $0["kind"]?.string == "dark" && $0["rule"] == .null })
      #expect(plan.contains { $0["due"]?.string == "day" })
      let lines = try await castq("plan", "-d", "lobby").outLines
      #expect(lines.first?.hasSuffix("dark  stopped by castq; due: day → menus") == true, "\(lines)")
      #expect(lines.dropLast().last?.contains("'castq play' resumes") == true, "\(lines)")
      // Another device is none of it, and a calendar has what is planned.
      let bar = try await castq("plan", "-d", "bar").stdout
      #expect(!bar.isEmpty && !bar.contains("stopped"))
      #expect(try await castq("plan", "--ics", "-d", "lobby").stdout.contains("SUMMARY:day → menus"))
      let entry = try Document(
        try await castq("enqueue", "-d", "lobby", "--json", "http://192.0.2.1/a.mp4").stdout)
      let number = try #require(entry["added"]?.elements.first?["entry"]?.int)
      #expect(try await castq("why", "\(number)").stdout.contains("; the device is stopped by castq since "))
    }
  }

  @Test("where no daemon runs, why explains what would be on, and says so beside it")
  func noDaemon() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      expectSilence(
        try await stage.castq(
          "schedule", "add", "day", "--play", "menus", "-d", "lobby", "--always", "--priority", "9"))
      let why = try await stage.castq("why", "-d", "lobby")
      #expect(why.outLines.first?.hasPrefix("day  won: always") == true, "\(why.stdout)")
      #expect(
        why.stderr == "castq: no daemon runs, which plays rules and queues; 'castq daemon' starts it\n")
      #expect(try await stage.castq("why", "-q", "-d", "lobby").stderr.isEmpty)
      let winner = try await stage.json("why", "-d", "lobby")["winner"]
      #expect(winner?["kind"]?.string == "rule" && winner?["rule"]?.string == "day")
      expectSilence(try await stage.castq("plan", "--check", "-d", "lobby"))
      // At other times it may run.
      let later = try await stage.castq("why", "+1m", "-d", "lobby")
      #expect(later.outLines.first?.hasPrefix("day  won: always") == true, "\(later.stdout)")
      #expect(later.stderr.isEmpty)
    }
  }

  @Test("while all of a queue waits for its time, the screen is dark in the plan, and why says until when")
  func notDue() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      try stage.tone("a.wav", seconds: 1)
      try stage.file(
        "later.yaml", "entries:\n  - {url: a.wav, not_before: \"2099-01-01T00:00:00Z\"}\n")
      #expect(try await stage.castq("enqueue", "later.yaml").exit == 0)
      let why = try await stage.castq("why", "+1m", variables: ["TZ": "UTC"])
      #expect(
        why.outLines == [
          "Nothing is on: no rule is on, and the queue of the device has nothing to play before Thu 1 Jan 00:00"
        ], "\(why.stdout)")
      let checked = try await stage.castq("plan", "--check", "-d", "lobby")
      #expect(checked.exit == 1 && checked.stdout.contains(": nothing plays"), "\(checked.stdout)")
      let plan = try await stage.json(
        "plan", "-d", "lobby", "--from", "2098-12-31T23:00:00Z", "--to", "2099-01-01T01:00:00Z")
      #expect(plan["segments"]?.elements.map { $0["kind"]?.string } == ["dark", "base"], "\(plan)")
      // What is due now plays now.
      try await stage.castq("enqueue", "a.wav")
      expectSilence(try await stage.castq("plan", "--check", "-d", "lobby"))
    }
  }

  @Test("of the configuration's quiet hours, plan and why know what is dark, until when, and what is due")
  func quietHours() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let configuration = try stage.file(
        "site.yaml", "devices:\n  lobby: {quiet_hours: [\"00:00-24:00\"], quiet_volume: off}\n")
      let variables = ["TZ": "UTC", "CASTQ_CONFIG": configuration]
      func castq(_ arguments: String...) async throws -> Ending {
        try await stage.castq(arguments, variables: variables)
      }
      for device in ["lobby", "bar"] {
        expectSilence(
          try await castq(
            "schedule", "add", "day-\(device)", "--play", "menus", "-d", device, "--always", "--priority", "9"
          ))
      }
      let why = try await castq("why", "-d", "lobby")
      #expect(
        why.outLines.prefix(2) == [
          "Nothing is on: the configuration has quiet hours, and nothing plays in them",
          "day-lobby  later: is due, and waits for the end of quiet hours",
        ], "\(why.stdout)")
      let document = try Document(try await castq("why", "-d", "lobby", "--json").stdout)["winner"]
      #expect(document?["kind"]?.string == "dark" && document?["rule"] == .null)
      #expect(document?["due"]?.string == "day-lobby" && document?["cause"]?.string == "quiet_hours")
      let check = try await castq("plan", "--check", "-d", "lobby")
      #expect(
        check.exit == 0 && check.stdout.hasPrefix("lobby  note: ")
          && check.stdout.hasSuffix(": quiet hours, and nothing plays\n"), "\(check.stdout)")
      let issues = try Document(try await castq("plan", "--check", "--json", "-d", "lobby").stdout)["issues"]
      #expect(issues?.elements.map { $0["kind"]?.string } == ["quiet_hours"])
      #expect(issues?.elements.map { $0["failure"] } == [.bool(false)])
      let lines = try await castq("plan", "-d", "lobby").outLines
      #expect(lines.first?.hasSuffix("dark  quiet hours; due: day-lobby → menus") == true, "\(lines)")
      #expect(lines.count == 2, "one stretch, and the zone: \(lines)")
      // Another device is none of it, a calendar has what is planned, and the past has its decisions.
      expectSilence(try await castq("plan", "--check", "-d", "bar"))
      #expect(
        try await castq("why", "+1m", "-d", "bar").outLines.first?.hasPrefix("day-bar  won: always") == true)
      #expect(try await castq("plan", "--ics", "-d", "lobby").stdout.contains("SUMMARY:day-lobby → menus"))
      #expect(
        try await castq("why", "2026-01-12T09:15:00+01:00", "-d", "lobby").stdout.contains("breakfast  won: ")
      )
      // Nights alone: the plan has both, and tells when they end.
      try stage.file(
        "site.yaml", "defaults: {quiet_hours: [\"22:00-07:00\"], time_zone: Europe/Berlin}\n")
      let night = try await castq("why", "2099-12-14T22:30:00Z", "-d", "lobby")
      #expect(night.stdout.contains("quiet hours until Tue 15 Dec 06:00"), "\(night.stdout)")
      let day = try await castq(
        "plan", "-d", "lobby", "--from", "2099-12-14T20:00:00Z", "--to", "2099-12-15T12:00:00Z")
      #expect(
        day.outLines.map { $0.prefix(22).trimmingCharacters(in: .whitespaces) }.dropLast() == [
          "Mon 14 Dec 20:00–21:00", "Mon 14 Dec 21:00–Tue 1", "Tue 15 Dec 06:00–12:00",
        ], "\(day.stdout)")
      let week = try await castq(
        "plan", "--check", "-d", "lobby", "--from", "2099-12-14T08:00:00Z", "--to", "2099-12-21T08:00:00Z")
      #expect(
        week.exit == 0 && week.outLines.count == 1, "nights of the configuration are one note: \(week.stdout)"
      )
      #expect(week.stdout.hasSuffix("; 6 more\n"), "\(week.stdout)")
      // With a volume they are no darkness.
      try stage.file(
        "site.yaml", "defaults: {quiet_hours: [\"00:00-24:00\"], quiet_volume: 10}\n")
      expectSilence(try await castq("plan", "--check", "-d", "lobby"))
    }
  }

  @Test("of a past moment in quiet hours, why says that it was quiet, and from what that is known")
  func quietThen() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let site = try stage.file(
        "site.yaml", "defaults: {quiet_hours: [\"22:00-07:00\"], time_zone: UTC}\ntimezone: UTC\n")
      func why(_ time: String, _ configuration: String? = nil) async throws -> (
        lines: [String], json: Document
      ) {
        let variables = ["TZ": "UTC", "CASTQ_CONFIG": configuration ?? site]
        let text = try await stage.castq("why", time, "-d", "lobby", variables: variables)
        let json = try await stage.castq("why", time, "-d", "lobby", "--json", variables: variables)
        return (text.outLines, try Document(json.stdout))
      }
      let night = try await why("2026-01-13T02:00:00Z")
      #expect(
        night.lines.first
          == "02:00:00  quiet: quiet hours Mon 12 Jan 22:00:00–07:00:00 (by the configuration of today)",
        "\(night.lines)")
      #expect(night.json["winner"]?["kind"]?.string == "quiet")
      #expect(night.json["winner"]?["cause"]?.string == "quiet_hours")
      #expect(
        night.json["decision"]?["reason"]?.string == "breakfast ended", "the last one is kept beside it")
      // Outside of them, where a decision was made in them, and where something played, the decision answers.
      #expect(try await why("2026-01-12T20:00:00Z").lines.dropFirst().first == "base  won: breakfast ended")
      let whole = try stage.file("whole.yaml", "defaults: {quiet_hours: [\"00:00-24:00\"], time_zone: UTC}\n")
      #expect(
        try await why("2026-01-13T02:00:00Z", whole).lines.dropFirst().first == "base  won: breakfast ended")
      try stage.file(
        "plays.py",
        """
        import datetime, sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        def at(text):
            return int(datetime.datetime.fromisoformat(text).timestamp() * 1000)
        play = ("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence, cause)"
          " VALUES (91, ?, 1, 'lobby', 'Loop', 'http://192.0.2.1/b.mp4', ?, ?, 'interrupted', 'reported', ?)")
        db.execute(play, (1, at('2026-01-13T23:00:00Z'), at('2026-01-13T23:30:00Z'), None))
        db.execute(play, (2, at('2026-01-14T10:00:00Z'), at('2026-01-14T20:00:00Z'), 'quiet_hours'))
        db.commit()
        """)
      #expect(try await stage.shell("python3 plays.py castq.db").ended().exit == 0)
      #expect(
        try await why("2026-01-13T23:15:00Z").lines == [
          "23:15:00  base: Loop 23:00:00–23:30:00", "base  won: breakfast ended",
        ] + Array(try await why("2026-01-13T23:15:00Z").lines.dropFirst(2)))
      #expect(try await why("2026-01-13T23:45:00Z").lines.first?.hasPrefix("23:45:00  quiet: ") == true)
      // What was recorded goes before what the configuration says today.
      let known = try await why("2026-01-14T21:00:00Z")
      #expect(
        known.lines.first == "21:00:00  quiet: quiet hours since 20:00:00; Loop was due",
        "\(known.lines)")
      #expect(known.json["winner"]?["cause"]?.string == "quiet_hours")
    }
  }
}
