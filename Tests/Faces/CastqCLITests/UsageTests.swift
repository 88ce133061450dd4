import Foundation
import Testing

@Suite("The command line itself", .timeLimit(.minutes(20)))
struct UsageTests {
  @Test(
    "a mistake in the arguments is one line and exit 64",
    arguments: [
      ["nonsense"], ["--nonsense"], ["queue", "--nonsense"], ["queue", "surplus"], ["enqueue"], ["cast"],
      ["check"],
      ["enqueue", "--at", "0", "x.mp4"], ["enqueue", "--at", "x", "x.mp4"],
      ["enqueue", "--next", "--at", "1", "x.mp4"], ["remove"], ["remove", "first"], ["move", "1"],
      ["move", "1", "0"], ["repeat", "twice"], ["shuffle", "maybe"],
      ["queue", "--json", "--jsonl"],
      ["run", "--timeout", "soon"], ["run", "--timeout", "0"], ["run", "--for", "-1"],
      ["run", "--until", "never"],
      ["history", "--limit", "0"], ["history", "--since", "once"], ["history", "--outcome", "good"],
      ["history", "--csv", "--json"], ["device", "add", "lobby"], ["device", "nonsense"],
      ["enqueue", "--format", "doc", "-"], ["-d"], ["queue", "--db"], ["queue", "-d", ""],
      ["-d", "", "pause"], ["pause", "--device="],
    ])
  func mistakes(arguments: [String]) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(arguments)
      if arguments.contains("--json") {
        #expect(ending.exit == 64)
        #expect(try Document(ending.stdout)["error"]?["exit"] == .number(64))
      } else {
        expectOneLine(ending, exit: 64)
      }
    }
  }

  @Test(
    "a number below zero is refused for what it is, and not as a missing one",
    arguments: [
      (["-d", "lobby", "rate", "-1"], "0.5 to 2"), (["rate", "-0.5", "-d", "lobby"], "0.5 to 2"),
      (["move", "1", "-1"], "position"), (["move", "1", "-1", "-d", "lobby"], "position"),
    ])
  func belowZero(arguments: [String], words: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(arguments)
      expectOneLine(ending, exit: 64, saying: words)
      #expect(!ending.stderr.contains("Missing"), "\(ending.stderr)")
    }
  }

  @Test(
    "the simulator refuses numbers that cannot be, each with its own words",
    arguments: [
      (["--count", "9223372036854775807", "--port", "9000"], "--count must be 1 to 1000"),
      (["--count", "0"], "--count must be 1 to 1000"),
      (["--port", "65000", "--count", "600"], "--port must leave room"),
      (["--speed", "inf"], "--speed must be"),
    ])
  func simulator(arguments: [String], words: String) async throws {
    try await Stage.with { stage in
      let program = try RunningProgram(
        Programs.path("castq-receiver-sim"), arguments, environment: stage.environment, folder: stage.folder)
      let ending = await program.ended()
      #expect(ending.exit == 64 && ending.stderr.contains(words), "\(ending)")
    }
  }

  @Test(
    "a word that is no command is met with the right one, whatever options stand beside it",
    arguments: [
      (["statsu"], "'castq status'"), (["-d", "lobby", "statsu"], "'castq status'"),
      (["enqeue", "a.mp4", "--next"], "'castq enqueue'"), (["histroy", "--since", "-1h"], "'castq history'"),
      (["hist"], "'castq history'"), (["enque", "x"], "'castq enqueue'"), (["devi"], "'castq device'"),
      (["Status"], "'castq status'"), (["ls"], "'castq devices'"), (["scan"], "'castq devices --scan'"),
      (["info"], "'castq status'"), (["skip"], "'castq next'"), (["load", "x"], "'castq cast'"),
      (["insert", "x"], "'castq enqueue --next'"), (["current"], "'castq status'"),
      (["random"], "'castq shuffle'"), (["crop"], "'castq remove'"), (["ffwd", "30"], "'castq seek +30s'"),
      (["rewind", "-d", "lobby"], "'castq seek -30s'"), (["volumeup"], "'castq volume +5'"),
      (["volumedown"], "'castq volume -5'"), (["device", "ls"], "'castq devices'"),
      (["device", "list"], "'castq devices'"), (["device", "rename", "a", "b"], "'castq device alias'"),
      (["-d", "x", "device", "aliass"], "'castq device alias'"), (["film.mp4"], "'castq cast SOURCE'"),
      (["gibberish"], "'castq help'"), (["device", "gibberish"], "'castq help device'"),
      (["version"], "'castq --version'"), (["discover"], "'castq devices --scan'"),
      (["tv"], "'castq devices'"),
      (["rename", "a", "b"], "'castq device alias'"), (["cast_site", "x"], "'castq cast'"),
      (["lsplaylists"], "'castq programme ls'"), (["reload"], "SIGHUP"), (["config"], "config.yaml"),
      (["share", "show", "x"], "'castq schedule show'"),
    ])
  func wrongCommand(arguments: [String], right: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(arguments)
      expectOneLine(ending, exit: 64, saying: right)
      #expect(ending.stderr.contains("no command is called"))
      #expect(!ending.stderr.contains("option"), "nothing is said of options: \(ending.stderr)")
    }
  }

  @Test(
    "a mistake in an option names the help of its command",
    arguments: [
      (["run", "--shuffel"], "'--shuffle'", "castq help run"),
      (["-d", "lobby", "queue", "--nonsense"], "--nonsense", "castq help queue"),
      (["device", "add", "lobby"], "host[:port]", "castq help device add"),
      (["list", "--limit"], "--limit", "castq help queue"),
      (["run", "--for", "soon"], "1m30s", "castq help run"),
      (["run", "--wait-for-device", "soon"], "1m30s", "castq help run"),
      (["run", "--until", "never"], "tomorrow", "castq help run"),
      (["queue", "--timeout", "0"], "greater than 0", "castq help queue"),
      (["--nonsense"], "--nonsense", "castq --help"),
      (["shuffle", "maybe"], "'on' and 'off'", "castq help shuffle"),
      (["remove", "abc"], "p3 for the third position", "castq help remove"),
      (["plan", "--to", "+20y"], "ten years at most", "castq help plan"),
      (["daypart", "add", "d", "10:00-10:00"], "the whole day is 00:00-24:00", "castq help daypart add"),
      (
        ["daypart", "add", "d", "25:00-07:00"], "'25:00-07:00' is not a time range", "castq help daypart add"
      ),
    ])
  func wrongOption(arguments: [String], words: String, help: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(arguments)
      expectOneLine(ending, exit: 64, saying: words)
      #expect(ending.stderr.contains("see '\(help)'"))
    }
  }

  @Test(
    "help for what does not exist is a mistake, and names what was meant",
    arguments: [
      (["help", "statsu"], "'castq status'"), (["help", "ls"], "'castq devices' does that"),
      (["help", "gibberish"], "'castq help'"), (["help", "device", "gibberish"], "'castq help device'"),
    ])
  func wrongTopic(arguments: [String], words: String) async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq(arguments), exit: 64, saying: words)
    }
  }

  @Test(
    "a command that was removed says what does its work",
    arguments: [
      (["at", "22:00", "--", "-d", "lobby", "stop"], "'castq at' was removed: use at(1)"),
      (["-d", "lobby", "at", "+2h", "--", "stop"], "schedule add NAME"), (["help", "at"], "systemd timer"),
      (["atq"], "'castq schedule ls'"),
      (["atrm", "3"], "'castq schedule rm'"),
    ])
  func removedCommand(arguments: [String], words: String) async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq(arguments), exit: 64, saying: words)
    }
  }

  @Test("--system names the service: where none is installed, and to whom it does not belong, it says so")
  func systemService() async throws {
    try await Stage.with { stage in
      let isInstalled = FileManager.default.fileExists(atPath: "/var/lib/castq")
      let result = try await stage.castq("--system", "devices")
      expectOneLine(
        result, exit: isInstalled ? 77 : 66, saying: isInstalled ? "sudo castq --system" : "/var/lib/castq")
      #expect(try await stage.castq("check", "--", "--system").exit == 66, "behind -- it is a file")
    }
  }

  @Test(
    "a step back contains the letter of -h, and is no wish for help",
    arguments: [
      (["rate", "-1h"], "'-1h'"), (["play", "-1h"], "'-1h'"),
      (["move", "1", "-1h"], "'-1h'"), (["remove", "-1h"], "'-1h'"), (["cast", "-1h"], "'-1h'"),
      (["device", "-1h"], "'-1h'"), (["schedule", "skip", "-1h"], "'-1h'"),
      (["schedule", "move", "x@2026-12-01", "-1h"], "'-1h'"), (["-1h"], "'-1h'"),
      (["run", "--until", "-1h", "x.wav"], "--until"), (["run", "--until=-1h", "x.wav"], "has passed"),
    ])
  func stepBack(arguments: [String], words: String) async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq(arguments), exit: 64, saying: words)
    }
  }

  @Test(
    "help and version are data",
    arguments: [
      ["--version"], ["--help"], ["-h"], ["help"], ["help", "run"], ["help", "help"],
      ["run", "--help"], ["help", "list"],
      ["device", "add", "--help"], ["help", "device", "add"],
      ["-d", "lobby", "queue", "--help"], ["queue", "--json", "--help"], ["device"], ["schedule"],
      ["rate", "-h"],
    ])
  func help(arguments: [String]) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(arguments)
      #expect(ending.exit == 0)
      #expect(ending.stderr.isEmpty)
      #expect(!ending.stdout.isEmpty)
      if arguments == ["--version"] { #expect(ending.stdout.wholeMatch(of: /castq \d+\.\d+\.\d+\n/) != nil) }
    }
  }

  @Test("-V names the option that prints the version")
  func shortVersion() async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq("-V"), exit: 64, saying: "'castq --version'")
    }
  }

  @Test(
    "a schedule that is imported as a playlist or a calendar is named as what it is, with the command for it",
    arguments: [["import", "site.yaml"], ["schedule", "import", "site.yaml", "-d", "lobby"]])
  func notASchedule(arguments: [String]) async throws {
    try await Stage.with { stage in
      try stage.file("site.yaml", "programmes:\n  menus: menus.m3u\nrules:\n  a: {play: menus}\n")
      expectOneLine(try await stage.castq(arguments), exit: 65, saying: "'castq schedule apply site.yaml'")
    }
  }

  @Test("global options stand before the command or after it")
  func optionOrder() async throws {
    try await QueueTests.with { stage in
      try await QueueTests.enqueue("ab", stage)
      let database = ["--db", stage.database]
      let orders = [
        ["-dlobby"] + database + ["--json", "queue"], ["queue", "-dlobby", "--json"] + database,
        ["-d", "lobby"] + database + ["--json", "queue"], ["queue", "-d", "lobby", "--json"] + database,
        ["--device=lobby", "--json", "queue"] + database,
        ["-d", "lobby", "queue", "--json", "--timeout", "2s"],
        ["--json", "--no-daemon", "-q", "-v", "queue", "--device", "lobby"],
      ]
      let expected = try await stage.castq("queue", "--json").stdout
      for arguments in orders {
        let ending = try await stage.castq(arguments, variables: ["CASTQ_DEVICE": "elsewhere"])
        #expect(ending.stdout == expected, "\(arguments)")
      }
      expectSilence(try await stage.castq(database + ["-q", "device", "alias", "lobby", "l"]))
      // Also where the command's name has several words.
      let report = try await stage.castq("report", "plays", "-d", "lobby", "--json")
      #expect(
        try await stage.castq(["-d", "lobby", "--json", "report", "plays"] + database).stdout == report.stdout
      )
      #expect(report.stdout.contains("rows"))
    }
  }

  @Test("the database is where the option, the variable or the state folder says")
  func databasePlaces() async throws {
    try await Stage.with { stage in
      let none = ["CASTQ_DB": ""]
      expectSilence(try await stage.castq("device", "add", "state", "192.0.2.1", variables: none))
      expectSilence(
        try await stage.castq("device", "add", "option", "192.0.2.1", "--db", "\(stage.folder)/new/o.db"))
      let byState = try await stage.castq("devices", "--db", "\(stage.folder)/state/castq/castq.db")
      #expect(byState.stdout.contains("state"))
      #expect(try await stage.castq("devices", "--db", "new/o.db").stdout.contains("option"))
      #expect(
        try await stage.json("devices")["devices"] == .array([]), "the variable's own file is untouched")
    }
  }

  @Test("a configuration that was named must be there")
  func missingConfiguration() async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq("queue", "--config", "no.yaml"), exit: 78, saying: "no.yaml")
      expectOneLine(
        try await stage.castq("check", "x.mp4", variables: ["CASTQ_CONFIG": "/no.yaml"]), exit: 78)
    }
  }

  @Test(
    "whoever stops reading breaks nothing",
    arguments: [["--help"], ["queue"], ["queue", "--json"], ["history", "--csv"]])
  func closedPipe(arguments: [String]) async throws {
    try await QueueTests.with { stage in
      try await QueueTests.enqueue("ab", stage)
      let ending = try await stage.castq(arguments, hasClosedStdout: true)
      #expect(ending.exit == 0 || ending.exit == 74)
      #expect(ending.stderr.split(separator: "\n").count <= 1)
    }
  }

  @Test(
    "what follows ends when nobody reads it any more",
    arguments: [["history"], ["history", "--jsonl"], ["status"], ["status", "--jsonl"]])
  func closedPipeOfFollower(arguments: [String]) async throws {
    try await QueueTests.with { stage in
      let ending = try await stage.castq(arguments + ["--follow"], hasClosedStdout: true)
      #expect(ending.exit == 0 && ending.stderr.isEmpty, "\(ending)")
    }
  }
}
