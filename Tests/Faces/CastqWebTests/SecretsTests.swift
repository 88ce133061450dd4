import CastProtocol
import CastqOperations
import CastqText
import HTTPTypes
import Testing
@testable import CastqWeb

/// Every route of the server against documents that are full of secrets. A route that is new is walked by itself.
@Suite("Secrets of addresses", .timeLimit(.minutes(10)))
struct SecretsTests {
  /// Every member that a page or a script reads has an address with four secrets, or words with one.
  private static let address =
    "http://SECRETUSER:SECRETPASS@media.example/a.mp4?SECRETQUERY,'SECRETMORE'#SECRETFRAG"
  private static let words = "LOAD_FAILED \(address): no"

  private static let document: JSONValue = {
    let row: JSONValue = [
      "device": "lobby", "name": "menus", "alias": "lobby", "entry": 1, "position": 1, "play": 1,
      "state": "failed",
      "title": .string(address), "url": .string(address), "image": .string(address),
      "media": .string(address),
      "source": .string(address), "reason": .string(words), "message": .string(words),
      "schedule": .string(address),
      "receiver": ["reason": .string(words)], "customData": ["k": "SECRETDATA"], "credentials": "SECRETCRED",
      "headers": ["Cookie": "SECRETHEADER"], "outcome": "failed", "started_at": "2026-11-20T09:00:00.000Z",
      "plays": 2, "played_s": 4, "connection": "connected", "player_state": "PLAYING",
    ]
    let names = [
      "entries", "plays", "rows", "devices", "programmes", "rules", "groups", "dayparts", "calendars",
      "shares",
      "added", "skipped", "lists", "items", "issues", "occurrences", "why",
    ]
    let lists = names.map { ($0, JSONValue.array([row])) }
    return .object((row.object ?? [:]).merging(lists) { $1 })
  }()

  @Test("the name of a picture cannot be computed from its address, so no password can be tested against it")
  func pictureNames() {
    let name = WebArt.digest(of: "http://user:word@tv.example/logo.png")
    #expect(name == WebArt.digest(of: "http://user:word@tv.example/logo.png"))
    #expect(name.count == 32)
    // What anybody can compute who guesses the address.
    #expect(name != "6e2a1c05a5506e4d6a77516ed937327d")
  }

  private static let failure = Failure(
    "load_failed", words, exit: .refused, receiver: ["reason": .string(words), "customData": "SECRETDATA"])

  /// What a route takes to get further than its first check.
  private static func bodies(_ method: HTTPRequest.Method, _ path: String) -> [String] {
    switch path.split(separator: "/").last {
    case "commands": [#"{"verb":"pause"}"#]
    case "moves": [#"{"entry":1,"after":null,"version":1}"#]
    case "restore": [#"{"version":1}"#]
    case "announcements": [#"{"source":"menus","devices":["lobby"]}"#]
    case "check": [#"{"sources":["http://h/a.m3u"]}"#]
    case "queue": [#"{"sources":["http://h/a.mp4"]}"#]
    case _ where method == .patch: [#"{"enabled":true}"#]
    default: ["{}"]
    }
  }

  private static func paths(_ route: WebRoute) -> [String] {
    let path = "/" + route.parts.map { $0 ?? "1" }.joined(separator: "/")
    switch path {
    case "/api/v1/report/1": return ["\(path)", "\(path)?format=csv"]
    case "/d/1": return [path, "\(path)?tab=history", "\(path)?tab=plan", "\(path)?tab=health"]
    case "/schedule": return [path, "\(path)?why=now"]
    case "/reports": return ["proof", "air", "plan"].map { "\(path)?paper=\($0)" }
    case "/api/v1/why": return ["\(path)?what=play:1&device=lobby"]
    default: return [path]
    }
  }

  /// What each route answers, by its method and path. The stream of events has no end, and a test of its own.
  private func walk(
    _ stage: WebStage, token: String
  ) async throws -> [(name: String, text: String)] {
    var answers: [(String, String)] = []
    for route in stage.site.pageRoutes + stage.site.apiRoutes + stage.site.openRoutes {
      for method in route.handlers.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
        for path in Self.paths(route) where path != "/api/v1/events" {
          for body in method == .get ? [nil] : Self.bodies(method, path).map(Optional.some) {
            let answer = try await stage.ask(
              method.rawValue, path, ["Authorization: Bearer \(token)", "If-Match: \"3\""], json: body)
            answers.append(("\(method.rawValue) \(path)", "\(answer.fields) \(answer.body)"))
          }
        }
      }
    }
    return answers
  }

  @Test(
    "no route gives them to look and operate, in an answer or a failure", arguments: [WebRole.look, .operate])
  func hidden(role: WebRole) async throws {
    try await WebStage.with({ $0.alwaysAsksForToken = true }) { stage in
      let token = try stage.tokens.add("anna", role: role, at: "2026-11-20T09:00:00Z")
      stage.documents.answerAll(Self.document)
      let answers = try await walk(stage, token: token)
      stage.documents.fail(Self.failure)
      let failures = try await walk(stage, token: token)
      for (name, text) in answers + failures {
        #expect(!text.contains("SECRET"), "\(role) \(name)")
      }
      #expect(answers.count { $0.text.contains("media.example") } > 25, "the walk sees documents")
      #expect(failures.count { $0.text.contains("LOAD_FAILED") } > 20, "the walk sees failures")
    }
  }

  @Test("whoever may edit, and the owner on loopback, get documents as they are")
  func whole() async throws {
    try await WebStage.with { stage in
      let token = try stage.tokens.add("anna", role: .edit, at: "2026-11-20T09:00:00Z")
      stage.documents.answerAll(Self.document)
      for fields in [["Authorization: Bearer \(token)"], []] {
        let answer = try await stage.ask("GET", "/api/v1/devices/lobby/queue", fields)
        #expect(answer.body == Self.document.text)
      }
    }
  }

  @Test(
    "who may not edit gets the names of the files of programmes, and not where they lie",
    arguments: [WebRole.look, .operate, .edit])
  func folders(role: WebRole) async throws {
    try await WebStage.with({ $0.alwaysAsksForToken = true }) { stage in
      let token = try stage.tokens.add("anna", role: role, at: "2026-11-20T09:00:00Z")
      func programme(_ source: String) -> JSONValue {
        [
          "programme": "menus", "source": .string(source),
          "problem": .string("\(source):3:1: there is no file a.mp4"),
        ]
      }
      let whole = programme("/srv/media/menus.m3u")
      let list: [JSONValue] = [
        whole, programme("file:///srv/media/b%20c/"), programme("https://tv.example/srv/media.m3u"),
      ]
      for (path, answer) in [
        ("/api/v1/programmes", ["programmes": .array(list)]), ("/api/v1/programmes/menus", whole),
        ("/library", ["programmes": .array(list)]),
      ] as [(String, JSONValue)] {
        stage.documents.answerAll(answer)
        let text = try await stage.ask("GET", path, ["Authorization: Bearer \(token)"]).body
        #expect(text.contains("/srv/media/") == (role == .edit), "\(role) \(path): \(text)")
        guard path != "/library" else { continue }
        #expect(text.contains("menus.m3u") && text.contains(":3:1: there is no file"))
        #expect(text.contains("https://tv.example/srv/media.m3u") == path.hasSuffix("programmes"))
      }
    }
  }

  @Test("a document without secrets has no control character that the other one has escaped")
  func escapes() async throws {
    try await WebStage.with({ $0.alwaysAsksForToken = true }) { stage in
      let token = try stage.tokens.add("anna", role: .look, at: "2026-11-20T09:00:00Z")
      stage.documents.answerAll(["title": "a\u{9B}2J\u{202E}ü", "url": .string(Self.address)])
      let answer = try await stage.ask(
        "GET", "/api/v1/devices/lobby/queue", ["Authorization: Bearer \(token)"])
      #expect(answer.body == #"{"title":"a\u009b2J\u202eü","url":"http://…@media.example/a.mp4?…"}"#)
    }
  }

  @Test("every event has two forms")
  func events() {
    let device = WatchedDevice(id: 1, label: "lobby")
    for news in [
      .status(device: device, Self.document), .queue(device: device, Self.document), .plan(Self.document),
      .history(Self.document), .health(Self.document), .outcome(Self.document, device: nil, asker: nil),
      .devices,
    ] as [WatchNews] {
      for role in WebRole.allCases {
        let text = WebEvent(1, news).text(boot: "b", for: role)
        if case .devices = news { continue }
        #expect(text.contains("SECRET") == (role == .edit), "\(role) \(news.topic)")
        #expect(text.contains("media.example"))
      }
    }
  }
}
