import Foundation
import Testing

@Suite("Rules by the page", .timeLimit(.minutes(20)))
struct WebRuleTests {
  /// A stage with a device called lobby that is known, and the page.
  private func with(_ body: (Stage, OperatorPage) async throws -> Void) async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      try await body(stage, OperatorPage(stage))
    }
  }

  @Test("a rule that is switched off and on is the same rule: an announcement, and one with days")
  func switching() async throws {
    try await with { stage, page in
      let list = try stage.playlist(tones: 1, seconds: 1)
      for words in [
        ["bell", "--cron", "0 12 * * *", "--interrupt"],
        ["office", "--daily", "08:00-10:30", "--days", "mon-fri"],
      ] {
        expectSilence(
          try await stage.castq(
            ["schedule", "add", words[0], "--play", list, "-d", "lobby"] + words.dropFirst()))
        let before = try await stage.json("schedule", "show", words[0])
        for isEnabled in [false, true] {
          let answer = try await page.ask(
            "PATCH", "schedule/rules/\(words[0])", json: "{\"enabled\":\(isEnabled)}")
          #expect(answer.status == 200, "\(answer)")
          let after = try await stage.json("schedule", "show", words[0])
          #expect(after["enabled"] == .bool(isEnabled))
          for member in ["kind", "form", "expression", "exceptions", "programme"] {
            #expect(after[member] == before[member], "\(words[0]): \(member)")
          }
        }
      }
      #expect(try await page.ask("PATCH", "schedule/rules/none", json: #"{"enabled":true}"#).status == 404)
    }
  }

  @Test("a rule plays what can be read: a file that is not there is refused, as on the command line")
  func sources() async throws {
    try await with { stage, page in
      let list = try stage.playlist(tones: 1, seconds: 1)
      let path = list.hasPrefix("/") ? list : "\(stage.folder)/\(list)"
      try await stage.castq("programme", "add", "menus", path)
      for (play, status) in [("\(stage.folder)/gone.m3u", 422), ("none", 422), (path, 200), ("menus", 200)] {
        let body = "{\"play\":\"\(play)\",\"devices\":\"lobby\",\"daily\":\"08:00-09:00\"}"
        let name = play.split(separator: "/").last.map { String($0) } ?? play
        let answer = try await page.ask("PUT", "schedule/rules/\(name)", json: body)
        #expect(answer.status == status, "\(play): \(answer)")
        let isThere = try await page.ask("GET", "schedule/rules/\(name)").status == 200
        #expect(isThere == (status == 200))
      }
      let refused = try await page.ask(
        "PUT", "schedule/rules/gone",
        json: #"{"play":"/nowhere/gone.m3u","devices":"lobby","daily":"08:00-09:00"}"#)
      #expect(try refused.json["code"]?.string == "input_missing")
      #expect(try refused.json["exit"]?.int == 66)
    }
  }

  @Test("a rule that is written is answered as it is read: its programme is called by its source")
  func answers() async throws {
    try await with { stage, page in
      let list = try stage.playlist(tones: 1, seconds: 1)
      let path = list.hasPrefix("/") ? list : "\(stage.folder)/\(list)"
      // A trigger has the programme of a source to itself, though its name is taken.
      let rules = [
        ("day", #""daily":"08:00-09:00""#), ("bell", #""cron":"0 12 * * *","for":"60s","interrupt":true"#),
      ]
      for (name, when) in rules {
        let body = "{\"play\":\"\(path)\",\"devices\":\"lobby\",\(when)}"
        let answer = try await page.ask("PUT", "schedule/rules/\(name)", json: body)
        #expect(answer.status == 200, "\(answer)")
        #expect(try answer.json["programme"]?.string == path, "\(name): \(answer)")
        let read = try await page.ask("GET", "schedule/rules/\(name)")
        #expect(try read.json["programme"]?.string == path, "\(name): \(read)")
      }
    }
  }

  @Test("a preview is of a rule or of a time of it, and not of both")
  func previews() async throws {
    try await with { _, page in
      let rule = #""rule":{"play":"http://127.0.0.1:1/a.mp4","devices":"lobby","always":true}"#
      let skip = #""occurrence":"2026-12-24","action":"skip""#
      let good = try await page.ask("POST", "schedule/rules/x/preview", json: "{\(rule)}")
      let both = try await page.ask("POST", "schedule/rules/x/preview", json: "{\(rule),\(skip)}")
      #expect(good.status == 200 && both.status == 400)
    }
  }

  @Test("a name that is no part of an address is no name of a rule", arguments: [".", ".."])
  func names(_ name: String) async throws {
    try await with { stage, page in
      let body = #"{"play":"http://127.0.0.1:1/a.mp4","devices":"lobby","always":true}"#
      #expect(try await page.ask("PUT", "schedule/rules/\(name)", json: body).status == 400)
      let ending = try await stage.castq(
        "schedule", "add", name, "--play", "http://127.0.0.1:1/a.mp4", "-d", "lobby", "--always")
      expectOneLine(ending, exit: 64, saying: "is no name in an address of the page")
    }
  }
}
