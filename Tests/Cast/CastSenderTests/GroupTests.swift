import CastProtocol
import CastReceiverSim
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// A group and its members (protocol 5.9).
  @Suite(.timeLimit(.minutes(5))) struct GroupTests {
    @Test("a member of a group is set at its own address, and only it")
    func setsMember() async throws {
      let kitchen = try await SimulatedDevice.start { $0.isAudioOnly = true }
      let id = kitchen.server.configuration.deviceID
      let group = try await SimulatedDevice.start {
        $0.isAudioOnly = true
        $0.members = [SimGroupMember(deviceID: id, name: "Kitchen")]
      }
      let session = Session(
        device: group.device, options: SessionOptions(purpose: .device), resolver: Fixed(kitchen.device))
      try await session.start()
      let member = try #require(try await session.requestMultizoneStatus().value.devices.first)
      let before = session.receiverStatus?.volume?.level
      try await session.setVolume(0.25, ofMember: member)
      try await session.setMuted(true, ofMember: member)
      #expect(session.receiverStatus?.volume?.level == before)
      await session.leave()
      let own = Session(device: kitchen.device, options: SessionOptions(purpose: .device))
      try await own.start()
      let volume = try #require(own.receiverStatus?.volume)
      #expect(abs(volume.level - 0.25) < 0.01 && volume.isMuted)
      await own.leave()
      try await kitchen.stop()
      try await group.stop()
    }

    @Test("a member proves its own key, not that of the group")
    func trustsMember() async throws {
      let kitchen = try await SimulatedDevice.start {
        $0.isAudioOnly = true
        $0.platform.authentication = .otherDevice
      }
      let id = kitchen.server.configuration.deviceID
      let group = try await SimulatedDevice.start {
        $0.isAudioOnly = true
        $0.platform.authentication = .honest
        $0.members = [SimGroupMember(deviceID: id, name: "Kitchen")]
      }
      let others = Mutex<[DeviceEndpoint]>([])
      let proved = Mutex<[DeviceEndpoint]>([])
      let key = try SimCredentials.shared.get().deviceKeyHash
      var options = SessionOptions(purpose: .device)
      options.trust = DeviceTrust(.pin(DevicePin(key))) { device, verdict in
        if case .proved = verdict { proved.withLock { $0.append(device.endpoint) } }
      }
      options.trust.pinOfOther = { other in
        others.withLock { $0.append(other.endpoint) }
        return nil
      }
      let session = Session(device: group.device, options: options, resolver: Fixed(kitchen.device))
      try await session.start()
      let member = try #require(try await session.requestMultizoneStatus().value.devices.first)
      try await session.setVolume(0.25, ofMember: member)
      #expect(others.withLock { $0 } == [kitchen.device.endpoint])
      #expect(proved.withLock { $0 } == [group.device.endpoint, kitchen.device.endpoint])
      await session.leave()
      try await kitchen.stop()
      try await group.stop()
    }

    @Test(
      "a member is called first where a person gave its address, and elsewhere when it does not answer there")
    func callsMemberFirst() async throws {
      let kitchen = try await SimulatedDevice.start { $0.initialVolume = 0.5 }
      let stranger = try await SimulatedDevice.start { $0.initialVolume = 0.5 }
      let id = kitchen.server.configuration.deviceID
      let group = try await SimulatedDevice.start {
        $0.members = [SimGroupMember(deviceID: id, name: "Kitchen")]
      }
      func level(of device: SimulatedDevice) async throws -> Double {
        let session = Session(device: device.device, options: SessionOptions(purpose: .device))
        try await session.start()
        let level = try #require(session.receiverStatus?.volume?.level)
        await session.leave()
        return level
      }
      let nobody = DeviceEndpoint(host: "127.0.0.1", port: 1)
      for (first, announced, wanted) in [
        (kitchen.device.endpoint, stranger.device, 0.25), (nobody, kitchen.device, 0.75),
      ] {
        let session = Session(
          device: group.device, options: SessionOptions(purpose: .device),
          resolver: Given(first: first, announced: announced))
        try await session.start()
        let member = try #require(try await session.requestMultizoneStatus().value.devices.first)
        try await session.setVolume(wanted, ofMember: member)
        await session.leave()
        let found = try await level(of: kitchen)
        #expect(abs(found - wanted) < 0.01)
      }
      let untouched = try await level(of: stranger)
      #expect(abs(untouched - 0.5) < 0.01)
      for device in [kitchen, stranger, group] { try await device.stop() }
    }

    @Test("a member that nobody knows the address of is an error in words")
    func saysWhoIsMissing() async throws {
      let group = try await SimulatedDevice.start {
        $0.members = [SimGroupMember(deviceID: "0d1c", name: "Hall")]
      }
      let session = Session(device: group.device, options: SessionOptions(purpose: .device))
      try await session.start()
      let member = try #require(try await session.requestMultizoneStatus().value.devices.first)
      await #expect(throws: CastError(.hostUnknown, "")) {
        try await session.setVolume(0.5, ofMember: member)
      }
      await session.leave()
      try await group.stop()
    }
  }
}

/// A member whose address a person gave, and that is announced elsewhere. The group itself has no unique ID
/// here.
private struct Given: DeviceResolver {
  let first: DeviceEndpoint
  let announced: Device

  func locate(_ device: Device) async -> Device { device.uniqueID == nil ? device : announced }

  func firstEndpoint(of device: Device) async -> DeviceEndpoint? { device.uniqueID == nil ? nil : first }
}
