import Foundation
import Testing

@Suite("Export and import", .timeLimit(.minutes(20)))
struct ExportTests {
  private static let playlists = Programs.clone.appending(path: "playlists")

  @Test("a queue comes back from what it was exported to, byte by byte", arguments: ["yaml", "json"])
  func lossless(format: String) async throws {
    try await QueueTests.with { stage in
      let list = Self.playlists.appending(path: "everything.yaml").path
      expectSilence(try await stage.castq("check", list))
      expectSilence(try await stage.castq("import", list))
      expectSilence(try await stage.castq("repeat", "all"))
      let first = try await stage.castq("export", "--format", format)
      #expect(first.exit == 0)
      #expect(first.stderr.isEmpty)
      #expect(first.stdout.contains("Everything"))
      try stage.file("queue.\(format)", first.stdout)
      expectSilence(try await stage.castq("repeat", "off"))
      expectSilence(try await stage.castq("import", "queue.\(format)"))
      #expect(try await stage.castq("export", "--format", format).stdout == first.stdout)
      let queue = try await stage.queue()
      #expect(queue["repeat"] == .string("all"))
      #expect(queue["entries"]?.elements[1]["not_before"] == .string("2026-01-01T00:00:00.000Z"))
      expectSilence(try await stage.castq("import", "-", "--strict", input: first.stdout))
    }
  }

  @Test("M3U loses what it cannot say, with words")
  func m3u() async throws {
    try await QueueTests.with { stage in
      expectSilence(
        try await stage.castq("import", Self.playlists.appending(path: "everything.yaml").path))
      let ending = try await stage.castq("export", "--format", "m3u")
      #expect(ending.exit == 0)
      #expect(ending.stdout.hasPrefix("#EXTM3U url-tvg=\"https://example.org/guide.xml\"\n"))
      #expect(
        ending.errorLines.contains { $0 == "castq: M3U does not hold breaks: entries 3, 4; YAML keeps it" },
        "\(ending.errorLines)")
      #expect(try await stage.castq("export", "--format", "m3u", "-q").stderr.isEmpty)
      try stage.file("queue.m3u", ending.stdout)
      #expect(try await stage.castq("check", "queue.m3u").exit == 0)
    }
  }

  @Test("an empty queue is an empty playlist, and a bad file replaces nothing")
  func empty() async throws {
    try await QueueTests.with { stage in
      let empty = try await stage.castq("export")
      #expect(empty.exit == 0)
      try await QueueTests.enqueue("ab", stage)
      try stage.file("bad.yaml", "- titel: x\n")
      #expect(try await stage.castq("import", "bad.yaml").exit == 65)
      try stage.file("half.yaml", "- http://media.example/c.mp4\n- titel: x\n")
      #expect(try await stage.castq("import", "--strict", "half.yaml").exit == 65)
      // What a full disk leaves of a list.
      try stage.file("cut.m3u", "")
      expectOneLine(try await stage.castq("import", "cut.m3u"), exit: 65)
      #expect(try await QueueTests.letters(stage) == "ab")
      #expect(try await stage.castq("import", "half.yaml").exit == 65)
      #expect(try await QueueTests.letters(stage) == "c")
      expectSilence(try await stage.castq("import", "-", input: empty.stdout))
      #expect(try await stage.castq("queue").exit == 1)
    }
  }

  @Test(
    "the playlists that show the format play on the simulator as they stand",
    arguments: ["everything", "minimal"])
  func plays(name: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 4)
      try stage.add(device: "lobby", at: receiver.address)
      expectSilence(try await stage.castq("run", Self.playlists.appending(path: "\(name).yaml").path))
      let plays = try await stage.history()
      #expect(!plays.isEmpty)
      #expect(plays.allSatisfy { $0["outcome"] == .string("finished") }, "\(plays)")
      guard name == "everything" else { return }
      #expect(plays.contains { $0["title"] == .string("Lunch menu") })
      for name in ["before", "between", "after"] {
        #expect(
          receiver.log.lines.contains {
            $0.contains(#""dir":"out""#) && $0.contains("\"breakId\":\"\(name)\"")
          })
      }
      // What is the user's own stands beside castq's mark in the data of an item.
      #expect(
        receiver.log.lines.contains { line in
          line.contains(#""dir":"in""#) && line.contains(#""wall":"north""#) && line.contains(#""castq":{"#)
        })
    }
  }
}
