import Foundation
import Testing

/// Rules of which nothing can be played.
extension ScheduledPlayTests {
  /// A list whose only file is gone.
  private func lost(_ stage: Stage) throws {
    try stage.file("lost.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n")
  }

  @Test("a rule of which nothing can be played is named as passed over, and what lies below it as on the air")
  func passedOver() async throws {
    try await with { stage, _, daemon in
      try lost(stage)
      // A queue that does not repeat ends in a plan.
      try await stage.castq("repeat", "all", "-d", "lobby")
      try await lead(to: "lost failed: ", daemon) {
        expectSilence(try await stage.castq("programme", "add", "lost", "lost.m3u"))
        expectSilence(
          try await stage.castq("schedule", "add", "lost", "--play", "lost", "-d", "lobby", "--always"))
      }
      let why = try await stage.castq("why", "-d", "lobby")
      #expect(why.outLines.first?.hasPrefix("base  won: ") == true, "\(why.stdout)")
      #expect(why.outLines.contains { $0.hasPrefix("lost  broken: ") }, "\(why.stdout)")
      let document = try await stage.json("why", "-d", "lobby")
      #expect(document["winner"]?["kind"] == .string("base"), "\(document)")
      #expect(document["candidates"]?.elements.map { $0["outcome"]?.string } == ["broken"])

      let plan = try await stage.json("plan", "-d", "lobby")
      #expect(plan["segments"]?.elements.map { $0["kind"]?.string } == ["base"], "\(plan)")
      let issue = plan["issues"]?.elements.first
      #expect(issue?["kind"]?.string == "broken" && issue?["rules"]?.elements == [.string("lost")])
      let checked = try await stage.castq("plan", "-d", "lobby", "--check")
      #expect(checked.exit == 0 && checked.stdout.contains("lost is passed over: "), "\(checked.stdout)")

      // What somebody has changed since is tried again.
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      #expect(try await stage.castq("why", "-d", "lobby").stdout.contains("lost  broken: "))
      expectSilence(
        try await stage.castq(
          "schedule", "add", "lost", "--replace", "--priority", "1", "--play", "lost", "-d", "lobby",
          "--always"))
      #expect(try await stage.castq("why", "-d", "lobby").stdout.hasPrefix("lost  won: "))
    }
  }

  @Test("a share of which nothing can be played is named as passed over, by why and by a check of the plan")
  func emptyShare() async throws {
    try await with { stage, _, daemon in
      try await stage.castq("repeat", "all", "-d", "lobby")
      try stage.file("gone.m3u", "call.wav\n")
      try await stage.castq("programme", "add", "gone", "gone.m3u")
      try stage.file("gone.m3u", "#EXTM3U\n")
      try await lead(to: "list is not taken up", daemon) {
        expectSilence(
          try await stage.castq("share", "add", "promo", "gone", "-d", "lobby", "--per-hour", "20%"))
      }
      try await stage.castq("volume", "30")
      let why = try await stage.castq("why")
      #expect(why.outLines.contains { $0.hasPrefix("promo  broken: ") }, "\(why.stdout)")
      let checked = try await stage.castq("plan", "-d", "lobby", "--check")
      #expect(checked.exit == 0 && checked.stdout.contains("promo is passed over: "), "\(checked.stdout)")
      #expect(try await stage.castq("plan", "-d", "lobby").stdout.contains("of each hour") == false)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("where nothing lies below a rule of which nothing can be played, a check says that nothing plays")
  func passedOverInTheDark() async throws {
    try await with { stage, _, daemon in
      try lost(stage)
      try await stage.castq("clear", "-d", "lobby")
      try await stage.castq("next", "-d", "lobby")
      try await lead(to: "lost failed: ", daemon) {
        try await stage.castq("programme", "add", "lost", "lost.m3u")
        try await stage.castq("schedule", "add", "lost", "--play", "lost", "-d", "lobby", "--always")
      }
      let checked = try await stage.castq("plan", "-d", "lobby", "--check")
      #expect(checked.exit == 1 && checked.stdout.contains("lost is passed over: "), "\(checked.stdout)")
      #expect(checked.stdout.contains(": nothing plays"), "\(checked.stdout)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }
}
