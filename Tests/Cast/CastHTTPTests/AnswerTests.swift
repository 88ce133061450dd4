import CastGuard
import CastHTTP
import Testing

/// An answer of a server, and what the client makes of it.
struct Answer: Sendable, CustomTestStringConvertible {
  var name: String
  var steps: [Step]
  /// Nil when the body `hello` arrives.
  var failure: HTTPFetchError.Kind?

  var testDescription: String { name }

  init(_ name: String, _ steps: [Step], _ failure: HTTPFetchError.Kind? = nil) {
    self.name = name
    self.steps = steps
    self.failure = failure
  }

  static let ok = "HTTP/1.1 200 OK\r\n"
  static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let line = "X-Filler: " + String(repeating: "y", count: 1000) + "\r\n"

  static let good = [
    Answer("a counted body", [.send(ok + "Content-Length: 5\r\n\r\nhello")]),
    Answer(
      "the connection stays open", [.send(ok + "content-length: 5\r\nConnection: keep-alive\r\n\r\nhello")]),
    Answer("a chunked body", [.send(chunked + "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nTrailer: z\r\n\r\n")]),
    Answer("a body that ends with the connection", [.send(ok + "\r\nhel"), .send("lo"), .close]),
    Answer("HTTP/1.0", [.send("HTTP/1.0 200 OK\r\n\r\nhello"), .close]),
    Answer(
      "interim answers",
      [.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n\(ok)\r\nhello"), .close]),
    Answer("more than was told", [.send(ok + "Content-Length: 5\r\n\r\nhello and more")]),
  ]

  static let bad = [
    Answer(
      "a told length over the limit", [.send(ok + "Content-Length: 1001\r\n\r\n")], .tooLarge(limit: 1000)),
    Answer(
      "a length beyond all numbers", [.send(ok + "Content-Length: 99999999999999999999999\r\n\r\n")],
      .malformed),
    Answer("chunks without end", [.send(chunked), .flood("5\r\nhello\r\n")], .tooLarge(limit: 1000)),
    Answer("a chunk beyond all numbers", [.send(chunked + "fffffffffffffffff\r\nx")], .malformed),
    Answer("a body without end", [.send(ok + "\r\n"), .flood("hello")], .tooLarge(limit: 1000)),
    Answer("a header without end", [.send(ok + "X: "), .flood(line.trimmingLineEnd)], .malformed),
    Answer("headers without end", [.send(ok), .flood(line)], .malformed),
    Answer("interim answers without end", [.flood("HTTP/1.1 100 Continue\r\n\r\n")], .malformed),
    Answer("trailers without end", [.send(chunked + "0\r\n"), .flood(line)], .malformed),
    Answer("a chunk extension without end", [.send(chunked + "5;"), .flood("xxxxxxxx")], .malformed),
    Answer("a counted body cut short", [.send(ok + "Content-Length: 6\r\n\r\nhello"), .close], .truncated),
    Answer("a chunked body cut short", [.send(chunked + "5\r\nhello\r\n"), .close], .truncated),
    Answer("headers cut short", [.send("HTTP/1.1 200 OK\r\nContent"), .close], .truncated),
    Answer("no answer", [.close], .truncated),
    Answer("another protocol", [.send("220 mail.example ESMTP\r\n"), .close], .malformed),
    Answer("two lengths", [.send(ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello")], .malformed),
    Answer(
      "an encoding nobody asked for", [.send(ok + "Content-Encoding: gzip\r\n\r\nhello"), .close], .malformed),
    Answer("not there", [.send("HTTP/1.1 404 Whatever\r\nContent-Length: 9999999\r\n\r\n")], .status(404)),
    Answer("out of order", [.send("HTTP/1.1 503 No\r\n\r\n"), .flood("sorry")], .status(503)),
    Answer("unchanged, though nobody asked", [.send("HTTP/1.1 304 Not Modified\r\n\r\n")], .status(304)),
    Answer(
      "a part, though nobody asked", [.send("HTTP/1.1 206 Partial Content\r\n\r\nhello"), .close],
      .status(206)),
    Answer("a redirection to nowhere", [.send("HTTP/1.1 302 Found\r\n\r\n")], .malformed),
    Answer(
      "a redirection to a file", [.send("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n")],
      .redirect),
    Answer(
      "a redirection in circles", [.send("HTTP/1.1 301 Moved\r\nLocation: ?key=secret\r\n\r\n")], .redirect),
  ]
}

extension String {
  fileprivate var trimmingLineEnd: String { filter { !$0.isNewline } }
}

@Suite("Answers of servers", .timeLimit(.minutes(5))) struct AnswerTests {
  @Test("a whole answer is taken, however it is framed", arguments: Answer.good)
  func good(answer: Answer) async throws {
    try await ScriptedServer.run(answer: { _ in answer.steps }) { server in
      let address = "http://127.0.0.1:\(server.port)/"
      let fetched = try await HTTPClient().fetch(HTTPFetch(address, under: .owner, byteLimit: 1000))
      #expect(String(decoding: fetched.body, as: UTF8.self) == "hello")
      #expect(fetched.address == address)
      try await server.waitForClosed(1)
    }
  }

  @Test(
    "any other answer is an error without secrets in it, and the connection is closed", arguments: Answer.bad)
  func bad(answer: Answer) async throws {
    try await ScriptedServer.run(answer: { _ in answer.steps }) { server in
      let address = "http://user:secret@127.0.0.1:\(server.port)/list?key=secret"
      let error = await #expect(throws: HTTPFetchError.self) {
        try await HTTPClient().fetch(HTTPFetch(address, under: .owner, byteLimit: 1000))
      }
      #expect(error?.kind == answer.failure, "\(String(describing: error))")
      #expect(error?.description.contains("secret") == false)
      try await server.waitForClosed(server.requests.count)
    }
  }

  @Test("a body exactly as large as the limit is taken")
  func limit() async throws {
    try await ScriptedServer.run(answer: { _ in [.send(Answer.ok + "Content-Length: 5\r\n\r\nhello")] }) {
      server in
      let address = "http://127.0.0.1:\(server.port)/"
      let fetched = try await HTTPClient().fetch(HTTPFetch(address, under: .owner, byteLimit: 5))
      #expect(fetched.body.count == 5)
      let error = await #expect(throws: HTTPFetchError.self) {
        try await HTTPClient().fetch(HTTPFetch(address, under: .owner, byteLimit: 4))
      }
      #expect(error?.kind == .tooLarge(limit: 4))
    }
  }

  @Test("HEAD tells of a body of any size and brings none")
  func head() async throws {
    let answer = Answer.ok + "Content-Length: 99999999\r\nContent-Type: video/mp4\r\n\r\n"
    try await ScriptedServer.run(answer: { _ in [.send(answer)] }) { server in
      var fetch = HTTPFetch("http://127.0.0.1:\(server.port)/", under: .owner, byteLimit: 0)
      fetch.method = .head
      let fetched = try await HTTPClient().fetch(fetch)
      #expect(fetched.contentType == "video/mp4")
      #expect(fetched.body.isEmpty)
      #expect(server.requests.first?.hasPrefix("HEAD / HTTP/1.1\r\n") == true)
    }
  }

  @Test("what is known is asked for on condition, and 304 says that it is still good")
  func conditional() async throws {
    let answer = "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n"
    try await ScriptedServer.run(answer: { _ in [.send(answer)] }) { server in
      var fetch = HTTPFetch("http://127.0.0.1:\(server.port)/", under: .owner, byteLimit: 10)
      fetch.entityTag = "\"v1\""
      fetch.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
      let fetched = try await HTTPClient().fetch(fetch)
      #expect(fetched.isNotModified)
      #expect(fetched.entityTag == "\"v1\"")
      let request = try #require(server.requests.first)
      #expect(request.contains("\r\nIf-None-Match: \"v1\"\r\n"))
      #expect(request.contains("\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
    }
  }

  @Test("a value that would begin another header is not sent")
  func injection() async throws {
    try await ScriptedServer.run(answer: { _ in [.send(Answer.ok + "\r\n"), .close] }) { server in
      var fetch = HTTPFetch(
        "http://u:p%0D%0AX-Bad: 1@127.0.0.1:\(server.port)/", under: .owner, byteLimit: 10)
      fetch.entityTag = "x\r\nX-Bad: 2"
      fetch.accept = "image/*"
      _ = try await HTTPClient().fetch(fetch)
      let request = try #require(server.requests.first)
      #expect(request.contains("\r\nAuthorization: Basic "))
      #expect(!request.contains("X-Bad"))
      #expect(request.contains("\r\nAccept: image/*\r\n"))
    }
  }

  @Test("redirections are followed; the last address is told, and the password went to its origin only")
  func redirections() async throws {
    try await ScriptedServer.run(answer: { _ in [.send(Answer.ok + "\r\nhello"), .close] }) { other in
      let port = other.port
      try await ScriptedServer.run(answer: { request in
        let target = request.hasPrefix("GET /a ") ? "b" : "http://x:y@localhost:\(port)/c?d"
        return [.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: \(target)\r\n\r\n")]
      }) { server in
        var fetch = HTTPFetch("http://u:p@127.0.0.1:\(server.port)/a", under: .owner, byteLimit: 10)
        fetch.redirectLimit = 2
        let fetched = try await HTTPClient().fetch(fetch)
        #expect(fetched.address == "http://localhost:\(port)/c?d")
        #expect(fetched.redirections == 2)
        #expect(server.requests.map { $0.contains("\r\nAuthorization: Basic dTpw\r\n") } == [true, true])
        #expect(other.requests.map { $0.contains("Authorization") } == [false])
        fetch.redirectLimit = 1
        let error = await #expect(throws: HTTPFetchError.self) { try await HTTPClient().fetch(fetch) }
        #expect(error?.kind == .redirect)
      }
    }
  }
}
