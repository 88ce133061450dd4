import Foundation
import Testing

@Suite("The queue from outside", .timeLimit(.minutes(20)))
struct QueueTests {
  static let entryKeys: Set = [
    "entry", "position", "state", "title", "url", "content_type", "stream_type", "duration_s", "attempts",
    "not_before", "not_after", "source", "line", "failure",
  ]

  /// A world with one device that is never called.
  static func with(_ body: (Stage) async throws -> Void) async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:8009")
      try await body(stage)
    }
  }

  /// Enqueues addresses named after letters, without a word.
  static func enqueue(_ letters: String, _ stage: Stage, _ options: String...) async throws {
    let sources = letters.map { "http://media.example/\($0).mp4" }
    expectSilence(try await stage.castq(["enqueue"] + options + sources))
  }

  /// The letters in their order.
  static func letters(_ stage: Stage) async throws -> String {
    let entries = try await stage.queue()["entries"]?.elements ?? []
    #expect(
      entries.map { $0["position"]?.int } == Array(1...max(entries.count, 1)).prefix(entries.count).map { $0 }
    )
    return entries.compactMap { $0["title"]?.string?.first.map(String.init) }.joined()
  }

  @Test("what was added and what is queued have every key of the contract, null where unknown")
  func documents() async throws {
    try await Self.with { stage in
      try stage.tone("welcome.wav", seconds: 12)
      try stage.file(
        "lobby.m3u", "#EXTM3U\n#EXTINF:12,Welcome\nwelcome.wav\nhttp://media.example/more.mp4\npromo.mpv\n")
      let ending = try await stage.castq("enqueue", "lobby.m3u", "--json")
      #expect(ending.exit == 65)
      let added = try Document(ending.stdout)
      #expect(added["device"] == .string("lobby"))
      let first = try #require(added["added"]?.elements.first)
      #expect(first.keys.isSuperset(of: ["entry", "position", "title", "url", "source", "line"]))
      #expect(first["title"] == .string("Welcome"))
      #expect(first["position"] == .number(1))
      #expect(first["source"] == .string("lobby.m3u"), "as it was typed")
      let kept = try await stage.queue()["entries"]?.elements.first?["source"]?.string
      #expect(kept?.hasPrefix("/") == true && kept?.hasSuffix("/lobby.m3u") == true)
      #expect(first["line"] == .number(3))
      let skipped = try #require(added["skipped"]?.elements.first)
      #expect(skipped.keys.isSuperset(of: ["source", "line", "column", "message"]))
      #expect(skipped["line"] == .number(5))
      #expect(skipped["message"]?.string?.contains("promo.mpv") == true)

      let queue = try await stage.queue()
      #expect(queue["device"] == .string("lobby"))
      #expect(queue["repeat"] == .string("off"))
      #expect(queue["shuffle"] == .bool(false))
      let entries = try #require(queue["entries"]?.elements)
      #expect(entries.count == 2)
      #expect(entries.allSatisfy { Self.entryKeys.subtracting($0.keys).isEmpty }, "\(entries)")
      #expect(entries[0]["state"] == .string("pending"))
      #expect(entries[0]["duration_s"] == .number(12))
      #expect(entries[0]["attempts"] == .number(0))
      #expect(entries[0]["stream_type"] == .string("buffered"))
      #expect(entries[0]["not_before"] == .null)
      #expect(entries[1]["duration_s"] == .null)
      #expect(entries[1]["content_type"] == .string("video/mp4"))
      let lines = try await stage.castq("queue", "--jsonl").outLines.map { try Document($0) }
      #expect(lines == entries)
    }
  }

  @Test("next, a position and the end are where they say")
  func placement() async throws {
    try await Self.with { stage in
      try await Self.enqueue("abc", stage)
      try await Self.enqueue("x", stage, "--at", "2")
      #expect(try await Self.letters(stage) == "axbc")
      try await Self.enqueue("nm", stage, "--next")
      #expect(try await Self.letters(stage) == "nmaxbc", "nothing plays: the front is next")
      try await Self.enqueue("z", stage, "--at", "99")
      #expect(try await Self.letters(stage) == "nmaxbcz")
    }
  }

  @Test("entries keep their numbers while they are moved and removed")
  func editing() async throws {
    try await Self.with { stage in
      try await Self.enqueue("abcd", stage)
      let numbers = try await stage.queue()["entries"]?.elements.compactMap { $0["entry"]?.int } ?? []
      let entry = { (index: Int) in "\(numbers[index])" }
      expectSilence(try await stage.castq("move", entry(3), "1"))
      #expect(try await Self.letters(stage) == "dabc")
      expectSilence(try await stage.castq("mv", entry(3), "99"))
      #expect(try await Self.letters(stage) == "abcd")
      expectSilence(try await stage.castq("remove", entry(0), entry(2)))
      #expect(try await Self.letters(stage) == "bd")
      expectOneLine(try await stage.castq("rm", entry(0)), exit: 65, saying: entry(0))
      expectOneLine(try await stage.castq("rm", entry(0), entry(0)), exit: 65, saying: entry(0))
      expectOneLine(try await stage.castq("rm", entry(1), "9999"), exit: 65, saying: "9999")
      #expect(try await Self.letters(stage) == "bd", "all of a command or nothing")
      expectSilence(try await stage.castq("clear"))
      #expect(try await Self.letters(stage) == "")
      let cleared = try await stage.castq("queue")
      #expect(cleared.stdout.isEmpty && cleared.exit == 1)
      try await Self.enqueue("e", stage)
      let newer = try await stage.queue()["entries"]?.elements.first?["entry"]?.int
      #expect(newer.map { $0 > (numbers.max() ?? 0) } == true, "numbers are never used twice")
    }
  }

  @Test("an argument is an entry or a position, and a number that only a position has names both")
  func positions() async throws {
    try await Self.with { stage in
      try await Self.enqueue("xab", stage)
      expectSilence(try await stage.castq("remove", "p1"))
      expectOneLine(try await stage.castq("play", "1"), exit: 65, saying: "position 1 is entry 2")
      expectSilence(try await stage.castq("move", "e3", "p1"))
      #expect(try await Self.letters(stage) == "ba")
    }
  }

  @Test("repeat and shuffle are shown as they were set")
  func modes() async throws {
    try await Self.with { stage in
      for mode in ["all", "one", "off"] {
        expectSilence(try await stage.castq("repeat", mode))
        #expect(try await stage.queue()["repeat"] == .string(mode))
        #expect(try await stage.castq("repeat").stdout == "\(mode)\n")
        #expect(try await stage.json("repeat")["repeat"] == .string(mode))
      }
      expectSilence(try await stage.castq("shuffle"))
      #expect(try await stage.queue()["shuffle"] == .bool(true))
      expectSilence(try await stage.castq("shuffle", "off"))
      #expect(try await stage.queue()["shuffle"] == .bool(false))
    }
  }

  @Test("a queue shows its windows, how long each entry and the whole plays, and how it goes on")
  func wholeQueue() async throws {
    try await Self.with { stage in
      try stage.file("menu.jpg", "a picture")
      try stage.file(
        "list.yaml",
        """
        castq: 1
        repeat: all
        entries:
          - {file: menu.jpg, duration: 20}
          - menu.jpg
          - {file: "http://media.example/a.mp4", duration: 90, start: 30}
          - {file: "http://media.example/b.mp4", not_before: 2020-01-02T03:04:00Z, not_after: 2030-01-01T00:00:00Z}
        """)
      expectSilence(try await stage.castq("import", "list.yaml"))
      let lines = try await stage.castq("queue", variables: ["TZ": "UTC"]).outLines
      #expect(lines.count == 7)
      for (index, words) in ["LENGTH  WINDOW", "0:20", "0:10", "1:00", "2020-01-02 03:04–2030-01-01 00:00"]
        .enumerated()
      {
        #expect(lines[index].contains(words), "\(lines[index])")
      }
      #expect(lines[5] == "4 entries, 1:30 and 1 of unknown length; repeat all")
      #expect(lines[6] == "times in UTC")
      let lengths = try await stage.queue()["entries"]?.elements.map { $0["duration_s"]?.number }
      #expect(lengths?.prefix(2) == [20, 10], "pictures are shown for so long: \(lengths ?? [])")
      expectSilence(try await stage.castq("shuffle"))
      #expect(try await stage.castq("queue").stdout.contains("; repeat all, shuffled\n"))
    }
  }

  @Test("the same commands have the names people try first")
  func synonyms() async throws {
    try await Self.with { stage in
      expectSilence(try await stage.castq("add", "http://media.example/a.mp4"))
      let list = try await stage.castq("list")
      #expect(list.stdout == (try await stage.castq("queue").stdout))
      #expect(list.outLines.count == 3)
      #expect(list.stdout.contains(" a\n"))
    }
  }

  @Test("a playlist on standard input is read", arguments: [[], ["--format", "m3u"]])
  func standardInput(options: [String]) async throws {
    try await Self.with { stage in
      expectSilence(
        try await stage.castq(
          ["enqueue", "-"] + options, input: "#EXTM3U\n#EXTINF:3,Piped\nhttp://media.example/p.mp4\n"))
      #expect(try await stage.queue()["entries"]?.elements.map { $0["title"]?.string } == ["Piped"])
    }
  }

  @Test("an unknown address has no queue until something is enqueued there")
  func address() async throws {
    try await Self.with { stage in
      for words in [
        ["queue"], ["export"], ["repeat"], ["repeat", "all"], ["shuffle"], ["clear"], ["remove", "1"],
        ["move", "1", "2"],
      ] {
        let ending = try await stage.castq(words + ["-d", "127.0.0.1:9"])
        expectOneLine(ending, exit: 68, saying: "no device 127.0.0.1:9 is known; known are: lobby")
      }
      try await Self.enqueue("a", stage, "-d", "127.0.0.1:9")
      expectSilence(try await stage.castq("repeat", "all", "-d", "127.0.0.1:9"))
      #expect(try await stage.json("queue", "-d", "127.0.0.1:9")["repeat"] == .string("all"))
    }
  }

  @Test("many at once lose nothing, also when they all make the database", arguments: [false, true])
  func parallel(isThere: Bool) async throws {
    try await Stage.with { stage in
      if isThere { try await stage.castq("device", "add", "lobby", "127.0.0.1:8009") }
      let programs = try (1...10).map { number in
        try stage.start([
          "enqueue", "-d", "127.0.0.1:8009", "http://media.example/\(number)a.mp4",
          "http://media.example/\(number)b.mp4",
        ])
      }
      for program in programs { expectSilence(await program.ended()) }
      let queue = try await stage.json("queue", "-d", "127.0.0.1:8009")
      let titles = queue["entries"]?.elements.compactMap { $0["title"]?.string } ?? []
      #expect(Set(titles) == Set((1...10).flatMap { ["\($0)a", "\($0)b"] }))
      #expect(titles.count == 20)
      for number in 1...10 {
        let first = try #require(titles.firstIndex(of: "\(number)a"))
        #expect(titles[first + 1] == "\(number)b", "one command, one transaction")
      }
    }
  }
}
