import CastProtocol
import CastReceiverSim
import CastSender
import Testing

extension SenderTests {
  /// A session keeps to the device it met first, and knows when it goes on with another one.
  @Suite(.timeLimit(.minutes(5))) struct KnownDeviceTests {
    private static func pair() async throws -> (SimulatedDevice, SimulatedDevice) {
      (
        try await SimulatedDevice.start { $0.platform.authentication = .honest },
        try await SimulatedDevice.start { $0.platform.authentication = .otherDevice }
      )
    }

    @Test(
      "whoever answers a later connection has to hold the first key, unless the device is a group",
      arguments: [false, true])
    func keepsToFirstKey(isGroup: Bool) async throws {
      let (first, second) = try await Self.pair()
      var device = first.device
      if isGroup { device.capabilities = [.multizoneGroup] }
      let reports = Reports()
      let transport = AuthenticatingTransport.wrapping(
        TLSTransport(group: SimulatedDevice.group), device: device,
        trust: DeviceTrust(.pin(nil)) { reports.add($1) }, time: .continuous)
      for (place, isWelcome) in [(first, true), (first, true), (second, isGroup)] {
        do throws(CastError) {
          let connection = try await transport.open(
            place.device.endpoint, name: "Lobby", timeout: .seconds(20), early: nil
          ) { _ in }
          #expect(isWelcome)
          await connection.close()
        } catch {
          #expect(!isWelcome && error.code == .deviceAuthenticationFailure)
          #expect(error.message.contains("Lobby (127.0.0.1:") && error.message.contains("forget the old key"))
        }
      }
      #expect(reports.all.count == 3)
      try await first.stop()
      try await second.stop()
    }

    @Test(
      "a session is moved to a device with another key, when that is the key it has to have",
      arguments: [false, true])
    func moves(isOtherKnown: Bool) async throws {
      let (first, second) = try await Self.pair()
      let known = try #require(DevicePin(try SimCredentials.shared.get().deviceKeyHash))
      let reports = Reports()
      var options = SessionOptions()
      options.trust = DeviceTrust(.pin(known)) { reports.add($1) }
      let wrong = DevicePin(String(repeating: "0", count: 64))
      if isOtherKnown { options.trust.pinOfOther = { _ in wrong } }
      let session = Session(device: first.device, options: options)
      try await session.start()
      _ = try await session.remoteMediaClient.load(first.media("film")).value
      var target = second.device
      target.friendlyName = "Other TV"
      if isOtherKnown {
        await #expect(throws: CastError(.deviceAuthenticationFailure, "")) {
          try await session.transfer(to: target)
        }
        #expect(session.device.friendlyName == "Test TV" && session.state == .active)
      } else {
        try await session.transfer(to: target)
        #expect(session.device.friendlyName == "Other TV" && session.state == .active)
        let keys = reports.all.compactMap {
          if case .proved(let identity) = $0 { identity.keyHash } else { nil }
        }
        #expect(keys.count == 3 && keys[0] == known.keyHash && keys[1] == keys[2] && keys[0] != keys[1])
      }
      await session.leave()
      try await first.stop()
      try await second.stop()
    }
  }
}
