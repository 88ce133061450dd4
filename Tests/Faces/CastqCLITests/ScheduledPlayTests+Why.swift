import Foundation
import Testing

/// What has won is on the screen, also where something else is due.
extension ScheduledPlayTests {
  @Test("a rule that waits for the end of an item has not won before it is on the screen")
  func waits() async throws {
    try await with { stage, _, daemon in
      // A device without rules has no decision yet.
      try await lead(to: "castq.programme=menus", daemon) {
        try await stage.castq("programme", "add", "menus", "lunch.m3u")
        try await stage.castq("schedule", "add", "lunch", "--play", "menus", "-d", "lobby", "--always")
      }
      try await lead(to: "castq.programme=base", daemon) {
        try await stage.castq("schedule", "disable", "lunch")
      }
      expectSilence(
        try await stage.castq(
          "schedule", "add", "soft", "--play", "menus", "-d", "lobby", "--always", "--start", "next"))
      let why = try await stage.castq("why")
      #expect(why.outLines.first?.hasPrefix("base  won: ") == true, "\(why.stdout)")
      #expect(
        why.outLines.contains("soft  later: is due, and waits for the end of the item on the screen"),
        "\(why.stdout)")
      let document = try await stage.json("why")
      #expect(document["winner"]?["kind"]?.string == "base", "\(document)")
      #expect(document["winner"]?["kind"] == document["decision"]?["kind"])
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement that is on has won, and what it has interrupted waits below it")
  func announced() async throws {
    try await with { stage, _, daemon in
      try await lead(to: "castq.programme=menus", daemon) {
        try await stage.castq("programme", "add", "menus", "lunch.m3u")
        try await stage.castq("schedule", "add", "lunch", "--play", "menus", "-d", "lobby", "--always")
      }
      let running = try stage.start(["announce", "base.m3u", "-d", "lobby"])
      try await stage.awaitPlay { $0["kind"]?.string == "announcement" }
      let why = try await stage.json("why")
      let won = why["candidates"]?.elements.filter { $0["outcome"]?.string == "won" } ?? []
      #expect(won.map { $0["rule"] } == [why["decision"]?["rule"]], "\(why)")
      #expect(why["winner"]?["kind"]?.string == "announcement", "\(why)")
      let lunch = why["candidates"]?.elements.first { $0["rule"]?.string == "lunch" }
      #expect(lunch?["outcome"]?.string == "lost", "\(why)")
      #expect(lunch?["reason"]?.string?.contains("one of four") == false, "\(why)")
      running.signal(SIGTERM)
      _ = await running.ended()
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("the share whose item is on the screen has won, and what it stands between continues after it")
  func shared() async throws {
    try await with { stage, _, daemon in
      try stage.tone("short.wav", seconds: 1)
      try stage.file("many.m3u", String(repeating: "short.wav\n", count: 3))
      try await lead(to: "castq.programme=menus", daemon) {
        try await stage.castq("programme", "add", "menus", "many.m3u")
        try await stage.castq("schedule", "add", "day", "--play", "menus", "-d", "lobby", "--always")
      }
      try await stage.castq("share", "add", "promo", "lunch.m3u", "-d", "lobby", "--per-hour", "90%")
      // It lasts ten minutes.
      try await stage.awaitPlay { $0["kind"]?.string == "share" && $0["outcome"] == .null }
      let why = try await stage.castq("why")
      #expect(why.outLines.first == "promo  won: its share is due", "\(why.stdout)")
      #expect(why.outLines.contains("day  later: continues after the item of promo"), "\(why.stdout)")
      let winner = try await stage.json("why")["winner"]
      #expect(winner?["kind"]?.string == "share" && winner?["rule"]?.string == "promo", "\(winner)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("where rules are for a device and no daemon runs, its status says so")
  func noDaemon() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("lunch.wav", seconds: 1)
      #expect(try await stage.castq("status").stdout.contains("daemon") == false)
      try await stage.castq("schedule", "add", "lunch", "--play", "lunch.wav", "-d", "lobby", "--always")
      let words = "no daemon runs, which plays the rules; 'castq daemon' starts it"
      #expect(try await stage.castq("status").outLines.contains(words))
      #expect(try await stage.castq().stdout == "lobby: nothing is playing; \(words)\n")
      try await stage.castq("schedule", "disable", "lunch")
      #expect(try await stage.castq("status").stdout.contains("daemon") == false)
    }
  }

  @Test("on a device that does not answer nothing has won, and why says since when")
  func unreachable() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      try stage.tone("lunch.wav", seconds: 600)
      try await stage.castq("schedule", "add", "lunch", "--play", "lunch.wav", "-d", "lobby", "--always")
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      try await stage.awaitStatus { $0["waiting_for"]?.string == "device" && $0["calls"]?.int != nil }
      let status = try await stage.castq("status")
      #expect(status.stdout.contains(#/no answer since .*\(\d+ attempts?\)/#), "\(status.stdout)")
      let why = try await stage.castq("why")
      #expect(
        why.outLines.first?.hasPrefix("Nothing is on: no answer since ") == true,
        "\(why.stdout)")
      #expect(why.outLines.contains("lunch  lost: is due, and the device does not answer"), "\(why.stdout)")
      #expect(try await stage.json("why")["winner"]?["cause"]?.string == "unreachable")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }
}
