import Foundation
import Testing

@Suite("Following a playlist", .timeLimit(.minutes(20)))
struct FollowTests {
  /// A list that is followed while its first entry plays.
  private final class Followed {
    let stage: Stage
    let receiver: Receiver
    let run: RunningProgram
    private var reading = 0

    init(_ stage: Stage, _ list: String) async throws {
      self.stage = stage
      receiver = try await Receiver(stage, speed: 1)
      run = try stage.start(["-v", "run", "--watch", "-d", receiver.address, list])
      try #require(await run.stderr.line(containing: "play started") != nil, "\(run.stderr.text)")
    }

    /// Waits until the list has been read again.
    func readAgain() async throws {
      let found = try #require(
        await run.stderr.index(from: reading) { $0.contains("playlist read again") }, "\(run.stderr.text)")
      reading = found + 1
    }

    func titles() async throws -> [String] {
      try await stage.queue()["entries"]?.elements.compactMap { $0["title"]?.string } ?? []
    }

    /// Lines that castq said with these words.
    func said(_ words: String) -> Int { run.stderr.lines.count { $0.contains(words) } }

    /// Waits until this has been said.
    func hears(_ words: String) async throws {
      try #require(await run.stderr.line(containing: words) != nil, "\(words) in \(run.stderr.text)")
    }

    /// Waits for the entries that an edit brought, on the receiver and in the queue.
    func takes(_ expected: [String]) async throws {
      try await readAgain()
      try #require(await run.stderr.index(from: reading) { $0.contains("playlist taken") } != nil)
      #expect(try await titles() == expected, "\(run.stderr.lines.filter { !$0.contains("Session") })")
    }

    /// The first entry has played on all the while.
    func end() async throws {
      #expect(receiver.requests.count { $0 == "QUEUE_LOAD" } == 1)
      run.signal(SIGTERM)
      _ = await run.ended()
      #expect(try await stage.history().count == 1)
    }
  }

  private static func text(_ titles: [String]) -> String {
    "#EXTM3U\n" + titles.map { "#EXTINF:-1,\($0)\n\($0).wav\n" }.joined()
  }

  private static func with(
    _ titles: [String] = ["a", "b", "c"], _ body: (Stage, Followed) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      for title in ["a", "b", "c", "d"] { try stage.tone("\(title).wav", seconds: 600) }
      let followed = try await Followed(stage, stage.file("list.m3u", text(titles)))
      try await body(stage, followed)
      try await followed.end()
    }
  }

  enum Edit: CaseIterable {
    case inPlace
    case byRenaming
  }

  @Test("an edit is taken while what plays goes on, however it is saved", arguments: Edit.allCases)
  func edits(_ edit: Edit) async throws {
    try await Self.with { stage, followed in
      for titles in [["a", "b", "d", "c"], ["a", "d"]] {
        switch edit {
        case .inPlace: try stage.file("list.m3u", Self.text(titles))
        case .byRenaming:
          let new = try stage.file("list.m3u.new", Self.text(titles))
          #expect(rename(new, "\(stage.folder)/list.m3u") == 0)
        }
        try await followed.takes(titles)
      }
      #expect(followed.said("plays on") == 0)
    }
  }

  @Test("the good lines of an edit are taken, and each bad one is named once")
  func badLine() async throws {
    try await Self.with { stage, followed in
      try stage.file("list.m3u", Self.text(["a", "nowhere", "d"]))
      try await followed.takes(["a", "d"])
      try stage.file("list.m3u", Self.text(["a", "b", "nowhere", "d"]))
      try await followed.takes(["a", "b", "d"])
      #expect(followed.said("no such file: nowhere.wav") == 1)
      // The file comes later: the list is read again by itself.
      try stage.tone("nowhere.wav", seconds: 600)
      try await followed.takes(["a", "b", "nowhere", "d"])
      #expect(followed.said("not taken up") == 0)
    }
  }

  @Test(
    "a file that is empty or gone for a moment changes nothing, and that is said once with its name",
    arguments: ["empty", "gone"])
  func damage(kind: String) async throws {
    try await Self.with { stage, followed in
      let path = "\(stage.folder)/list.m3u"
      if kind == "gone" { #expect(unlink(path) == 0) } else { try stage.file("list.m3u", "#EXTM3U\n") }
      try await followed.readAgain()
      if kind != "gone" {
        // Saved again as it is: nothing new is to be said.
        try stage.file("list.m3u", "#EXTM3U\n")
        try await followed.readAgain()
      }
      #expect(try await followed.titles() == ["a", "b", "c"])
      try stage.file("list.m3u", Self.text(["a", "d"]))
      try await followed.takes(["a", "d"])
      #expect(followed.said("list.m3u: not taken up") == 1)
      #expect(followed.said("list.m3u: taken up again") == 1)
      #expect(followed.said(kind == "gone" ? "no such file" : "it is empty") == 1)
    }
  }

  @Test("a file that is written slowly is taken when it is whole")
  func slow() async throws {
    try await Self.with { stage, followed in
      let whole = Self.text(["a", "b", "d", "c"])
      let descriptor = open("\(stage.folder)/list.m3u", O_WRONLY | O_TRUNC | O_CLOEXEC)
      #expect(descriptor >= 0)
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: Data(Self.text(["a"]).utf8))
      // The second look finds nothing new in it, and that somebody still writes.
      var from = 0
      for _ in 0..<3 {
        from =
          1
          + (try #require(
            await followed.run.stderr.index(from: from) { $0.contains("playlist is being written") }))
      }
      #expect(followed.said("playlist read again") == 0)
      #expect(try await followed.titles() == ["a", "b", "c"])
      try file.write(contentsOf: Data(whole.utf8.dropFirst(Self.text(["a"]).utf8.count)))
      try file.close()
      try await followed.takes(["a", "b", "d", "c"])
      #expect(followed.said("plays on") == 0)
    }
  }

  @Test("lists that the list names are followed, too, and what others put into the queue stays")
  func nested() async throws {
    try await Stage.with { stage in
      for title in ["a", "b", "c", "d"] { try stage.tone("\(title).wav", seconds: 600) }
      try stage.file("inner.m3u", Self.text(["b"]))
      try stage.file("spare.m3u", Self.text(["c"]))
      let list = try stage.file(
        "list.m3u", "#CASTQ-QUEUE: fallback=spare.m3u\n" + Self.text(["a"]) + "inner.m3u\n")
      let followed = try await Followed(stage, list)
      expectSilence(
        try await stage.castq("enqueue", "-d", followed.receiver.address, "\(stage.folder)/d.wav"))
      try stage.file("inner.m3u", Self.text(["b", "c"]))
      try await followed.takes(["a", "b", "d", "c"])
      try stage.file("spare.m3u", Self.text(["d"]))
      try await followed.takes(["a", "b", "d", "c"])
      let spare = try await stage.castq("export", "--format", "yaml").stdout
      #expect(spare.contains("fallback:") && spare.contains("d.wav"))
      #expect(try await followed.titles() == ["a", "b", "d", "c"])
      try await followed.end()
    }
  }
}
