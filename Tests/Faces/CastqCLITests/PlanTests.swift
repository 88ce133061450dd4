import Foundation
import Testing

@Suite("The plan, and why it is so", .timeLimit(.minutes(20)))
struct PlanTests {
  private static let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")

  /// Two devices, a group of both, programmes, rules and decisions: what the verbs and a daemon write.
  private static let rows = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    def at(text):
        return int(__import__('datetime').datetime.fromisoformat(text).timestamp() * 1000)
    for number, name in ((1, 'menus'), (2, 'offers'), (3, 'gong')):
        db.execute("INSERT INTO programme (id, name, source, created_at) VALUES (?, ?, '/srv/list.m3u', 0)", (number, name))
    db.execute("INSERT INTO device_group (id, name) VALUES (1, 'shop')")
    db.executemany("INSERT INTO group_member VALUES (1, ?)", ((1,), (2,)))
    rule = ("INSERT INTO rule (id, name, programme_id, device_id, group_id, priority, kind, form, expression, duration_s, revision)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    db.execute(rule, (1, 'breakfast', 1, None, 1, 0, 'window', 'daily', '08:00-10:30', None, 2))
    db.execute(rule, (2, 'lunch', 1, None, 1, 0, 'window', 'daily', '11:30-14:00', None, 1))
    db.execute(rule, (3, 'sale', 2, 1, None, 5, 'window', 'daily', '09:00-10:00', None, 1))
    db.execute(rule, (4, 'noon', 3, 1, None, 0, 'trigger', 'cron', '0 12 * * *', 60, 1))
    for rule, time in ((1, '2026-01-01T00:00:00Z'), (2, '2026-02-01T00:00:00Z'), (3, '2026-01-01T00:00:00Z')):
        db.execute("INSERT INTO rule_history VALUES (?, ?, ?, NULL, '{\\"priority\\":7}')", (rule, 1, at(time)))
    decision = ("INSERT INTO decision (id, device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme,"
      " occurrence, starts_at, ends_at, planned_at, reason) VALUES (?, 1, 'lobby', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    begin, end = at('2026-01-12T07:00:00Z'), at('2026-01-12T09:30:00Z')
    db.execute(decision, (1, begin, end, 'rule', 1, 'breakfast', 1, 'menus', '2026-01-12T08:00', begin, end, begin, 'began 08:00'))
    db.execute(decision, (2, end, None, 'base', None, None, None, None, None, None, None, None, 'breakfast ended'))
    play = ("INSERT INTO play (id, entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence,"
      " kind, rule_id, rule_name, rule_revision, occurrence, planned_at, decision_id) VALUES (7, 90, 1, 1, 'lobby', 'Welcome',"
      " 'http://192.0.2.1/a.mp4', ?, ?, 'finished', 'reported', 'rule', 1, 'breakfast', 1, '2026-01-12T08:00', ?, 1)")
    db.execute(play, (begin + 3000, begin + 63000, begin))
    db.commit()
    """

  func prepare(_ stage: Stage) async throws {
    try stage.add(device: "lobby", at: "127.0.0.1:1")
    try stage.add(device: "bar", at: "127.0.0.1:2")
    try stage.file("rows.py", Self.rows)
    let written = try await stage.shell("python3 rows.py castq.db").ended()
    #expect(written.exit == 0, "\(written.stderr)")
  }

  private static let day = [
    "--from", "2037-12-14T05:00:00Z", "--to", "2037-12-14T23:00:00Z", "--tz", "Europe/Berlin",
  ]

  @Test("the plan of a day, for people, programs and calendars", .enabled(if: hasZones))
  func plan() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let config = try stage.file("site.yaml", "timezone: Europe/Berlin\n")
      let variables = ["CASTQ_CONFIG": config]
      let text = try await stage.castq(["plan", "-d", "lobby"] + Self.day, variables: variables)
      #expect(
        text.outLines.dropLast() == [
          "Mon 14 Dec 06:00–08:00  dark",
          "Mon 14 Dec 08:00–09:00  breakfast → menus  (daily, priority 0, Europe/Berlin)",
          "Mon 14 Dec 09:00–10:00  sale → offers  (daily, priority 5, Europe/Berlin)",
          "Mon 14 Dec 10:00–10:30  breakfast → menus  (daily, priority 0, Europe/Berlin)",
          "Mon 14 Dec 10:30–11:30  dark",
          "Mon 14 Dec 11:30–12:00  lunch → menus  (daily, priority 0, Europe/Berlin)",
          "Mon 14 Dec 12:00–12:01  noon → gong  (cron, priority 0, Europe/Berlin)",
          "Mon 14 Dec 12:01–14:00  lunch → menus  (daily, priority 0, Europe/Berlin)",
          "Mon 14 Dec 14:00–24:00  dark",
        ], "\(text.stdout)\(text.stderr)")
      #expect(text.exit == 0 && text.stderr.isEmpty)
      #expect(text.outLines.last?.hasPrefix("times in Europe/Berlin, zone data ") == true)

      // The rules are in UTC for a site without a zone of its own here; a group has its members, each with a heading.
      let group = try await stage.castq(["plan", "-d", "@shop"] + Self.day, variables: ["TZ": "UTC"])
      #expect(group.outLines.filter { ["lobby", "bar"].contains($0) } == ["bar", "lobby"])
      #expect(group.stdout.contains("Mon 14 Dec 09:00–11:30  breakfast → menus  (daily, priority 0, UTC)"))
      #expect(try await stage.castq(["plan"] + Self.day).outLines.contains("bar"))

      let document = try Document(
        try await stage.castq(["plan", "--json", "-d", "lobby"] + Self.day, variables: variables).stdout)
      #expect(document.keys.isSuperset(of: ["from", "to", "tz", "zone_data", "segments"]))
      #expect(document["from"]?.string == "2037-12-14T05:00:00.000Z")
      #expect(document["tz"]?.string == "Europe/Berlin")
      let segments = document["segments"]?.elements ?? []
      #expect(segments.count == 9 && segments[0]["kind"]?.string == "dark" && segments[0]["rule"] == .null)
      #expect(segments[6]["kind"]?.string == "announcement" && segments[6]["programme"]?.string == "gong")
      let breakfast: [String: Document] = [
        "device": .string("lobby"), "start": .string("2037-12-14T07:00:00.000Z"),
        "end": .string("2037-12-14T08:00:00.000Z"), "programme": .string("menus"),
        "rule": .string("breakfast"),
        "revision": .number(2), "occurrence": .string("2037-12-14T08:00"), "priority": .number(0),
        "kind": .string("rule"), "tied_with": .array([]), "shares": .array([]), "note": .null,
        "stopped_at": .null, "due": .null, "cause": .null,
      ]
      #expect(segments[1] == .object(breakfast))
      let lines = try await stage.castq(["plan", "--jsonl", "-d", "lobby"] + Self.day, variables: variables)
      #expect(try lines.outLines.map { try Document($0) } == segments)

      let csv = try await stage.castq(["plan", "--csv", "-d", "lobby"] + Self.day, variables: variables)
      #expect(csv.outLines.count == 10 && csv.outLines[0].hasPrefix("device,start,end,start_local"))
      #expect(
        csv.outLines[2]
          == "lobby,2037-12-14T07:00:00.000Z,2037-12-14T08:00:00.000Z,2037-12-14 08:00:00,2037-12-14 09:00:00,menus,breakfast,2,2037-12-14T08:00,0,rule,,"
      )
      let calendar = try await stage.castq(["plan", "--ics", "-d", "lobby"] + Self.day, variables: variables)
      #expect(
        calendar.stdout.hasPrefix("BEGIN:VCALENDAR\r\n") && calendar.stdout.hasSuffix("END:VCALENDAR\r\n"))
      #expect(calendar.stdout.components(separatedBy: "BEGIN:VEVENT").count == 7)
      #expect(calendar.stdout.contains("DTSTART:20371214T070000Z\r\n"))
    }
  }

  @Test("a check names dark minutes and ends with 1, and the default range is a day from now")
  func check() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let utc = ["--from", "2037-12-14T09:00:00Z", "--to", "2037-12-14T11:00:00Z", "--tz", "UTC"]
      let dark = try await stage.castq(["plan", "--check", "-d", "lobby"] + utc, variables: ["TZ": "UTC"])
      #expect(
        dark.exit == 1 && dark.stdout == "lobby  Mon 14 Dec 10:30–11:00: nothing plays\n", "\(dark.stderr)")
      let document = try await stage.castq(
        ["plan", "--check", "--json", "-d", "lobby"] + utc, variables: ["TZ": "UTC"])
      #expect(document.exit == 1)
      let issue = try Document(document.stdout)["issues"]?.elements.first
      #expect(issue?["kind"]?.string == "dark" && issue?["failure"] == .bool(true))
      // The queue of a device that has something to play is no darkness.
      try await stage.castq("enqueue", "-d", "lobby", "http://192.0.2.1/a.mp4")
      expectSilence(
        try await stage.castq(["plan", "--check", "-d", "lobby"] + utc, variables: ["TZ": "UTC"]))
      let day = try Document(try await stage.castq("plan", "--json").stdout)
      let ends = ["from", "to"].compactMap { day[$0]?.string }.compactMap {
        try? Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
      }
      #expect(ends.count == 2 && ends[1].timeIntervalSince(ends[0]) == 86_400)

      for (arguments, words) in [
        (["--csv", "--json"], "choose one of"), (["--tz", "Europe/Berlim"], "tzdata"),
        (["--from", "+2h", "--to", "+1h"], "nothing lies between"),
        (["--to", "+99999d"], "ten years"),
      ] {
        let refused = try await stage.castq(["plan"] + arguments)
        #expect(refused.exit == 64, "\(arguments)")
        #expect((refused.stdout + refused.stderr).contains(words), "\(refused.stderr)")
      }
      expectOneLine(try await stage.castq("plan", "-d", "@cellar"), exit: 68, saying: "castq group ls")
      let unknown = ["TZ": "Europe/Berlim"]
      expectOneLine(
        try await stage.castq(["plan"], variables: unknown), exit: 78, saying: "apt-get install tzdata")
    }
  }

  @Test("what is always on has no dates: no document names the years 0 and 9999")
  func always() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      try await stage.castq(
        "schedule", "add", "day", "--play", "menus", "-d", "lobby", "--always", "--priority", "9")
      try await stage.castq("schedule", "add", "low", "--play", "gong", "-d", "lobby", "--always")
      try stage.file(
        "more.py",
        """
        import sqlite3, sys, time
        db = sqlite3.connect(sys.argv[1])
        rule, revision = db.execute("SELECT id, revision FROM rule WHERE name = 'day'").fetchone()
        now, first, last = int(time.time() * 1000) - 60000, -62167219200000, 253402300799999
        db.execute("UPDATE decision SET until = ? WHERE until IS NULL", (now,))
        db.execute("INSERT INTO decision (id, device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme,"
          " occurrence, starts_at, ends_at, planned_at, reason) VALUES (3, 1, 'lobby', ?, NULL, 'rule', ?, 'day', ?, 'menus',"
          " '0000-01-01T00:00', ?, ?, ?, 'day: always')", (now, rule, revision, first, last, first))
        db.execute("INSERT INTO play (id, entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence,"
          " kind, rule_id, rule_name, rule_revision, occurrence, planned_at, decision_id) VALUES (9, 91, 1, 1, 'lobby', 'Welcome',"
          " 'http://192.0.2.1/a.mp4', ?, ?, 'finished', 'reported', 'rule', ?, 'day', ?, '0000-01-01T00:00', ?, 3)",
          (now, now + 5000, rule, revision, first))
        db.commit()
        """)
      #expect(try await stage.shell("python3 more.py castq.db").ended().exit == 0)
      for command in [
        ["plan", "-d", "lobby"], ["plan", "-d", "lobby", "--json"], ["plan", "-d", "lobby", "--csv"],
        ["why", "-d", "lobby"], ["why", "-d", "lobby", "--json"], ["why", "-2s", "-d", "lobby", "--json"],
        ["why", "play:9"], ["why", "play:9", "--json"], ["history"], ["history", "--json"],
        ["history", "--csv"],
        ["schedule", "ls"], ["schedule", "ls", "--json"], ["report", "adherence", "--json"],
      ] {
        let ending = try await stage.castq(command)
        #expect(ending.exit == 0 && !ending.stdout.isEmpty, "\(command) \(ending.stderr)")
        for year in ["0000-", "9999-", "Jan 0 "] {
          #expect(!ending.stdout.contains(year), "\(command) \(ending.stdout)")
        }
      }
      let why = try Document(try await stage.castq("why", "-d", "lobby", "--json").stdout)["decision"]
      for key in ["occurrence", "starts_at", "ends_at", "planned_at", "until"] {
        #expect(why?[key] == .null, "\(key)")
      }
      #expect(try await stage.castq("why", "play:9").outLines.dropFirst().first == "  rule: day (revision 1)")
    }
  }

  @Test("why takes a time, an entry or a play, and refuses what is none", .enabled(if: hasZones))
  func why() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let config = try stage.file("site.yaml", "timezone: Europe/Berlin\n")
      func why(_ arguments: String...) async throws -> Ending {
        try await stage.castq(["why"] + arguments, variables: ["CASTQ_CONFIG": config])
      }
      let future = try await why("2036-12-15 09:15", "-d", "lobby")
      #expect(
        future.outLines.first == "sale  won: daily 09:00-10:00, priority 5, Europe/Berlin", "\(future.stderr)"
      )
      #expect(try await why("-2h", "-d", "lobby").exit == 0)
      #expect(try await why("play:7", "--tz", "UTC").stdout.contains("07:00:03"))
      let row = try Document(try await why("play:7", "--json").stdout)
      #expect(row["rule"]?.string == "breakfast" && row["decision"]?["decision"]?.int == 1)
      expectOneLine(try await why("play:8"), exit: 65, saying: "no play 8")
      expectOneLine(try await why("play:x"), exit: 64, saying: "play:")
      expectOneLine(try await why("91"), exit: 65)
      expectOneLine(try await why("-d", "lobby", "-d", "bar"), exit: 64, saying: "one device")
    }
  }
}
