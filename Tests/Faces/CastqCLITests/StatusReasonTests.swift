import Foundation
import Testing

/// Why a screen is dark, and whose it is, as every face has it.
@Suite("What the status gives as the reason", .timeLimit(.minutes(20)))
struct StatusReasonTests {
  private func daemon(_ stage: Stage, _ options: String...) async throws -> RunningProgram {
    let daemon = try stage.start(["daemon"] + options)
    #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
    return daemon
  }

  @Test("a guest who has left is gone, and 'castq play' takes the screen from one who plays")
  func guestGone() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let rules = try stage.file("rules.yaml", "devices: {lobby: {guests: lease 10m}}\n")
      let daemon = try await daemon(stage, "--config", rules)
      try stage.tone("ours.wav", seconds: 600)
      try stage.tone("theirs.wav", seconds: 600)
      expectSilence(try await stage.castq("cast", "ours.wav"))
      let theirs = ["--db", "\(stage.folder)/other.db", "-d", receiver.address]
      expectSilence(try await stage.castq(theirs + ["cast", "theirs.wav"]))
      #expect(await daemon.stderr.line(containing: "yielding to a guest") != nil)
      try await stage.awaitStatus { $0["reason"]?.string == "guest" }
      expectSilence(try await stage.castq(theirs + ["stop", "--quit"]))
      let gone = try await stage.json("status")
      #expect(gone["reason"]?.string == "guest_gone" && gone["waiting_for"]?.string == "guest", "\(gone)")
      #expect(gone["why"]?.string?.hasPrefix("the guest has left, and castq waits until ") == true)
      #expect(try await stage.castq("status").stdout.contains("; 'castq play' plays at once"))
      expectSilence(try await stage.castq(theirs + ["cast", "theirs.wav"]))
      try await stage.awaitStatus { $0["reason"]?.string == "guest" }
      expectSilence(try await stage.castq("play"))
      try await stage.awaitStatus { $0["url"]?.string?.hasSuffix("/ours.wav") == true }
    }
  }

  @Test("while a device starts the application, its status says so")
  func launching() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1, "--launch-delay", "2s")
      try stage.add(device: "lobby", at: receiver.address)
      _ = try await daemon(stage)
      try stage.tone("long.wav", seconds: 600)
      let news = try stage.start(["status", "--follow", "--jsonl"])
      #expect(await news.stdout.line(containing: #""reason":"nothing_due""#) != nil)
      expectSilence(try await stage.castq("cast", "long.wav"))
      let line = try #require(await news.stdout.line(containing: #""reason":"launching""#))
      let status = try Document(line)
      #expect(status["why"]?.string == "the device starts the application" && status["waiting_for"] == .null)
      #expect(await news.stdout.line(containing: #""player_state":"PLAYING""#) != nil)
      news.signal(SIGTERM)
      _ = await news.ended()
    }
  }
}
