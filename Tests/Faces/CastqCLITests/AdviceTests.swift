import Foundation
import Testing

@Suite("What messages advise", .timeLimit(.minutes(20)))
struct AdviceTests {
  @Test(
    "what a receiver cannot load is told apart, in the message and in history, beside the receiver's own words",
    arguments: [
      ("missing.wav", "404 Not Found"), ("page.m3u", "text/html"), ("refused", "nothing listens at"),
      ("unknown", "no address is known for"), ("plain", "TLS"),
      ("unknown root", "self-signed certificate; a television does not accept it either"),
    ])
  func loadFailures(what: String, words: String) async throws {
    try await Stage.with { stage in
      let server = try await WebServer(
        stage, isSecure: what == "unknown root", files: ["page.m3u": "<html>gone</html>"])
      let receiver = try await Receiver(stage)
      let address =
        switch what {
        case "plain": "\(server.address.replacing("http:", with: "https:"))/film.mp4"
        case "refused": "http://127.0.0.1:9/film.mp4"
        case "unknown": "http://no-such-name.invalid/film.mp4"
        case "page.m3u": "\(server.address)/page.m3u"
        case "unknown root": "\(server.address)/film.mp4"
        default: "\(server.address)/\(what)"
        }
      // In a list of its own: a source that is called .m3u is read as a list.
      let list = try stage.file(
        "list.yaml", "castq: 1\nentries:\n  - {file: \"\(address)\", type: video/mp4, on_error: skip}\n")
      let run = try await stage.castq("run", "-d", receiver.address, list)
      expectOneLine(run, exit: 76, saying: words)
      let play = try #require(try await stage.history().last)
      #expect(play["reason"]?.string?.contains(words) == true)
      #expect(play["receiver"] != .null)
      // The queue says so in a sentence, without the receiver's codes.
      let entry = try #require(
        try await stage.json("queue", "-d", receiver.address)["entries"]?.elements.first)
      let failure = try #require(entry["failure"])
      #expect(entry["state"]?.string == "failed" && failure["at"] == play["ended_at"], "\(entry)")
      let sentence = failure["message"]?.string ?? ""
      #expect(sentence.contains(words) && !sentence.contains("LOAD_FAILED"), "\(sentence)")
      #expect(!sentence.hasPrefix("asked from here"), "\(sentence)")
      #expect(try await stage.castq("queue", "-d", receiver.address).stdout.contains(": \(sentence)\n"))
      let ending = try await stage.castq("cast", "-d", receiver.address, list)
      expectOneLine(ending, exit: 76, saying: words)
      #expect(ending.stderr.contains("asked from here"))
      #expect(!ending.stderr.contains("castq doctor"), "the path is not the reason")
      #expect(
        ending.stderr.contains("LOAD_FAILED") || ending.stderr.contains("ERROR"), "the receiver's words stay")
    }
  }

  @Test("of a stream that receivers may not read, the header that it needs is told")
  func unshared() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: ["stream.m3u8": "#EXTM3U\n"])
      // The simulator reads streams as no browser would, so it is told to fail.
      let receiver = try await Receiver(stage, "--fault", "decode-error=stream.m3u8")
      let list = try stage.file(
        "list.yaml",
        "castq: 1\nentries:\n  - {file: \"\(server.address)/stream.m3u8\", type: application/x-mpegurl, on_error: skip}\n"
      )
      let words = "lets no receiver read it: HLS and DASH need the header Access-Control-Allow-Origin"
      expectOneLine(try await stage.castq("run", "-d", receiver.address, list), exit: 76, saying: words)
      #expect(try await stage.history().last?["reason"]?.string?.contains(words) == true)
      let check = try await stage.castq("check", "--online", list)
      #expect(check.exit == 65 && check.stdout.contains("need the header Access-Control-Allow-Origin"))
    }
  }

  @Test(
    "where the path may be the reason, the message and history name the doctor; where the device fetched, they do not"
  )
  func pathOfLoads() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: ["film.m3u8": "no media"])
      let receiver = try await Receiver(
        stage, "--fault", "decode-error=bad.wav", "--fault", "decode-error=film.mp4")
      try await stage.castq("device", "add", "Living Room $(id)", receiver.address)
      // The log of the server has the name behind the link.
      try FileManager.default.createSymbolicLink(
        atPath: "\(stage.folder)/bad.wav", withDestinationPath: try stage.tone("behind.wav", seconds: 1))
      try stage.tone("good.wav", seconds: 1)
      let nobody = try QuietPort.closed()
      let doctor = "; the doctor tests the path to the device"
      let web = try stage.file(
        "web.yaml",
        "castq: 1\nentries:\n  - {file: \"\(server.address)/as/video%2Fmp4/film.mp4\", type: video/mp4, on_error: skip}\n"
      )
      let local = { (name: String) in
        try stage.file("\(name).yaml", "castq: 1\nentries:\n  - {file: \(name).wav, on_error: skip}\n")
      }
      let table: [(String, [String], String)] = [
        (web, [], "the server has it: the device cannot reach it, or does not play its format\(doctor)"),
        (try local("good"), ["--advertise", nobody], "no request for it reached castq\(doctor)"),
        (try local("bad"), [], "the device fetched it from castq, so it does not play its format"),
      ]
      for (list, options, words) in table {
        // What breaks while it plays has played, so that `cast` is done.
        for command in options.isEmpty ? ["run"] : ["run", "cast"] {
          expectOneLine(try await stage.castq([command, list] + options), exit: 76, saying: words)
          // What feeds in the background has the options that it was started with.
          #expect(await FeederEnd.of(stage))
        }
        #expect(try await stage.history().last?["reason"]?.string?.hasSuffix(words) == true)
      }
    }
  }

  @Test(
    "an address that never answers costs its entry alone, and is told apart, too",
    .enabled(if: ProcessInfo.processInfo.environment["CASTQ_STORMS"] != nil, "it takes minutes"))
  func silentServer() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let silent = try QuietPort()
      let address = "http://\(silent.address)/film.mp4"
      try stage.tone("good.wav", seconds: 1)
      let list = try stage.file(
        "list.yaml",
        "castq: 1\nentries:\n  - {file: \"\(address)\", type: video/mp4, on_error: skip}\n  - good.wav\n")
      let words = "asked from here, it was not received within 3 s"
      let ending = try await stage.castq("cast", "-d", receiver.address, list)
      expectOneLine(ending, exit: 76, saying: words)
      #expect(await FeederEnd.of(stage))
      let plays = try await stage.history()
      #expect(plays.map { $0["outcome"]?.string } == ["failed", "finished"])
      #expect(plays.first?["reason"]?.string?.contains(words) == true, "\(plays)")
      // A good list does not wait for a bad one.
      let feeder = try stage.start(["run", "-d", receiver.address, list])
      #expect(await receiver.request("QUEUE_LOAD", from: receiver.log.lines.count) != nil)
      #expect(try await stage.castq("cast", "-d", receiver.address, "good.wav").exit == 0)
      _ = await feeder.ended()
    }
  }

  @Test("subtitles that nobody can read are told of in one line, and those that castq serves are not")
  func subtitles() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(
        stage, files: ["subs.vtt": "WEBVTT\n", "page.vtt": "<html>gone</html>"])
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      try stage.file("subs.vtt", "WEBVTT\n")
      func list(_ subtitles: String) throws -> String {
        try stage.file(
          "list.yaml",
          "castq: 1\nentries:\n  - {file: good.wav, tracks: [{file: \"\(subtitles)\", language: en, name: English}]}\n"
        )
      }
      for (name, words) in [("gone.vtt", "404"), ("page.vtt", "WEBVTT")] {
        let run = try await stage.castq("run", "-d", receiver.address, try list("\(server.address)/\(name)"))
        #expect(run.exit == 0 && run.stdout.isEmpty)
        #expect(run.errorLines.count == 1)
        #expect(
          run.stderr.contains("subtitles will not be shown: \(name)") && run.stderr.contains(words),
          "\(run.stderr)")
      }
      for good in ["\(server.address)/subs.vtt", "subs.vtt"] {
        expectSilence(try await stage.castq("run", "-d", receiver.address, try list(good)))
      }
    }
  }

  @Test("check warns of subtitles on a film that has ad breaks, and of nothing where they are apart")
  func subtitlesBesideAds() async throws {
    try await Stage.with { stage in
      let film = "{file: \"http://media.example/f.mp4\", %}"
      let tracks = "tracks: [{file: \"http://media.example/s.vtt\", language: en, name: English}]"
      let breaks = "breaks: [{position: start, clips: [{file: \"http://media.example/ad.mp4\"}]}]"
      func check(_ entries: [String]) async throws -> Ending {
        let lines = entries.map { "  - " + film.replacingOccurrences(of: "%", with: $0) + "\n" }.joined()
        return try await stage.castq("check", try stage.file("list.yaml", "castq: 1\nentries:\n" + lines))
      }
      let together = try await check(["\(tracks), \(breaks)"])
      #expect(together.exit == 0)
      #expect(together.outLines.count == 1 && together.stdout.contains("no subtitles"))
      expectSilence(try await check([tracks, breaks]))
    }
  }

  @Test("a device that is not known is sought in a database that the message names")
  func whichDatabase() async throws {
    try await Stage.with { stage in
      for arguments in [["queue"], ["queue", "-d", "cellar"], ["device", "default", "cellar"]] {
        expectOneLine(
          try await stage.castq(arguments), exit: 68, saying: "(the database is \(stage.database))")
      }
    }
  }

  @Test("a device that is fed already is named, with the ways out")
  func busy() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let feeder = try stage.start(["run", try stage.playlist(tones: 1, seconds: Stage.outlasting)])
      #expect(await receiver.playing() != nil)
      let ending = try await stage.castq("run", "--no-daemon")
      expectOneLine(ending, exit: 75, saying: "castq: lobby: ")
      #expect(ending.stderr.contains("castq stop"))
      feeder.signal(SIGTERM)
      _ = await feeder.ended()
    }
  }

  @Test("the version is that of the changelog's newest heading")
  func version() async throws {
    try await Stage.with { stage in
      let version = try await stage.castq("--version").stdout.split(separator: " ").last ?? ""
      let log = try String(contentsOf: Programs.clone.appending(path: "CHANGELOG.md"), encoding: .utf8)
      let heading = try #require(log.split(separator: "\n").first { $0.hasPrefix("## ") })
      #expect(heading.hasPrefix("## \(version.trimmingCharacters(in: .newlines))"))
    }
  }

  @Test("every variable that the programs read stands on the operator's page")
  func variables() throws {
    let page = try String(contentsOf: Programs.clone.appending(path: "docs/operating.md"), encoding: .utf8)
    var names: Set<Substring> = []
    let files = FileManager.default.enumerator(atPath: Programs.clone.appending(path: "Sources").path)
    while let file = files?.nextObject() as? String {
      guard file.hasSuffix(".swift") else { continue }
      let text = try String(contentsOf: Programs.clone.appending(path: "Sources/\(file)"), encoding: .utf8)
      for match in text.matches(of: /(?:value|getenv)\("([A-Z][A-Z_]+)"\)/) { names.insert(match.1) }
    }
    #expect(names.count > 8)
    for name in names.sorted() { #expect(page.contains("`\(name)`"), "\(name)") }
  }

  @Test("completions name the commands", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq("completion", shell)
      #expect(ending.exit == 0 && ending.stderr.isEmpty)
      #expect(ending.stdout.contains("history") && ending.stdout.contains("enqueue"))
      // Options of every command are options of this one; it is the same one for all shells.
      guard shell == "bash" else { return }
      #expect(try await stage.castq("-q", "completion", shell).stdout == ending.stdout)
      #expect(try await stage.castq("completion", shell, "--quiet").stdout == ending.stdout)
    }
  }
}
