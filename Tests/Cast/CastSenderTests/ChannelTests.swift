import CastProtocol
import Synchronization
import Testing

@testable import CastSender

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

    @Test(
      "an application that comes or goes while a channel is added is not missed",
      arguments: 1...6, [true, false])
    func followsWhileAdded(access: Int, comes: Bool) async throws {
      let transport = ScriptedTransport(
        script: ScriptedApplication.script(namespaces: [Self.namespace]))
      let session = ScriptedApplication.session(transport, needs: Self.namespace)
      let application = try #require(try await session.start())
      let roster = ChannelRoster()
      roster.applicationChanged(to: comes ? nil : application, because: nil)
      let channel = try Interrupted(Self.namespace, at: access) {
        roster.applicationChanged(to: comes ? application : nil, because: nil)
      }
      roster.add(channel, to: session)
      let isExpected = channel.wasInterrupted ? comes : !comes
      #expect(channel.base.isConnected == isExpected)
      #expect((channel.heard.last == "connected") == isExpected)
      roster.remove(channel)
      #expect(!channel.base.isConnected && channel.heard.last != "connected")
      await session.leave()
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

/// Runs something in the middle of what is done with it: at one of the accesses to its connection.
private final class Interrupted: CastChannel {
  let base: ChannelConnection
  private let access: Int
  private let interrupt: @Sendable () -> Void
  private let accesses = Atomic(0)
  private let words = Mutex<[String]>([])

  init(_ namespace: String, at access: Int, _ interrupt: @escaping @Sendable () -> Void) throws(CastError) {
    base = try ChannelConnection(namespace: namespace)
    self.access = access
    self.interrupt = interrupt
  }

  var connection: ChannelConnection {
    if accesses.add(1, ordering: .relaxed).newValue == access { interrupt() }
    return base
  }
  var wasInterrupted: Bool { accesses.load(ordering: .relaxed) >= access }
  var heard: [String] { words.withLock { $0 } }

  func didConnect(to application: ApplicationMetadata) { words.withLock { $0.append("connected") } }
  func didDisconnect(_ error: CastError?) { words.withLock { $0.append("disconnected") } }
}
