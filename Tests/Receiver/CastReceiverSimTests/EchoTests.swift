import CastProtocol
import CastReceiverSim
import Testing

/// Custom namespaces of the simulated device (protocol 16).
@Suite struct EchoTests {
  private static let echo: Namespace = "urn:x-cast:org.castq.echo"
  private static let bytes: Namespace = "urn:x-cast:org.castq.echo.binary"

  private func say(_ stage: inout Stage, _ payload: CastMessage.Payload, _ namespace: Namespace = echo)
    -> [CastMessage]
  {
    stage.receiver.handle(
      .received(
        CastMessage(
          source: "sender-0", destination: stage.transport, namespace: namespace, payload: payload),
        from: Stage.connection))
    return stage.receiver.takeOutputs().compactMap(\.message)
  }

  @Test("text and bytes come back as they were; numbered JSON is answered under its number")
  func echoes() {
    var stage = Stage(application: "ECEC0001")
    #expect(say(&stage, .string("not { JSON")).map(\.payload) == [.string("not { JSON")])
    #expect(say(&stage, .binary([0, 255]), Self.bytes).map(\.payload) == [.binary([0, 255])])
    let answer = say(&stage, .string(#"{"requestId":7,"a":1}"#)).first
    #expect(answer?.destination == "sender-0")
    #expect(answer?.body?["type"] == "ECHO" && answer?.body?["requestId"] == 7)
    #expect(answer?.body?["echo"]?["a"] == 1)
  }

  @Test("a broadcast reaches everybody, once a connection")
  func broadcasts() {
    var stage = Stage(senders: ["sender-0", "sender-9"], application: "ECEC0002")
    let said = say(&stage, .string(#"{"type":"BROADCAST","text":"hello"}"#))
    #expect(said.map(\.payload) == [.string("hello")] && said.first?.destination == .broadcast)
  }

  @Test("what the application listens to changes while it runs, and every sender is told")
  func changesNamespaces() {
    var stage = Stage(application: "ECEC0001")
    let gone = say(&stage, .string(#"{"type":"UNLISTEN","namespace":"\#(Self.bytes)"}"#))
    #expect(gone.first?.body?["type"] == "RECEIVER_STATUS")
    // Nobody listens there any more: the device hangs up.
    #expect(say(&stage, .binary([1]), Self.bytes).first?.body?["type"] == "CLOSE")
    stage.connect("sender-0", to: stage.transport)
    stage.receiver.handle(.control(.listen(namespace: Self.bytes.rawValue, true)))
    _ = stage.receiver.takeOutputs()
    #expect(say(&stage, .binary([1]), Self.bytes).map(\.payload) == [.binary([1])])
  }

  @Test("a device may also drop what nobody listens to, without a word")
  func drops() {
    var configuration = ReceiverConfiguration()
    configuration.channels.unlisted = .drop
    var stage = Stage(configuration, application: "ECEC0001")
    #expect(say(&stage, .string("x"), "urn:x-cast:nobody").isEmpty)
  }

  @Test("an application that plays no media is ready all the same, and refuses nothing in silence")
  func playsNoMedia() {
    var stage = Stage(application: "ECEC0001")
    let status = stage.platform(["type": "GET_STATUS", "requestId": 9]).first
    let application = status?["status"]?["applications"]?.array?.first
    #expect(application?["transportId"]?.string == stage.transport.rawValue)
    #expect(stage.media(["type": "GET_STATUS", "requestId": 10]).isEmpty)
  }
}
