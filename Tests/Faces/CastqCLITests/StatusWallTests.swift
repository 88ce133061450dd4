import Foundation
import Testing

@Suite("All screens, kept up to date", .timeLimit(.minutes(20)))
struct StatusWallTests {
  private func with(_ body: (Stage) async throws -> Void) async throws {
    try await Stage.with { stage in
      let lobby = try await Receiver(stage, speed: 1)
      let bar = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: lobby.address)
      try stage.add(device: "bar", at: bar.address)
      try stage.add(device: "window", at: try QuietPort.closed())
      try stage.playlist(tones: 2, seconds: 300)
      try await body(stage)
      _ = (lobby, bar)
    }
  }

  @Test("without a terminal each change of a screen is a line, and what stays is said once")
  func lines() async throws {
    try await with { stage in
      let wall = try stage.start(["status", "--all", "--follow"])
      #expect(await wall.stdout.line(containing: "bar: nothing is playing") != nil)
      #expect(await wall.stdout.line(containing: "window: offline") != nil)
      #expect(await wall.stdout.line(containing: "lobby: nothing is playing") != nil)
      expectSilence(try await stage.castq("cast", "-d", "lobby", "list.m3u"))
      #expect(await wall.stdout.line(containing: "lobby: PLAYING  Tone 1") != nil)
      expectSilence(try await stage.castq("next", "-d", "lobby"))
      #expect(await wall.stdout.line(containing: "lobby: PLAYING  Tone 2") != nil)
      try stage.add(device: "attic", at: try QuietPort.closed())
      #expect(await wall.stdout.line(containing: "attic: offline") != nil)
      wall.signal(SIGTERM)
      let ending = await wall.ended()
      #expect(ending.exit == 143 && ending.stderr.isEmpty, "\(ending.stderr)")
      #expect(ending.outLines.count { $0.hasPrefix("bar: ") } == 1, "\(ending.stdout)")
      expectSilence(try await stage.castq("stop", "-d", "lobby"))
    }
  }

  @Test("documents name their screens, and --device chooses among them")
  func documents() async throws {
    try await with { stage in
      let wall = try stage.start(["status", "--all", "--follow", "--jsonl", "-d", "bar"])
      let line = try #require(await wall.stdout.line(containing: "\"device\""))
      #expect(try Document(line)["device"]?.string == "bar")
      wall.signal(SIGINT)
      let ending = await wall.ended()
      #expect(ending.exit == 130)
      #expect(try ending.outLines.allSatisfy { try Document($0)["device"]?.string == "bar" })
    }
  }

  @Test("on a terminal each screen has one line, which is redrawn in place")
  func wall() async throws {
    try await with { stage in
      let session = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("castq status --all --follow; echo left with $?\n"),
          .sees("bar: nothing is playing"), .sees("window: offline"),
          .runs("castq cast -d lobby '\(stage.folder)/list.m3u'"), .sees("lobby: PLAYING  Tone 1"),
          .runs("castq next -d lobby"), .sees("lobby: PLAYING  Tone 2"), .signals("INT"),
          .sees("left with 130"),
        ])
      let final = session.output.components(separatedBy: "\u{1B}[J").last ?? ""
      #expect(
        final.split(separator: "\r\n").prefix(3).map { $0.prefix(5) } == ["bar: ", "lobby", "windo"],
        "\(final)")
      expectSilence(try await stage.castq("stop", "-d", "lobby"))
    }
  }

  @Test("where no screen is known that is said, and nothing is waited for")
  func none() async throws {
    try await Stage.with { stage in
      expectOneLine(
        try await stage.castq("status", "--all", "--follow"), exit: 1, saying: "no device is known")
    }
  }
}
