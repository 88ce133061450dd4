import Foundation
import Testing

/// Pages whose media a program finds, with resolvers of the test's own.
@Suite("Resolvers", .timeLimit(.minutes(20)))
struct ResolverTests {
  /// `find ADDRESS`: what it does stands in the last part of the address. Each call is a line of the file `calls`.
  private static let script = """
    #!/bin/sh
    for address; do :; done
    echo "$address" >>"$(dirname "$0")/calls"
    there=${address%/page/*}
    case $address in
      */hangs) sleep 600 ;;
      */floods) exec cat /dev/zero ;;
      */garbage) echo "<html>" ;;
      */local) echo '{"url": "file:///etc/passwd"}' ;;
      */dies) kill -9 $$ ;;
      */refuses) printf 'the film is gone\\033[2J\\n' >&2; exit 3 ;;
      */expired) echo "{\\"url\\": \\"$there/a.wav\\", \\"expires\\": 1000000000}" ;;
      */login) echo "{\\"url\\": \\"$there/a.wav\\", \\"headers\\": {\\"Cookie\\": \\"a\\"}}" ;;
      */unnamed) echo "{\\"url\\": \\"$there/as/audio%2Fwav/tone\\"}" ;;
      *) echo "{\\"url\\": \\"$there/a.wav\\", \\"mime\\": \\"audio/wav\\", \\"title\\": \\"A page\\", \\"expires\\": 60,
            \\"thumbnail\\": \\"$there/a.jpg\\"}" ;;
    esac
    """

  private static func with(
    _ resolver: String = "{match: 127.0.0.1/page, run: [FOLDER/find, --best], time: 15s}",
    _ body: (Stage, WebServer) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let find = try stage.file("find", script)
      #expect(chmod(find, 0o755) == 0)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/config/castq", withIntermediateDirectories: true)
      try stage.file(
        "config/castq/config.yaml", "resolvers: [\(resolver.replacing("FOLDER", with: stage.folder))]\n")
      let server = try await WebServer(stage, files: ["empty": ""])
      try stage.tone("www/a.wav", seconds: 0.3)
      try stage.tone("www/tone", seconds: 0.3)
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try await body(stage, server)
    }
  }

  /// What a key of history says of the newest play of each address, by the last part of that.
  private static func plays(_ stage: Stage, _ key: String) async throws -> [String: String] {
    let plays = try await stage.history().map { play in
      (play["url"]?.string?.split(separator: "/").last.map(String.init) ?? "", play[key]?.string ?? "")
    }
    return Dictionary(plays) { _, last in last }
  }

  /// A list whose entries are not tried again; the resolvers of the test answer at once, or never.
  private static func list(_ stage: Stage, _ addresses: [String]) throws -> String {
    let entries = addresses.map { "  - {url: \"\($0)\", on_error: skip}\n" }.joined()
    return try stage.file("list.yaml", "castq: 1\nentries:\n\(entries)")
  }

  @Test(
    "a page plays what is behind it; queue and history name the page, with the title that it gives itself")
  func plays() async throws {
    try await Self.with { stage, server in
      let list = try stage.file(
        "list.m3u",
        """
        #EXTM3U
        \(server.address)/page/one
        #EXTINF:-1,Mine
        \(server.address)/page/two
        \(server.address)/a.wav
        \(server.address)/page/unnamed
        """)
      let ending = try await stage.castq("run", list)
      #expect(ending.exit == 0, "\(ending.stderr)")
      #expect(!ending.stderr.contains("assumed"), "\(ending.stderr)")
      #expect(try await Self.plays(stage, "outcome").values.allSatisfy { $0 == "finished" })
      #expect(
        try await Self.plays(stage, "title") == [
          "one": "A page", "two": "Mine", "a.wav": "a", "unnamed": "unnamed",
        ])
      let export = try Document(try await stage.castq("export", "--format", "json").stdout)
      let entry = export["entries"]?.elements.first
      #expect(entry?["url"]?.string == "\(server.address)/page/one" && entry?["title"]?.string == "A page")
      #expect(entry?["images"]?.elements.first?["url"]?.string == "\(server.address)/a.jpg")
      let calls = try String(contentsOfFile: "\(stage.folder)/calls", encoding: .utf8)
      #expect(calls.split(separator: "\n").count == 3, "\(calls)")
    }
  }

  @Test("a resolver that hangs, lies or dies costs its own entry, with its own words")
  func hostile() async throws {
    let words = [
      "hangs": "gave no answer within 15 s", "floods": "wrote more than",
      "garbage": "wrote no JSON document: expected a value at byte 1",
      "local": "a device cannot fetch", "dies": "signal 9", "refuses": "find: the film is gone",
      "expired": "has expired already", "login": "the header Cookie",
    ]
    try await Self.with { stage, server in
      let names = words.keys.sorted() + ["last"]
      let ending = try await stage.castq(
        "run", Self.list(stage, names.map { "\(server.address)/page/\($0)" }))
      #expect(ending.exit == 76, "\(ending.stderr)")
      #expect(isHarmless(ending.stderr))
      let outcomes = try await Self.plays(stage, "outcome")
      #expect(outcomes == words.mapValues { _ in "failed" }.merging(["last": "finished"]) { $1 })
      let reasons = try await Self.plays(stage, "reason")
      for (name, words) in words {
        #expect(reasons[name].map { $0.contains(words) && isHarmless($0) } == true, "\(name): \(reasons)")
      }
      #expect(try await stage.history().count == names.count)
    }
  }

  @Test("check says which entries need a resolver, and whether its program is there")
  func check() async throws {
    try await Self.with { stage, server in
      let list = try Self.list(stage, ["\(server.address)/page/one", "\(server.address)/a.wav"])
      for options in [[], ["--online"]] {
        let found = try await stage.castq(["check", list] + options)
        #expect(found.exit == 0 && found.outLines.count == 1, "\(found.stdout)")
        #expect(found.stdout.contains("list.yaml:3:1: warning: "), "\(found.stdout)")
        #expect(found.stdout.contains("\(stage.folder)/find finds its media"), "\(found.stdout)")
      }
      #expect(unlink("\(stage.folder)/find") == 0)
      let missing = try await stage.castq("check", list)
      #expect(missing.exit == 65)
      #expect(missing.stdout.contains("which is not found; install it"), "\(missing.stdout)")
      #expect(try await stage.castq("run", list).exit == 76)
      #expect(try await Self.plays(stage, "outcome") == ["one": "failed", "a.wav": "finished"])
      #expect(try await Self.plays(stage, "reason")["one"]?.contains("install it") == true)
    }
  }

  @Test("the example of the documentation is a resolver")
  func example() async throws {
    let page = try String(contentsOf: Programs.clone.appending(path: "docs/resolvers.md"), encoding: .utf8)
    let start = try #require(page.range(of: "```python\n")?.upperBound)
    let end = try #require(page.range(of: "```", range: start..<page.endIndex)?.lowerBound)
    try await Self.with { stage, server in
      let api = "\(server.address)/api"
      let program = String(page[start..<end]).replacing("https://radio.example/api", with: api)
        .replacing("\"live\": True, ", with: "")
      #expect(program != page[start..<end])
      let example = try stage.file("find", program.replacing("audio/mpeg", with: "audio/wav"))
      #expect(chmod(example, 0o755) == 0)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/www/api", withIntermediateDirectories: true)
      try stage.file("www/api/rock", "{\"stream\": \"\(server.address)/a.wav\", \"name\": \"Rock\"}")
      let pages = ["rock", "jazz"].map { "\(server.address)/page/\($0)" }
      let ending = try await stage.castq("run", Self.list(stage, pages))
      #expect(
        try await Self.plays(stage, "outcome") == ["rock": "finished", "jazz": "failed"], "\(ending.stderr)")
      #expect(try await Self.plays(stage, "title")["rock"] == "Rock")
      #expect(try await Self.plays(stage, "reason")["jazz"]?.contains("find: jazz: HTTP Error 404") == true)
    }
  }

  /// The real yt-dlp: that of the foreign senders.
  private static let downloader: String? = {
    guard let python = ProcessInfo.processInfo.environment["CASTQ_PYTHON"] else { return nil }
    let path = URL(filePath: python).deletingLastPathComponent().appending(path: "yt-dlp").path
    // It is a script of that Python, which the user of the test may not be allowed to run.
    let trial = Process()
    trial.executableURL = URL(filePath: path)
    trial.arguments = ["--version"]
    trial.standardOutput = FileHandle.nullDevice
    trial.standardError = FileHandle.nullDevice
    guard (try? trial.run()) != nil else { return nil }
    trial.waitUntilExit()
    return trial.terminationStatus == 0 ? path : nil
  }()

  @Test(
    "the real yt-dlp finds what is behind a page",
    .enabled(
      if: downloader != nil, "set CASTQ_PYTHON to a Python that this user may run and whose folder has yt-dlp"
    ))
  func real() async throws {
    let program = try #require(Self.downloader)
    try await Self.with("{match: 127.0.0.1, run: \(program), time: 4m}") { stage, server in
      try stage.file(
        "www/film",
        "<html><head><title>The page</title></head><body><audio src='/a.wav'></audio></body></html>")
      let pages = ["as/text%2Fhtml/film", "gone"].map { "\(server.address)/\($0)" }
      let ending = try await stage.castq("run", Self.list(stage, pages))
      #expect(
        try await Self.plays(stage, "outcome") == ["film": "finished", "gone": "failed"], "\(ending.stderr)")
      #expect(try await Self.plays(stage, "title")["film"]?.hasPrefix("The page") == true)
      let reason = try await Self.plays(stage, "reason")["gone"]
      #expect(reason?.contains("HTTP Error 404") == true, "\(reason ?? "")")
    }
  }
}
