import Foundation
import Testing

/// Lists that end, and rules that go, on a screen that has rules.
extension ScheduledPlayTests {
  /// A moment that is hours away, as rules name it: not within what is read ahead of a day.
  private static let far = "2099-01-01 12:00"

  @Test("run ends with its list on a device that has a rule for another time, and tells of what failed")
  func runEnds() async throws {
    try await with { stage, _, daemon in
      try await stage.castq(
        "schedule", "add", "far", "--play", "lunch.wav", "-d", "lobby", "--once", Self.far)
      let run = try Document(try await stage.castq("run", "call.wav", "--json").stdout)
      #expect(run["ended"] == .string("drained") && run["finished"]?.int == 1, "\(run)")
      try stage.file("gone.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n")
      expectOneLine(
        try await stage.castq("run", "gone.m3u"), exit: 76, saying: "1 entry could not be played: Gone")
      expectSilence(try await stage.castq("cast", "--wait", "call.wav"))
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("what a removed rule has on the screen ends as reported, and the feeding goes on")
  func removedOnAir() async throws {
    try await with { stage, receiver, daemon in
      let seen = receiver.log.lines.count
      try await lead(to: "castq.reason=\"day:", daemon) {
        try await stage.castq("schedule", "add", "day", "--play", "lunch.wav", "-d", "lobby", "--always")
      }
      // What was decided and never shown has no play.
      let isShown = await receiver.log.index(from: seen) {
        $0.contains(#""dir":"out""#) && $0.contains(#""playerState":"PLAYING""#) && $0.contains("lunch")
      }
      #expect(isShown != nil)
      try await stage.awaitPlay { $0["title"]?.string == "lunch" }
      try await lead(to: "castq.programme=base", daemon) { try await stage.castq("schedule", "rm", "day") }
      try await stage.awaitPlay { $0["title"]?.string == "lunch" && $0["outcome"] != .null }
      #expect(!daemon.stderr.text.contains("feeding ended"), "\(daemon.stderr.text)")
      let plays = try await stage.history()
      let lunch = plays.first { $0["title"]?.string == "lunch" }
      #expect(
        lunch?["outcome"]?.string == "interrupted" && lunch?["evidence"]?.string == "reported", "\(plays)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("a play whose device is removed has an end")
  func removedDevice() async throws {
    try await with { stage, _, daemon in
      try await lead(to: "feeding ended", daemon) { try await stage.castq("device", "rm", "lobby") }
      #expect(
        daemon.stderr.text.contains("the list was removed: its device with it"), "\(daemon.stderr.text)")
      let play = try #require(try await stage.history().first)
      #expect(play["outcome"]?.string == "interrupted" && play["evidence"]?.string == "unobserved", "\(play)")
      #expect(
        play["ended_at"]?.string != nil && play["reason"]?.string?.contains("removed") == true, "\(play)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("what is started in quiet hours plays when they end", arguments: ["play", "enqueue"])
  func startedInQuietHours(_ verb: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("base.wav", seconds: 600)
      try await stage.castq("enqueue", "base.wav")
      try await stage.castq("stop")
      let file = try stage.file("config.yaml", "defaults: {quiet_hours: [\"00:00-24:00\"]}\n")
      let daemon = try stage.start(["daemon", "--config", file])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      let arguments = verb == "play" ? ["play"] : ["enqueue", "--play", "base.wav"]
      expectOneLine(try await stage.castq(arguments), exit: 75, saying: "quiet hours")
      #expect(!receiver.requests.contains("LAUNCH"))
      try stage.file("config.yaml", "defaults: {}\n")
      daemon.signal(SIGHUP)
      #expect(await receiver.playing() != nil, "\(daemon.stderr.text)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }
  @Test("a daemon that starts in quiet hours ends what is left: screen, status and history agree")
  func restartedInQuietHours() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("base.wav", seconds: 600)
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      try await stage.castq("cast", "base.wav")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      let file = try stage.file("config.yaml", "defaults: {quiet_hours: {times: [\"00:00-24:00\"]}}\n")
      let next = try stage.start(["daemon", "--config", file])
      #expect(await next.stderr.line(containing: "ending what was left on the screen") != nil)
      // The media, then its application.
      let media = try #require(await receiver.request("STOP"))
      #expect(await receiver.request("STOP", from: media + 1) != nil)
      let status = try await stage.json("status", "-d", "lobby")
      #expect(status["waiting_for"]?.string == "quiet_hours" && status["title"]?.string == nil, "\(status)")
      #expect(status["application"]?["id"]?.string == nil, "\(status)")
      let plays = try await stage.history()
      #expect(plays.count == 1 && plays[0]["outcome"]?.string == "interrupted", "\(plays)")
      #expect(plays[0]["evidence"]?.string != "unobserved", "\(plays)")
      next.signal(SIGTERM)
      _ = await next.ended()
    }
  }
}
