import CastGuard
import CastHTTP
import Testing

/// Looking at media as a player would, without fetching them.
@Suite(.timeLimit(.minutes(5))) struct ProbeTests {
  private static func probe(_ server: ScriptedServer, _ path: String = "/a.mp4") -> HTTPFetch {
    var fetch = HTTPFetch("http://127.0.0.1:\(server.port)\(path)", under: .owner, byteLimit: 0)
    fetch.method = .probe
    fetch.origin = "https://player.example"
    return fetch
  }

  @Test(
    "a probe asks for the first byte on behalf of its page, and reads nothing of what comes",
    arguments: ["206 Partial Content\r\nContent-Range: bytes 0-0/9", "200 OK"], [false, true])
  func asks(status: String, isEndless: Bool) async throws {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: video/mp4\r\nAccess-Control-Allow-Origin: *\r\n"
      + "Content-Length: \(isEndless ? 1_000_000_000 : 1)\r\n\r\n"
    try await ScriptedServer.run { _ in
      [.send(head), isEndless ? .flood("x") : .send("x")]
    } body: { server in
      let fetched = try await HTTPClient().fetch(Self.probe(server))
      #expect(fetched.contentType == "video/mp4" && fetched.body.isEmpty)
      #expect(fetched.length == (status.hasPrefix("206") ? 9 : isEndless ? 1_000_000_000 : 1))
      let request = try #require(server.requests.first?.lowercased())
      #expect(request.hasPrefix("get /a.mp4 http/1.1\r\n"))
      #expect(request.contains("\r\nrange: bytes=0-0\r\n"))
      #expect(request.contains("\r\norigin: https://player.example\r\n"))
      try await server.waitForClosed(1)
    }
  }

  @Test(
    "a probe reads as many bytes as it wants, whatever their server sends, and what has come when no more does",
    arguments: [
      ("206 Partial Content\r\nContent-Range: bytes 0-7/9", "#EXTM3U\n", 8, "#EXTM3U\n"),
      ("200 OK", "#EXTM3U\nhttp://h/a.mp3\n", 8, "#EXTM3U\n"), ("200 OK", "#EXT", 4, "#EXT"),
      // It says more than it sends, and hangs up.
      ("200 OK", "#EXT", 100, "#EXT"),
      ("200 OK\r\nContent-Encoding: gzip", "xxxxxxxxxxxx", 12, ""),
    ])
  func beginning(status: String, body: String, length: Int, read: String) async throws {
    let head = "HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\r\n"
    try await ScriptedServer.run { _ in
      [.send(head + body), .close]
    } body: { server in
      var fetch = Self.probe(server)
      fetch.byteLimit = 8
      let fetched = try await HTTPClient().fetch(fetch)
      #expect(String(decoding: fetched.body, as: UTF8.self) == read)
      #expect(try #require(server.requests.first).lowercased().contains("\r\nrange: bytes=0-7\r\n"))
      try await server.waitForClosed(1)
    }
  }

  @Test("the first bytes of a stream without end are enough, and those that never come are not waited for")
  func dripping() async throws {
    try await ScriptedServer.run { request in
      let head = Step.send("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n")
      return request.hasPrefix("GET /silent ") ? [head] : [head, .flood("x")]
    } body: { server in
      for (path, count) in [("/endless", 8), ("/silent", 0)] {
        var fetch = Self.probe(server, path)
        fetch.byteLimit = 8
        fetch.timeout = .seconds(3)
        let fetched = try await HTTPClient().fetch(fetch)
        #expect(fetched.contentType == "audio/mpeg" && fetched.body.count == count)
      }
    }
  }

  @Test(
    "a SHOUTcast server of the first version is a server like others", arguments: ["ICY 200 OK\r\n", "ICY"])
  func shoutcast(first: String) async throws {
    let head = "ICY 200 OK\r\nicy-name: Radio\r\nContent-Type: audio/mpeg\r\n\r\n"
    try await ScriptedServer.run { _ in
      [.send(first), .send(String(head.dropFirst(first.count))), .flood("x")]
    } body: { server in
      let fetched = try await HTTPClient().fetch(Self.probe(server, "/;"))
      #expect(fetched.contentType == "audio/mpeg" && fetched.length == nil)
    }
  }

  @Test(
    "lines that end with a line feed alone, and a length that is said twice, are as good",
    arguments: [
      "HTTP/1.0 200 OK\nContent-Type: audio/mpeg\nContent-Length: 5\n\n",
      "HTTP/1.0 200 OK\nContent-Type: audio/mpeg\r\nContent-Length: 5\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length:5\r\nContent-Type: audio/mpeg\r\n\r\n",
    ], [1, 7, 1000])
  func plainHead(head: String, piece: Int) async throws {
    let answer = Array((head + "tones").utf8)
    let pieces = stride(from: 0, to: answer.count, by: piece).map { start in
      Step.send(String(decoding: answer[start..<min(start + piece, answer.count)], as: UTF8.self))
    }
    try await ScriptedServer.run { _ in
      pieces
    } body: { server in
      let fetched = try await HTTPClient().fetch(
        HTTPFetch("http://127.0.0.1:\(server.port)/", under: .owner, byteLimit: 10))
      #expect(fetched.contentType == "audio/mpeg" && fetched.body == Array("tones".utf8))
    }
  }

  @Test(
    "two lengths, and what is not HTTP, are refused at once",
    arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\ntones", "SSH-2.0-x\n"])
  func noHTTP(answer: String) async throws {
    try await ScriptedServer.run { _ in
      [.send(answer)]
    } body: { server in
      let error = await #expect(throws: HTTPFetchError.self) {
        _ = try await HTTPClient().fetch(
          HTTPFetch("http://127.0.0.1:\(server.port)/", under: .owner, byteLimit: 10))
      }
      #expect(error?.kind == .malformed)
    }
  }

  @Test("what a probe is refused is an error with the server's number", arguments: [404, 416])
  func refused(status: Int) async throws {
    try await ScriptedServer.run { _ in
      [.send("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")]
    } body: { server in
      let error = await #expect(throws: HTTPFetchError.self) {
        _ = try await HTTPClient().fetch(Self.probe(server))
      }
      #expect(error?.kind == .status(status))
    }
  }

  @Test("a probe follows redirections, and only a probe takes a part for an answer")
  func redirected() async throws {
    try await ScriptedServer.run { request in
      request.hasPrefix("GET /old ")
        ? [.send("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")]
        : [.send("HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx")]
    } body: { server in
      let fetched = try await HTTPClient().fetch(Self.probe(server, "/old"))
      #expect(fetched.redirections == 1 && fetched.address.hasSuffix("/new") && fetched.length == nil)
      #expect(server.requests.allSatisfy { $0.lowercased().contains("range: bytes=0-0") })
      let error = await #expect(throws: HTTPFetchError.self) {
        _ = try await HTTPClient().fetch(
          HTTPFetch("http://127.0.0.1:\(server.port)/new", under: .owner, byteLimit: 10))
      }
      #expect(error?.kind == .status(206))
    }
  }
}
