import Foundation
import Testing

@Suite("Rules that play", .timeLimit(.minutes(20)))
struct ScheduledPlayTests {
  /// A stage with a receiver called lobby that plays a base, and a daemon. Times are real: rules know no other clock.
  func with(_ body: (Stage, Receiver, RunningProgram) async throws -> Void) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      for (name, seconds) in [("base", 600.0), ("lunch", 600), ("call", 1)] {
        try stage.tone("\(name).wav", seconds: seconds)
        try stage.file("\(name).m3u", "\(name).wav\n")
      }
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      let seen = receiver.log.lines.count
      try await stage.castq("enqueue", "base.m3u")
      #expect(await receiver.playing(from: seen) != nil)
      try await stage.awaitPlay { $0["title"]?.string == "base" }
      try await body(stage, receiver, daemon)
    }
  }

  /// Runs a command, and waits for a line of the daemon that it leads to.
  func lead(
    to words: String, _ daemon: RunningProgram, _ body: () async throws -> Void
  ) async throws {
    let said = daemon.stderr.lines.count
    try await body()
    #expect(await daemon.stderr.line(containing: words, from: said) != nil, "\(daemon.stderr.text)")
  }

  @Test(
    "a rule takes the screen and gives it back at the second; what a person asks for meanwhile waits, and says so"
  )
  func windows() async throws {
    try await with { stage, _, daemon in
      try await lead(to: "castq.programme=menus", daemon) {
        try await stage.castq("programme", "add", "menus", "lunch.m3u")
        expectSilence(
          try await stage.castq("schedule", "add", "lunch", "--play", "menus", "-d", "lobby", "--always"))
      }
      try await stage.awaitPlay { $0["title"]?.string == "lunch" }
      expectOneLine(
        try await stage.castq("cast", "call.wav"), exit: 75,
        saying: "the rule lunch has the screen, until it is changed;")
      let enqueued = try await stage.castq("enqueue", "--play", "base.wav")
      expectOneLine(enqueued, exit: 75, saying: "the rule lunch has the screen, until it is changed;")
      #expect(enqueued.stderr.hasSuffix("; what was named is enqueued\n"), "\(enqueued.stderr)")
      #expect(try await stage.queue()["entries"]?.elements.count == 2)
      let told = try await stage.castq("enqueue", "--play", "--json", "base.wav")
      let document = try Document(told.stdout)
      #expect(told.exit == 75 && document["added"]?.elements.count == 1, "\(told)")
      #expect(document["error"]?["code"]?.string == "scheduled", "\(told)")
      #expect(try await stage.castq("why", "-d", "lobby").stdout.hasPrefix("lunch  won: "))
      let status = try await stage.status()
      #expect(status["rule"]?.string == "lunch" && status["programme"]?.string == "menus")
      #expect(status["kind"]?.string == "rule" && status["title"]?.string == "lunch")
      #expect(
        status["entry"]?.int == status["queue"]?["next"]?.int, "a list of one entry goes on with itself")
      let words = try await stage.castq("status").stdout
      #expect(words.contains("by the rule lunch: menus until it is changed\n"), "\(words)")
      // A moment is as long as its programme, whose list the daemon has read.
      try await stage.castq(
        "schedule", "add", "call", "--play", "menus", "-d", "lobby", "--once", "2099-01-01 12:00")
      let plan = try await stage.json("plan", "--from", "2099-01-01 11:00", "--to", "2099-01-01 13:00")
      let call = try #require(plan["segments"]?.elements.first { $0["rule"]?.string == "call" })
      #expect(call["start"]?.string != call["end"]?.string, "\(call)")
      try await lead(to: "castq.programme=base", daemon) {
        try await stage.castq("schedule", "disable", "lunch")
      }
      // Killed and started again with the rule: it has the screen again.
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      try await stage.castq("schedule", "enable", "lunch")
      let next = try stage.start(["daemon"])
      #expect(await next.stderr.line(containing: "castq.programme=menus") != nil)
      let plays = try await stage.history()
      #expect(plays.contains { $0["schedule"]?.string == "lunch" && $0["kind"]?.string == "rule" })
      #expect(plays.first?["kind"]?.string == "base")
      next.signal(SIGTERM)
      _ = await next.ended()
    }
  }

  @Test("a rule keeps its screen when the file of its zone vanishes while the daemon runs")
  func lostZone() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      for name in ["berlin", "other"] {
        try stage.tone("\(name).wav", seconds: 600)
        try stage.file("\(name).m3u", "\(name).wav\n")
      }
      let folder = "\(stage.folder)/zones/Europe"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: "\(folder)/Berlin")
      let variables = ["TZDIR": "\(stage.folder)/zones", "TZ": "UTC"]
      let daemon = try stage.start(["daemon"], variables: variables)
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      try await lead(to: "castq.programme=berlin", daemon) {
        try await stage.castq("programme", "add", "berlin", "berlin.m3u")
        try await stage.castq("programme", "add", "other", "other.m3u")
        let added = try await stage.castq(
          "schedule", "add", "day", "--play", "berlin", "-d", "lobby", "--always", "--tz", "Europe/Berlin",
          variables: variables)
        #expect(added.exit == 0, "\(added.stderr)")
      }
      #expect(await receiver.playing() != nil)
      try FileManager.default.removeItem(atPath: "\(folder)/Berlin")
      // Any change has the daemon read all rules again.
      try await lead(to: "castq.zone=Europe/Berlin", daemon) {
        let added = try await stage.castq(
          "schedule", "add", "low", "--play", "other", "-d", "lobby", "--always", "--priority", "-1", "--tz",
          "UTC", variables: variables)
        #expect(added.exit == 0, "\(added.stderr)")
      }
      // A round trip through the runner, which has read them by then.
      try await stage.castq("volume", "30", "-d", "lobby", variables: variables)
      #expect(try await stage.status()["rule"]?.string == "day", "\(daemon.stderr.text)")
      #expect(!daemon.stderr.text.contains("passed over"))
      #expect(try await stage.history().count == 1, "it was never interrupted")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement of what a share plays, too, is over when it has been shown")
  func announcedShare() async throws {
    try await with { stage, _, daemon in
      try await stage.castq("share", "add", "promo", "call.m3u", "-d", "lobby", "--per-hour", "5%")
      let shown = try await stage.castq("announce", "call.m3u", "-d", "lobby", "--json")
      #expect(shown.exit == 0, "\(shown.stderr)")
      #expect(try await stage.castq("schedule", "ls", "--json").stdout.contains("announcement") == false)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement returns when it has been shown, and names the device that did not show it")
  func announcements() async throws {
    try await with { stage, _, daemon in
      let shown = try await stage.castq("announce", "call.m3u", "-d", "lobby", "--json")
      #expect(shown.exit == 0, "\(shown.stderr)")
      let document = try Document(shown.stdout)
      #expect(document["announced"]?.elements.first?["shown"] == .bool(true))
      try stage.add(device: "hall", at: "127.0.0.1:9")
      let missing = try await stage.castq("announce", "call.m3u", "-d", "hall", "--timeout", "8s")
      #expect(missing.exit == 69 && missing.stderr.contains("hall: "), "\(missing.exit) \(missing.stderr)")
      let told = try await stage.castq("announce", "call.m3u", "-d", "hall", "--timeout", "5s", "--json")
      let whole = try Document(told.stdout)
      #expect(told.exit == 69 && whole["error"]?["code"]?.string == "not_shown", "\(told.stdout)")
      #expect(whole["announced"]?.elements.first?["shown"] == .bool(false))
      expectSilence(try await stage.castq("announce", "call.m3u", "-d", "lobby"))
      #expect(try await stage.castq("schedule", "ls", "--json").stdout.contains("announcement") == false)
      let plays = try await stage.history().filter { $0["kind"]?.string == "announcement" }
      #expect(plays.map { $0["outcome"]?.string } == ["finished", "finished"])
      // A programme is named, and a file is not one.
      expectSilence(try await stage.castq("programme", "add", "call", "call.m3u"))
      expectSilence(try await stage.castq("announce", "--programme", "call", "-d", "lobby"))
      expectOneLine(
        try await stage.castq("announce", "--programme", "call.m3u", "-d", "lobby"), exit: 65,
        saying: "there is no programme call.m3u")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      expectOneLine(
        try await stage.castq("announce", "call.m3u", "-d", "lobby"), exit: 75, saying: "castq daemon")
    }
  }

  @Test(
    "an announcement waits at most so long, is as loud as it says, and what it interrupted goes on as it says"
  )
  func manners() async throws {
    try await with { stage, receiver, daemon in
      let seen = receiver.log.lines.count
      let shown = try await stage.castq(
        "announce", "call.m3u", "-d", "@all", "--wait", "2s", "--volume", "30", "--resume", "restart")
      #expect(shown.exit == 0, "\(shown.stderr)")
      let loud = try #require(
        await receiver.log.index(from: seen) { $0.contains("SET_VOLUME") && $0.contains(#""level":0.3"#) })
      #expect(
        await receiver.log.index(from: loud + 1) { $0.contains("SET_VOLUME") && $0.contains(#""level":1"#) }
          != nil)
      // It had played for a second and more: the wait is whole seconds, and counts from one.
      let again = await receiver.log.index(from: loud + 1) {
        Self.position(of: "base", in: $0).map { $0 < 0.5 } ?? false
      }
      #expect(again != nil)
      try await stage.awaitPlay { $0["title"]?.string == "base" && ($0["play"]?.int ?? 0) > 1 }
      let plays = try await stage.history()
      #expect(plays.map { $0["kind"]?.string } == ["base", "announcement", "base"])
      #expect(plays.map { $0["outcome"]?.string } == ["interrupted", "finished", nil])
      #expect(plays.first?["played_s"]?.number.map { $0 >= 0.9 } == true)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement to all comes before every rule, also one that interrupts with the highest priority")
  func beforeEveryRule() async throws {
    try await with { stage, receiver, daemon in
      let soon = Date(timeIntervalSinceNow: 3).formatted(.iso8601).dropLast()
      try stage.file(
        "site.yaml",
        """
        rules:
          alarm:
            play: lunch.m3u
            devices: lobby
            once: "\(soon)"
            tz: UTC
            for: 1h
            interrupt: true
            priority: 1000000

        """)
      try await lead(to: "/lunch.m3u castq.reason=", daemon) {
        try await stage.castq("schedule", "apply", "site.yaml")
      }
      let shown = try await stage.castq("announce", "call.m3u", "-d", "@all", "--timeout", "120s")
      #expect(shown.exit == 0, "\(shown.stderr)")
      #expect(try await stage.history().contains { $0["title"]?.string == "call" })
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement that is to be next lets the item on the screen end")
  func next() async throws {
    try await with { stage, _, daemon in
      // Long enough for another command to come while it plays.
      try stage.tone("short.wav", seconds: 30)
      try await stage.castq("cast", "short.wav", "base.m3u")
      let shown = try await stage.castq("announce", "call.m3u", "-d", "lobby", "--next")
      #expect(shown.exit == 0, "\(shown.stderr)")
      // What is next may have begun, or not yet.
      let plays = try await stage.history().filter { $0["outcome"] != .null }.suffix(2)
      #expect(plays.map { $0["title"]?.string } == ["short", "call"])
      #expect(plays.map { $0["outcome"]?.string } == ["finished", "finished"])
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  /// Where a receiver says that it plays a title; nil for other messages.
  private static func position(of title: String, in line: String) -> Double? {
    guard line.contains(#""dir":"out""#), line.contains(#""playerState":"PLAYING""#),
      let status = (try? Document(line))?["data"]?["status"]?.elements.first,
      status["media"]?["metadata"]?["title"]?.string == title
    else { return nil }
    return status["currentTime"]?.number
  }
}
