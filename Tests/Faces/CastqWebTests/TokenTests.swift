import CastProtocol
import CastqOperations
import FoundationEssentials
import Glibc
import Testing
@testable import CastqWeb

@Suite("Tokens", .timeLimit(.minutes(10)))
struct TokenTests {
  private static func everywhere(_ settings: inout WebSettings) { settings.alwaysAsksForToken = true }

  @Test("no token and a wrong one are 401, and a problem says so")
  func unauthorized() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      for fields in [
        [], ["Authorization: Bearer castq_wrong"], ["Cookie: castq=wrong"], ["Authorization: Basic x"],
      ] {
        let answer = try await stage.ask("GET", "/api/v1/devices", fields)
        #expect(answer.status == 401)
        #expect(answer.fields["www-authenticate"] == "Bearer")
        #expect(answer.fields["content-type"] == "application/problem+json")
      }
      #expect(stage.documents.questions.isEmpty)
    }
  }

  @Test("a role does what it may and no more: 403", arguments: WebRole.allCases)
  func roles(_ role: WebRole) async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("somebody", role: role, at: "2026-11-23T00:00:00.000Z")
      let bearer = ["Authorization: Bearer \(token)"]
      func ask(_ method: String, _ path: String, _ json: String? = nil) async throws -> Int {
        try await stage.ask(method, path, bearer, json: json).status
      }
      #expect(try await ask("GET", "/api/v1/devices") == 200)
      let operate = role >= .operate
      #expect(try await ask("POST", Attempt.commands, Attempt.pause) == (operate ? 202 : 403))
      let web = #"{"sources":["http://example.org/a.mp4"]}"#
      #expect(try await ask("POST", "/api/v1/devices/lobby/queue", web) == (operate ? 201 : 403))
      #expect(try await ask("DELETE", "/api/v1/devices/lobby/queue/3") == (operate ? 204 : 403))
      let move = #"{"entry":1,"after":2,"version":3}"#
      #expect(try await ask("POST", "/api/v1/devices/lobby/queue/moves", move) == (operate ? 200 : 403))
      #expect(
        try await ask("POST", "/api/v1/announcements", #"{"source":"http://a.b/c"}"#) == (operate ? 202 : 403)
      )
      // A programme is what an editor has made, and no file.
      #expect(
        try await ask("POST", "/api/v1/announcements", #"{"source":"menus"}"#) == (operate ? 202 : 403))
      if role == .operate {
        #expect(
          stage.documents.questions.last == .announce(["source": "menus"], isProgramme: true))
      }
      let edit = role >= .edit
      #expect(
        try await ask("POST", "/api/v1/announcements", #"{"source":"/srv/menus.m3u"}"#) == (edit ? 202 : 403))
      // A path would have castq read and serve a file of its computer.
      let file = #"{"sources":["/etc/passwd"]}"#
      #expect(try await ask("POST", "/api/v1/devices/lobby/queue", file) == (edit ? 201 : 403))
      #expect(try await ask("PUT", "/api/v1/schedule/rules/lunch", #"{"play":"x"}"#) == (edit ? 200 : 403))
      #expect(try await ask("DELETE", "/api/v1/schedule/rules/lunch") == (edit ? 428 : 403))
      let skip = #"{"occurrence":"2026-12-24","action":"skip"}"#
      #expect(try await ask("POST", "/api/v1/schedule/rules/lunch/exceptions", skip) == (edit ? 200 : 403))
      #expect(
        try await ask("POST", "/api/v1/schedule/rules/lunch/preview", skip) == (edit ? 200 : 403))
      if role == .look { #expect(stage.documents.questions.filter(\.isChange).isEmpty) }
    }
  }

  @Test("a token that was removed opens nothing from then on")
  func removed() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("somebody", role: .edit, at: "")
      let bearer = ["Authorization: Bearer \(token)"]
      #expect(try await stage.ask("GET", "/api/v1/devices", bearer).status == 200)
      try stage.tokens.remove("somebody")
      #expect(try await stage.ask("GET", "/api/v1/devices", bearer).status == 401)
    }
  }

  @Test("a stream of events ends when its token is removed, and says nothing more")
  func removedWhileOpen() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("somebody", role: .look, at: "")
      let request =
        "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
      let (tokens, hub) = (stage.tokens, stage.site.hub)
      let text = try await RawConnection(stage.port).read(request) { text in
        if text.contains("event: hello"), (try? tokens.remove("somebody")) != nil {
          Task { await hub.publish(.health(["daemon": true])) }
        }
        return text.contains("event: health")
      }
      #expect(!text.contains("event: health"))
      // Whoever reads everything again is asked for a token.
      #expect(text.contains("event: reset"))
    }
  }

  @Test("who may edit sees who has a token and since when, nobody else does, and the token itself nobody")
  func listed() async throws {
    try await WebStage.with { stage in
      #expect(try await stage.ask("GET", "/settings").body.contains("Nobody has a token yet"))
      let token = try stage.tokens.add("<b>Anna", role: .operate, at: "2026-11-23T08:00:00.000Z")
      let boss = try stage.tokens.add("boss", role: .edit, at: "2026-11-23T09:00:00.000Z")
      for (bearer, isShown) in [(boss, true), (token, false)] {
        let page = try await stage.ask("GET", "/settings", ["Authorization: Bearer \(bearer)"]).body
        #expect(
          page.contains("&lt;b&gt;Anna") == isShown && page.contains("Withdraw the token of") == isShown)
        #expect(page.contains("Mon 23 Nov 08:00") == isShown)
        #expect(!page.contains(token) && !page.contains(boss))
      }
    }
  }

  @Test("a file of tokens has no token in it, and nobody else may read it")
  func stored() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("somebody", role: .look, at: "")
      let path = stage.tokens.path
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains(token) && text.contains("sha256"))
      #expect(try await stage.ask("GET", "/api/v1/devices", ["Authorization: Bearer \(token)"]).status == 200)
      // One that others may read is not believed.
      #expect(chmod(path, 0o644) == 0)
      #expect(try await stage.ask("GET", "/api/v1/devices", ["Authorization: Bearer \(token)"]).status == 401)
    }
  }

  @Test("whoever guesses is refused after a few, and a right token still works")
  func guessing() async throws {
    try await WebStage.with {
      $0.alwaysAsksForToken = true; $0.limits.wrongTokens = 5
    } _: { stage in
      let token = try stage.tokens.add("somebody", role: .look, at: "")
      var statuses: [Int] = []
      for number in 0..<8 {
        statuses.append(
          try await stage.ask("GET", "/api/v1/devices", ["Authorization: Bearer \(number)"]).status)
      }
      #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
      #expect(try await stage.ask("GET", "/api/v1/devices", ["Authorization: Bearer \(token)"]).status == 200)
    }
  }

  @Test("a browser logs in by a form: the cookie is HttpOnly and SameSite, and leads back here only")
  func cookie() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("somebody", role: .look, at: "")
      let text = "token=\(token)&back=%2F%2Fevil.example"
      let head = [
        "POST /login HTTP/1.1", "Host: 127.0.0.1:\(stage.port)", "Origin: http://127.0.0.1:\(stage.port)",
        "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)",
        "Connection: close",
      ]
      let answer = try await stage.send(head.joined(separator: "\r\n") + "\r\n\r\n" + text)
      #expect(answer.status == 303)
      #expect(answer.fields["location"] == "/")
      let cookie = try #require(answer.fields["set-cookie"])
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      #expect(try await stage.ask("GET", "/api/v1/devices", ["Cookie: castq=\(token)"]).status == 200)
    }
  }

  @Test("a login leads to what was wanted, with its filters, also after a wrong token, and to no other host")
  func wanted() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      func back(_ html: String) -> String? {
        html.split(separator: "name=\"back\" value=\"").dropFirst().first?.split(separator: "\"").first.map {
          String($0)
        }
      }
      for (path, wanted) in [
        ("/history?device=Big%20TV&tz=Europe%2FBerlin", "/history?device=Big%20TV&amp;tz=Europe%2FBerlin"),
        ("/d/lobby", "/d/lobby"), ("/login", "/"), ("//evil.example/", "/"),
      ] {
        let page = try await stage.ask("GET", path, ["Accept: text/html"])
        #expect(back(page.body) == wanted, "\(path)")
      }
      for (given, wanted) in [
        ("%2Fhistory%3Fdevice%3Dbar", "/history?device=bar"), ("%2F%2Fevil.example", "/"),
      ] {
        let text = "token=wrong&back=\(given)"
        let head = [
          "POST /login HTTP/1.1", "Host: 127.0.0.1:\(stage.port)",
          "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)",
          "Connection: close",
        ]
        let answer = try await stage.send(head.joined(separator: "\r\n") + "\r\n\r\n" + text)
        #expect(answer.status == 401 && back(answer.body) == wanted)
      }
    }
  }

  @Test("the login never leads back to itself, and whoever is logged in is not asked again")
  func loginAgain() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("somebody", role: .look, at: "")
      for back in ["%2Flogin", "%2Flogin%3Fx%3Dy"] {
        let text = "token=\(token)&back=\(back)"
        let head = [
          "POST /login HTTP/1.1", "Host: 127.0.0.1:\(stage.port)",
          "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)",
          "Connection: close",
        ]
        let answer = try await stage.send(head.joined(separator: "\r\n") + "\r\n\r\n" + text)
        #expect(answer.status == 303 && answer.fields["location"] == "/")
      }
      let again = try await stage.ask("GET", "/login", ["Cookie: castq=\(token)"])
      #expect(again.status == 303 && again.fields["location"] == "/")
      for fields in [[], ["Cookie: castq=wrong"]] {
        let form = try await stage.ask("GET", "/login", fields)
        #expect(form.status == 200 && form.body.contains("name=\"token\""))
      }
    }
  }

  @Test("at no address does a stranger see anything, or a token of role look do anything")
  func everyAddress() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let token = try stage.tokens.add("guest", role: .look, at: "")
      let routes = stage.site.pageRoutes + stage.site.apiRoutes + stage.site.openRoutes
      var acts = 0
      for route in routes where !route.isOpen {
        let path = "/" + route.parts.map { $0 ?? "lobby" }.joined(separator: "/")
        for method in route.methods.split(separator: ", ").map(String.init) where method != "HEAD" {
          let stranger = try await stage.ask(method, path, json: method == "GET" ? nil : Attempt.pause)
          #expect(stranger.status == 401, "\(method) \(path)")
          guard method != "GET" else { continue }
          acts += 1
          let guest = try await stage.ask(
            method, path, ["Authorization: Bearer \(token)"], json: Attempt.pause)
          // A form is asked what it wants before it is refused; logging out and examining are everybody's own.
          let isForm = ["/do", "/logout", "/doctor"].contains(path)
          #expect(
            guest.status == 403 || isForm && (300..<500).contains(guest.status),
            "\(method) \(path): \(guest.status)")
        }
      }
      #expect(acts >= 10)
      #expect(stage.documents.questions.filter(\.isChange).isEmpty, "\(stage.documents.questions)")
    }
  }

  @Test("the page of the login and its files are all that a stranger gets")
  func strangersPage() async throws {
    try await WebStage.with(Self.everywhere) { stage in
      let page = try await stage.ask("GET", "/", ["Accept: text/html"])
      #expect(page.status == 401 && page.body.contains("<"))
      #expect(stage.documents.questions.isEmpty)
      #expect(try await stage.ask("GET", stage.site.assets.path("app.css")).status == 200)
      #expect(try await stage.ask("GET", "/api/v1/healthz").status == 200)
      #expect(try await stage.ask("GET", "/api/v1/metrics").status == 401)
      #expect(try await stage.ask("GET", "/nothing").status == 401)
    }
  }
}
