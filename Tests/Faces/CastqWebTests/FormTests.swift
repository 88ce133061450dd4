import CastProtocol
import CastqOperations
import CastqText
import Foundation
import Testing
@testable import CastqWeb

@Suite("Forms without script", .timeLimit(.minutes(10)))
struct FormTests {
  private func post(_ stage: WebStage, _ text: String) async throws -> RawAnswer {
    let head = [
      "POST /do HTTP/1.1", "Host: 127.0.0.1:\(stage.port)", "Origin: http://127.0.0.1:\(stage.port)",
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

  @Test("a rule that could not be made is written once: its form has what was written, and what is wrong")
  func rule() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("stale", "there is one, at revision 3", exit: .tryAgain))
      let (body, fragment) = try await page(
        stage,
        after: "do=rule&back=%2Fschedule&rule=lunch&play=menus&device=%40all&form=cron"
          + "&expression=0+12+*+*+*&days=&priority=7")
      #expect(fragment == "new-rule")
      #expect(body.contains("id=\"new-rule\" open>") && body.contains("lunch already"))
      #expect(body.contains("value=\"lunch\" aria-invalid=\"true\" aria-describedby=\"mistake\""))
      for value in ["menus", "0 12 * * *", "7"] { #expect(body.contains(" value=\"\(value)\"")) }
      for value in ["@all", "cron"] { #expect(body.contains("value=\"\(value)\" selected>")) }
      #expect(body.contains("role=\"alert\" id=\"mistake\"") && !body.contains("If-Match"))
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
      let again = try await post(stage, "do=announce&source=x&devices=lobby")
      #expect(again.status == 303)
      #expect(stage.documents.questions == [.announce(["source": "x", "devices": ["lobby"]])])
    }
    var context = PageContext(page: .screens, path: "/", now: WallTime(milliseconds: 0)) { $0 }
    context.documents["devices"] = ["devices": [["name": "bar"], ["name": "lobby"]]]
    let form = WebOptions([.init("do", "announce"), .init("source", "gong.mp3"), .init("devices", "bar")])
    context.notice = .mistake(Failure("not_shown", "not shown on bar", exit: .no), form: form)
    let html = Pages.html(context)
    #expect(html.contains("aria-labelledby=\"announce-title\" open>") && html.contains(" value=\"gong.mp3\""))
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
