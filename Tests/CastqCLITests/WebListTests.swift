import Testing

@Suite("Playlists on the web", .timeLimit(.minutes(20)))
struct WebListTests {
  private static let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nseg0.ts\n"

  private func urls(_ stage: Stage) async throws -> [String?] {
    try await stage.json("queue")["entries"]?.elements.map { $0["url"]?.string } ?? []
  }

  @Test(
    "a list is fetched, with the lists it names; its lines belong to where it really is, never to this machine"
  )
  func list() async throws {
    try await QueueTests.with { stage in
      try stage.file("mine.mp4", "")
      let text = "#EXTM3U\na.mp4\n/b.mp4\nsub/more.m3u\nfile://\(stage.folder)/mine.mp4\n../c.mp4\n"
      let server = try await WebServer(
        stage, files: ["lists/now.m3u": text, "lists/sub/more.m3u": "d.mp4\n/lists/live.m3u8\n"])
      let source = server.address + "/moved/lists/now.m3u"
      let ending = try await stage.castq("enqueue", source)
      #expect(ending.exit == 65)
      #expect(ending.errorLines.count == 1, "\(ending.stderr)")
      #expect(
        ending.stderr.hasPrefix(
          "castq: \(source):5:1: a playlist from the network may not name local files: "))
      let names = ["lists/a.mp4", "b.mp4", "lists/sub/d.mp4", "lists/live.m3u8", "c.mp4"]
      #expect(try await urls(stage) == names.map { "\(server.address)/\($0)" })
    }
  }

  @Test(
    "a list of the network that names a file of this machine is told so, and the file gets nowhere",
    arguments: ["enqueue", "import", "check"])
  func foreignFile(verb: String) async throws {
    try await QueueTests.with { stage in
      let text = """
        castq: 1
        entries:
          - content_id: file:///etc/hostname
            type: video/mp4
          - url: http://media.example/a.mp4
            breaks: [{position: 1, clips: [{id: c, content_id: "FILE:/etc/hostname"}]}]

        """
      let server = try await WebServer(stage, files: ["l.yaml": text])
      let source = server.address + "/l.yaml"
      let ending = try await stage.castq(verb, source)
      #expect(ending.exit == 65)
      let words = "a playlist from the network may not name local files"
      let lines = verb == "check" ? ending.outLines : ending.errorLines
      let place = verb == "check" ? source : "castq: \(source)"
      #expect(lines.count == 2, "\(lines)")
      #expect(lines.first?.hasPrefix("\(place):3:17: \(words)") == true, "\(lines)")
      #expect(lines.last?.hasPrefix("\(place):6:56: \(words)") == true, "\(lines)")
      #expect(try await urls(stage) == (verb == "check" ? [] : ["http://media.example/a.mp4"]))
      #expect(try await !stage.castq("export").stdout.lowercased().contains("file:"))
    }
  }

  @Test("an .m3u8 is told by its tags: a stream is one entry, a list is its entries; a file may name either")
  func streams() async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(
        stage, files: ["live.m3u8": Self.hls, "list.m3u8": "a.mp4\nb.mp4\n", "stream.m3u": Self.hls])
      let web = server.address
      try stage.file("local.m3u", "\(web)/list.m3u8\n\(web)/stream.m3u\n")
      expectSilence(try await stage.castq("enqueue", web + "/live.m3u8", web + "/list.m3u8", "local.m3u"))
      let names = ["live.m3u8", "a.mp4", "b.mp4", "list.m3u8", "stream.m3u"]
      #expect(try await urls(stage) == names.map { "\(web)/\($0)" })
    }
  }

  @Test("a stream that cannot be looked into is taken with a warning, since the device may reach it")
  func unreachableStream() async throws {
    try await QueueTests.with { stage in
      let source = "http://127.0.0.1:1/live.m3u8"
      let ending = try await stage.castq("enqueue", source)
      #expect(ending.exit == 0)
      #expect(
        ending.stderr.contains("an HLS stream is assumed: nothing listens at 127.0.0.1:1"), "\(ending.stderr)"
      )
      #expect(try await urls(stage) == [source])
    }
  }

  @Test(
    "a list that cannot be had says why, and nothing is enqueued",
    arguments: [
      ("/gone.m3u", "404 Not Found"), ("/page.m3u", "a web page"),
      ("/never/x.m3u", "was not received within 0.3 s"),
      ("/moved/moved/moved/moved/moved/moved/page.m3u", "more than 5 redirections"),
    ])
  func failures(path: String, words: String) async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(stage, files: ["page.m3u": "\n<!DOCTYPE html>\n<p>Please sign in\n"])
      let patience = path.hasPrefix("/never") ? ["--timeout", "300ms"] : []
      let ending = try await stage.castq(patience + ["enqueue", server.address + path])
      expectOneLine(ending, exit: 74)
      #expect(ending.stderr.contains(words), "\(ending.stderr)")
      #expect(try await urls(stage) == [])
    }
  }

  @Test(
    "user, password and query of an address are in no message and in no error document",
    arguments: [
      "/gone.m3u", "/page.m3u", "/moved/gone.m3u", "/gone.m3u8", "/bad.yaml", "/lists.m3u",
      "/never/x.m3u",
    ])
  func secrets(path: String) async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(
        stage,
        files: [
          "page.m3u": "\n<!DOCTYPE html>\n<p>\n",
          "bad.yaml": "- {url: 7, titel: x}\n- a.unknown?key=s3cret\n",
          "lists.m3u": "/gone.m3u?key=s3cret\nrtsp://u:hunter2@h/x?s3cret\n",
        ])
      let source =
        server.address.replacing("http://", with: "http://u:hunter2@") + path
        + "?token=s3cret#s3cret"
      for arguments in [
        ["enqueue"], ["check"], ["enqueue", "--json"], ["check", "--json"], ["-v", "import"],
      ] {
        let ending = try await stage.castq(arguments + ["--timeout", "300ms", source])
        if path != "/gone.m3u8" { #expect(ending.exit != 0) }
        #expect(!ending.stderr.isEmpty || !ending.stdout.isEmpty)
        for secret in ["hunter2", "s3cret"] {
          #expect(!ending.stderr.contains(secret), "\(ending.stderr)")
          // What was taken is told with its address, since that is what is played.
          if path != "/gone.m3u8", path != "/bad.yaml" {
            #expect(!ending.stdout.contains(secret), "\(ending.stdout)")
          }
        }
      }
    }
  }

  @Test("no more than 64 lists are fetched for one command, however they name each other")
  func fetches() async throws {
    try await QueueTests.with { stage in
      var files = ["top.m3u": (0..<40).map { "a\($0).m3u\n" }.joined()]
      for outer in 0..<40 {
        files["a\(outer).m3u"] = (0..<10).map { "b\(outer)-\($0).m3u\n" }.joined()
        for inner in 0..<10 { files["b\(outer)-\(inner).m3u"] = "film\(outer)-\(inner).mp4\n" }
      }
      let server = try await WebServer(stage, files: files)
      let ending = try await stage.castq("enqueue", server.address + "/top.m3u")
      #expect(ending.exit != 0)
      #expect(ending.stderr.contains("more than 64 playlists"), "\(ending.stderr.prefix(500))")
      // In the order in which they stand: the first list, six below it, and what those name; each of the rest has one film.
      let films = try await urls(stage).compactMap { $0 }
      #expect(films.count == 64 - 7)
      #expect(films.first?.hasSuffix("/film0-0.mp4") == true && films.last?.hasSuffix("/film5-6.mp4") == true)
    }
  }

  @Test(
    "https needs a certificate from somebody known; SSL_CERT_FILE says who is",
    .enabled(if: WebCertificateTests.hasTool, "there is no openssl here"))
  func trust() async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(stage, isSecure: true, files: ["list.m3u": "a.mp4\n"])
      let source = server.address + "/list.m3u"
      let refused = try await stage.castq("enqueue", source)
      expectOneLine(refused, exit: 74)
      #expect(refused.stderr.contains("not trusted"), "\(refused.stderr)")
      expectSilence(
        try await stage.castq("enqueue", source, variables: ["SSL_CERT_FILE": "\(stage.folder)/cert.pem"]))
      #expect(try await urls(stage) == [server.address + "/a.mp4"])
    }
  }
}
