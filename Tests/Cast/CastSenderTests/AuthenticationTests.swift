import CastProtocol
import CastReceiverSim
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// Who a device is, over TLS against simulated devices of every kind of honesty.
  @Suite(.timeLimit(.minutes(5))) struct AuthenticationTests {
    /// What a policy makes of one kind of device.
    enum Verdict: Equatable {
      case proved
      case unproved(CastError.Code, Int?)
      case refused(CastError.Code, Int?)
    }

    /// Kinds of devices, and what those who ask for a root, and those who take any key at first, make of them.
    static let kinds: [(SimAuthentication, roots: Verdict, firstUse: Verdict)] = [
      (.honest, .proved, .proved),
      both(.silent, .deviceAuthenticationTimeoutFailure, nil, passes: true),
      both(.internalError, .authenticationErrorReceived, 1, passes: true),
      both(.noTLS, .authenticationErrorReceived, 1, passes: true),
      both(.algorithmUnavailable, .authenticationErrorReceived, 1, passes: true),
      both(.unknownError, .authenticationErrorReceived, 1, passes: true),
      both(.hangsUp, .disconnected, nil),
      both(.challenge, .deviceAuthenticationChallengeReceivedFailure, 1),
      both(.emptyMessage, .malformedAuthenticationResponse, 1),
      both(.text, .deviceAuthenticationMessageParseFailure, 1),
      both(.truncated, .deviceAuthenticationMessageParseFailure, 1),
      (.speaksFirst, .refused(.deviceAuthenticationFailure, 1), .proved),
      both(.forged, .malformedAuthenticationResponse, 9),
      both(.emptySignature, .malformedAuthenticationResponse, 8, passes: true),
      both(.replayed, .malformedAuthenticationResponse, 5),
      both(.noNonce, .malformedAuthenticationResponse, 5, passes: true),
      both(.sha1, .malformedAuthenticationResponse, 8, passes: true),
      both(.unknownHash, .malformedAuthenticationResponse, 8, passes: true),
      both(.pss, .malformedAuthenticationResponse, 8, passes: true),
      both(.otherConnection, .malformedAuthenticationResponse, 9),
      both(.otherKey, .malformedAuthenticationResponse, 9),
      (.otherDevice, .proved, .proved),
      (.expiredTLS, .refused(.sslCertificateNotTrusted, 3), .proved),
      (.earlyTLS, .refused(.sslCertificateNotTrusted, 2), .proved),
      (.longTLS, .refused(.sslCertificateNotTrusted, 4), .proved),
      (.noIntermediate, .refused(.deviceCertificateNotTrusted, 6), .proved),
      (.wrongChain, .refused(.deviceCertificateNotTrusted, 6), .proved),
      (.expiredDevice, .refused(.deviceCertificateNotTrusted, 6), .proved),
      both(.noCertificate, .notX509Certificate, 6),
      both(.halfCertificate, .malformedClientCertificate, 6),
      (.revoked, .refused(.crlCheckFailed, 7), .proved),
      (.oldList, .refused(.crlInvalid, 7), .proved),
      (.audioOnly, .refused(.deviceCapabilityNotSupported, 10), .proved),
    ]

    private static func both(
      _ kind: SimAuthentication, _ code: CastError.Code, _ check: Int?, passes: Bool = false
    ) -> (SimAuthentication, roots: Verdict, firstUse: Verdict) {
      (kind, .refused(code, check), passes ? .unproved(code, check) : .refused(code, check))
    }

    @Test("every kind of answer is listed") func listsAll() {
      #expect(Set(Self.kinds.map(\.0)) == Set(SimAuthentication.allCases))
    }

    @Test("each kind of device is judged by its own reason", arguments: kinds.indices)
    func judges(index: Int) async throws {
      let (kind, roots, firstUse) = Self.kinds[index]
      let device = try await SimulatedDevice.start {
        $0.platform.authentication = kind
        // It says nothing at all, however long it is waited for.
        if kind == .silent { $0.heartbeatInterval = .seconds(3600) }
      }
      // Other tests may still close sockets to a device of theirs that had the same port.
      let others = try SimulatorTests.socketsToPort(device.server.port)
      for (policy, expected) in [(try Self.rootPolicy, roots), (.pin(nil), firstUse)] {
        let (verdict, words) = try await Self.verdict(on: device, policy, isSilent: kind == .silent)
        #expect(verdict == expected, "\(kind): \(words)")
        if case .proved = verdict {} else { #expect(words.contains("Test TV (127.0.0.1:")) }
      }
      #expect(try SimulatorTests.socketsToPort(device.server.port) <= others)
      try await device.stop()
    }

    private static var rootPolicy: DeviceTrustPolicy {
      get throws {
        let credentials = try SimCredentials.shared.get()
        let lists = try DeviceRoots.certificates(in: Array(credentials.pem(of: .revocations).utf8))
        return .roots(
          try DeviceRoots(
            Array(credentials.pem(of: .devices).utf8), revocation: .required(roots: lists, fallback: nil)))
      }
    }

    private static func verdict(
      on device: SimulatedDevice, _ policy: DeviceTrustPolicy, isSilent: Bool = false,
      as capabilities: DeviceCapabilities = [.videoOut, .audioOut],
      _ change: (inout DeviceTrust) -> Void = { _ in }
    ) async throws -> (Verdict?, String) {
      let reports = Reports()
      var trust = DeviceTrust(policy) { reports.add($1) }
      change(&trust)
      var options = SessionOptions(purpose: .observe(applicationID: nil))
      options.reconnection = nil
      options.trust = trust
      options.connectTimeout = isSilent ? .seconds(8) : .seconds(120)
      var target = device.device
      target.capabilities = capabilities
      let session = Session(device: target, options: options)
      var thrown: CastError?
      do {
        try await session.start()
      } catch {
        thrown = error
      }
      await session.leave()
      switch reports.all.first {
      case .proved(let identity)?:
        let isClockTold = [.expiredTLS, .earlyTLS, .longTLS].contains(
          device.server.configuration.platform.authentication)
        #expect((identity.windowProblem != nil) == isClockTold && identity.keyHash.count == 64)
        return (thrown == nil ? .proved : nil, "\(String(describing: thrown))")
      case .unproved(let error)?:
        return (thrown == nil ? .unproved(error.code, error.authenticationCheck) : nil, error.message)
      case .refused(let error)?:
        #expect(thrown == error)
        return (.refused(error.code, error.authenticationCheck), error.message)
      case nil: return (nil, "nothing was reported; \(String(describing: thrown))")
      }
    }

    @Test(
      "a pinned device is known again; another one, and one that has become silent, are refused",
      arguments: [
        (.honest, nil), (.otherDevice, .deviceAuthenticationFailure),
        (.silent, .deviceAuthenticationTimeoutFailure), (.internalError, .authenticationErrorReceived),
        (.emptySignature, .malformedAuthenticationResponse),
      ] as [(SimAuthentication, CastError.Code?)])
    func pins(kind: SimAuthentication, code: CastError.Code?) async throws {
      let credentials = try SimCredentials.shared.get()
      let pin = try #require(DevicePin(try credentials.deviceKeyHash.uppercased()))
      let device = try await SimulatedDevice.start {
        $0.platform.authentication = kind
        if kind == .silent { $0.heartbeatInterval = .seconds(3600) }
      }
      let (verdict, words) = try await Self.verdict(on: device, .pin(pin), isSilent: kind == .silent)
      if let code {
        guard case .refused(code, _)? = verdict else { throw TestFailure("\(words)") }
      } else {
        #expect(verdict == .proved)
      }
      if kind == .otherDevice { #expect(words.contains(pin.keyHash.prefix(16))) }
      try await device.stop()
    }

    @Test("a device that announces itself as a group of speakers has to prove its pinned key all the same")
    func pinsGroup() async throws {
      let pin = try #require(DevicePin(try SimCredentials.shared.get().deviceKeyHash))
      let other = try await SimulatedDevice.start { $0.platform.authentication = .otherDevice }
      let (verdict, words) = try await Self.verdict(on: other, .pin(pin), as: [.multizoneGroup, .audioOut])
      #expect(verdict == .refused(.deviceAuthenticationFailure, nil), "\(words)")
      let unpinned = try await Self.verdict(on: other, .pin(nil), as: [.multizoneGroup, .audioOut]).0
      #expect(unpinned == .proved)
      try await other.stop()
    }

    @Test("a device that says nothing is waited for as long as the trust says") func patience() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .silent }
      let (verdict, words) = try await Self.verdict(on: device, .pin(nil)) { $0.patience = .milliseconds(50) }
      #expect(verdict == .unproved(.deviceAuthenticationTimeoutFailure, nil))
      #expect(words.contains("within 1 s"), "\(words)")
      try await device.stop()
    }

    @Test("what is tolerated on demand is proved then", arguments: [SimAuthentication.sha1, .noNonce])
    func tolerates(kind: SimAuthentication) async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = kind }
      let (verdict, words) = try await Self.verdict(on: device, Self.rootPolicy) {
        $0.acceptsSHA1 = true
        $0.requiresNonce = false
      }
      #expect(verdict == .proved, "\(words)")
      try await device.stop()
    }

    @Test("lists of revoked certificates are asked for as far as the policy says")
    func revocations() async throws {
      let credentials = try SimCredentials.shared.get()
      let roots = Array(credentials.pem(of: .devices).utf8)
      let lists = try DeviceRoots.certificates(in: Array(credentials.pem(of: .revocations).utf8))
      let revoked = try await SimulatedDevice.start { $0.platform.authentication = .revoked }
      for (revocation, expected) in [
        (.ignored, .proved), (.whenSent(roots: lists), .refused(.crlCheckFailed, 7)),
        // A list that the wrong root has signed is worth nothing.
        (.whenSent(roots: [credentials.root]), .refused(.crlInvalid, 7)),
      ] as [(DeviceRoots.Revocation, Verdict)] {
        let policy = DeviceTrustPolicy.roots(try DeviceRoots(roots, revocation: revocation))
        #expect(try await Self.verdict(on: revoked, policy).0 == expected)
      }
      try await revoked.stop()
    }

    @Test("roots that cannot be read are refused in words; none of the simulated ones is genuine")
    func roots() throws {
      let error = #expect(throws: CastError.self) { try DeviceRoots(Array("no roots".utf8)) }
      #expect(error?.message.contains("PEM or DER") == true)
      let own = try DeviceRoots(SimCredentials.shared.get().root)
      #expect(own.fingerprints.count == 1 && DeviceRoots.genuineFingerprints[own.fingerprints[0]] == nil)
      #expect(DeviceRoots.genuineFingerprints.keys.allSatisfy { DevicePin($0) != nil })
      for text in ["", String(repeating: "g", count: 64), String(repeating: "a", count: 63)] {
        #expect(DevicePin(text) == nil)
      }
    }
  }
}

/// What was told of the attempts to connect.
final class Reports: Sendable {
  private let results = Mutex<[DeviceVerdict]>([])
  var all: [DeviceVerdict] { results.withLock { $0 } }
  func add(_ result: DeviceVerdict) { results.withLock { $0.append(result) } }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
