import CastProtocol
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// Custom namespaces.
  @Suite(.timeLimit(.minutes(5))) struct ChannelTests {
    private static let namespace = "urn:x-cast:com.example.game"

    @Test(
      "a text that cannot be a namespace is refused with the reason",
      arguments: [
        "", "urn:x-cast:", "com.example.game", "urn:x-cast:com.google.cast.media",
        "urn:x-cast:com.example game", "urn:x-cast:" + String(repeating: "x", count: 128),
      ])
    func refusesNamespaces(_ text: String) {
      #expect(throws: CastError(.invalidRequest, "")) { try GenericChannel(namespace: text) }
    }

    @Test("a channel follows what the application listens to, whenever it was added")
    func followsTheApplication() async throws {
      let transport = ScriptedTransport(
        script: ScriptedApplication.script(namespaces: [Self.namespace]))
      let session = ScriptedApplication.session(transport, needs: Self.namespace)
      let (early, late) = (
        try Recorder(Self.namespace), try Recorder("urn:x-cast:com.example.late")
      )
      session.add(early)
      await #expect(throws: CastError(.sessionIsNotActive, "")) { try await early.send("too early") }
      try await session.start()
      #expect(early.isConnected && early.heard == ["connected Game"])
      session.add(late)
      #expect(!late.isConnected)
      await #expect(throws: CastError(.channelNotConnected, "")) { try await late.send("nobody hears") }

      try await early.send("hello")
      #expect(transport.sentMessages.last?.payload == .string("hello"))
      transport.say(.message(Self.said("welcome")))
      transport.say(.message(ScriptedApplication.status(namespaces: ["urn:x-cast:com.example.late"])))
      await session.settle()
      await session.leave()
      #expect(
        early.heard == ["connected Game", "text welcome", "disconnected -"]
          && late.heard == ["connected Game", "disconnected -"])
      await #expect(throws: CastError(.sessionIsNotActive, "")) { try await early.send("too late") }
    }

    @Test("a device that does not take what was sent is sent no more")
    func refusesWhenFull() async throws {
      let transport = ScriptedTransport(
        script: ScriptedApplication.script(namespaces: [Self.namespace]))
      let session = ScriptedApplication.session(transport, needs: Self.namespace)
      let channel = try GenericChannel(namespace: Self.namespace)
      session.add(channel)
      try await session.start()
      transport.hasRoom.store(false, ordering: .relaxed)
      await #expect(throws: CastError(.sendBufferFull, "")) { try await channel.send("more") }
      transport.hasRoom.store(true, ordering: .relaxed)
      try await channel.send([1, 2, 3])
      #expect(transport.sentMessages.last?.payload == .binary([1, 2, 3]))
      await #expect(throws: CastError(.messageTooBig, "")) {
        try await channel.send(String(repeating: "x", count: 65_536))
      }
      await session.leave()
    }

    @Test("a channel that is taken out hears that, and nothing more")
    func takesOut() async throws {
      let transport = ScriptedTransport(
        script: ScriptedApplication.script(namespaces: [Self.namespace]))
      let session = ScriptedApplication.session(transport, needs: Self.namespace)
      let (old, new) = (try Recorder(Self.namespace), try Recorder(Self.namespace))
      session.add(old)
      try await session.start()
      session.add(new)
      transport.say(.message(Self.said("for the new one")))
      await session.settle()
      await session.leave()
      #expect(old.heard == ["connected Game", "disconnected -"])
      #expect(new.heard == ["connected Game", "text for the new one", "disconnected -"])
      await #expect(throws: CastError(.channelNotConnected, "")) { try await old.send("x") }
    }

    private static func said(_ text: String) -> CastMessage {
      ScriptedApplication.broadcast(text, in: Namespace(namespace))
    }
  }
}

private final class Recorder: CastChannel {
  let connection: ChannelConnection
  private let words = Mutex<[String]>([])
  var heard: [String] { words.withLock { $0 } }

  init(_ namespace: String) throws(CastError) { connection = try ChannelConnection(namespace: namespace) }

  func didConnect(to application: ApplicationMetadata) {
    words.withLock { $0.append("connected \(application.displayName ?? "")") }
  }
  func didDisconnect(_ error: CastError?) {
    words.withLock { $0.append("disconnected \(error.map { "\($0.code)" } ?? "-")") }
  }
  func didReceive(_ text: String) { words.withLock { $0.append("text \(text)") } }
}
