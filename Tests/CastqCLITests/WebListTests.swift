import Testing

@Suite("Playlists on the web", .timeLimit(.minutes(6)))
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
        ending.stderr.hasPrefix("\(source):5:1: a playlist from the network may not name local files: "))
      let names = ["lists/a.mp4", "b.mp4", "lists/sub/d.mp4", "lists/live.m3u8", "c.mp4"]
      #expect(try await urls(stage) == names.map { "\(server.address)/\($0)" })
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
        ending.stderr.contains("taken for an HLS stream: nobody listens at 127.0.0.1:1"), "\(ending.stderr)")
      #expect(try await urls(stage) == [source])
    }
  }

  @Test(
    "a list that cannot be had says why, and nothing is enqueued",
    arguments: [
      ("/gone.m3u", "404 Not Found"), ("/page.m3u", "a web page"),
      ("/never/x.m3u", "does not come within 0.3 s"),
      ("/moved/moved/moved/moved/moved/moved/page.m3u", "more than 5 redirections"),
    ])
  func failures(path: String, words: String) async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(stage, files: ["page.m3u": "\n<!DOCTYPE html>\n<p>Please sign in\n"])
      let ending = try await stage.castq("--timeout", "300ms", "enqueue", server.address + path)
      expectOneLine(ending, exit: 74)
      #expect(ending.stderr.contains(words), "\(ending.stderr)")
      #expect(try await urls(stage) == [])
    }
  }

  @Test("https needs a certificate from somebody known; SSL_CERT_FILE says who is")
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
