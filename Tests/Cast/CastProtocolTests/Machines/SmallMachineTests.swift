import CastProtocol
import Testing

@Suite struct RequestTableTests {
  @Test("a number is never given twice, and a request leaves the table once")
  func numbersAndCompletion() {
    var table = RequestTable(first: 7)
    let first = table.open(.mediaStatus, name: "PLAY", token: RequestToken(1), deadline: .zero)
    #expect(first.id == RequestID(7))
    #expect(first.name == "PLAY #7")
    #expect(table.id(of: RequestToken(1)) == first.id)
    #expect(table.close(first.id) == first)
    #expect(table.close(first.id) == nil)
    #expect(table.id(of: RequestToken(1)) == nil)
    let second = table.open(.load, name: "LOAD", token: nil, deadline: .zero)
    #expect(second.id == RequestID(8))
    #expect(table.wasIssued(first.id) && !table.wasIssued(RequestID(9)) && !table.wasIssued(RequestID(6)))
  }

  @Test("closing all yields every open request, oldest first")
  func closesAll() {
    var table = RequestTable()
    for token in 1...5 {
      _ = table.open(
        token.isMultiple(of: 2) ? .load : .mediaStatus, name: "X", token: RequestToken(token), deadline: .zero
      )
    }
    #expect(table.closeAll { $0.expectation == .load }.map(\.id.rawValue) == [2, 4])
    #expect(table.closeAll().map(\.id.rawValue) == [1, 3, 5])
    #expect(table.count == 0)
  }

  @Test("the table has a limit")
  func isBounded() {
    var table = RequestTable()
    for _ in 0..<RequestTable.limit { _ = table.open(.load, name: "LOAD", token: nil, deadline: .zero) }
    #expect(table.isFull)
  }
}

@Suite struct HeartbeatMachineTests {
  @Test("what comes in one burst after a silence says nothing of the time before it")
  func burst() {
    var machine = HeartbeatMachine(at: .zero)
    machine.heard(at: Tick(.seconds(4)))
    #expect(machine.seenUntil(at: Tick(.seconds(6))) == Tick(.seconds(6)))
    #expect(machine.seenUntil(at: Tick(.seconds(12))) == Tick(.seconds(4)))
    machine.heard(at: Tick(.seconds(12)))
    machine.heard(at: Tick(.milliseconds(12_100)))
    #expect(machine.seenUntil(at: Tick(.milliseconds(12_100))) == Tick(.seconds(4)))
    machine.heard(at: Tick(.seconds(13)))
    #expect(machine.seenUntil(at: Tick(.seconds(13))) == Tick(.seconds(13)))
  }

  @Test("an answer half a second after a PING that was sent a tenth of a second late comes after no silence")
  func latePing() {
    var machine = HeartbeatMachine(at: .zero)
    let answer = Tick(.milliseconds(5_600))
    #expect(machine.seenUntil(at: answer) == answer)
    machine.heard(at: answer)
    #expect(machine.seenUntil(at: answer) == answer)
    #expect(machine.seenUntil(at: Tick(.milliseconds(11_201))) == answer)
  }

  @Test(
    "silence leads to a PING after 5 s and to the end after 15 s, traffic to neither",
    arguments: [
      (heard: [], looks: [5, 10, 15], verdicts: ["ping 5", "ping 5", "dead"]),
      (heard: [3], looks: [5, 8, 13, 18], verdicts: ["look 3", "ping 5", "ping 5", "dead"]),
      (heard: [4, 7, 9], looks: [5, 9, 14], verdicts: ["look 4", "look 5", "ping 5"]),
      (heard: [], looks: [7, 12, 14, 15], verdicts: ["ping 5", "ping 3", "look 3", "dead"]),
      (heard: [], looks: [3600], verdicts: ["dead"]),
    ] as [(heard: [Int], looks: [Int], verdicts: [String])])
  func looksAtSilence(_ heard: [Int], _ looks: [Int], _ verdicts: [String]) {
    var machine = HeartbeatMachine(at: .zero)
    var seen: [String] = []
    for second in 0...(looks.last ?? 0) {
      if heard.contains(second) { machine.heard(at: Tick(.seconds(second))) }
      guard looks.contains(second) else { continue }
      switch machine.timerFired(at: Tick(.seconds(second))) {
      case .look(let wait): seen.append("look \(wait.components.seconds)")
      case .ping(let wait): seen.append("ping \(wait.components.seconds)")
      case .dead: seen.append("dead")
      }
    }
    #expect(seen == verdicts)
  }

  @Test("a PONG goes back the way the PING came", arguments: ["Tr@n$p0rt-0", "receiver-0"])
  func answersPings(_ id: String) {
    let ping = CastMessage(
      source: EndpointID(id), destination: EndpointID(id), namespace: .heartbeat, json: ["type": "PING"])
    let pong = HeartbeatMachine.pong(to: ping)
    #expect(pong.source == EndpointID(id) && pong.destination == EndpointID(id))
    #expect(pong.payload == .string(#"{"type":"PONG"}"#))
    var broadcast = ping
    broadcast.destination = .broadcast
    #expect(HeartbeatMachine.pong(to: broadcast).source == .platformSender)
  }
}

@Suite struct ReconnectPolicyTests {
  @Test(
    "waits grow to 30 s, deviate by half at most, and end when the policy says so",
    arguments: [
      (0, 0.5, 0, 0), (1, 0.5, 0, 1000), (1, 0, 0, 500), (1, 1, 0, 1500), (6, 0.5, 60, 30_000),
      (99, 0.5, 299, 30_000), (99, 7, 299, 45_000), (2, 0.5, 300, nil),
    ] as [(Int, Double, Int, Int?)])
  func waits(_ attempt: Int, _ random: Double, _ elapsed: Int, _ milliseconds: Int?) {
    let policy = ReconnectPolicy(giveUpAfter: .seconds(300))
    let wait = policy.wait(beforeAttempt: attempt, random: random, elapsed: .seconds(elapsed))
    #expect(wait == milliseconds.map { .milliseconds($0) })
  }

  @Test("the default policy never gives up, one without waits does at once")
  func patience() {
    let years = Duration.seconds(100_000_000)
    #expect(ReconnectPolicy().wait(beforeAttempt: 99_999, random: 0.5, elapsed: years) == .seconds(30))
    #expect(ReconnectPolicy(waits: []).wait(beforeAttempt: 0, random: 0.5, elapsed: .zero) == nil)
  }
}

@Suite struct CastErrorTests {
  @Test("errors are equal by code, and never lose the receiver's words")
  func equalityAndWords() {
    let error = CastError(
      .mediaLoadFailed, "it failed", receiverType: "LOAD_FAILED", receiverReason: "GENERIC_LOAD_ERROR",
      detailedErrorCode: 905, itemID: MediaQueueItemID(3), underlying: "wire")
    #expect(error == CastError(.mediaLoadFailed, "other words"))
    #expect(error != CastError(.timeout, "it failed"))
    #expect(error.code.description == "load_failed")
    #expect("\(error)" == "it failed (LOAD_FAILED, GENERIC_LOAD_ERROR, error 905, item 3, wire)")
    #expect("\(CastError(.timeout, "late"))" == "late")
  }
}
