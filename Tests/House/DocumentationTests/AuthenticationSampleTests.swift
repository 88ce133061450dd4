import CastReceiverSim
import CastSender
import Testing

extension SampleTests {
  @Suite struct Authentication {
    @Test("the first key of a device counts, and another device in its place is kept away")
    func keepsKeys() async throws {
      let keys = KeyRing()
      var known: DevicePin?
      for (answer, isKnown) in [(SimAuthentication.honest, true), (.honest, true), (.otherDevice, false)] {
        try await SampleDevice.run {
          $0.platform.authentication = answer
        } _: { stage in
          var device = stage.device
          device.uniqueID = "5f0ca57100004000a000000000000001"
          if isKnown {
            try await session(with: device, keys).leave()
            #expect(known == nil || known == keys.pin(of: device))
            known = keys.pin(of: device)
          } else {
            await #expect(throws: CastError(.deviceAuthenticationFailure, "")) {
              try await session(with: device, keys)
            }
            #expect(keys.pin(of: device) == known && known != nil)
          }
        }
      }
    }

    @Test("a group, whose key is its leader's, is not pinned")
    func keepsNoKeyOfGroups() async throws {
      let keys = KeyRing()
      try await SampleDevice.run {
        $0.platform.authentication = .honest
      } _: { stage in
        var group = stage.device
        group.uniqueID = "5f0ca57100004000a000000000000002"
        group.capabilities = [.audioOut, .multizoneGroup]
        try await session(with: group, keys).leave()
        #expect(keys.pin(of: group) == nil)
      }
    }

    @Test("a device is asked for its root")
    func asksForRoots() async throws {
      let file = Array(try SimCredentials.shared.get().pem(of: .devices).utf8)
      for (answer, isGood) in [(SimAuthentication.honest, true), (.wrongChain, false)] {
        try await SampleDevice.run {
          $0.platform.authentication = answer
        } _: { stage in
          var options = SessionOptions()
          options.trust = try trust(inRootsOf: file, isGenuine: false)
          let session = Session(device: stage.device, options: options)
          if isGood {
            try await session.start()
          } else {
            await #expect(throws: CastError(.deviceCertificateNotTrusted, "")) { try await session.start() }
          }
          await session.leave()
        }
      }
      #expect(throws: CastError(.invalidState, "")) { try trust(inRootsOf: [], isGenuine: true) }
    }
  }
}
