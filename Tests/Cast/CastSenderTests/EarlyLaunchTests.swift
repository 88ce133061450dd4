import CastProtocol
import CastReceiverSim
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// Launches that do not wait for a device's proof, over TLS against the simulator.
  @Suite(.timeLimit(.minutes(5))) struct EarlyLaunchTests {
    private static func options(_ pin: DevicePin?, _ application: String = "CC1AD845") -> SessionOptions {
      var options = SessionOptions(applicationID: application)
      options.trust = DeviceTrust(.pin(pin))
      options.reconnection = nil
      return options
    }

    @Test("LAUNCH does not wait for the proof; the session and all that it loads do")
    func launchesEarly() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .honest }
      let transport = WithheldProof { $0.contains(#""appId":"CC1AD845""#) && $0.contains("transportId") }
      let session = Session(
        device: device.device, options: Self.options(nil), transport: transport, time: .continuous)
      let events = session.events()
      // The session holds the transport.
      transport.whenReleased { [weak session] in
        #expect(session?.state == .starting)
        #expect(session?.receiverStatus == nil && session?.application == nil)
      }
      #expect(try await session.start()?.applicationID == "CC1AD845")
      #expect(transport.sentBeforeProof == ["CONNECT", "GET_STATUS", "LAUNCH"])
      #expect(
        try await session.remoteMediaClient.load(device.media("film.mp4")).value.mediaSessionID.rawValue > 0)
      await session.end(.stopApplication)
      var published: [String] = []
      for await event in events { published.append("\(event)".prefix { $0 != "(" }.description) }
      #expect(Array(published.prefix(3)) == ["connecting", "launching", "receiverStatus"])
      try await device.stop()
    }

    @Test("a device that shows another application is launched only after its proof")
    func disturbsNobody() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .honest }
      var page = Self.options(nil, "84912283")
      page.requiredNamespaces = []
      let other = Session(device: device.device, options: page)
      try await other.start()
      let transport = WithheldProof { $0.contains("RECEIVER_STATUS") }
      let session = Session(
        device: device.device, options: Self.options(nil), transport: transport, time: .continuous)
      #expect(try await session.start()?.applicationID == "CC1AD845")
      #expect(transport.sentBeforeProof == ["CONNECT", "GET_STATUS"])
      await session.end(.stopApplication)
      await other.leave()
      try await device.stop()
    }

    @Test("the viewer's credentials wait for the proof, on a screen that shows nothing as well")
    func keepsCredentials() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .honest }
      var options = Self.options(nil)
      options.launch.credentials = CredentialsData(credentials: "secret")
      let transport = WithheldProof { $0.contains("RECEIVER_STATUS") }
      let session = Session(
        device: device.device, options: options, transport: transport, time: .continuous)
      #expect(try await session.start()?.applicationID == "CC1AD845")
      #expect(transport.sentBeforeProof == ["CONNECT", "GET_STATUS"])
      await session.end(.stopApplication)
      try await device.stop()
    }

    @Test("a trust that does not launch early sends nothing but the challenge before the proof")
    func waits() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .honest }
      var options = Self.options(nil)
      options.trust.launchesEarly = false
      let transport = WithheldProof { _ in true }
      let session = Session(
        device: device.device, options: options, transport: transport, time: .continuous)
      #expect(try await session.start()?.applicationID == "CC1AD845")
      #expect(transport.sentBeforeProof == [])
      await session.end(.stopApplication)
      try await device.stop()
    }

    @Test("nothing that a device with another key says reaches the session, though it was launched")
    func refuses() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .honest }
      let pin = DevicePin(String(repeating: "a", count: 64))
      let transport = WithheldProof { $0.contains(#""appId":"CC1AD845""#) }
      let session = Session(
        device: device.device, options: Self.options(pin), transport: transport, time: .continuous)
      let events = session.events()
      let error = await #expect(throws: CastError.self) { try await session.start() }
      #expect(error?.code == .deviceAuthenticationFailure)
      var published: [String] = []
      for await event in events { published.append("\(event)".prefix { $0 != "(" }.description) }
      #expect(published == ["connecting", "ended"])
      #expect(transport.sentBeforeProof.contains("LAUNCH") && session.receiverStatus == nil)
      try await device.stop()
    }
  }
}

/// Real connections whose proof of identity arrives late: when the device has said something that matches.
private final class WithheldProof: Transport {
  private struct State {
    var proof: TransportEvent?
    var isReleased = false
    var sent: [String] = []
    var release: @Sendable () -> Void = {}
  }

  private let inner = TLSTransport(group: SimulatedDevice.group)
  private let state = Mutex(State())
  private let matches: @Sendable (String) -> Bool

  init(until matches: @escaping @Sendable (String) -> Bool) { self.matches = matches }

  /// The types of the messages of which the device heard before its proof was delivered.
  var sentBeforeProof: [String] { state.withLock(\.sent) }

  func whenReleased(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.release = body } }

  func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection {
    let connection = try await inner.open(endpoint, name: name, timeout: timeout, early: early) { event in
      for event in self.take(event) { deliver(event) }
    }
    return Connection(base: connection) { self.note($0) }
  }

  private func take(_ event: TransportEvent) -> [TransportEvent] {
    let (events, release) = state.withLock { state -> ([TransportEvent], (@Sendable () -> Void)?) in
      guard case .message(let message) = event, !state.isReleased else { return ([event], nil) }
      let isProof = message.namespace == .deviceAuth
      let text = if case .string(let text) = message.payload { text } else { "" }
      state.isReleased = matches(text)
      guard state.isReleased else {
        if isProof { state.proof = event }
        return (isProof ? [] : [event], nil)
      }
      return ([event] + [state.proof].compactMap(\.self), state.release)
    }
    release?()
    return events
  }

  private func note(_ message: CastMessage) {
    guard case .string(let text) = message.payload, let json = try? JSONValue(parsing: text),
      let type = json["type"]?.string
    else { return }
    state.withLock { if !$0.isReleased { $0.sent.append(type) } }
  }

  private struct Connection: TransportConnection {
    let base: any TransportConnection
    let note: @Sendable (CastMessage) -> Void
    var isWritable: Bool { base.isWritable }
    var peerCertificate: [UInt8]? { base.peerCertificate }
    func send(_ message: CastMessage) {
      note(message)
      base.send(message)
    }
    func consumed() { base.consumed() }
    func close() async { await base.close() }
  }
}
