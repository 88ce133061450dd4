import CastProtocol
import Synchronization
import Testing

@testable import CastSender

extension SenderTests {
  /// A device that says far more than any receiver has to say.
  @Suite(.timeLimit(.minutes(5))) struct MessageLimitTests {
    /// What a session heard at its end, after a device sent so many messages, and was asked so often, in each of ten seconds.
    private static func ending(limit: Int?, perSecond: Int, asked: Int = 0) async throws -> CastError? {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let time = ManualTime()
      var options = SessionOptions(
        purpose: .play(applicationID: "AAAA0001"), requiredNamespaces: [ScriptedApplication.media],
        reconnection: ReconnectPolicy())
      options.messageLimit = limit
      let session = Session(
        device: Device(endpoint: DeviceEndpoint(host: "tv")), options: options, transport: transport,
        time: time.source)
      let events = session.events()
      try await session.start()
      for _ in 0..<10 {
        for _ in 0..<perSecond {
          transport.say(.message(ScriptedApplication.status(namespaces: [ScriptedApplication.media])))
        }
        for _ in 0..<asked { _ = await session.remoteMediaClient.requestStatus().outcome }
        // What was said in this second is heard in it.
        await session.settle()
        time.advance(by: .seconds(1))
      }
      transport.say(.message(ScriptedApplication.status(namespaces: [ScriptedApplication.media])))
      await session.settle()
      await session.leave()
      for await event in events { if case .ended(let error) = event { return error } }
      return nil
    }

    @Test("its session ends, with the limit in the words, and is not called again by itself")
    func flood() async throws {
      let error = try await Self.ending(limit: 20, perSecond: 22)
      #expect(error?.code == .tooManyMessages)
      #expect(error?.message.contains("more than 20 messages a second for 5 s") == true)
    }

    @Test("answers to what it was asked are no part of a flood, and excuse none")
    func answers() async throws {
      #expect(try await Self.ending(limit: 20, perSecond: 1, asked: 40) == nil)
      #expect(try await Self.ending(limit: 20, perSecond: 22, asked: 40)?.code == .tooManyMessages)
    }

    @Test("a device that keeps below the limit stays, and so does every device where there is no limit")
    func allowed() async throws {
      #expect(try await Self.ending(limit: 20, perSecond: 20) == nil)
      #expect(try await Self.ending(limit: nil, perSecond: 22) == nil)
      #expect(try await Self.ending(limit: 0, perSecond: 1) == nil)
      #expect(SessionOptions(applicationID: "AAAA0001").messageLimit == 200)
    }
  }
}
