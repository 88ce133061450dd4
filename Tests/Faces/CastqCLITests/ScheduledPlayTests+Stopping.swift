import Foundation
import Testing

/// A person stops and starts a screen that has rules.
extension ScheduledPlayTests {
  @Test("an announcement to a stopped device says so at once, and one that is stopped says how much was seen")
  func announcedToStopped() async throws {
    try await with { stage, receiver, daemon in
      let seen = receiver.log.lines.count
      let running = try stage.start(["announce", "lunch.m3u", "-d", "lobby", "--json"])
      #expect(await receiver.playing(from: seen) != nil)
      expectSilence(try await stage.castq("stop", "-d", "lobby"))
      #expect(await running.ended().exit == 1)
      #expect(running.stderr.text.contains("stopped") || running.stdout.text.contains("stopped"))
      let late = try await stage.castq("announce", "call.m3u", "-d", "lobby")
      #expect(
        late.exit == 1 && late.stderr.contains("lobby: the device is stopped, until somebody plays on it"))
      #expect(try await stage.castq("schedule", "ls", "--json").stdout.contains("announcement") == false)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement ends when its daemon dies, and says that its end was not seen")
  func announcedByDeadDaemon() async throws {
    try await with { stage, _, daemon in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let running = try stage.start(["announce", "long.wav", "-d", "lobby"])
      try await stage.awaitPlay { $0["kind"]?.string == "announcement" }
      daemon.signal(SIGKILL)
      expectOneLine(await running.ended(), exit: 69, saying: "not shown on lobby: the daemon has ended")
      #expect(try await stage.castq("schedule", "ls", "--json").stdout.contains("announcement") == false)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement is for the device of the environment where no other is named")
  func announcedByEnvironment() async throws {
    try await with { stage, _, daemon in
      let unknown = try await stage.castq("announce", "call.m3u", variables: ["CASTQ_DEVICE": "nowhere"])
      expectOneLine(unknown, exit: 68, saying: "nowhere")
      let named = try await stage.castq(
        "announce", "call.m3u", "-d", "lobby", variables: ["CASTQ_DEVICE": "nowhere"])
      #expect(named.exit == 0, "\(named.stderr)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test(
    "an announcement that is skipped or disabled while it plays says where it was not shown to its end",
    arguments: [("next", "it was skipped"), ("disable", "it was cut off")])
  func cutAnnouncement(_ verb: String, _ words: String) async throws {
    try await with { stage, _, daemon in
      let running = try stage.start(["announce", "lunch.m3u", "-d", "lobby"])
      try await stage.awaitPlay { $0["kind"]?.string == "announcement" }
      if verb == "next" {
        expectSilence(try await stage.castq("next", "-d", "lobby"))
      } else {
        let rule = try await stage.json("schedule", "ls")["rules"]?.elements.first?["rule"]?.string
        expectSilence(try await stage.castq("schedule", "disable", try #require(rule)))
      }
      expectOneLine(await running.ended(), exit: 1, saying: "not shown on lobby: \(words), after ")
      try await stage.awaitPlay { $0["kind"]?.string == "base" && $0["play"]?.int == 3 }
      let plays = try await stage.history().filter { $0["kind"]?.string == "announcement" }
      #expect(plays.map { $0["outcome"]?.string } == [verb == "next" ? "skipped" : "interrupted"])
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("the advice of a screen that an announcement has can be pasted into a shell")
  func pastedAdvice() async throws {
    try await with { stage, _, daemon in
      let running = try stage.start(["announce", "lunch.m3u", "-d", "lobby"])
      try await stage.awaitPlay { $0["kind"]?.string == "announcement" }
      let refused = try await stage.castq("cast", "call.wav")
      #expect(refused.exit == 75, "\(refused.stderr)")
      let advice = try #require(
        refused.stderr.firstMatch(of: /'(castq schedule disable [^']+)'/).map { String($0.output.1) },
        "\(refused.stderr)")
      expectSilence(try await stage.shell(advice).ended())
      #expect(await running.ended().exit == 1)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement that another one interrupts goes on at its second, and both are shown to their ends")
  func interruptedAnnouncement() async throws {
    try await with { stage, receiver, daemon in
      // Long enough for another command to come while it plays.
      try stage.tone("long.wav", seconds: 40)
      let seen = receiver.log.lines.count
      let long = try stage.start(["announce", "long.wav", "-d", "lobby", "--json"])
      #expect(
        await receiver.log.index(from: seen) { $0.contains(#""title":"long""#) && $0.contains("PLAYING") }
          != nil)
      try await stage.awaitPlay { $0["title"]?.string == "long" }
      #expect(try await stage.castq("announce", "call.wav", "-d", "lobby", "--json").exit == 0)
      #expect(await long.ended().exit == 0)
      let shown = try Document(long.stdout.text)["announced"]?.elements.first
      #expect(shown?["shown"] == .bool(true))
      #expect(shown?["played_s"]?.number.map { $0 > 37 } == true, "\(long.stdout.text)")
      let plays = try await stage.history().filter { $0["kind"]?.string == "announcement" }
      #expect(plays.map { $0["title"]?.string } == ["long", "call", "long"], "\(plays)")
      #expect(plays.map { $0["outcome"]?.string } == ["interrupted", "finished", "finished"])
      #expect(
        plays.map { $0["schedule"]?.string } == [
          "Announcement: long", "Announcement: call", "Announcement: long",
        ])
      daemon.signal(SIGTERM)
      #expect(await daemon.stderr.line(containing: "castq.outcome=\"the daemon ends, and leaves") != nil)
      _ = await daemon.ended()
    }
  }

  @Test("an announcement of the programme that a rule has on the air is shown once, and the rule goes on")
  func announcedProgramme() async throws {
    try await with { stage, _, daemon in
      try stage.tone("news.wav", seconds: 2)
      try await lead(to: "castq.programme=news", daemon) {
        try await stage.castq("programme", "add", "news", "news.wav")
        try await stage.castq("schedule", "add", "always", "--play", "news", "-d", "lobby", "--always")
      }
      let shown = try await stage.castq("announce", "news", "-d", "lobby", "--json")
      #expect(shown.exit == 0, "\(shown.stderr)")
      try await stage.awaitStatus { $0["rule"]?.string == "always" }
      let plays = try await stage.history().filter { $0["kind"]?.string == "announcement" }
      #expect(plays.map { $0["outcome"]?.string } == ["finished"])
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }
}
