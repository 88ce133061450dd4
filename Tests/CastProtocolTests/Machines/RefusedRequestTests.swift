import CastProtocol
import Testing

/// Requests that a session does not send, and what it says instead.
@Suite struct RefusedRequestTests {
  private static func failure(_ actions: [SessionMachine.Action]) -> CastError? {
    for case .complete(_, .failure(let error)) in actions { return error }
    return nil
  }

  @Test(
    "a seek to what is no number is not sent, and leaves an earlier one alone",
    arguments: [
      SeekOptions.Target.position(MediaTime(seconds: .nan)), .position(MediaTime(seconds: .infinity)),
      .offset(MediaTime(seconds: .nan)),
    ])
  func seeksNowhere(target: SeekOptions.Target) {
    var machine = Stage.active.machine()
    let now = Tick(.seconds(2))
    _ = machine.handle(.request(RequestToken(1), .media(.seek(SeekOptions(.position(30))))), at: now)
    let actions = machine.handle(.request(RequestToken(2), .media(.seek(SeekOptions(target)))), at: now)
    #expect(actions == [.complete(RequestToken(2), .failure(CastError(.invalidRequest, "")))])
    #expect(machine.requestID(of: RequestToken(1)) != nil)
  }

  @Test("while it is unknown whether the application still runs, the session is not said to have ended")
  func parting() throws {
    var machine = Stage.parting.machine()
    let now = Tick(.seconds(2))
    let actions = machine.handle(.request(RequestToken(1), .media(.play)), at: now)
    let refused = try #require(Self.failure(actions))
    #expect(refused.code == .sessionIsNotActive && refused.message.contains("closed the connection"))
    #expect(!machine.isEnded)
    // It still runs: the session joins it again.
    _ = machine.handle(Conversation.platform(Conversation.running), at: now)
    let rejoined = Conversation.playing.replacing(#""requestId":2"#, with: #""requestId":4"#)
    _ = machine.handle(Conversation.media(rejoined), at: now)
    #expect(machine.isInApplication)
  }
}
