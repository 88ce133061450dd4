import Foundation
import Testing

@Suite("Rules", .timeLimit(.minutes(20)))
struct ScheduleTests {
  @Test("each option of a rule is kept, and shown to people and programs")
  func options() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Eve")
      try await stage.castq("calendar", "add", "fairs", "2026-12-28", "Fair")
      try await stage.castq("group", "add", "foyers", "lobby", "hall")
      try await stage.castq("programme", "add", "menus", "menus.m3u")
      let made = try await stage.castq(
        "schedule", "add", "tick", "--play", "Menus", "-d", "@foyers", "--cron", "*/5 8-17 * * mon-fri",
        "--for", "1m",
        "--tz", "Asia/Tokyo", "--priority", "-3", "--start", "wait=90s", "--end", "finish", "--resume",
        "item",
        "--missed", "within=15m", "--only-on", "@fairs", "--not-on", "holidays", "--valid",
        "2026-12-01..2026-12-31", "--volume", "30", "--note", "asked for by Ann", "--json")
      #expect(made.exit == 0 && made.stderr.isEmpty, "\(made.stderr)")
      let shown = try await stage.json("schedule", "show", "tick")
      #expect(try Document(made.stdout) == shown)
      let wanted: [String: Document] = [
        "rule": .string("tick"), "revision": .number(1), "programme": .string("menus"),
        "device": .string("@foyers"), "kind": .string("window"), "form": .string("cron"),
        "expression": .string("*/5 8-17 * * mon-fri"), "for_s": .number(60), "tz": .string("Asia/Tokyo"),
        "priority": .number(-3), "start": .string("wait"), "wait_s": .number(90), "end": .string("finish"),
        "resume": .string("item"), "missed": .string("within"), "missed_within_s": .number(900),
        "only_on": .string("fairs"), "not_on": .string("holidays"), "valid_from": .string("2026-12-01"),
        "valid_until": .string("2026-12-31"), "volume": .number(30), "per_hour_s": .null, "max_plays": .null,
        "min_gap_s": .null, "enabled": .bool(true), "note": .string("asked for by Ann"),
        "exceptions": .array([]),
      ]
      #expect(shown == .object(wanted))
      let words = try await stage.castq("schedule", "show", "tick").stdout
      for word in [
        "cron */5 8-17 * * mon-fri for 1m", "Asia/Tokyo", "2026-12-01..2026-12-31", "@fairs", "@holidays",
        "-3",
        "wait=90s", "finish", "item", "within=900s", "30", "@foyers", "menus", "asked for by Ann",
      ] { #expect(words.contains(word), "\(word)") }
    }
  }

  @Test("a rule with --interrupt is an announcement each time, and goes with starts alone")
  func announcements() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      expectSilence(
        try await stage.castq(
          "schedule", "add", "gong", "--play", "menus.m3u", "-d", "lobby", "--cron", "*/30 9-20 * * *",
          "--for",
          "20s", "--priority", "2", "--interrupt"))
      #expect(try await stage.json("schedule", "show", "gong")["kind"]?.string == "trigger")
      #expect(try await stage.castq("schedule", "export").stdout.contains("interrupt: true"))
      #expect(try await stage.castq("schedule", "ls").stdout.contains(", interrupts"))
      #expect(try await stage.castq("schedule", "show", "gong").stdout.contains("interrupt  yes"))
      let plan = try await stage.json("plan", "-d", "lobby", "--to", "+25h")
      let gongs = (plan["segments"]?.elements ?? []).filter { $0["rule"]?.string == "gong" }
      #expect(gongs.count >= 24 && gongs.allSatisfy { $0["kind"]?.string == "announcement" }, "\(plan)")
      expectOneLine(
        try await stage.castq(
          "schedule", "add", "all", "--play", "menus.m3u", "-d", "lobby", "--always", "--interrupt"),
        exit: 64, saying: "--interrupt goes with --cron, --calendar or --once")
    }
  }

  @Test("a source that two rules have apart has one name for people and programs")
  func oneSource() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      let file = try stage.tone("ad.wav", seconds: 1)
      expectSilence(try await stage.castq("schedule", "add", "day", "--play", file, "--always"))
      expectSilence(
        try await stage.castq(
          "schedule", "add", "gong", "--play", file, "--cron", "0 * * * *", "--for", "1m", "--interrupt"))
      for command in [
        ["schedule", "ls", "--json"], ["schedule", "ls"], ["schedule", "show", "gong"],
        ["schedule", "show", "gong", "--json"], ["schedule", "log", "gong", "--json"],
        ["plan", "--json"], ["plan"], ["plan", "--csv"], ["plan", "--ics"], ["why", "+1m", "--json"],
      ] {
        let said = try await stage.castq(command)
        #expect(said.exit == 0 && !said.stdout.contains("ad.wav \""), "\(command): \(said.stdout)")
        #expect(!said.stdout.contains("ad.wav   ("), "\(command): \(said.stdout)")
      }
      let rules = try await stage.json("schedule", "ls")["rules"]?.elements ?? []
      #expect(rules.count == 2 && Set(rules.map { $0["programme"]?.string }).count == 1, "\(rules)")
    }
  }

  @Test("a rule without options is on one device, and has the defaults")
  func defaults() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1
      let forms: [([String], String, String?)] = [
        (["--always"], "always", nil), (["--daily", "08:00-10:30"], "daily", "08:00-10:30"),
        (["--daily", "22:00-02:00", "--days", "sat,sun"], "daily", "22:00-02:00 sat,sun"),
        (["--calendar", "Mon *-*-* 08:00"], "calendar", "Mon *-*-* 08:00"),
        (["--once", "\(year)-03-28 02:30", "--for", "2h"], "once", "\(year)-03-28T02:30"),
      ]
      for (number, (words, form, expression)) in forms.enumerated() {
        expectSilence(
          try await stage.castq(
            ["schedule", "add", "r\(number)", "--play", "menus.m3u", "-d", "lobby"] + words))
        let shown = try await stage.json("schedule", "show", "r\(number)")
        #expect(shown["form"] == .string(form))
        #expect(shown["expression"] == expression.map { .string($0) } ?? .null)
        let source = try #require(shown["programme"]?.string)
        #expect(source.hasPrefix("/") && source.hasSuffix("/menus.m3u"))
        #expect(shown["device"] == .string("lobby") && shown["priority"] == .number(0))
        #expect(
          ["start", "end", "resume", "missed"].map { shown[$0]?.string } == ["hard", "cut", "second", "skip"])
      }
      let rules = try await stage.json("schedule", "ls")["rules"]?.elements ?? []
      #expect(
        rules.map { $0["next"] } == [
          .null, rules[1]["next"], rules[2]["next"], rules[3]["next"], .string("\(year)-03-28T02:30"),
        ])
      #expect(rules[1]["next"]?.string?.hasSuffix("T08:00") ?? false)
      #expect(rules[4]["next_at"]?.string?.hasPrefix("\(year)-03-28T") ?? false)
      let table = try await stage.castq("schedule", "ls").outLines
      #expect(table.count == 7 && table[0].hasPrefix("NAME") && table[5].hasSuffix("\(year)-03-28 02:30"))
      #expect(table[6].hasPrefix("times in ") && !table[6].contains("each rule"))
      #expect(try await stage.json("programme", "ls")["programmes"] == .array([]), "no name was given")
    }
  }

  @Test(
    "a rule for one time that has passed would never be on, and is refused unless it may be late",
    arguments: [
      ["schedule", "add", "r", "--play", "menus.m3u"],
      ["share", "add", "r", "menus.m3u", "--per-hour", "5%"],
    ])
  func passed(words: [String]) async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      let add = words + ["-d", "lobby", "--once"]
      for past in [
        ["2020-01-01 10:00", "--for", "5m"], ["2020-01-01 10:00"], ["yesterday", "--for", "10m"],
      ] {
        expectOneLine(try await stage.castq(add + past), exit: 64, saying: "has passed")
      }
      #expect(try await stage.castq("schedule", "show", "r").exit == 65, "no rule was made")
      // It is on now, though its start has passed.
      expectSilence(try await stage.castq(add + ["yesterday", "--for", "1w"]))
      guard words.first == "schedule" else { return }
      expectSilence(try await stage.castq(add + ["2020-01-01 10:00", "--replace", "--missed", "run"]))
      expectOneLine(
        try await stage.castq(add + ["2020-01-01 10:00", "--replace", "--missed", "within=15m"]), exit: 64,
        saying: "has passed")
    }
  }

  @Test(
    "a priority is within the limits that a file has",
    arguments: [
      ["schedule", "add", "r", "--play", "menus.m3u", "--always"], ["schedule", "import", "none.ics"],
    ])
  func priorities(words: [String]) async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      for number in ["1000001", "-1000001", "2147483648", "99999999999999999999", "high"] {
        expectOneLine(
          try await stage.castq(words + ["-d", "lobby", "--priority", number]), exit: 64,
          saying: "a number from -1000000 to 1000000")
      }
      guard words[1] == "add" else { return }
      for number in ["1000000", "-1000000"] {
        expectSilence(
          try await stage.castq(words + ["-d", "lobby", "--replace", "--priority", number]))
        #expect(try await stage.json("schedule", "show", "r")["priority"]?.int == Int(number))
        try stage.file("site.yaml", try await stage.castq("schedule", "export").stdout)
        expectSilence(try await stage.castq("schedule", "apply", "site.yaml"))
      }
    }
  }

  @Test("what is wrong with a rule is said when it is given, with the column of an expression")
  func mistakes() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      let cases: [([String], Int32, String)] = [
        (["--cron", "*/5 * * x *"], 64, "--cron column 9"),
        (["--calendar", "Mon 25:00"], 64, "--calendar column"),
        (["--daily", "8-9"], 64, "08:00-10:30"), (["--always", "--daily", "08:00-09:00"], 64, "choose one"),
        ([], 64, "say when"), (["--always", "--days", "mon"], 64, "--days goes with"),
        (["--always", "--for", "1m"], 64, "--for goes with"),
        (["--always", "--tz", "Mars/Base"], 64, "Mars/Base"),
        (["--always", "--start", "soon"], 64, "wait=90s"),
        (["--always", "--end", "soon"], 64, "cut or finish"),
        (["--always", "--resume", "soon"], 64, "restart"),
        (["--always", "--missed", "soon"], 64, "within=15m"),
        (["--always", "--volume", "101"], 64, "100"), (["--always", "--volume", "+5"], 64, "level"),
        (["--always", "--valid", "2026-12-01"], 64, "2026-12-24"),
        (["--always", "--valid", "2026-12-02..2026-12-01"], 64, "no day"),
        (["--always", "--only-on", "nope"], 65, "calendar nope"),
        (["--daypart", "nope"], 65, "day part nope"),
        (["--always", "-d", "hall"], 64, "group add"),
      ]
      for (words, exit, saying) in cases {
        expectOneLine(
          try await stage.castq(["schedule", "add", "r", "--play", "menus.m3u", "-d", "lobby"] + words),
          exit: exit,
          saying: saying)
      }
      let add = ["schedule", "add", "r", "--always"]
      expectOneLine(
        try await stage.castq(add + ["--play", "nope", "-d", "lobby"]), exit: 66,
        saying: "no programme of this name")
      expectOneLine(
        try await stage.castq(add + ["--play", "menus.m3u", "-d", "cellar"]), exit: 68, saying: "hall, lobby")
      expectOneLine(
        try await stage.castq(add + ["--play", "menus.m3u", "-d", "@cellar"]), exit: 68,
        saying: "no group cellar")
      #expect(try await stage.json("schedule", "ls")["rules"] == .array([]))
    }
  }

  @Test("a rule is changed when that is asked for, switched off and on, and removed; each change counts")
  func changing() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      func add(_ more: String...) async throws -> Ending {
        try await stage.castq(["schedule", "add", "r", "--play", "menus.m3u", "-d", "@all"] + more)
      }
      expectSilence(try await add("--always"))
      expectSilence(try await add("--always"))
      expectOneLine(try await add("--daily", "08:00-09:00"), exit: 65, saying: "--replace")
      expectSilence(try await add("--daily", "08:00-09:00", "--replace"))
      expectOneLine(
        try await stage.castq(
          "share", "add", "r", "menus.m3u", "-d", "@all", "--per-hour", "5%", "--replace"), exit: 65,
        saying: "cannot become a share")
      expectSilence(try await stage.castq("schedule", "disable", "r"))
      #expect(try await stage.castq("schedule", "ls").stdout.contains("disabled"))
      #expect(try await stage.json("schedule", "show", "r")["enabled"] == .bool(false))
      expectSilence(try await stage.castq("schedule", "enable", "r"))
      let shown = try await stage.json("schedule", "show", "r")
      #expect(shown["revision"] == .number(4) && shown["expression"] == .string("08:00-09:00"))
      #expect(shown["device"] == .string("@all") && shown["enabled"] == .bool(true))
      expectSilence(try await stage.castq("schedule", "rm", "r"))
      for verb in ["rm", "show", "enable", "disable"] {
        expectOneLine(try await stage.castq("schedule", verb, "r"), exit: 65, saying: "schedule add")
      }
    }
  }

  @Test("the list has the moment at which a rule is next, with its zone where rules have several")
  func nextMoment() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      let days = [2, 3].map {
        Date.now.addingTimeInterval(Double($0) * 86_400).formatted(.iso8601.year().month().day())
      }
      try await stage.castq(
        "schedule", "add", "lunch", "--play", "menus.m3u", "-d", "lobby", "--once", "\(days[0])T11:30",
        "--for", "1h", "--tz", "UTC")
      expectSilence(try await stage.castq("schedule", "move", "lunch@\(days[0])", "\(days[1])T09:15"))
      let one = try await stage.castq("schedule", "ls").outLines
      #expect(one[1].hasSuffix(" \(days[1]) 09:15") && one[2] == "times in UTC", "\(one)")
      try await stage.castq(
        "schedule", "add", "late", "--play", "menus.m3u", "-d", "lobby", "--once", "\(days[1])T21:00",
        "--for", "1h", "--tz", "Etc/GMT+5")
      let both = try await stage.castq("schedule", "ls").outLines
      #expect(both.contains { $0.hasSuffix(" \(days[1]) 09:15 UTC") }, "\(both)")
      #expect(both.contains { $0.hasSuffix(" \(days[1]) 21:00 Etc/GMT+5") }, "\(both)")
    }
  }

  @Test("single times of a rule are skipped, moved, replaced and put back")
  func exceptions() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      try await stage.castq("programme", "add", "special", "menus.m3u")
      try await stage.castq(
        "schedule", "add", "lunch", "--play", "menus.m3u", "-d", "lobby", "--daily", "11:30-14:00", "--days",
        "mon-fri")
      func exceptions() async throws -> [Document] {
        try await stage.json("schedule", "show", "lunch")["exceptions"]?.elements ?? []
      }
      expectSilence(try await stage.castq("schedule", "skip", "lunch@2099-12-24"))
      expectSilence(try await stage.castq("schedule", "move", "lunch@2099-12-23T11:30", "12:00"))
      expectSilence(try await stage.castq("schedule", "move", "lunch@2099-12-22", "2099-12-27T09:00"))
      expectSilence(try await stage.castq("schedule", "replace", "lunch@2099-12-21", "special"))
      let made = try await exceptions()
      #expect(made.map { $0["occurrence"]?.string } == [21, 22, 23, 24].map { "2099-12-\($0)T11:30" })
      #expect(made.map { $0["action"]?.string } == ["replace", "move", "move", "skip"])
      #expect(made.map { $0["to"]?.string } == [nil, "2099-12-27T09:00", "2099-12-23T12:00", nil])
      #expect(made.map { $0["programme"]?.string } == ["special", nil, nil, nil])
      expectSilence(try await stage.castq("schedule", "move", "lunch@2099-12-24", "11:30"))
      #expect(try await exceptions().count == 3)
      let printed = try await stage.castq("schedule", "log", "lunch").outLines
      #expect(printed.last?.hasPrefix("times in ") == true)
      let log = printed.dropLast().map {
        $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst(3).joined(separator: " ")
      }
      #expect(
        log == [
          "", "made", "2099-12-24T11:30 is skipped", "2099-12-23T11:30 is moved to 2099-12-23T12:00",
          "2099-12-22T11:30 is moved to 2099-12-27T09:00", "2099-12-21T11:30 plays special",
          "2099-12-24T11:30 is as the rule has it",
        ])
      let again = try await stage.castq("schedule", "skip", "lunch@2099-12-23", "--json")
      #expect(try Document(again.stdout)["exceptions"]?.elements[2]["action"] == .string("skip"))
      expectOneLine(
        try await stage.castq("schedule", "skip", "lunch@2099-12-26"), exit: 65, saying: "2099-12-28T11:30")
    }
  }

  @Test("a share has a part of each hour, with its limits")
  func shares() async throws {
    try await Stage.with { stage in
      try await ProgrammeTests.prepare(stage)
      expectSilence(
        try await stage.castq(
          "share", "add", "promo", "menus.m3u", "-d", "@all", "--per-hour", "5%", "--max-plays", "4",
          "--min-gap", "5m",
          "--valid", "2026-12-01.."))
      expectSilence(
        try await stage.castq(
          "share", "add", "ads", "menus.m3u", "-d", "hall", "--per-hour", "120s", "--daily", "08:00-18:00"))
      let shares = try await stage.json("share", "ls")["shares"]?.elements ?? []
      #expect(shares.map { $0["rule"]?.string } == ["ads", "promo"])
      #expect(shares.map { $0["per_hour_s"]?.int } == [120, 180])
      #expect(shares.map { $0["max_plays"] } == [.null, .number(4)])
      #expect(shares.map { $0["min_gap_s"] } == [.number(0), .number(300)])
      #expect(shares.map { $0["form"]?.string } == ["daily", "always"])
      #expect(shares.map { $0["valid_from"] } == [.null, .string("2026-12-01")])
      #expect(try await stage.castq("share", "ls").stdout.contains("180 s an hour"))
      #expect(try await stage.json("schedule", "ls")["rules"] == .array([]))
      for (words, saying) in [
        (["--per-hour", "0%"], "5%"), (["--per-hour", "61m"], "5%"), (["--per-hour", "soon"], "5%"),
        ([], "per-hour"),
        (["--per-hour", "5%", "--max-plays", "0"], "from 1"),
      ] {
        expectOneLine(
          try await stage.castq(["share", "add", "x", "menus.m3u", "-d", "hall"] + words), exit: 64,
          saying: saying)
      }
      expectOneLine(
        try await stage.castq("share", "add", "ads", "menus.m3u", "-d", "hall", "--per-hour", "5%"), exit: 65,
        saying: "--replace")
      expectSilence(
        try await stage.castq(
          "share", "add", "ads", "menus.m3u", "-d", "hall", "--per-hour", "5%", "--replace"))
      try await stage.castq("schedule", "add", "r", "--play", "menus.m3u", "-d", "hall", "--always")
      expectOneLine(try await stage.castq("share", "rm", "r"), exit: 65, saying: "castq schedule rm")
      expectOneLine(
        try await stage.castq("share", "rm", "nope"), exit: 65,
        saying: "there is no share nope; known are: ads, promo")
      expectSilence(try await stage.castq("share", "rm", "ads"))
      #expect(try await stage.castq("share", "ls", "--jsonl").outLines.count == 1)
    }
  }
}
