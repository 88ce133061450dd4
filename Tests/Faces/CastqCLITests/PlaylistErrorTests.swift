import Foundation
import Testing

@Suite("Sources that are wrong", .timeLimit(.minutes(20)))
struct PlaylistErrorTests {
  static let list =
    "#EXTM3U\n#EXTINF:3,One\nhttp://media.example/one.mp4\n\nno-such-file.mp4\nhttp://media.example/two.mp4\n"

  @Test("a bad line is told with its place, and the good lines are taken")
  func badLine() async throws {
    try await QueueTests.with { stage in
      try stage.file("list.m3u", Self.list)
      let ending = try await stage.castq("enqueue", "list.m3u")
      #expect(ending.exit == 65)
      #expect(ending.stdout.isEmpty)
      #expect(ending.errorLines.count == 1)
      #expect(ending.stderr.hasPrefix("castq: list.m3u:5:1: "), "\(ending.stderr)")
      #expect(try await stage.queue()["entries"]?.elements.count == 2)
    }
  }

  @Test("--strict refuses all of it")
  func strict() async throws {
    try await QueueTests.with { stage in
      try stage.file("list.m3u", Self.list)
      let ending = try await stage.castq("enqueue", "--strict", "list.m3u")
      #expect(ending.exit == 65)
      #expect(ending.errorLines.last?.hasPrefix("castq: ") == true)
      #expect(try await stage.queue()["entries"]?.elements.isEmpty == true)
      let document = try await stage.castq("enqueue", "--strict", "--json", "list.m3u")
      #expect(document.exit == 65)
      #expect(try Document(document.stdout)["error"]?["exit"] == .number(65))
    }
  }

  @Test("a source that is not there is input missing", arguments: ["enqueue", "cast", "run", "check"])
  func missing(command: String) async throws {
    try await QueueTests.with { stage in
      let ending = try await stage.castq(command, "nothing-here.m3u")
      #expect(ending.exit == 66, "\(ending.stderr)")
      #expect(ending.stdout.contains("nothing-here.m3u") || ending.stderr.contains("nothing-here.m3u"))
      if command != "check" {
        #expect(ending.stdout.isEmpty)
        let document = try await stage.castq("--json", command, "nothing-here.m3u")
        #expect(document.exit == 66)
        let error = try Document(document.stdout)["error"]
        #expect(error?["code"] == .string("input_missing"))
        #expect(error?.keys.isSuperset(of: ["code", "message", "exit", "receiver"]) == true)
      }
    }
  }

  @Test(
    "a file in a folder that may not be entered cannot be reached, and --strict refuses one that may not be read",
    .enabled(if: geteuid() != 0))
  func unreachable() async throws {
    try await QueueTests.with { stage in
      try stage.file("shut.mp4", "film")
      let script = "cd '\(stage.folder)'; mkdir shut; touch shut/film.mp4; chmod 0 shut shut.mp4"
      #expect(try await stage.shell(script).ended().exit == 0)
      let checked = try await stage.castq("check", "shut/film.mp4")
      #expect(checked.exit == 66, "\(checked.stdout)")
      #expect(checked.stdout.contains("shut/film.mp4 cannot be reached: Permission denied"))
      for command in ["enqueue", "import"] {
        let refused = try await stage.castq(command, "--strict", "shut.mp4")
        #expect(refused.exit == 65, "\(refused.stderr)")
        #expect(refused.stderr.contains("shut.mp4: it cannot be read: Permission denied"))
      }
      #expect(try await stage.queue()["entries"]?.elements.isEmpty == true)
      #expect(try await stage.shell("chmod 700 '\(stage.folder)/shut'").ended().exit == 0)
    }
  }

  @Test("an empty playlist replaces nothing", arguments: ["run", "cast", "enqueue", "import"])
  func empty(command: String) async throws {
    try await QueueTests.with { stage in
      try await QueueTests.enqueue("ab", stage)
      try stage.file("empty.m3u", "#EXTM3U\n# nothing\n")
      expectOneLine(try await stage.castq(command, "empty.m3u"), exit: 65)
      #expect(try await QueueTests.letters(stage) == "ab")
    }
  }

  @Test("check is silent about a good list and names every place in a bad one")
  func check() async throws {
    try await Stage.with { stage in
      try stage.file("good.m3u", "#EXTM3U\n#EXTINF:3,One\nhttp://media.example/one.mp4\n")
      expectSilence(try await stage.castq("check", "good.m3u"))
      try stage.file("bad.m3u", Self.list + "also-gone.mp3\n")
      let ending = try await stage.castq("check", "bad.m3u")
      #expect(ending.exit == 65)
      #expect(ending.stderr.isEmpty)
      #expect(ending.outLines.count == 2)
      #expect(ending.outLines.allSatisfy { $0.wholeMatch(of: /bad\.m3u:\d+:\d+: .+/) != nil })
      let document = try await stage.json("check", "bad.m3u")
      #expect(document["issues"]?.elements.map { $0["line"]?.int } == [5, 7])
      #expect(
        document["issues"]?.elements.allSatisfy {
          $0.keys.isSuperset(of: ["source", "line", "column", "severity", "message"])
        } == true)
      let lines = try await stage.castq("check", "--jsonl", "bad.m3u").outLines.map { try Document($0) }
      #expect(lines == document["issues"]?.elements)
    }
  }

  @Test(
    "a list that is not UTF-8 names files as they are called, and check says of .m3u8 what it was read as")
  func characterSets() async throws {
    try await QueueTests.with { stage in
      try stage.tone("Песня.wav", seconds: 1)
      let title: [UInt8] = [
        0xCF, 0xE5, 0xF1, 0xED, 0xFF, 0x20, 0xEE, 0x20, 0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE5,
      ]
      let file: [UInt8] = [0xCF, 0xE5, 0xF1, 0xED, 0xFF, 0x2E, 0x77, 0x61, 0x76]
      let list = Data("#EXTM3U\n#EXTINF:1,".utf8) + title + Data("\n".utf8) + file + Data("\n".utf8)
      for name in ["list.m3u", "list.m3u8"] { try list.write(to: URL(filePath: "\(stage.folder)/\(name)")) }
      expectSilence(try await stage.castq("check", "list.m3u"))
      let ending = try await stage.castq("check", "list.m3u8")
      #expect(ending.exit == 0)
      #expect(
        ending.outLines == [
          "list.m3u8:1:1: warning: the list is not UTF-8; it was read as CP1251; save it as UTF-8"
        ])
      expectSilence(try await stage.castq("enqueue", "list.m3u"))
      #expect(
        try await stage.queue()["entries"]?.elements.map { $0["title"]?.string } == ["Песня о Москве"])
    }
  }
}
