import CastProtocol
import CastqOperations
import CastqText
import Testing
@testable import CastqWeb

@Suite("The button that starts castq", .timeLimit(.minutes(10)))
struct StartTests {
  private static let off: JSONValue = ["running": false, "startable": true, "service": .null]

  @Test("those who operate may start castq, those who look may not", arguments: WebRole.allCases)
  func roles(_ role: WebRole) async throws {
    try await WebStage.with({ $0.alwaysAsksForToken = true }) { stage in
      let token = try stage.tokens.add("somebody", role: role, at: "")
      let fields = ["Authorization: Bearer \(token)"]
      stage.documents.answerAll(Self.off)
      let page = try await stage.ask("GET", "/schedule", fields).body
      #expect(page.contains("castq is not running"))
      #expect(page.contains("Start castq") == (role >= .operate))
      let answer = try await stage.ask("POST", "/api/v1/daemon", fields)
      #expect(answer.status == (role >= .operate ? 200 : 403))
      #expect(stage.documents.questions.contains(.startDaemon) == (role >= .operate))
    }
  }

  @Test("where castq runs the button is hidden; where systemd starts it, its service is named instead")
  func places() async throws {
    try await WebStage.with { stage in
      stage.documents.answerAll(["running": true, "startable": true, "service": .null])
      let running = try await stage.ask("GET", "/").body
      #expect(!running.contains("castq is not running: nothing"))
      #expect(running.contains("class=\"start\" data-off=\"true\" hidden"))
      stage.documents.answerAll(["running": false, "startable": false, "service": "castq.service"])
      let service = try await stage.ask("GET", "/").body
      #expect(service.contains("castq.service") && !service.contains("Start castq"))
    }
  }

  @Test("what went wrong is said on the page")
  func failure() async throws {
    try await WebStage.with { stage in
      stage.documents.fail(Failure("configuration", "castq ended at once: no such key", exit: .configuration))
      let answer = try await stage.ask("POST", "/api/v1/daemon")
      #expect(answer.status == 409)
      #expect(try JSONValue(parsing: answer.body)["detail"]?.string == "castq ended at once: no such key")
    }
  }
}
