import Testing

/// What an address is, and whether a server has it: the servers are asked.
@Suite("Asking web servers", .timeLimit(.minutes(20)))
struct AskedAddressTests {
  private func entries(_ stage: Stage) async throws -> [String] {
    let document = try Document(try await stage.castq("export", "--format", "json").stdout)
    return document["entries"]?.elements.map { entry in
      [
        entry["url"]?.string?.split(separator: "/").last.map(String.init), entry["type"]?.string,
        entry["stream"]?.string,
      ]
      .map { $0 ?? "-" }.joined(separator: " ")
    } ?? []
  }

  @Test(
    "an address whose name does not show what it is becomes what its server calls it; a radio without end is live"
  )
  func asked() async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(stage, files: ["station": "[playlist]\nFile1=deep.mp3\n"])
      let addresses = [
        "audio%2Fmpeg/endless", "audio%2Fflac;q=1/song", "video%2Fwebm/film", "image%2Fpng/sign",
        "text%2Fhtml/menu",
        "audio%2Fx-scpls/station", "application%2Foctet-stream/blob", "none/gone",
      ].map { "\(server.address)/as/\($0)" }
      let list = try stage.file(
        "list.m3u",
        (addresses + ["#CASTQ: type=video/mp4", "\(server.address)/as/audio%2Fmpeg/told"]).joined(
          separator: "\n"))
      let ending = try await stage.castq("enqueue", list)
      #expect(ending.exit == 0)
      #expect(
        try await entries(stage) == [
          "endless audio/mpeg live", "song audio/flac buffered", "film video/webm buffered",
          "sign image/png none",
          "menu text/html none",
          "deep.mp3 audio/mpeg buffered", "blob video/mp4 buffered", "gone video/mp4 buffered",
          "told video/mp4 buffered",
        ])
      #expect(ending.errorLines.count == 3, "\(ending.stderr)")
      #expect(
        ending.errorLines.first?.contains("list.m3u:5:1: warning: it is a web page") == true,
        "\(ending.stderr)")
      #expect(
        ending.stderr.contains(":7:1: ")
          && ending.stderr.contains("the server calls it application/octet-stream"))
      #expect(ending.stderr.contains(":8:1: ") && ending.stderr.contains("video/mp4 is assumed"))
    }
  }

  @Test("--type says what a source is, whatever its name and its server say, and nobody is asked")
  func overruled() async throws {
    try await QueueTests.with { stage in
      let port = try QuietPort.closed()
      let sources = ["a", "b.mp4", "list.m3u"].map { "http://\(port)/\($0)" }
      expectSilence(try await stage.castq(["enqueue", "--type", "audio/ogg"] + sources))
      #expect(
        try await entries(stage) == [
          "a audio/ogg buffered", "b.mp4 audio/ogg buffered", "list.m3u audio/ogg buffered",
        ])
      for wrong in ["film", "video/", "a/b/c"] {
        expectOneLine(
          try await stage.castq("enqueue", "--type", wrong, sources[0]), exit: 64,
          saying: "--type is a content type")
      }
    }
  }

  @Test("a server that cannot be reached is asked once, and its addresses are assumed to be films")
  func silent() async throws {
    try await QueueTests.with { stage in
      let port = try QuietPort.closed()
      let ending = try await stage.castq("enqueue", "http://\(port)/a", "http://\(port)/b")
      #expect(ending.exit == 0 && ending.errorLines.count == 2, "\(ending.stderr)")
      #expect(ending.errorLines.last?.contains("another address of its server") == true, "\(ending.stderr)")
      #expect(
        ending.errorLines.allSatisfy { $0.contains("nothing listens") && $0.contains("video/mp4 is assumed") }
      )
      #expect(
        try await entries(stage).map { $0.dropFirst(2) } == ["video/mp4 buffered", "video/mp4 buffered"])
    }
  }

  @Test(
    "check asks about sources alone unless it is told to, and then names what cannot be fetched, is no media, or is not shown"
  )
  func online() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: ["good.wav": "RIFF"])
      let there = server.address
      let list = try stage.file(
        "list.yaml",
        """
        castq: 1
        entries:
          - url: \(there)/good.wav
          - url: \(there)/gone.mp4
          - url: \(there)/as/text%2Fhtml/film.mp4
          - url: \(there)/as/audio%2Fmpeg/film.mp4
          - url: \(there)/as/text%2Fhtml/menu
          - url: \(there)/as/video%2Fmp4/film.mp4
            tracks:
              - {url: "\(there)/as/text%2Fhtml/own.vtt", language: en}
              - {url: "\(there)/as/text%2Fvtt/shared.vtt", language: de}
            images: ["\(there)/as/text%2Fplain/poster.png"]

        """)
      let quiet = try await stage.castq("check", list)
      #expect(quiet.exit == 0)
      #expect(
        quiet.outLines.count == 1 && quiet.stdout.contains("list.yaml:7:10: warning: "), "\(quiet.stdout)")
      let ending = try await stage.castq("check", "--online", list)
      #expect(ending.exit == 65)
      let lines = ending.outLines.map { $0.replacing(there, with: "there") }
      #expect(lines.count == 7, "\(lines)")
      // Subtitles are read, as castq does for a device: this server's have no text.
      #expect(
        lines.contains {
          $0.hasPrefix("there/as/text%2Fvtt/shared.vtt:1:1: the file does not begin with WEBVTT")
        },
        "\(lines)")
      for (line, words) in [
        (4, "there/gone.mp4 cannot be fetched: the server answers 404"),
        (5, "film.mp4 is text/html, which is not media; check the address"),
        (6, "warning: there/as/audio%2Fmpeg/film.mp4 is audio/mpeg, and would be played as video/mp4"),
        (7, "warning: it is a web page"),
        (8, "own.vtt is a web page, not subtitles"),
        (8, "warning: there/as/text%2Fplain/poster.png is text/plain, not a picture"),
      ] {
        #expect(
          lines.contains { $0.contains("list.yaml:\(line):") && $0.contains(words) },
          "\(line) \(words) \(lines)")
      }
      #expect(try await stage.json("check", "--online", list)["issues"]?.elements.count == 7)
    }
  }

  @Test("a server is asked for one thing at a time, unless more are allowed")
  func politely() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: [:])
      func pair(_ seconds: Double) throws -> String {
        let address = "\(server.address)/pair/\(seconds)"
        return try stage.file("list.m3u", "\(address)/a.mp3\n\(address)/b.mp3\n")
      }
      var list = try pair(1)
      #expect(try await stage.castq("check", "--online", list).outLines.count == 2, "they did not meet")
      list = try pair(240)
      expectSilence(try await stage.castq("check", "--online", "--parallel", "2", list))
      for wrong in [
        ["--parallel", "2"], ["--online", "--parallel", "0"], ["--online", "--parallel", "17"],
      ] {
        expectOneLine(try await stage.castq(["check"] + wrong + [list]), exit: 64, saying: "--parallel")
      }
    }
  }
}
