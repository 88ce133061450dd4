import CastProtocol
import CastReceiverSim
import CastSender
import Testing

extension SenderTests {
  /// The knob on a device.
  @Suite(.timeLimit(.minutes(5))) struct VolumeControllerTests {
    private static func active(_ change: (inout ReceiverConfiguration) -> Void = { _ in }) async throws
      -> (SimulatedDevice, Session, DeviceVolumeController)
    {
      let device = try await SimulatedDevice.start([], change)
      let session = Session(device: device.device, options: SessionOptions(purpose: .device))
      let controller = DeviceVolumeController(session: session)
      try await session.start()
      return (device, session, controller)
    }

    @Test("fast turns reach the device, the last one last, and what its remote control does is followed")
    func turns() async throws {
      let (device, session, controller) = try await Self.active { $0.initialVolume = 0.5 }
      let watcher = Session(device: device.device, options: SessionOptions(purpose: .device))
      let heard = watcher.events()
      try await watcher.start()
      for step in 1...20 { try controller.setVolume(Double(step) / 40) }
      try controller.step(by: 2)
      #expect(abs((controller.volume ?? 0) - 0.6) < 0.01)
      var messages = 0
      for await event in heard {
        guard case .receiverStatus(let status) = event, let level = status.volume?.level else { continue }
        messages += 1
        if abs(level - 0.6) < 0.01 { break }
      }
      #expect(messages < 10)
      let changes = controller.changes()
      try await device.server.control(.volume(0.2))
      for await _ in changes where abs((controller.volume ?? 0) - 0.2) < 0.01 { break }
      await watcher.leave()
      await session.leave()
      try await device.stop()
    }

    @Test(
      "a volume that is no number is refused, and neither sent nor shown",
      arguments: [Double.nan, .infinity, -.infinity])
    func refusesNoNumber(level: Double) async throws {
      let (device, session, controller) = try await Self.active { $0.initialVolume = 0.5 }
      let member = try #require(MultizoneDevice(json: ["deviceId": "0d1c"]))
      let wrong = CastError(.invalidRequest, "")
      #expect(throws: wrong) { try controller.setVolume(level) }
      await #expect(throws: wrong) { try await session.setDeviceVolume(level).value }
      await #expect(throws: wrong) { try await session.setVolume(level, ofMember: member) }
      let told = try await session.requestReceiverStatus().value.volume?.level
      for shown in [controller.volume, told] { #expect(abs((shown ?? 0) - 0.5) < 0.01) }
      await session.leave()
      try await device.stop()
    }

    @Test("a fixed volume is refused with words")
    func refusesFixed() async throws {
      let (device, session, controller) = try await Self.active { $0.volumeControl = .fixed }
      #expect(!controller.canChange)
      #expect(throws: CastError(.notAllowed, "")) { try controller.setVolume(0.3) }
      #expect(throws: CastError(.notAllowed, "")) { try controller.step(by: 1) }
      #expect(throws: CastError(.notAllowed, "")) { try controller.setMuted(true) }
      await session.leave()
      try await device.stop()
    }

    @Test("a refused request leaves the knob where the device is; after the end of the session there is none")
    func restores() async throws {
      let transport = ScriptedTransport(script: { (message: CastMessage) -> [CastMessage] in
        guard case .string(let text) = message.payload, text.contains("SET_VOLUME"),
          let json = try? JSONValue(parsing: text), let id = json["requestId"]?.int
        else { return ScriptedTransport.restingDevice(message) }
        return [
          CastMessage(
            source: .receiver, destination: message.source, namespace: .receiver,
            json: ["type": "INVALID_REQUEST", "requestId": .integer(Int64(id)), "reason": "X"])
        ]
      })
      let session = Session(
        device: Device(endpoint: DeviceEndpoint(host: "tv")),
        options: SessionOptions(purpose: .device, reconnection: nil), transport: transport,
        time: ManualTime().source)
      let controller = DeviceVolumeController(session: session)
      try await session.start()
      let changes = controller.changes()
      try controller.setVolume(0.9)
      for await _ in changes where controller.volume == 0.5 { break }
      await session.leave()
      #expect(throws: CastError(.sessionIsNotActive, "")) { try controller.setVolume(0.9) }
      #expect(throws: CastError(.sessionIsNotActive, "")) { try controller.step(by: 1) }
      #expect(throws: CastError(.sessionIsNotActive, "")) { try controller.setMuted(true) }
      #expect(controller.volume == 0.5)
    }

    @Test("turning up a muted device lets it sound again")
    func unmutes() async throws {
      let (device, session, controller) = try await Self.active { $0.initialVolume = 0.5 }
      _ = try await session.setDeviceMuted(true).value
      #expect(controller.isMuted)
      try controller.step(by: 1)
      #expect(!controller.isMuted)
      let events = session.events()
      for await event in events {
        if case .receiverStatus(let status) = event, status.volume?.isMuted == false { break }
      }
      await session.leave()
      try await device.stop()
    }
  }
}
