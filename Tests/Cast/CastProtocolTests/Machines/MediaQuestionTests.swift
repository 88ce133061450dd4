import CastProtocol
import Testing

/// The GET_STATUS that a session sends by itself when it does not know the media (protocol 6.5).
@Suite struct MediaQuestionTests {
  private static func questions(_ actions: [SessionMachine.Action]) -> [CastMessage] {
    actions.compactMap { action in
      guard case .send(let message) = action, message.namespace == .media,
        case .string(let text) = message.payload, text.contains("GET_STATUS")
      else { return nil }
      return message
    }
  }

  private static func unknown(_ session: Int, answering request: Int = 0) -> SessionMachine.Event {
    Conversation.media(
      """
      {"type":"MEDIA_STATUS","requestId":\(request),\
      "status":[{"mediaSessionId":\(session),"playerState":"PLAYING"}]}
      """)
  }

  @Test(
    "ever new media sessions open one GET_STATUS, and the next one when it has ended",
    arguments: [
      unknown(501, answering: 3),
      Conversation.media(#"{"type":"INVALID_REQUEST","requestId":3,"reason":"X"}"#),
      .timerFired(.request(RequestID(3))),
    ] as [SessionMachine.Event])
  func asksOnceAtATime(end: SessionMachine.Event) {
    var machine = Stage.active.machine()
    let now = Tick(.seconds(2))
    let flood = (2...500).flatMap { machine.handle(Self.unknown($0), at: now) }
    let timers = flood.count { if case .startTimer = $0 { true } else { false } }
    #expect(Self.questions(flood).count == 1 && timers == 1)
    let ended = machine.handle(end, at: now)
    #expect(Self.questions(ended).count == 1)
    // Once in a media session.
    let refusal = Conversation.media(#"{"type":"INVALID_REQUEST","requestId":4,"reason":"X"}"#)
    let refused = machine.handle(refusal, at: now)
    #expect(Self.questions(refused).isEmpty)
  }

  @Test("an application that lists the media namespace again and again is asked once at a time")
  func asksOnceForNamespaces() {
    var machine = Stage.active.machine()
    let without = Conversation.running.replacing(
      #"[{"name":"urn:x-cast:com.google.cast.media"}]"#, with: "[]")
    let actions = (0..<100).flatMap { _ in
      [without, Conversation.running].flatMap {
        machine.handle(Conversation.platform($0), at: Tick(.seconds(2)))
      }
    }
    #expect(Self.questions(actions).count == 1)
  }
}
