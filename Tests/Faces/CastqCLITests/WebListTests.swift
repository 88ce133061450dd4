import Testing

@Suite("Playlists on the web", .timeLimit(.minutes(20)))
struct WebListTests {
  private func urls(_ stage: Stage) async throws -> [String?] {
    try await stage.queue()["entries"]?.elements.map { $0["url"]?.string } ?? []
  }

  @Test(
    "a list that cannot be had says why, and nothing is enqueued",
    arguments: [("/gone.m3u", "404 Not Found"), ("/never/x.m3u", "was not received within 0.3 s")])
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
    arguments: ["/gone.m3u", "/lists.m3u"])
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
