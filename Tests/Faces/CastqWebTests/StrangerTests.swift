import CastqOperations
import Testing
@testable import CastqWeb

/// What a stranger sends, and what becomes of it.
struct Attempt: Sendable, CustomTestStringConvertible {
  let name: String
  let method: String
  let path: String
  var fields: [String] = []
  var json: String?
  let statuses: Set<Int>

  var testDescription: String { name }

  static let pause = #"{"verb":"pause"}"#
  static let commands = "/api/v1/devices/lobby/commands"

  /// On loopback, where no token is asked for: all that protects is the name and the page that asks.
  static let onLoopback: [Attempt] = [
    Attempt(
      name: "DNS rebinding: another name for this address", method: "GET", path: "/api/v1/devices",
      fields: ["Host: evil.example"], statuses: [403]),
    Attempt(
      name: "DNS rebinding with the right port", method: "GET", path: "/",
      fields: ["Host: evil.example:8010"],
      statuses: [403]),
    Attempt(
      name: "a name that ends in localhost", method: "GET", path: "/",
      fields: ["Host: evil.localhost.example"],
      statuses: [403]),
    Attempt(
      name: "an address that is not ours", method: "GET", path: "/", fields: ["Host: 192.0.2.1"],
      statuses: [403]),
    Attempt(
      name: "two hosts", method: "GET", path: "/", fields: ["Host: localhost", "Host: evil"], statuses: [400]),
    Attempt(name: "an empty host", method: "GET", path: "/", fields: ["Host: "], statuses: [400]),
    Attempt(
      name: "a host with a user", method: "GET", path: "/", fields: ["Host: localhost@evil.example"],
      statuses: [400]),
    Attempt(
      name: "CSRF: a form of another site", method: "POST", path: "/do",
      fields: ["Origin: http://evil.example"],
      json: pause, statuses: [403]),
    Attempt(
      name: "CSRF: a command of another site", method: "POST", path: commands,
      fields: ["Origin: https://evil.example"], json: pause, statuses: [403]),
    Attempt(
      name: "CSRF: a frame without an origin", method: "POST", path: commands, fields: ["Origin: null"],
      json: pause, statuses: [403]),
    Attempt(
      name: "CSRF: another port of this computer", method: "POST", path: commands,
      fields: ["Origin: http://127.0.0.1:1"], json: pause, statuses: [403]),
    Attempt(
      name: "CSRF: another site by its metadata", method: "POST", path: commands,
      fields: ["Sec-Fetch-Site: cross-site"], json: pause, statuses: [403]),
    Attempt(
      name: "CSRF: a sister site", method: "POST", path: commands, fields: ["Sec-Fetch-Site: same-site"],
      json: pause, statuses: [403]),
    Attempt(
      name: "a script of another site reads the API", method: "GET", path: "/api/v1/devices",
      fields: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], statuses: [403]),
    Attempt(
      name: "a page of another site follows the events", method: "GET", path: "/api/v1/events",
      fields: ["Origin: http://evil.example"], statuses: [403]),
    Attempt(
      name: "another site loads the page into a frame", method: "GET", path: "/",
      fields: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: iframe"],
      statuses: [403]),
    Attempt(
      name: "a simple request without preflight", method: "POST", path: commands,
      fields: ["Content-Type: text/plain", "Content-Length: 0"], statuses: [415]),
    Attempt(
      name: "a preflight", method: "OPTIONS", path: commands,
      fields: ["Origin: http://evil.example", "Access-Control-Request-Method: POST"], statuses: [403, 405]),
    Attempt(name: "traversal", method: "GET", path: "/../../etc/passwd", statuses: [404]),
    Attempt(
      name: "traversal in the assets", method: "GET", path: "/assets/../../etc/passwd", statuses: [404]),
    Attempt(
      name: "traversal with percent signs", method: "GET", path: "/assets/x/..%2f..%2fetc%2fpasswd",
      statuses: [404]),
    Attempt(name: "a null byte in the path", method: "GET", path: "/d/lobby%00", statuses: [404]),
    Attempt(name: "a path that is no UTF-8", method: "GET", path: "/d/%ff%fe", statuses: [404]),
    Attempt(name: "a line end in the path", method: "GET", path: "/d/a%0d%0aSet-Cookie:x", statuses: [404]),
    Attempt(
      name: "a broken percent sign in the query", method: "GET", path: "/history?since=%zz", statuses: [400]),
    Attempt(
      name: "a very long path", method: "GET", path: "/d/" + String(repeating: "a", count: 9000),
      statuses: [400]),
    Attempt(
      name: "a very long header", method: "GET", path: "/",
      fields: ["X: " + String(repeating: "a", count: 40_000)], statuses: [0, 400, 431]),
    Attempt(
      name: "a thousand headers", method: "GET", path: "/", fields: (0..<1000).map { "X\($0): y" },
      statuses: [0, 400, 431]),
    Attempt(
      name: "another host in the request line", method: "GET", path: "http://evil.example/api/v1/devices",
      statuses: [400]),
    Attempt(
      name: "another port in the request line", method: "GET", path: "http://127.0.0.1:1/api/v1/devices",
      statuses: [400]),
    Attempt(
      name: "another scheme in the request line", method: "GET", path: "ftp://127.0.0.1/api/v1/devices",
      statuses: [400]),
    Attempt(
      name: "half of a character", method: "POST", path: commands, json: #"{"verb":"pause","x":"\ud83d"}"#,
      statuses: [400]),
    Attempt(name: "TRACE", method: "TRACE", path: "/api/v1/devices", statuses: [405]),
    Attempt(name: "PUT where there is only GET", method: "PUT", path: "/api/v1/devices", statuses: [405]),
    Attempt(name: "an unknown method", method: "BREW", path: "/api/v1/devices", statuses: [0, 400, 405]),
    Attempt(
      name: "JSON of a thousand brackets", method: "POST", path: commands,
      json: String(repeating: "[", count: 1000), statuses: [400]),
    Attempt(
      name: "a body beyond its limit", method: "POST", path: commands,
      fields: ["Content-Type: application/json", "Content-Length: 99999999"], statuses: [413]),
    Attempt(
      name: "a body of two lengths", method: "POST", path: commands,
      fields: ["Content-Length: 5", "Transfer-Encoding: chunked"], json: "{}", statuses: [0, 400, 413]),
    Attempt(
      name: "a proxy in front of a loopback without tokens", method: "GET", path: "/api/v1/devices",
      fields: ["X-Forwarded-For: 203.0.113.9"], statuses: [401]),
    Attempt(
      name: "a digest of artwork that nothing names", method: "GET",
      path: "/api/v1/art/http:%2f%2fevil.example%2f",
      statuses: [200, 404]),
  ]
}

@Suite("What a stranger tries", .timeLimit(.minutes(10)))
struct StrangerTests {
  @Test("there are more than thirty attempts, and without a token each is refused on a network, too")
  func onNetwork() async throws {
    #expect(Attempt.onLoopback.count > 30)
    try await WebStage.with({ $0.alwaysAsksForToken = true }) { stage in
      for attempt in Attempt.onLoopback {
        let answer = try await stage.ask(attempt.method, attempt.path, attempt.fields, json: attempt.json)
        #expect(
          answer.status == 0 || (400..<500).contains(answer.status), "\(attempt.name): \(answer.status)")
      }
      #expect(stage.documents.questions.isEmpty, "\(stage.documents.questions)")
    }
  }

  @Test("is refused, and nothing is asked or done", arguments: Attempt.onLoopback)
  func refused(_ attempt: Attempt) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask(attempt.method, attempt.path, attempt.fields, json: attempt.json)
      #expect(attempt.statuses.contains(answer.status), "\(answer.status) \(answer.body)")
      let changes = stage.documents.questions.filter(\.isChange)
      #expect(changes.isEmpty, "\(changes)")
      #expect(answer.fields["access-control-allow-origin"] == nil)
    }
  }

  @Test(
    "every answer forbids frames, foreign scripts and sniffing",
    arguments: ["/", "/api/v1/devices", "/nothing"])
  func headers(_ path: String) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", path)
      let policy = try #require(answer.fields["content-security-policy"])
      for rule in [
        "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ] { #expect(policy.contains(rule)) }
      #expect(answer.fields["x-content-type-options"] == "nosniff")
      #expect(answer.fields["x-frame-options"] == "DENY")
      #expect(answer.fields["server"] == nil)
    }
  }

  @Test("a head that drips in is cut off, and so is a body", arguments: [true, false])
  func slow(isHead: Bool) async throws {
    try await WebStage.with {
      $0.limits.headTime = 1; $0.limits.bodyTime = 1
    } _: { stage in
      let head = "POST \(Attempt.commands) HTTP/1.1\r\nHost: localhost\r\n"
      let text = isHead ? head : head + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
      // The connection ends although nothing more is sent; an answer may say why.
      let answer = try await RawConnection(stage.port).read(text) { _ in false }
      #expect(answer.isEmpty || answer.contains(" 400 "), "\(answer)")
      #expect(stage.documents.questions.filter(\.isChange).isEmpty)
    }
  }

  @Test("hundreds of silent connections keep nobody out")
  func crowd() async throws {
    try await WebStage.with {
      $0.limits.connections = 20
    } _: { stage in
      var crowd: [RawConnection] = []
      for _ in 0..<60 { crowd.append(try await RawConnection(stage.port)) }
      #expect(try await stage.ask("GET", "/api/v1/devices").status == 200)
      for one in crowd { await one.end() }
    }
  }
}
