import CastProtocol
import CastReceiverSim
import Testing

@Suite struct StrictRulesTests {
  @Test("a long and careless session says nothing that a strict receiver would object to", arguments: 0..<12)
  func staysStrict(_ seed: Int) {
    var requests = RandomRequests(random: SeededGenerator(seed: UInt64(seed)))
    var session = VirtualSession()
    session.tell(.start(Self.target))
    session.run(for: .seconds(2))
    var tokens = 0
    for _ in 0..<400 {
      tokens += 1
      session.tell(.request(RequestToken(tokens), requests.next()))
      if Bool.random(using: &requests.random) {
        session.run(for: .milliseconds(Int.random(in: 0...3000, using: &requests.random)))
      }
      if Int.random(in: 0..<20, using: &requests.random) == 0 { session.tell(.cancel(RequestToken(tokens))) }
    }
    session.run(for: .seconds(90))
    session.tell(.end(seed.isMultiple(of: 2) ? .leave : .stopApplication))
    session.run(for: .seconds(20))

    var rules = StrictRules()
    let objections = session.sent.flatMap { rules.objections(to: $0) }
    #expect(objections == [])
    #expect(session.machine.isEnded && session.outcomes.count == tokens)
    let types = Set(session.sent.compactMap(Self.type))
    #expect(types.count > 20, "the session was not careless enough: \(types.sorted())")
  }

  @Test(
    "a strict receiver does object",
    arguments: [
      (#"{"type":"PLAY","mediaSessionId":1}"#, "no request number"),
      (#"{"type":"PLAY","requestId":0,"mediaSessionId":1}"#, "no request number"),
      (#"{"type":"PLAY","requestId":1.5,"mediaSessionId":1}"#, "requestId is 1.5"),
      (#"{"type":"PLAY","requestId":7,"mediaSessionId":1}"#, "was used before"),
      (#"{"type":"PLAY","requestId":8}"#, "no mediaSessionId"),
      (#"{"type":"QUEUE_INSERT","requestId":8,"mediaSessionId":1,"items":[{"itemId":3}]}"#, "new has an id"),
      (#"{"type":"LOAD","requestId":8,"queueData":{"items":[{"itemId":3}]}}"#, "new has an id"),
      (#"{"type":"LOAD","requestId":8}"#, "nothing to load"),
      (#"{"type":"LOAD","requestId":8,"media":{"streamType":"buffered"}}"#, "streamType is"),
      (#"{"type":"LOAD","requestId":8,"media":{"metadata":null}}"#, "metadata is null"),
      (#"{"type":"QUEUE_UPDATE","requestId":8,"mediaSessionId":1,"items":[{}]}"#, "has no id"),
      (#"{"type":"QUEUE_REMOVE","requestId":8,"mediaSessionId":1,"itemIds":["3"]}"#, "itemIds is"),
      (#"{"type":"SEEK","requestId":8,"mediaSessionId":1,"currentTime":null}"#, "null in place"),
      (#"{"type":"DANCE","requestId":8}"#, "unknown type"),
    ])
  func objects(_ text: String, _ objection: String) {
    var rules = StrictRules()
    func message(_ text: String, to namespace: Namespace = .media) -> CastMessage {
      CastMessage(source: "sender-1", destination: "web-7", namespace: namespace, payload: .string(text))
    }
    #expect(!rules.objections(to: message(#"{"type":"GET_STATUS","requestId":6}"#)).isEmpty, "before CONNECT")
    #expect(rules.objections(to: message(#"{"type":"CONNECT"}"#, to: .connection)).isEmpty)
    #expect(rules.objections(to: message(#"{"type":"GET_STATUS","requestId":7}"#)).isEmpty)
    let objections = rules.objections(to: message(text))
    #expect(objections.contains { $0.contains(objection) }, "\(objections)")
  }

  private static let target = SessionTarget(
    endpoint: DeviceEndpoint(host: "virtual"), purpose: .play(applicationID: "CC1AD845"), firstRequestID: 1)

  private static func type(_ message: CastMessage) -> String? {
    guard case .string(let text) = message.payload else { return nil }
    return (try? JSONValue(parsing: text))?["type"]?.string
  }
}
