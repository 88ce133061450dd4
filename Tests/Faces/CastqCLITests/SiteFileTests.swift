import Foundation
import Testing

@Suite("A schedule in a file", .timeLimit(.minutes(20)))
struct SiteFileTests {
  private static let site = """
    programmes:
      menus: {source: menus.m3u}
    calendars:
      holidays: {2036-12-15: Closed}
    groups:
      foyers: [lobby, bar]
    devices:
      bar: {tz: Asia/Tokyo}
    rules:
      breakfast: {play: menus, devices: "@foyers", daily: "08:00-10:30", not_on: holidays}
      gong: {play: /srv/gong.mp3, devices: lobby, cron: "0 12 * * *", for: 90s, interrupt: true}
    shares:
      sale: {play: menus, devices: "@all", per_hour: 5%}
    """

  private func prepare(_ stage: Stage) async throws {
    try stage.add(device: "lobby", at: "127.0.0.1:1")
    try stage.add(device: "bar", at: "127.0.0.1:2")
    try stage.file("site.yaml", Self.site)
  }

  private static let day = ["--from", "2036-12-14T00:00:00Z", "--to", "2036-12-15T00:00:00Z", "--tz", "UTC"]

  @Test("what a file says is applied once, exported as the same, and shown as a change of the plan")
  func apply() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let dry = try await stage.castq("schedule", "apply", "site.yaml", "--dry-run")
      #expect(dry.exit == 0 && dry.outLines.count == 7, "\(dry.stdout)\(dry.stderr)")
      let before = try await stage.castq(
        ["plan", "-d", "lobby", "--diff", "site.yaml"] + Self.day, variables: ["TZ": "UTC"])
      #expect(
        before.outLines == [
          "- Sun 14 Dec 00:00–24:00  dark",
          "+ Sun 14 Dec 00:00–08:00  share  shares: sale 180 s of each hour",
          "+ Sun 14 Dec 08:00–10:30  breakfast → menus  (daily, priority 0, UTC)  shares: sale 180 s of each hour",
          "+ Sun 14 Dec 10:30–12:00  share  shares: sale 180 s of each hour",
          "+ Sun 14 Dec 12:00–12:01:30  gong → /srv/gong.mp3  (cron, priority 0, UTC)  shares: sale 180 s of each hour",
          "+ Sun 14 Dec 12:01:30–24:00  share  shares: sale 180 s of each hour",
        ], "\(before.stdout)\(before.stderr)")
      #expect(
        try await stage.castq("schedule", "export").stdout.isEmpty, "neither of them has written anything")

      let applied = try await stage.castq("schedule", "apply", "site.yaml")
      #expect(applied.outLines == dry.outLines && applied.exit == 0)
      #expect(applied.outLines.contains { $0.hasPrefix("+ rule breakfast: {") })
      expectSilence(try await stage.castq("schedule", "apply", "site.yaml"))
      expectSilence(try await stage.castq(["plan", "--diff", "site.yaml"] + Self.day))
      let tokyo = try await stage.castq(["plan", "-d", "bar"] + Self.day)
      #expect(tokyo.stdout.contains("(daily, priority 0, Asia/Tokyo)"))

      let exported = try await stage.castq("schedule", "export").stdout
      try stage.file("copy.yaml", exported)
      expectSilence(try await stage.castq("schedule", "apply", "copy.yaml", "--prune"))
      let document = try await stage.json("schedule", "export")
      #expect(document["rules"]?["gong"]?["for"]?.string == "1m30s")
      let source = document["programmes"]?["menus"]?["source"]?.string
      #expect(source == "\(stage.folder)/menus.m3u".replacingOccurrences(of: "//", with: "/"))

      try stage.file("site.yaml", exported.replacingOccurrences(of: "08:00-10:30", with: "08:00-11:00"))
      let changed = try await stage.castq("schedule", "apply", "site.yaml", "--json")
      let changes = try Document(changed.stdout)["changes"]?.elements ?? []
      #expect(
        changes.count == 1 && changes[0]["change"]?.string == "change" && changes[0]["kind"]?.string == "rule"
      )
      let diff = try await stage.castq(["plan", "-d", "lobby", "--diff", "copy.yaml", "--json"] + Self.day)
      #expect(try Document(diff.stdout)["changes"]?.elements.isEmpty == false)
      // The plan says of which revision a stretch is.
      let plan = try await stage.castq(["plan", "-d", "lobby", "--jsonl"] + Self.day)
      let breakfast = try plan.outLines.map { try Document($0) }.first { $0["rule"]?.string == "breakfast" }
      #expect(breakfast?["revision"]?.int == 2)
    }
  }

  @Test("an exception at a time that its rule never has is kept, and reported with its place")
  func idleExceptions() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      expectSilence(try await stage.castq("calendar", "add", "closed", "2036-12-16", "Day"))
      expectSilence(try await stage.castq("daypart", "add", "tea", "16:00-17:00", "--closed", "@closed"))
      let file = """
        rules:
          lunch:
            play: /srv/lunch.m3u
            devices: lobby
            daily: 11:30-14:00
            days: mon-fri
            exceptions:
              2036-12-15T11:30: skip
              2036-12-13T11:30: skip
              2036-12-16T11:31: {move: 2036-12-16T12:00}
          tea: {play: /srv/tea.m3u, devices: lobby, daypart: Tea, exceptions: {2036-12-16T16:00: {replace: /srv/a.m3u}}}
        """
      try stage.file("exceptions.yaml", file)
      let words = [
        "castq: exceptions.yaml:9:7: warning: lunch does not begin at 2036-12-13T11:30; the next time after it is 2036-12-15T11:30",
        "castq: exceptions.yaml:10:7: warning: lunch does not begin at 2036-12-16T11:31; the next time after it is 2036-12-17T11:30",
        "castq: exceptions.yaml:11:72: warning: tea does not begin at 2036-12-16T16:00; the next time after it is 2036-12-17T16:00",
      ]
      let dry = try await stage.castq("schedule", "apply", "exceptions.yaml", "--dry-run")
      #expect(dry.exit == 0 && dry.errorLines == words, "\(dry.stderr)")
      let applied = try await stage.castq("schedule", "apply", "exceptions.yaml", "--json")
      let issues = try Document(applied.stdout)["issues"]?.elements ?? []
      #expect(applied.exit == 0 && applied.stderr.isEmpty)
      #expect(
        issues.map { $0["line"]?.int } == [9, 10, 11] && issues.map { $0["column"]?.int } == [7, 7, 72])
      #expect(issues.allSatisfy { $0["severity"]?.string == "warning" })
      // What was written is what the file says: it is exported, and read again.
      let exported = try await stage.castq("schedule", "export").stdout
      #expect(exported.contains("2036-12-13T11:30"))
      let again = try await stage.castq("schedule", "apply", "-", "--quiet", input: exported)
      #expect(again.exit == 0 && again.stdout.isEmpty && again.stderr.isEmpty, "\(again.stderr)")
    }
  }

  @Test("pruning removes what the sections of a file do not have, and a share may become a rule")
  func prune() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      #expect(try await stage.castq("schedule", "apply", "site.yaml").exit == 0)
      let less = """
        rules:
          breakfast: {play: menus, devices: "@foyers", daily: "08:00-10:30", not_on: holidays}
          sale: {play: menus, devices: bar, always: true}
        shares: {}
        """
      let pruned = try await stage.castq("schedule", "apply", "-", "--prune", input: less)
      #expect(
        pruned.outLines.map { $0.prefix(12) } == ["- rule gong", "+ rule sale:", "- share sale"],
        "\(pruned.stderr)")
      let left = try await stage.json("schedule", "export")
      #expect(left["rules"]?.keys == ["breakfast", "sale"] && left["shares"]?.keys == [])
      #expect(left["calendars"]?.keys == ["holidays"], "a section that is not in the file is left alone")
      // What is still used is not removed, and then nothing is.
      for arguments in [[], ["--dry-run"]] {
        let used = try await stage.castq(
          ["schedule", "apply", "-", "--prune"] + arguments, input: "programmes: {}\ngroups: {}")
        expectOneLine(used, exit: 65, saying: "the rule breakfast")
        #expect(try await stage.json("schedule", "export") == left)
      }
      // What can be done is not done by a rehearsal.
      let dry = try await stage.castq(
        "schedule", "apply", "-", "--prune", "--dry-run", input: "rules: {}\nshares: {}\ngroups: {}")
      #expect(
        dry.outLines.map { $0.prefix(14) } == ["- group foyers", "- rule breakfa", "- rule sale"],
        "\(dry.stdout)\(dry.stderr)")
      #expect(try await stage.json("schedule", "export") == left)
    }
  }

  @Test("every mistake of a file is named, and nothing of it is applied")
  func mistakes() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      try stage.file("bad.yaml", Self.site + "\n  x: {play: nothing, devices: celar}\nruls: {}\n")
      let bad = try await stage.castq("schedule", "apply", "bad.yaml")
      #expect(bad.exit == 65 && bad.stdout.isEmpty)
      #expect(
        bad.errorLines.map { $0.split(separator: " ").dropFirst().first } == [
          "bad.yaml:14:3:", "bad.yaml:14:13:", "bad.yaml:14:31:", "bad.yaml:15:1:",
        ], "\(bad.stderr)")
      #expect(bad.stderr.contains("did you mean `rules`?"))
      #expect(try await stage.castq("schedule", "export").stdout.isEmpty)
      let told = try await stage.castq("schedule", "apply", "bad.yaml", "--json")
      #expect(told.exit == 65 && told.stdout.contains("and 3 more"))
      expectOneLine(try await stage.castq("schedule", "apply", "none.yaml"), exit: 66, saying: "none.yaml")
      expectOneLine(try await stage.castq("plan", "--diff", "none.yaml"), exit: 66)
      expectOneLine(try await stage.castq("plan", "--prune"), exit: 64, saying: "--diff")
    }
  }
}
