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
