import Foundation
import Testing

/// Bad input of each exit code: its words, its code, and what is queued in spite of it, exactly once. `BadSourceTests` has the whole table.
@Suite("Bad input", .timeLimit(.minutes(20)))
struct BadInputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// What is wrong.
    let testDescription: String
    /// Files of the working folder by name; `WEB` in a text is the address of the web server.
    var files: [String: String] = [:]
    /// Files of the web server by name.
    var web: [String: String] = [:]
    let source: String
    let exit: Int32
    /// What messages say, each in one of them.
    let words: [String]
    /// Names of the entries that are queued.
    var queued: [String] = []
    /// More preparation, as a script of the shell.
    var script: String?
  }

  private static let good = "http://127.0.0.1:1/good.mp4"

  static let table = [
    Case(
      testDescription: "a file that is missing", source: "gone.m3u", exit: 66,
      words: ["no such file: gone.m3u"]),
    Case(
      testDescription: "an empty word, as a variable that is not set", files: ["a.m3u": good], source: "",
      exit: 64,
      words: ["a source is empty"]),
    Case(
      testDescription: "a file that may not be read", files: ["shut.m3u": good], source: "shut.m3u", exit: 74,
      words: ["shut.m3u:1:1: cannot read shut.m3u: Permission denied"], script: "chmod 0 shut.m3u"),
    Case(
      testDescription: "lists that name each other",
      files: ["a.m3u": "\(good)\nb.m3u\nWEB/two.mp4\n", "b.m3u": "a.m3u\n"],
      source: "a.m3u", exit: 65, words: ["b.m3u:1:1: the playlist includes itself: a.m3u → b.m3u → a.m3u"],
      queued: ["good.mp4", "two.mp4"]),
    Case(
      testDescription: "redirections without end", files: ["l.m3u": "WEB/loop/x.m3u\n\(good)\n"],
      source: "l.m3u",
      exit: 74, words: ["l.m3u:1:1: cannot fetch", "more than 5 redirections"], queued: ["good.mp4"]),
  ]

  @Test("is told with its place and its code, and the rest is queued exactly once", arguments: table)
  func bad(_ bad: Case) async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(
        stage, files: bad.web.merging(["two.mp4": "film"]) { first, _ in first })
      func placed(_ text: String) -> String { text.replacing("WEB", with: server.address) }
      for (name, text) in bad.files {
        let path = "\(stage.folder)/\(name)"
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try placed(text).write(toFile: path, atomically: false, encoding: .utf8)
      }
      if let script = bad.script { #expect(try await stage.shell(script).ended().exit == 0) }
      let source = placed(bad.source).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let ending = try await stage.castq(["enqueue"] + source)
      #expect(ending.exit == bad.exit, "\(ending.stderr)")
      for words in bad.words { #expect(ending.stderr.contains(words), "\(ending.stderr)") }
      #expect(isHarmless(ending.stderr))
      #expect(ending.errorLines.count <= 12, "\(ending.stderr)")
      let queue = try await stage.json("queue")["entries"]?.elements ?? []
      #expect(queue.map { $0["url"]?.string?.split(separator: "/").last.map(String.init) } == bad.queued)
      #expect(try await !stage.castq("export").stdout.contains("file:///etc"))
      // `check` finds the same, and says so by the same code.
      let check = try await stage.castq(["check"] + source)
      #expect(check.exit == bad.exit, "\(check.stdout)")
      // Each line of it has a place, and so has each message that the table has.
      for line in check.outLines { #expect(line.contains(#/:\d+:\d+: /#), "\(line)") }
      if bad.exit != 0, bad.exit != 64 { #expect(!check.outLines.isEmpty) }
    }
  }
}
