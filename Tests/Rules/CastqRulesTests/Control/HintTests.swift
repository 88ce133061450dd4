import CastProtocol
import CastqFeeding
import CastqText
import Testing

@Suite("What to do about a failure")
struct HintTests {
  private func failure(_ hint: Hint?) -> Failure {
    var failure = Failure("scheduled", "the rule lunch has the screen", hint: hint, exit: .tryAgain)
    failure.add("; it is enqueued")
    return failure
  }

  @Test(
    "every hint survives the socket, and is a command at a terminal and none in a page",
    arguments: Hint.all("a b"))
  func hints(_ hint: Hint) throws {
    let line = ControlReply.failed(failure(hint)).line
    #expect(try ControlReply(parsing: line.dropLast()) == .failed(failure(hint)))
    #expect(hint.typed.contains("castq") || hint.typed.contains("--"))
    #expect(failure(hint).typed.message == "the rule lunch has the screen\(hint.typed); it is enqueued")
    for told in [failure(hint).plain, failure(hint).paged] {
      #expect(told.hint == nil && told.message.hasPrefix("the rule lunch has the screen; it is enqueued"))
      #expect(!told.message.contains("castq ") && !told.message.contains { "'`\"".contains($0) }, "\(told)")
      #expect(!told.message.contains("--"))
    }
  }

  @Test("no two hints are one on the socket")
  func codes() {
    #expect(Set(Hint.all("a").map(\.json)).count == Hint.all("a").count)
    #expect(Set(Hint.all("a")).count == Hint.all("a").count)
  }

  @Test(
    "a hint of a newer castq, and what is none, is no hint",
    arguments: [#"{"code":"new","name":null}"#, "3", "{}"])
  func unknown(_ text: String) throws {
    let hint = try JSONValue(parsing: Array(text.utf8))
    let read = Failure(json: ["code": "a", "message": "b", "exit": 75, "receiver": .null, "hint": hint])
    #expect(read == Failure("a", "b", exit: .tryAgain))
  }

  @Test("the document of a failure has a command in its message, and no other members than before")
  func document() {
    #expect(
      failure(.disableRule("my lunch")).typed.json == [
        "code": "scheduled", "exit": 75, "receiver": .null,
        "message":
          #"the rule lunch has the screen, or at once after 'castq schedule disable "my lunch"'; it is enqueued"#,
      ])
    #expect(
      failure(.disableRule("my lunch")).paged.message
        == "the rule lunch has the screen; it is enqueued; disable the rule my lunch in the schedule to play it at once"
    )
    #expect(failure(nil).typed == failure(nil))
  }
}
