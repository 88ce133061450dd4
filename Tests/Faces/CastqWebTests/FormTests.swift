import CastProtocol
import CastqOperations
import CastqText
import Foundation
import Testing
@testable import CastqWeb

@Suite("Forms without script", .timeLimit(.minutes(10)))
struct FormTests {
  private func post(_ stage: WebStage, _ text: String, to path: String = "/do") async throws -> RawAnswer {
    let head = [
      "POST \(path) HTTP/1.1", "Host: 127.0.0.1:\(stage.port)", "Origin: http://127.0.0.1:\(stage.port)",
      "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)",
      "Connection: close",
    ]
    return try await stage.send(head.joined(separator: "\r\n") + "\r\n\r\n" + text)
  }

  /// The page that a form leads to, and where on it.
  private func page(_ stage: WebStage, after text: String) async throws -> (body: String, fragment: String) {
    let answer = try await post(stage, text)
    #expect(answer.status == 303, "\(answer.body)")
    let place = try #require(answer.fields["location"]).split(separator: "#")
    stage.documents.fail(nil)
    let body = try await stage.ask("GET", String(try #require(place.first))).body
    return (body, place.count > 1 ? String(place[1]) : "")
  }

  @Test("a time that could not be made is written once: its form has what was written, and what is wrong")
  func rule() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("stale", "there is one, at revision 3", exit: .tryAgain))
      let (body, fragment) = try await page(
        stage,
        after: "do=rule&back=%2Fschedule&rule=lunch&play=menus&device=%40all&when=cron"
          + "&expression=0+12+*+*+*&day=mon&day=wed&priority=7")
      #expect(fragment == "drawer")
      #expect(body.contains("id=\"drawer\"") && body.contains("lunch already"))
      #expect(body.contains("value=\"lunch\" aria-invalid=\"true\" aria-describedby=\"mistake\""))
      #expect(body.contains(" value=\"0 12 * * *\""))
      for value in ["menus", "@all", "cron", "7"] {
        #expect(body.contains("value=\"\(value)\" selected>"), "\(value)")
      }
      #expect(body.contains("value=\"mon\" aria-label=\"Monday\" checked"))
      #expect(!body.contains("value=\"tue\" aria-label=\"Tuesday\" checked"))
      #expect(body.contains("role=\"alert\" id=\"mistake\"") && !body.contains("If-Match"))
    }
  }

  @Test(
    "a time without a name has that of its programme, and one that is changed keeps what the form does not know"
  )
  func named() async throws {
    try await WebStage.with { stage in
      _ = try await post(stage, "do=rule&play=menus&device=bar&when=daily&from=8&to=1030&day=mon&day=fri")
      #expect(
        stage.documents.questions.last
          == .putRule(
            "menus", ["play": "menus", "devices": "bar", "daily": "08:00-10:30", "days": "mon,fri"],
            revision: nil))
      _ = try await post(
        stage, "do=rule&old=lunch&revision=4&play=menus&device=bar&when=daily&from=8:15&to=24:00")
      guard case .editRule("lunch", let changes, 4)? = stage.documents.questions.last else {
        Issue.record("\(String(describing: stage.documents.questions.last))")
        return
      }
      #expect(
        changes["daily"] == "08:15-24:00" && changes.object?["days"] == .null
          && changes.object?["cron"] == .null)
      #expect(changes.object?["volume"] == nil, "what the form does not know is not said")
    }
  }

  @Test(
    "an ad share and an announcement are what people have written",
    arguments: [
      (
        "what=share&share=2+min&most=4&apart=5",
        ["always": true, "per_hour": "2m", "max_plays": 4, "min_gap": "5m"]
      ),
      (
        "what=share&share=5%25&from=8&to=20&day=sat&day=sun",
        ["daily": "08:00-20:00", "days": "sat,sun", "per_hour": "5%"]
      ),
      ("what=share&share=90+s&day=mon", ["daily": "00:00-24:00", "days": "mon", "per_hour": "90s"]),
      ("what=announcement&often=60&starts=9&stops=17&day=mon&day=tue", ["cron": "0 9-17 * * mon,tue"]),
      ("what=announcement&often=15&day=mon&from=8&to=9", ["cron": "0,15,30,45 * * * mon"]),
      ("what=announcement&often=day&at=1845&for=90s", ["cron": "45 18 * * *", "for": "90s"]),
      (
        "what=announcement&often=other&when=once&on=2026-12-24&at=18",
        ["once": "2026-12-24T18:00"]
      ),
      ("what=announcement&often=other&when=calendar&expression=hourly", ["calendar": "hourly"]),
    ] as [(String, JSONValue)])
  func kinds(fields: String, rule: JSONValue) async throws {
    try await WebStage.with { stage in
      _ = try await post(stage, "do=rule&rule=x&play=spots&device=bar&\(fields)&when=daily")
      var members = rule.object ?? [:]
      (members["play"], members["devices"]) = ("spots", "bar")
      if fields.contains("announcement") { members["interrupt"] = true }
      #expect(stage.documents.questions.last == .putRule("x", .object(members), revision: nil))
    }
  }

  @Test(
    "times of an announcement that nobody can keep are said in words, beside what was written",
    arguments: [
      ("often=day&at=25", "`25` is no time of day"), ("often=day", "at which time of day"),
      ("often=30&starts=9&stops=9:20", "between 09:00 and 09:20"), ("often=other", "choose under More"),
    ])
  func moments(fields: String, words: String) async throws {
    try await WebStage.with { stage in
      let written = "rule=x&play=gong&device=bar&what=announcement&\(fields)"
      let (body, _) = try await page(stage, after: "do=rule&back=%2Fschedule&\(written)")
      #expect(body.contains(words) && body.contains("value=\"announcement\" checked>"))
      #expect(stage.documents.questions.filter(\.isChange).isEmpty)
      let answer = try await post(stage, written, to: "/schedule/preview")
      #expect(answer.status == 200 && answer.body.contains("\"problem\""))
    }
  }

  @Test("what is wrong with a time that is still being written is an answer, and no error of the browser")
  func writing() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("schedule", "25:00 is no time of day", exit: .badData))
      let written = "old=lunch&play=menus&device=bar&when=daily&from=8&to=25:00"
      let answer = try await post(stage, written, to: "/schedule/preview")
      let document = try JSONValue(parsing: answer.body)
      #expect(answer.status == 200 && document["problem"]?["detail"]?.string == "25:00 is no time of day")
      stage.documents.fail(Failure("busy", "somebody else is at it", exit: .tryAgain))
      #expect(try await post(stage, written, to: "/schedule/preview").status == 409)
    }
  }

  @Test("a time that is removed can be put back as it was, once it is known what it was")
  func removal() async throws {
    try await WebStage.with { stage in
      let rule: JSONValue = ["play": "menus", "devices": "bar", "always": true, "volume": 40]
      stage.documents.answer(["rule": rule])
      let answer = try await post(stage, "do=remove-rule&rule=lunch&revision=3&back=%2Fschedule")
      #expect(stage.documents.questions.last == .removeRule("lunch", revision: 3))
      let place = try #require(answer.fields["location"])
      let body = try await stage.ask("GET", place).body
      #expect(body.contains("<bdi>lunch</bdi> is removed.") && body.contains("value=\"restore-rule\""))
      let number = try #require(place.split(separator: "notice=").last)
      _ = try await post(stage, "do=restore-rule&notice=\(number)&back=%2Fschedule")
      #expect(stage.documents.questions.last == .putRule("lunch", rule, revision: nil))
      let asked = stage.documents.questions.count
      _ = try await post(stage, "do=restore-rule&notice=1&back=%2Fschedule")
      #expect(stage.documents.questions.count == asked, "a number that nobody was given puts nothing back")
    }
  }

  @Test("a programme that could not be made keeps its name and the files that were chosen")
  func programme() async throws {
    try await WebStage.with { stage in
      let sent = "do=programme&back=%2Flibrary&programme=2024&files=a.mp4&files=b%2Fc.mp4&shuffle=true"
      stage.documents.fail(Failure("stale", "there is a programme 2024 already", exit: .badData))
      let (body, fragment) = try await page(stage, after: sent)
      #expect(fragment == "new-programme" && body.contains("2024 already"))
      #expect(body.contains("name=\"programme\"") && body.contains("value=\"2024\" aria-invalid=\"true\""))
      for file in ["a.mp4", "b/c.mp4"] { #expect(body.contains("name=\"files\" value=\"\(file)\"")) }
      #expect(body.contains("2 files are chosen"))
      let asked: JSONValue = ["programme": "2024", "files": ["a.mp4", "b/c.mp4"], "shuffle": true]
      #expect(stage.documents.questions.contains(.makeProgramme(asked)))
    }
  }

  @Test("an address that could not be queued stays in its field")
  func address() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("usage", "that is neither", exit: .usage))
      let (body, fragment) = try await page(
        stage, after: "do=enqueue&device=lobby&back=%2Fd%2Flobby&sources=nonsense&at=end")
      #expect(fragment == "add")
      #expect(body.contains("value=\"nonsense\" aria-invalid=\"true\"") && body.contains("that is neither"))
    }
  }

  @Test("a form of an announcement without a chosen screen interrupts none, and keeps its source")
  func announcement() async throws {
    try await WebStage.with { stage in
      let reply = try await post(stage, "do=announce&source=x")
      #expect(reply.status == 303)
      #expect(stage.documents.questions.isEmpty)
      let again = try await post(stage, "do=announce&source=x&devices=lobby&at=next")
      #expect(again.status == 303)
      #expect(stage.documents.questions == [.announce(["source": "x", "devices": ["lobby"], "at": "next"])])
    }
    var context = PageContext(page: .screens, path: "/", now: WallTime(milliseconds: 0)) { $0 }
    context.documents["devices"] = ["devices": [["name": "bar"], ["name": "lobby"]]]
    let form = WebOptions([
      .init("do", "announce"), .init("source", "gong.mp3"), .init("devices", "bar"), .init("at", "next"),
    ])
    context.notice = .mistake(Failure("not_shown", "not shown on bar", exit: .no), form: form)
    let html = Pages.html(context)
    #expect(html.contains("aria-labelledby=\"announce-title\" open>") && html.contains(" value=\"gong.mp3\""))
    #expect(html.contains("<option value=\"next\" selected>"))
    #expect(html.contains("value=\"bar\" checked>") && !html.contains("value=\"lobby\" checked>"))
    #expect(html.components(separatedBy: "not shown on bar").count == 2, "it is said once, in the form")
  }

  @Test("an announcement that was not shown everywhere is a mistake, and no success")
  func partial() async throws {
    try await WebStage.with { stage in
      stage.documents.answer(["error": ["code": "not_shown", "message": "not shown on bar", "exit": 1]])
      let (body, _) = try await page(stage, after: "do=announce&source=x&devices=bar&back=%2F")
      #expect(body.contains("not shown on bar") && body.contains("role=\"alert\""))
    }
  }

  @Test("what a form is refused for is said on the page, and a form that says nothing is no form")
  func refusals() async throws {
    try await WebStage.with { stage in
      let (body, _) = try await page(stage, after: "do=remove&device=lobby&entry=x&back=%2Fd%2Flobby")
      #expect(body.contains("entries and versions are numbers"))
      #expect(try await post(stage, "do=nothing").status == 400)
      #expect(stage.documents.questions.filter(\.isChange).isEmpty)
    }
  }
}
