import CastProtocol
import CastqOperations
import Testing
@testable import CastqWeb

/// What devices are asked for those who read.
@Suite("Questions to devices", .timeLimit(.minutes(10)))
struct QuestionTests {
  @Test("a question that is being asked, or waits, is asked once for all")
  func together() {
    var queue = QuestionQueue<Int>(places: 2, waitingOfOne: 2)
    #expect(queue.admit(1, from: "a") == .begins)
    #expect(queue.admit(1, from: "b") == .joins)
    #expect(queue.admit(2, from: "a") == .waits)
    #expect(queue.admit(2, from: "b") == .joins)
    #expect(queue.end(1) == [2])
    #expect(queue.admit(1, from: "a") == .waits, "it is asked anew")
  }

  @Test("one asker leaves half of the places to others, and the others' turns come in between")
  func fairly() {
    var queue = QuestionQueue<String>(places: 4, waitingOfOne: 3)
    #expect(
      (1...6).map { queue.admit("wall \($0)", from: "wall") }
        == [.begins, .begins, .waits, .waits, .waits, .refused])
    #expect(queue.admit("bar 1", from: "bar") == .begins)
    #expect(queue.admit("bar 2", from: "bar") == .begins)
    #expect(queue.admit("bar 3", from: "bar") == .waits)
    #expect(queue.end("wall 1") == ["wall 3"])
    #expect(queue.end("bar 1") == ["bar 3"])
    #expect(queue.end("wall 2") == ["wall 4"])
  }

  @Test("too many questions of one reader are 503 with Retry-After, and commands do not wait for them")
  func flood() async throws {
    try await WebStage.with {
      $0.limits.questions = 4
      $0.limits.waitingQuestions = 2
    } _: { stage in
      stage.documents.hold()
      try await withThrowingTaskGroup(of: RawAnswer.self) { group in
        for number in 1...5 {
          group.addTask { try await stage.ask("GET", "/api/v1/devices/tv\(number)/status") }
        }
        let refused = try #require(try await group.next())
        #expect(refused.status == 503 && refused.fields["retry-after"] != nil)
        #expect(refused.body.contains("too_many_questions"))
        #expect(
          try await stage.ask("POST", Attempt.commands, json: Attempt.pause).status == 202)
        stage.documents.release()
        var statuses: [Int] = []
        for try await answer in group { statuses.append(answer.status) }
        #expect(statuses == [200, 200, 200, 200])
      }
    }
  }

  @Test("opening an address examines no screen; the form of the page does")
  func doctor() async throws {
    try await WebStage.with { stage in
      #expect(try await stage.ask("GET", "/doctor?run=yes&device=lobby").status == 200)
      #expect(!stage.documents.questions.contains { $0.asksDevices })
      let form = "device=lobby"
      let answer = try await stage.send(
        "POST /doctor HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\nConnection: close\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)"
      )
      #expect(answer.status == 200 && stage.documents.questions.contains(.doctor("lobby", isPaged: true)))
    }
  }

  @Test("keys and answers are kept within a megabyte, and a long answer comes again as its entries")
  func ledger() async throws {
    try await WebStage.with { stage in
      let words = String(repeating: "x", count: 300)
      let added = (1...900).map { number -> JSONValue in
        ["entry": .integer(Int64(number)), "url": .string(words)]
      }
      stage.documents.answer(["device": "lobby", "added": .array(added), "skipped": []])
      func send(_ key: Int) async throws -> RawAnswer {
        try await stage.ask(
          "POST", "/api/v1/devices/lobby/queue", ["Idempotency-Key: key \(key)"],
          json: #"{"sources":["http://example.org/a"]}"#)
      }
      for key in 1...120 {
        let answer = try await send(key)
        #expect(answer.status == 201, "\(key): \(answer)")
      }
      #expect(stage.site.requests.size <= 1 << 20)
      let again = try await send(120)
      #expect(again.status == 201 && again.body.utf8.count < 20_000)
      #expect(try JSONValue(parsing: again.body)["added"]?.array?.last?["entry"] == 900)
      #expect(stage.documents.questions.count == 120)
    }
  }
}
