import CastProtocol
import Testing

/// What is said to a device before it has proved its identity, and the session that goes on from there.
@Suite struct EarlyLaunchTests {
  private static let idle = """
    {"type":"RECEIVER_STATUS","requestId":1,"status":{"applications":[{"appId":"E8C28D3C","sessionId":"s0",\
    "isIdleScreen":true,"namespaces":[]}]}}
    """
  private static let nothing = #"{"type":"RECEIVER_STATUS","requestId":1,"status":{}}"#
  private static let launched = Conversation.running.replacing(#""requestId":1"#, with: #""requestId":2"#)
  private static let foreign = """
    {"type":"RECEIVER_STATUS","requestId":1,"status":{"applications":[{"appId":"ABCD1234","sessionId":"s9",\
    "transportId":"web-9","namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}]}}
    """
  private static let refused = #"{"type":"LAUNCH_ERROR","requestId":2,"reason":"NOT_FOUND"}"#
  private static let interrupted = #"{"type":"LAUNCH_ERROR","requestId":2,"reason":"CANCELLED"}"#

  private static func message(_ body: String, _ source: EndpointID = .receiver) -> CastMessage {
    CastMessage(source: source, destination: .broadcast, namespace: .receiver, payload: .string(body))
  }

  private static func start(_ purpose: SessionPurpose, resuming: Bool = false) -> (
    SessionMachine, EarlyLaunch?
  ) {
    var machine = SessionMachine()
    var target = Conversation.target(purpose)
    if resuming {
      target.reconnection = ReconnectPolicy()
      target.resumes = ApplicationSessionID("s1")
    }
    let actions = machine.handle(.start(target), at: .zero)
    let early = actions.compactMap { action in
      if case .openTransport(_, isRetry: false, let early) = action { early } else { nil }
    }
    return (machine, early.first)
  }

  private static func sends(_ actions: [SessionMachine.Action]) -> [CastMessage] {
    actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
  }

  @Test(
    "a screen that shows nothing is sent LAUNCH, once; another one is not",
    arguments: [
      ([nothing, nothing], EarlyLaunch.Sent.launch), ([idle], .launch), ([foreign], .statusRequest),
      ([foreign, nothing], .statusRequest), ([Conversation.running], .statusRequest),
      (["{", "[]", "null", #"{"type":"PONG"}"#], .statusRequest), (["{", nothing], .launch),
    ])
  func decides(statuses: [String], sent: EarlyLaunch.Sent) throws {
    var early = try #require(Self.start(.play(applicationID: "CC1AD845")).1)
    #expect(early.handle(Self.message(Self.nothing)) == nil && early.sent == .nothing)
    #expect(early.begin().count == 2 && early.begin() == [])
    #expect(early.handle(Self.message(Self.nothing, "web-7")) == nil)
    let answers = statuses.compactMap { early.handle(Self.message($0)) }
    #expect(answers.count == (sent == .launch ? 1 : 0) && early.sent == sent)
  }

  @Test("nothing is launched early to join, to observe, to resume, or with a message that is too long")
  func onlyToPlay() throws {
    for purpose: SessionPurpose in [.join(applicationID: nil), .observe(applicationID: "CC1AD845"), .device] {
      #expect(Self.start(purpose).1 == nil)
    }
    #expect(Self.start(.play(applicationID: "CC1AD845"), resuming: true).1 == nil)
    var machine = SessionMachine()
    var target = Conversation.target(.play(applicationID: "CC1AD845"))
    target.launch.language = String(repeating: "x", count: 70_000)
    for case .openTransport(_, _, var early?) in machine.handle(.start(target), at: .zero) {
      _ = early.begin()
      #expect(early.handle(Self.message(Self.nothing)) == nil && early.sent == .statusRequest)
    }
  }

  @Test("the viewer's credentials are sent only after the proof")
  func keepsCredentials() throws {
    var machine = SessionMachine()
    var target = Conversation.target(.play(applicationID: "CC1AD845"))
    target.launch.credentials = CredentialsData(credentials: "secret")
    let actions = machine.handle(.start(target), at: .zero)
    let launches = actions.compactMap { action -> EarlyLaunch? in
      if case .openTransport(_, _, let early) = action { early } else { nil }
    }
    var early = try #require(launches.first)
    let before = early.begin() + [early.handle(Self.message(Self.nothing))].compactMap(\.self)
    #expect(before.count == 2 && early.sent == .statusRequest)
    _ = machine.handle(.transportOpened(after: early.sent), at: .zero)
    let after = Self.sends(machine.handle(.received(Self.message(Self.nothing)), at: .zero))
    #expect(after.count == 1 && "\(after)".contains("secret"))
  }

  @Test(
    "whenever the proof comes, the device receives the same messages in the same order, and the session ends up in the same place",
    arguments: [
      [nothing, launched], [idle, nothing, launched], [foreign, launched], [Conversation.running],
      [nothing, refused], [nothing, interrupted, launched], ["{", nothing, launched],
    ])
  func agrees(device: [String]) throws {
    var (late, _) = Self.start(.play(applicationID: "CC1AD845"))
    var expected = Self.sends(late.handle(.transportOpened(), at: .zero))
    for body in device { expected += Self.sends(late.handle(.received(Self.message(body)), at: .zero)) }
    for heard in 0...device.count {
      var (machine, found) = Self.start(.play(applicationID: "CC1AD845"))
      var early = try #require(found)
      var sent = early.begin()
      for body in device.prefix(heard) { sent += [early.handle(Self.message(body))].compactMap(\.self) }
      sent += Self.sends(machine.handle(.transportOpened(after: early.sent), at: .zero))
      for body in device { sent += Self.sends(machine.handle(.received(Self.message(body)), at: .zero)) }
      #expect(sent == expected, "\(heard)")
      #expect(machine.isEnded == late.isEnded && machine.isInApplication == late.isInApplication)
    }
  }

  @Test("a device that ignores the early LAUNCH is given up at the time limit of a launch, in the same words")
  func timesOut() throws {
    var errors: [CastError?] = []
    for sent in [EarlyLaunch.Sent.nothing, .launch] {
      var (machine, _) = Self.start(.play(applicationID: "CC1AD845"))
      _ = machine.handle(.transportOpened(after: sent), at: .zero)
      _ = machine.handle(.received(Self.message(Self.nothing)), at: .zero)
      let actions = machine.handle(.timerFired(.launch), at: Tick(.seconds(60)))
      for case .publish(.ended(let error)) in actions { errors.append(error) }
    }
    #expect(errors.count == 2 && errors[0] == errors[1] && errors[0]?.code == .timeout)
  }
}
