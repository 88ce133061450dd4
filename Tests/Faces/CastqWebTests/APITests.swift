import CastProtocol
import CastqOperations
import CastqText
import Testing
@testable import CastqWeb

@Suite("The API", .timeLimit(.minutes(10)))
struct APITests {
  @Test(
    "each address asks its question",
    arguments: [
      ("library", .library(LibraryQuery())), ("programmes", .list(.programmes)),
      ("programmes/menus", .programme("menus")), ("devices", .devices), ("devices/lobby", .device("lobby")),
      ("devices/Big%20TV/status", .status("Big TV", isLive: true)), ("statuses", .statuses(isLive: true)),
      ("devices/lobby/queue?since=9&from=10&count=20", .queue("lobby", since: 9, from: 10, count: 20)),
      ("devices/lobby/queue", .queue("lobby", since: nil, from: 0, count: 200)),
      (
        "history?since=-24h&device=lobby",
        .history(WebOptions([.init("since", "-24h"), .init("device", "lobby")]))
      ),
      ("report/gaps?by=day", .report("gaps", WebOptions([.init("by", "day")]))),
      ("plan?tz=Europe%2FBerlin", .plan(WebOptions([.init("tz", "Europe/Berlin")]))),
      ("why?what=play:17&device=lobby", .why("play:17", WebOptions([.init("device", "lobby")]))),
      ("schedule", .list(.rules)), ("programmes", .list(.programmes)), ("groups", .list(.groups)),
      ("dayparts", .list(.dayparts)), ("calendars", .list(.calendars)), ("shares", .list(.shares)),
      ("programmes/menus", .programme("menus")), ("schedule/rules/lunch", .rule("lunch")),
      ("devices/lobby/doctor", .doctor("lobby", isPaged: false)),
    ] as [(String, WebQuestion)])
  func questions(_ path: String, _ question: WebQuestion) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", "/api/v1/\(path)")
      #expect(answer.status == 200)
      #expect(stage.documents.questions == [question])
    }
  }

  @Test(
    "a parameter that nothing reads is a mistake, as a wrong number is",
    arguments: [
      "library?kind=song", "library?count=0", "library?path=/", "devices?x=1", "devices?scan=maybe",
      "devices?scan=1", "history?sinse=-1h",
      "devices/lobby/queue?count=0", "devices/lobby/queue?since=x",
    ])
  func parameters(_ path: String) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", "/api/v1/\(path)")
      #expect(answer.status == 400)
      #expect(try JSONValue(parsing: answer.body)["exit"]?.int == 64)
      #expect(stage.documents.questions.isEmpty)
    }
  }

  @Test(
    "a mistake quotes of a request no more than one can read",
    arguments: [("devices?", "=1"), ("events?topics=", ""), ("history?topics=", "")])
  func quoted(_ before: String, _ after: String) async throws {
    try await WebStage.with { stage in
      let long = String(repeating: "x", count: 2000)
      let answer = try await stage.ask("GET", "/api/v1/\(before)\(long)\(after)")
      #expect(answer.status == 400)
      let detail = try #require(try JSONValue(parsing: answer.body)["detail"]?.string)
      #expect(detail.count < 400, "\(detail)")
    }
  }

  @Test(
    "an announcement names devices or none: what names nothing is refused, and never means the default device",
    arguments: [
      (#"{"source":"http://a.b/c"}"#, 202), (#"{"source":"http://a.b/c","devices":["lobby"]}"#, 202),
      (#"{"source":"http://a.b/c","devices":[]}"#, 400), (#"{"source":"http://a.b/c","devices":null}"#, 202),
      (#"{"source":"http://a.b/c","devices":"lobby"}"#, 400),
      (#"{"source":"http://a.b/c","devices":["lobby",7]}"#, 400),
      (#"{"source":"http://a.b/c","devices":[""]}"#, 400),
    ])
  func announcedDevices(_ json: String, _ status: Int) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("POST", "/api/v1/announcements", json: json)
      #expect(answer.status == status, "\(answer.body)")
      guard status == 400 else { return }
      let problem = try JSONValue(parsing: answer.body)
      #expect(problem["detail"]?.string?.contains("`devices`") == true && problem["code"] == "usage")
      #expect(stage.documents.questions.isEmpty)
    }
  }

  @Test(
    "a member that nothing reads is a mistake",
    arguments: [
      ("devices/lobby/queue/moves", #"{"entry":1,"after":2,"version":3,"before":4}"#),
      ("devices/lobby/queue/restore", #"{"version":3,"entry":4}"#),
      ("check", #"{"sources":["http://a.b/c"],"strict":true}"#),
    ])
  func members(_ path: String, _ json: String) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("POST", "/api/v1/\(path)", json: json)
      #expect(answer.status == 400 && answer.body.contains("means nothing here"), "\(answer.body)")
      #expect(stage.documents.questions.isEmpty)
    }
  }

  @Test("a body that is no UTF-8 is refused, and nothing of it is queued")
  func bodies() async throws {
    try await WebStage.with { stage in
      let body = Array(#"{"sources":["http://a.b/"#.utf8) + [0xFF, 0xFE] + Array(#""]}"#.utf8)
      let head = [
        "POST /api/v1/devices/lobby/queue HTTP/1.1", "Host: 127.0.0.1:\(stage.port)",
        "Content-Type: application/json", "Content-Length: \(body.count)", "Connection: close",
      ]
      let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
      let answer = RawAnswer(try await RawConnection(stage.port).receive(bytes) { _ in false })
      #expect(answer.status == 400 && stage.documents.questions.isEmpty)
    }
  }

  @Test("why of no device is a question that has to name one; of a device that nobody has it is 404")
  func unnamed() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("device_unknown", "which of bar, lobby?", exit: .deviceUnknown))
      let (unnamed, unknown) = (
        try await stage.ask("GET", "/api/v1/why"), try await stage.ask("GET", "/api/v1/why?device=nowhere")
      )
      #expect(unnamed.status == 400 && unknown.status == 404)
    }
  }

  @Test("what means nothing is refused before it is accepted, and nothing is asked")
  func meaningless() async throws {
    try await WebStage.with { stage in
      stage.documents.refuse(Failure("usage", "no command is called 'explode'", exit: .usage))
      for (path, json) in [
        ("devices/lobby/commands", #"{"verb":"explode"}"#), ("announcements", #"{"source":"http://a.b/c"}"#),
      ] {
        let answer = try await stage.ask("POST", "/api/v1/\(path)", json: json)
        #expect(answer.status == 400 && answer.fields["content-type"] == "application/problem+json")
        #expect(try JSONValue(parsing: answer.body)["code"] == "usage")
      }
      #expect(stage.documents.questions.isEmpty)
    }
  }

  @Test(
    "a failure is a problem with the code of the command line",
    arguments: [
      (CastqText.ExitStatus.no, 409), (.usage, 400), (.badData, 422), (.deviceUnknown, 404),
      (.unreachable, 504),
      (.tryAgain, 503), (.refused, 502), (.notPermitted, 403), (.inputOutput, 500), (.timeout, 504),
    ])
  func failures(_ exit: CastqText.ExitStatus, _ status: Int) async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("some_code", "some words", exit: exit, receiver: ["type": "X"]))
      let answer = try await stage.ask("GET", "/api/v1/devices")
      #expect(answer.status == status)
      let problem = try JSONValue(parsing: answer.body)
      #expect(problem["code"] == "some_code" && problem["detail"] == "some words")
      #expect(problem["exit"]?.int == Int(exit.rawValue) && problem["status"]?.int == status)
      #expect(problem["receiver"]?["type"] == "X" && problem["title"]?.string?.isEmpty == false)
    }
  }

  @Test("nobody who asks the API is told to type a command")
  func hints() async throws {
    try await WebStage.with { stage in
      for (hint, words) in [
        (Hint.listEntries, "no luck"),
        (.disableRule("lunch"), "no luck; disable the rule lunch in the schedule to play it at once"),
      ] {
        stage.documents.fail(Failure("some_code", "no luck", hint: hint, exit: .tryAgain))
        let problem = try JSONValue(parsing: try await stage.ask("GET", "/api/v1/devices").body)
        #expect(problem["detail"]?.string == words && problem["hint"] == nil)
      }
    }
  }

  @Test("a request that is sent twice with its key is done once")
  func idempotency() async throws {
    try await WebStage.with { stage in
      func send(_ key: String, _ source: String) async throws -> RawAnswer {
        try await stage.ask(
          "POST", "/api/v1/devices/lobby/queue", ["Idempotency-Key: \(key)"],
          json: #"{"sources":["http://example.org/\#(source)"]}"#)
      }
      let first = try await send("k1", "a")
      let second = try await send("k1", "a")
      #expect(first.status == 201 && second.status == 201 && first.body == second.body)
      #expect(stage.documents.questions.count == 1)
      // The same key for another request is a mistake of whoever sent it.
      #expect(try await send("k1", "b").status == 422)
      #expect(try await send("k2", "b").status == 201)
      #expect(stage.documents.questions.count == 2)
      // What failed may be sent again.
      stage.documents.fail(Failure("x", "x", exit: .tryAgain))
      #expect(try await send("k3", "c").status == 503)
      stage.documents.fail(nil)
      #expect(try await send("k3", "c").status == 201)
    }
  }

  @Test("a move that is too late is 409 and has the present rows")
  func staleMove() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("stale", "entry 4 has moved", exit: .tryAgain))
      let answer = try await stage.ask(
        "POST", "/api/v1/devices/lobby/queue/moves", json: #"{"entry":4,"after":3,"version":9}"#)
      #expect(answer.status == 409 || answer.status == 503)
      #expect(stage.documents.questions.first == .move("lobby", entry: 4, after: 3, version: 9))
    }
  }

  @Test("entries are brought back by the version that the list had; all of them where none is named")
  func restoring() async throws {
    try await WebStage.with { stage in
      let path = "/api/v1/devices/lobby/queue"
      for (json, status, question): (String, Int, WebQuestion?) in [
        (#"{"entries":[4],"version":9}"#, 200, .restore("lobby", entries: [4], version: 9)),
        (#"{"version":9}"#, 200, .restore("lobby", entries: nil, version: 9)),
        (#"{"entries":[-1],"version":9}"#, 422, nil), (#"{"entries":[4]}"#, 422, nil),
      ] {
        let answer = try await stage.ask("POST", "\(path)/restore", json: json)
        #expect(answer.status == status)
        if let question { #expect(stage.documents.questions.last == question) }
      }
      let answer = try await stage.ask("DELETE", path)
      #expect(answer.status == 200)
      #expect(stage.documents.questions.last == .removeAll("lobby"))
    }
  }

  @Test("a rule has an ETag; changing it needs that as If-Match")
  func matching() async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", "/api/v1/schedule/rules/lunch")
      #expect(answer.fields["etag"] == "\"3\"")
      let again = try await stage.ask("GET", "/api/v1/schedule/rules/lunch", ["If-None-Match: \"3\""])
      #expect(again.status == 304 && again.body.isEmpty)
      _ = try await stage.ask(
        "PUT", "/api/v1/schedule/rules/lunch", ["If-Match: \"3\""], json: #"{"play":"x"}"#)
      #expect(stage.documents.questions.last == .putRule("lunch", ["play": "x"], revision: 3))
      stage.documents.fail(Failure("stale", "at revision 4", exit: .tryAgain))
      func put(_ fields: [String]) async throws -> Int {
        try await stage.ask("PUT", "/api/v1/schedule/rules/lunch", fields, json: #"{"play":"x"}"#).status
      }
      #expect(try await put(["If-Match: \"3\""]) == 412)
      #expect(try await put([]) == 428)
      // There is none to match; what cannot be looked up may be there.
      stage.documents.fail(Failure("unknown", "there is no rule lunch", exit: .badData))
      #expect(try await put(["If-Match: *"]) == 412)
      stage.documents.fail(Failure("database", "it cannot be read", exit: .inputOutput))
      #expect(try await put(["If-Match: *"]) == 500)
    }
  }

  @Test("a rule is removed as it was seen: with its ETag, with * whatever it is, and without If-Match not")
  func removing() async throws {
    try await WebStage.with { stage in
      func remove(_ fields: [String]) async throws -> Int {
        try await stage.ask("DELETE", "/api/v1/schedule/rules/lunch", fields).status
      }
      #expect(try await remove([]) == 428)
      #expect(stage.documents.questions.filter(\.isChange).isEmpty)
      for tag in ["\"3\"", "*"] {
        #expect(try await remove(["If-Match: \(tag)"]) == 204)
        #expect(stage.documents.questions.last == .removeRule("lunch", revision: 3))
      }
      _ = try await stage.ask(
        "PUT", "/api/v1/schedule/rules/lunch", ["If-Match: *"], json: #"{"play":"x"}"#)
      #expect(stage.documents.questions.last == .putRule("lunch", ["play": "x"], revision: 3))
    }
  }

  @Test(
    "a rule is switched, or some members of it are changed, and never written again: what is not said would be lost",
    arguments: [
      (#"{"enabled":false}"#, 200, [.enable("lunch", false), .rule("lunch")]),
      (#"{"enabled":true}"#, 200, [.enable("lunch", true), .rule("lunch")]),
      (#"{"enabled":"no"}"#, 400, []), ("{}", 400, []),
      (
        #"{"days":null,"priority":3}"#, 200,
        [.editRule("lunch", ["days": .null, "priority": 3], revision: nil)]
      ),
    ] as [(String, Int, [WebQuestion])])
  func switching(_ json: String, _ status: Int, _ questions: [WebQuestion]) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("PATCH", "/api/v1/schedule/rules/lunch", json: json)
      #expect(answer.status == status, "\(answer.body)")
      #expect(stage.documents.questions == questions)
      if status == 200 { #expect(answer.fields["etag"] == "\"3\"") }
    }
  }

  @Test("what a change of a rule would change is asked, and nothing is changed")
  func preview() async throws {
    try await WebStage.with { stage in
      let change = #"{"occurrence":"2026-12-24","action":"skip"}"#
      let answer = try await stage.ask("POST", "/api/v1/schedule/rules/lunch/preview", json: change)
      #expect(answer.status == 200)
      #expect(
        stage.documents.questions == [.preview("lunch", ["occurrence": "2026-12-24", "action": "skip"])])
      #expect(stage.documents.questions.allSatisfy { !$0.isChange })
    }
  }

  @Test("HEAD is GET without its body, and other methods name what there is")
  func methods() async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("HEAD", "/api/v1/devices")
      #expect(
        answer.status == 200 && answer.body.isEmpty && Int(answer.fields["content-length"] ?? "") ?? 0 > 0)
      let other = try await stage.ask("DELETE", "/api/v1/devices")
      #expect(other.status == 405 && other.fields["allow"] == "GET, HEAD, POST")
    }
  }

  @Test("where there is nothing a browser gets a page that leads on, and a script a problem")
  func nothing() async throws {
    try await WebStage.with { stage in
      let page = try await stage.ask("GET", "/nothing", ["Accept: text/html,*/*"])
      #expect(page.status == 404 && page.fields["content-type"]?.hasPrefix("text/html") == true)
      #expect(page.body.contains("there is nothing at this address") && page.body.contains("All screens"))
      for (path, fields) in [("/nothing", []), ("/api/v1/nothing", ["Accept: text/html"])] {
        let problem = try await stage.ask("GET", path, fields)
        #expect(problem.status == 404 && problem.fields["content-type"] == "application/problem+json")
      }
    }
  }

  @Test(
    "where a page was before leads to where it is, with its query",
    arguments: [
      ("/programmes", "/library"), ("/programmes?q=menus&folder=a%2Fb", "/library?q=menus&folder=a%2Fb"),
      ("/report?kind=proof&device=lobby", "/reports?kind=proof&device=lobby"),
    ])
  func moved(_ path: String, _ place: String) async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", path)
      #expect(answer.status == 308 && answer.fields["location"] == place)
    }
  }

  @Test("assets are kept for ever at paths with their digest, and are gone at any other")
  func assets() async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", stage.site.assets.path("app.js"))
      #expect(answer.status == 200 && answer.fields["cache-control"]?.contains("immutable") == true)
      #expect(answer.fields["content-type"]?.hasPrefix("text/javascript") == true)
      #expect(try await stage.ask("GET", stage.site.assets.path("plain.css")).status == 200)
      #expect(try await stage.ask("GET", "/assets/0123456789abcdef/app.js").status == 404)
      #expect(try await stage.ask("GET", stage.site.assets.path("none.js")).status == 404)
    }
  }

  @Test("the description of the API names every address and method that there is, and no other")
  func description() async throws {
    try await WebStage.with { stage in
      let answer = try await stage.ask("GET", "/api/v1/openapi.json")
      let paths = try #require(try JSONValue(parsing: answer.body)["paths"]?.object)
      var described: Set<String> = []
      for (path, operations) in paths {
        let plain = path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }.joined(
          separator: "/")
        for method in (operations.object ?? [:]).keys { described.insert("\(method.uppercased()) \(plain)") }
      }
      let there = stage.site.apiRoutes.filter { $0.parts.first == "api" }.flatMap { route in
        let path = route.parts.dropFirst(2).map { $0 ?? "{}" }.joined(separator: "/")
        return route.methods.split(separator: ", ").filter { $0 != "HEAD" }.map { "\($0) \(path)" }
      }
      #expect(described == Set(there), "\(described.symmetricDifference(there))")
      #expect(APIOperation.all.count == described.count, "an operation is described that no route has")
      let roles = paths["/devices/{device}/commands"]?["post"]?["x-role"]
      #expect(roles == "operate" && paths["/healthz"]?["get"]?["x-role"] == nil)
    }
  }
}
