import CastProtocol
import Testing

/// Every state meets every event, and every request gets exactly one answer, whatever a peer says.
@Suite struct SessionMachineTotalityTests {
  @Test("an event out of place neither traps nor opens a second connection", arguments: Stage.allCases)
  func everyStateMeetsEveryEvent(_ stage: Stage) {
    for event in Conversation.everyEvent {
      var machine = stage.machine()
      let actions = machine.handle(event, at: Tick(.seconds(2)))
      let opens = actions.count { if case .openTransport = $0 { true } else { false } }
      #expect(opens == (stage == .idle && event.isStart ? 1 : 0), "\(stage) \(event)")
      // A request is either refused at once or sent: silence would leave its caller waiting for ever.
      if case .request(let token, _) = event {
        let isCompleted = actions.contains { if case .complete(token, _) = $0 { true } else { false } }
        let isSent = actions.contains { if case .startTimer(.request, _) = $0 { true } else { false } }
        #expect(isCompleted != isSent, "\(stage) \(event)")
      }
    }
  }

  @Test("the end is published once and is the last event", arguments: Stage.allCases)
  func endsOnce(_ stage: Stage) {
    var machine = stage.machine()
    var actions: [SessionMachine.Action] = []
    for event in Conversation.everyEvent + Conversation.everyEvent {
      actions += machine.handle(event, at: Tick(.seconds(2)))
    }
    actions += machine.handle(.end(.leave), at: Tick(.seconds(3)))
    let published = actions.compactMap { if case .publish(let event) = $0 { event } else { nil } }
    let ends = published.count { if case .ended = $0 { true } else { false } }
    #expect(ends == (stage == .ended ? 0 : 1))
    if stage != .ended, case .ended? = published.last {} else { #expect(stage == .ended) }
    #expect(machine.isEnded)
  }

  @Test("mutated replies neither trap nor cost or double an answer", arguments: 0..<40)
  func surviveMutatedReplies(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var machine = Stage.active.machine()
    var waiting: Set<RequestToken> = []
    var completed: [RequestToken] = []
    var issued = 0
    var now = Tick(.seconds(1))
    for _ in 0..<400 where !machine.isEnded {
      now = now + .milliseconds(Int.random(in: 0...400, using: &random))
      let event: SessionMachine.Event
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        issued += 1
        waiting.insert(RequestToken(issued))
        event = .request(
          RequestToken(issued), Conversation.requests.randomElement(using: &random) ?? .media(.play))
      case 2: event = .timerFired(.request(RequestID(Int.random(in: 1...20, using: &random))))
      case 3: event = .cancel(RequestToken(Int.random(in: 1...20, using: &random)))
      default: event = .received(Conversation.mutatedReply(using: &random))
      }
      completed += tokens(machine.handle(event, at: now))
    }
    completed += tokens(machine.handle(.end(.leave), at: now))
    #expect(completed.count == Set(completed).count)
    #expect(Set(completed) == waiting)
  }

  private func tokens(_ actions: [SessionMachine.Action]) -> [RequestToken] {
    actions.compactMap { if case .complete(let token, _) = $0 { token } else { nil } }
  }
}

extension SessionMachine.Event {
  fileprivate var isStart: Bool {
    if case .start = self { true } else { false }
  }
}
