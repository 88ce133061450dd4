import CastqOperations
import Testing
@testable import CastqWeb

@Suite("People on the page", .timeLimit(.minutes(10)))
struct PeopleTests {
  private func post(_ stage: WebStage, _ text: String) async throws -> RawAnswer {
    let head = [
      "POST /settings/people HTTP/1.1", "Host: 127.0.0.1:\(stage.port)",
      "Origin: http://127.0.0.1:\(stage.port)", "Content-Type: application/x-www-form-urlencoded",
      "Content-Length: \(text.utf8.count)", "Connection: close",
    ]
    return try await stage.send(head.joined(separator: "\r\n") + "\r\n\r\n" + text)
  }

  @Test("a token is made for a person with what they may do, is shown once, and opens the page")
  func give() async throws {
    try await WebStage.with { stage in
      let answer = try await post(stage, "do=give&name=anna&role=operate")
      let token = try #require(answer.body.firstMatch(of: /castq_[0-9a-f]{64}/)).output
      #expect(stage.tokens.holder(of: String(token))?.role == .operate)
      let later = try await stage.ask("GET", "/settings").body
      #expect(later.contains(">anna<") && !later.contains(String(token)))
    }
  }

  @Test("a name that has one, no role and no name make nothing, and the page says why")
  func refused() async throws {
    try await WebStage.with { stage in
      _ = try await post(stage, "do=give&name=anna&role=look")
      for (form, words) in [
        ("do=give&name=anna&role=edit", "there is a token anna already"),
        ("do=give&name=bert&role=king", "choose what they may do"), ("do=give&name=&role=look", "name"),
        ("do=else", "says nothing that can be done"),
      ] {
        #expect(try await post(stage, form).body.contains(words), "\(form)")
      }
      let names = try stage.tokens.all().map(\.name)
      #expect(names == ["anna"])
    }
  }

  @Test("a token that is withdrawn on the page opens nothing from then on")
  func withdraw() async throws {
    try await WebStage.with { stage in
      let token = try stage.tokens.add("anna", role: .look, at: "")
      #expect(try await post(stage, "do=withdraw&name=anna").status == 200)
      #expect(stage.tokens.holder(of: token) == nil)
    }
  }

  @Test("the page says where colleagues find it, or that it listens on this computer alone")
  func reach() async throws {
    try await WebStage.with { stage in
      let page = try await stage.ask("GET", "/settings").body
      #expect(page.contains("on this computer alone"))
    }
    try await WebStage.with({
      $0.host = "0.0.0.0"
      $0.hosts = ["signs.example"]
    }) { stage in
      let token = try stage.tokens.add("anna", role: .edit, at: "")
      let page = try await stage.ask("GET", "/settings", ["Authorization: Bearer \(token)"]).body
      #expect(page.contains("signs.example"))
    }
  }
}
