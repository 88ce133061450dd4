import CastProtocol
import CastSender
import Testing

extension SenderTests {
  /// Who ends a session that nobody ends.
  @Suite(.timeLimit(.minutes(5))) struct SessionOwnerTests {
    private struct Trouble: Error, Equatable {}

    @Test("a session in a closure ends when that returns, and when it throws", arguments: [false, true])
    func endsOnEveryPath(stops: Bool) async throws {
      let device = try await SimulatedDevice.start()
      var options = CastOptions()
      options.startsDiscoveryAutomatically = false
      options.stopsReceiverApplicationWhenEndingSession = stops
      let context = CastContext(options: options)
      let manager = context.sessionManager
      let returned = try await manager.withSession(with: device.device) { session in
        #expect(session.state == .active && manager.currentSession === session)
        return session
      }
      #expect(returned.state == .ended && manager.currentSession == nil)
      await #expect(throws: Trouble()) {
        try await manager.withSession(with: device.device) { _ in throw Trouble() }
      }
      #expect(manager.currentSession == nil)
      let looking = SessionOptions(purpose: .observe(applicationID: nil))
      let application = try await manager.withSession(with: device.device, options: looking) {
        $0.application
      }
      #expect((application == nil) == stops, "the application stays unless it is to stop")
      try await device.stop()
    }

    @Test("a context that is released leaves its session, and what plays continues")
    func releasedContext() async throws {
      let device = try await SimulatedDevice.start()
      var options = CastOptions()
      options.startsDiscoveryAutomatically = false
      var context: CastContext? = CastContext(options: options)
      let session = try #require(
        try await context?.sessionManager.startSession(with: device.device))
      let events = session.events()
      context = nil
      for await _ in events {}
      #expect(session.state == .ended)
      let looking = Session(
        device: device.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
      #expect(try await looking.start() != nil)
      await looking.leave()
      try await device.stop()
    }

    @Test(
      "a port that TCP does not have is an error, and nothing is called",
      arguments: ["127.0.0.1", "::1", "localhost"], [70_000, 65_536, 0, -1, .max, .min])
    func badPort(host: String, port: Int) async throws {
      let session = Session(device: Device(endpoint: DeviceEndpoint(host: host, port: port)))
      await #expect(throws: CastError(.invalidRequest, "")) { try await session.start() }
      #expect(session.state == .ended)
    }
  }
}
