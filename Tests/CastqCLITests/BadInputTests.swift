import Foundation
import Testing

/// The table of bad input: each line has its words, its exit code, and what is queued in spite of it, exactly once.
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
  private static let bomb =
    "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + zip("abcdefghi", "bcdefghij").map {
      "\($1): &\($1) [\(Array(repeating: "*\($0)", count: 9).joined(separator: ","))]\n"
    }.joined()

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
      testDescription: "a folder in which a link leads back to it",
      files: ["d/a.mp4": "", "d/list.m3u": "\(good)\n"],
      source: "--recursive d", exit: 0, words: [], queued: ["a.mp4", "good.mp4"], script: "ln -s ../d d/again"
    ),
    Case(
      testDescription: "two gigabytes in one line", source: "long.m3u", exit: 74,
      words: ["long.m3u:1:1: cannot read long.m3u: it is larger than 67108864 bytes"],
      script: "truncate -s 2G long.m3u"),
    Case(
      testDescription: "a line that is too long",
      files: ["wide.m3u": String(repeating: "x", count: 70_000) + "\n\(good)\n"],
      source: "wide.m3u", exit: 65, words: ["wide.m3u:1:1: "], queued: ["good.mp4"]),
    Case(
      testDescription: "junk named .m3u", source: "junk.m3u", exit: 65,
      words: ["junk.m3u:1:1: it is not a playlist: it holds bytes that no text has"],
      script: "head -c 100000 /dev/zero > junk.m3u"),
    Case(
      testDescription: "a web page that was saved as a list",
      files: ["page.m3u": "\u{FEFF}\n <!DOCTYPE html>\n<html><title>Log in</title></html>\n"],
      source: "page.m3u", exit: 65,
      words: ["page.m3u:1:1: it is a web page, not a playlist; look at it in a browser"]),
    Case(
      testDescription: "a letter that is called a list",
      files: ["letter.m3u": "Dear all,\nthe film is late.\n"],
      source: "letter.m3u", exit: 65,
      words: ["letter.m3u:1:1: no such file: Dear all,", "letter.m3u:2:1: no such file: the film is late."]),
    Case(
      testDescription: "aliases that multiply", files: ["bomb.yaml": bomb], source: "bomb.yaml", exit: 65,
      words: ["bomb.yaml:6:4: more than 4000000 values, aliases counted in full"]),
    Case(
      testDescription: "nesting without end", files: ["deep.json": String(repeating: "[", count: 100_000)],
      source: "deep.json", exit: 65, words: ["deep.json:1:41: nested more than 40 deep"]),
    Case(
      testDescription: "lists that name each other",
      files: ["a.m3u": "\(good)\nb.m3u\nWEB/two.mp4\n", "b.m3u": "a.m3u\n"],
      source: "a.m3u", exit: 65, words: ["b.m3u:1:1: the playlist includes itself: a.m3u → b.m3u → a.m3u"],
      queued: ["good.mp4", "two.mp4"]),
    Case(
      testDescription: "redirections without end", files: ["l.m3u": "WEB/loop/x.m3u\n\(good)\n"],
      source: "l.m3u",
      exit: 74, words: ["l.m3u:1:1: cannot fetch", "more than 5 redirections"], queued: ["good.mp4"]),
    Case(
      testDescription: "a path that climbs out", files: ["up.m3u": "../../../../../../etc/passwd\n\(good)\n"],
      source: "up.m3u", exit: 65, words: ["up.m3u:1:1: unknown kind of media"], queued: ["good.mp4"]),
    Case(
      testDescription: "a list of the web that climbs out of its server",
      web: ["up.m3u": "/../../etc/passwd.mp4\nfile:///etc/passwd\n"], source: "WEB/up.m3u", exit: 65,
      words: ["up.m3u:2:1: a playlist from the network may not name local files"], queued: ["passwd.mp4"]),
    Case(
      testDescription: "a list of the web that names a local file in another member, which is left out",
      web: [
        "own.yaml":
          "entries:\n- {url: \(good), content_id: \"file:///etc/passwd\"}\n- {url: \"file:///etc/passwd\"}\n- \(good)\n"
      ],
      source: "WEB/own.yaml", exit: 65,
      words: [
        "own.yaml:2:50: a playlist from the network may not name local files",
        "own.yaml:3:9: a playlist from the network may not name local files",
      ], queued: ["good.mp4", "good.mp4"]),
    Case(
      testDescription: "line ends in a header and in an address",
      files: [
        "inject.m3u": "#EXTVLCOPT:http-user-agent=x\u{0B}y\nhttp://127.0.0.1:1/a\u{0B}b.mp4\n\(good)\n"
      ],
      source: "inject.m3u", exit: 65, words: ["inject.m3u:2:21: a control character"], queued: ["good.mp4"]),
    Case(
      testDescription: "a film that is called a list", source: "film.m3u8", exit: 65,
      words: ["film.m3u8:1:1: it is not a playlist"],
      script: "printf '\\0\\0\\0\\040ftypisom\\0\\0\\2\\0isom' > film.m3u8"),
    Case(
      testDescription: "a list with nothing in it", files: ["bare.m3u": "#EXTM3U\n"], source: "bare.m3u",
      exit: 65, words: ["nothing to play"]),
    Case(
      testDescription: "a document with nothing in it", files: ["bare.json": "[]"], source: "bare.json",
      exit: 65, words: ["nothing to play"]),
    Case(
      testDescription: "a path of Windows",
      files: ["win.m3u": "C:\\films\\a.mp4\nfile:///C:/a.mp4\n\(good)\n"], source: "win.m3u",
      exit: 65, words: ["win.m3u:1:1: C:\\films\\a.mp4 is a path of Windows", "win.m3u:2:1: "],
      queued: ["good.mp4"]),
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
