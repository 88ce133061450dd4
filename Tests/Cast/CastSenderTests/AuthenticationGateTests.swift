import CastProtocol
import Synchronization
import Testing

@testable import CastSender

extension SenderTests {
  /// What becomes of messages while it is open who the device is.
  @Suite(.timeLimit(.minutes(5))) struct AuthenticationGateTests {
    /// What the session was given, as the types of messages and `closed`.
    private final class Log: Sendable {
      private let entries = Mutex<[String]>([])
      var all: [String] { entries.withLock { $0 } }
      func add(_ event: TransportEvent) {
        let word =
          switch event {
          case .message(let message): message.source.rawValue
          case .closed: "closed"
          }
        entries.withLock { $0.append(word) }
      }
    }

    private static func message(_ name: String, _ namespace: Namespace = .heartbeat) -> TransportEvent {
      .message(
        CastMessage(
          source: EndpointID(name), destination: .platformSender, namespace: namespace, payload: .binary([])))
    }

    @Test("what came before the answer comes in order when the session asks for it, and then all passes")
    func keepsOrder() async {
      let log = Log()
      let gate = AuthenticationGate(keepsOthers: true) { log.add($0) }
      gate.take(Self.message("a"))
      gate.take(Self.message("answer", .deviceAuth))
      gate.take(Self.message("b"))
      gate.take(Self.message("second answer", .deviceAuth))
      guard case .answer = await gate.outcome() else {
        Issue.record("no answer")
        return
      }
      #expect(gate.makeReady() == (2, .nothing))
      gate.take(Self.message("c"))
      #expect(log.all == [])
      gate.release()
      gate.release()
      gate.take(Self.message("d"))
      gate.take(.closed(.closedByPeer))
      #expect(log.all == ["a", "b", "c", "d", "closed"])
    }

    @Test("the end of a connection is held like a message", arguments: [false, true])
    func ends(comesLater: Bool) async {
      let log = Log()
      let gate = AuthenticationGate(keepsOthers: true) { log.add($0) }
      gate.take(Self.message("a"))
      gate.take(Self.message("answer", .deviceAuth))
      if !comesLater { gate.take(.closed(.closedByPeer)) }
      _ = gate.makeReady()
      if comesLater { gate.take(.closed(.closedByPeer)) }
      #expect(log.all == [])
      gate.release()
      #expect(log.all == ["a", "closed"])
    }

    @Test("a session that sends while it is given what was held does not stop the rest")
    func mayReenter() {
      let log = Log()
      let gate = Mutex<AuthenticationGate?>(nil)
      let made = AuthenticationGate(keepsOthers: true) { event in
        log.add(event)
        let inner = gate.withLock { $0 }
        inner?.release()
        if log.all == ["a"] { inner?.take(Self.message("c")) }
      }
      gate.withLock { $0 = made }
      made.take(Self.message("a"))
      made.take(Self.message("b"))
      _ = made.makeReady()
      made.release()
      #expect(log.all == ["a", "b", "c"])
      gate.withLock { $0 = nil }
    }

    @Test("who asks for a root takes nothing before the answer, and a refused device is heard no more")
    func strict() async {
      let log = Log()
      let gate = AuthenticationGate(keepsOthers: false) { log.add($0) }
      gate.take(Self.message("a"))
      gate.take(Self.message("answer", .deviceAuth))
      guard case .otherNamespace(.heartbeat) = await gate.outcome() else {
        Issue.record("it was taken")
        return
      }
      gate.shut()
      gate.take(Self.message("b"))
      gate.release()
      #expect(log.all == [])
    }

    @Test("the first outcome counts, whether somebody waits for it or not")
    func firstOutcome() async {
      let gate = AuthenticationGate(keepsOthers: true) { _ in }
      async let waited = gate.outcome()
      gate.end(.silence)
      gate.end(.cancelled)
      gate.take(Self.message("answer", .deviceAuth))
      guard case .silence = await waited, case .silence = await gate.outcome() else {
        Issue.record("another outcome")
        return
      }
    }
  }

  /// The wait for an answer, in virtual time.
  @Suite(.timeLimit(.minutes(5))) struct AuthenticationWaitTests {
    private static let device = Device(endpoint: DeviceEndpoint(host: "192.0.2.1"), friendlyName: "Lobby")

    @Test(
      "the challenge is the first message, with a nonce of its own each time; silence ends with the time-out")
    func challenges() async throws {
      let base = ScriptedTransport(script: { _ in [] })
      let time = ManualTime()
      let transport = AuthenticatingTransport.wrapping(
        base, device: Self.device, trust: DeviceTrust(.pin(DevicePin(String(repeating: "a", count: 64)))),
        time: time.source)
      for attempt in 1...2 {
        let opening = Task {
          _ = try await transport.open(Self.device.endpoint, name: "Lobby", timeout: .seconds(10), early: nil)
          { _ in }
        }
        await time.waitForSleeper()
        #expect(base.sentMessages.count == attempt)
        time.advance(by: .seconds(10))
        let error = await #expect(throws: CastError.self) { try await opening.value }
        #expect(error?.code == .deviceAuthenticationTimeoutFailure)
      }
      let nonces = try base.sentMessages.map { message in
        #expect(message.source == .platformSender && message.destination == .receiver)
        guard case .binary(let bytes) = message.payload else { throw TestFailure("text") }
        let challenge = try #require(try DeviceAuthMessage(decoding: bytes).challenge)
        #expect(challenge.hashAlgorithm == .sha256 && challenge.nonce?.count == 16)
        return challenge.nonce
      }
      #expect(nonces[0] != nonces[1])
    }

    @Test("the wait can be given up")
    func cancels() async {
      let time = ManualTime()
      let transport = AuthenticatingTransport.wrapping(
        ScriptedTransport(script: { _ in [] }), device: Self.device, trust: DeviceTrust(.pin(nil)),
        time: time.source)
      let opening = Task {
        _ = try await transport.open(Self.device.endpoint, name: "Lobby", timeout: .seconds(10), early: nil) {
          _ in
        }
      }
      await time.waitForSleeper()
      opening.cancel()
      let error = await #expect(throws: CastError.self) { try await opening.value }
      #expect(error?.code == .cancelled)
    }
  }
}
