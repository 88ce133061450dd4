import CastProtocol
import Testing

@testable import CastTLS

@Suite("The verdict on a device's proof") struct DeviceVerifierTests {
  static let now = TestPKI.now
  static let day = TestPKI.day

  @Test(
    "the TLS certificate has to be valid now, and for no more than four days",
    arguments: [
      (0, 0, nil), (-day, 4 * day, nil), (1, day, .tlsCertificateNotYetValid(from: now + 1)),
      (-day, -1, .tlsCertificateExpired(at: now - 1)),
      (-day, 4 * day + 1, .tlsCertificateValidTooLong(until: now + 4 * day + 1)),
    ] as [(Int, Int, DeviceRefusal?)])
  func window(from: Int, until: Int, expected: DeviceRefusal?) throws {
    var pki = try TestPKI()
    pki.tls.notBefore = Self.now + from
    pki.tls.notAfter = Self.now + until
    #expect(try pki.refusal() == expected)
    // The key alone tells it, and lets it pass; within the allowance it is not even told.
    var rules = DeviceProofRules(trust: .keyAlone, expectedNonce: TestPKI.nonce)
    #expect(try DeviceVerifier.verify(pki.proof(), under: rules, at: Self.now).windowFlaw == expected)
    rules.clockAllowance = 1
    #expect(try DeviceVerifier.verify(pki.proof(), under: rules, at: Self.now).windowFlaw == nil)
  }

  @Test("a TLS certificate of version 1 will do; none, and one that cannot be read, will not")
  func tlsCertificates() throws {
    var pki = try TestPKI()
    pki.tls.version = .v1
    #expect(try pki.refusal() == nil)
    var proof = try pki.proof()
    proof.tlsCertificate = [7]
    #expect(try pki.refusal(proof) == .tlsCertificateUnreadable(.notX509))
    proof.tlsCertificate = nil
    #expect(try pki.refusal(proof) == .noTLSCertificate)
  }

  /// Lies about the signed answer.
  enum Lie: CaseIterable {
    case oldNonce, noNonce, emptyNonce, hashSHA1, hashUnknown, otherScheme, empty, forged, cut,
      otherConnection
    case otherKey, wrongHash
  }

  @Test("each lie about what was signed has its own refusal", arguments: Lie.allCases)
  func lies(lie: Lie) throws {
    var pki = try TestPKI()
    var change: (inout DeviceProof) -> Void = { _ in }
    let expected: DeviceRefusal
    switch lie {
    case .oldNonce: (pki.echoed, expected) = (Array(1...16), .nonceMismatch)
    case .noNonce: (pki.echoed, expected) = (nil, .nonceMissing)
    case .emptyNonce: (pki.echoed, expected) = ([], .nonceMissing)
    case .hashSHA1: (pki.hash, expected) = (.sha1, .hashNotAccepted("SHA-1"))
    case .hashUnknown: (pki.hash, expected) = (.other("SHA-3"), .hashNotAccepted("SHA-3"))
    case .otherScheme:
      change = { $0.otherScheme = "RSASSA_PSS" }
      expected = .schemeNotAccepted("RSASSA_PSS")
    case .empty:
      change = { $0.signature = [] }
      expected = .signatureEmpty
    case .forged:
      change = { $0.signature[100] ^= 1 }
      expected = .signatureWrong
    case .cut:
      change = { $0.signature.removeLast() }
      expected = .signatureWrong
    case .otherConnection:
      var other = pki
      other.tls.subject = "another connection"
      let certificate = try other.tlsDER()
      change = { $0.tlsCertificate = certificate }
      expected = .signatureWrong
    case .otherKey:
      let certificate = try pki.deviceDER()
      pki.deviceKey = pki.strangerKey
      change = { $0.deviceCertificate = certificate }
      expected = .signatureWrong
    case .wrongHash:
      pki.hash = .sha1
      change = { $0.hash = .sha256 }
      expected = .signatureWrong
    }
    var proof = try pki.proof()
    change(&proof)
    #expect(try pki.refusal(proof) == expected)
    // The pinned key is no excuse for any of them.
    let pinned = DeviceProofRules(trust: .keyAlone, expectedNonce: TestPKI.nonce)
    #expect(try pki.refusal(proof, pinned) == expected)
    #expect(!expected.description.isEmpty)
  }

  @Test("SHA-1 and answers without our nonce are taken where that is wanted")
  func tolerance() throws {
    var pki = try TestPKI()
    pki.hash = .sha1
    pki.echoed = nil
    var rules = try pki.rules()
    rules.acceptsSHA1 = true
    rules.expectedNonce = nil
    #expect(try DeviceVerifier.verify(pki.proof(), under: rules, at: Self.now).hash == .sha1)
  }

  @Test("a certificate for audio anywhere in the path refuses a device that shows video", arguments: 0..<3)
  func audioOnly(place: Int) throws {
    var pki = try TestPKI()
    var rules = try pki.rules()
    rules.advertisesVideo = true
    #expect(try pki.refusal(nil, rules) == nil)
    switch place {
    case 0: pki.device.extensions.append(.audioOnly)
    case 1: pki.intermediate.extensions.append(.policies(["1.2.3", "1.3.6.1.4.1.11129.2.5.2"]))
    default: pki.root.extensions.append(.audioOnly)
    }
    #expect(try pki.verify().isAudioOnly)
    rules = try pki.rules()
    rules.advertisesVideo = true
    #expect(try pki.refusal(nil, rules) == .audioOnly)
  }

  @Test("the key alone is proved without a path, by a key that is long enough")
  func keyAlone() throws {
    var pki = try TestPKI()
    pki.sendsIntermediate = false
    pki.device.notAfter = Self.now - 1
    let rules = DeviceProofRules(trust: .keyAlone, expectedNonce: TestPKI.nonce)
    let device = try DeviceVerifier.verify(pki.proof(), under: rules, at: Self.now)
    #expect(device.keyHash.count == 64 && device.rootFingerprint == nil)
    pki.deviceKey = try TestPKI.smallKey.get()
    guard case .untrusted(let refusal)? = try pki.refusal(nil, rules) else {
      Issue.record("a key of 1024 bits was taken")
      return
    }
    #expect(refusal.rule == .keyTooShort)
  }

  @Test("checks come in their order, and each knows its number")
  func order() throws {
    var pki = try TestPKI()
    pki.device.extensions = [.device, .audioOnly]
    var rules = try pki.rules()
    rules.advertisesVideo = true
    var seen = [try pki.refusal(nil, rules)?.check]
    var proof = try pki.proof()
    proof.signature[0] ^= 1
    seen.append(try pki.refusal(proof, rules)?.check)
    proof.signature = []
    seen.append(try pki.refusal(proof, rules)?.check)
    rules.trust = .path(roots: [try pki.rootDER()], revocation: .unusable("there is none"))
    seen.append(try pki.refusal(proof, rules)?.check)
    proof.intermediates = []
    seen.append(try pki.refusal(proof, rules)?.check)
    proof.nonce = [1]
    seen.append(try pki.refusal(proof, rules)?.check)
    seen.append(try pki.refusal(proof, rules, at: Self.now - 3 * Self.day)?.check)
    seen.append(try pki.refusal(proof, rules, at: Self.now + 3 * Self.day)?.check)
    proof.tlsCertificate = []
    seen.append(try pki.refusal(proof, rules)?.check)
    #expect(seen == [10, 9, 8, 7, 6, 5, 2, 3, 2])
    let endless = DeviceRefusal.tlsCertificateValidTooLong(until: .max)
    #expect(endless.check == 4 && endless.description.contains("since 1970"))
  }

  @Test("damaged proofs are refused, never believed, and end nothing", arguments: 0..<4)
  func damage(place: Int) throws {
    let pki = try TestPKI()
    let good = try pki.proof()
    let rules = try pki.rules()
    var generator = SeededGenerator(seed: UInt64(place))
    for _ in 0..<500 {
      var proof = good
      switch place {
      case 0: Self.damage(&proof.deviceCertificate, &generator)
      case 1: Self.damage(&proof.intermediates[0], &generator)
      case 2: Self.damage(&proof.signature, &generator)
      default:
        var certificate = proof.tlsCertificate ?? []
        Self.damage(&certificate, &generator)
        proof.tlsCertificate = certificate
      }
      guard proof != good else { continue }
      #expect(try pki.refusal(proof, rules) != nil)
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      // The head of a structure is where most can go wrong.
      let end = Bool.random(using: &generator) ? min(bytes.count, 80) : bytes.count
      guard end > 0 else { return }
      let index = Int.random(in: 0..<end, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[index] = [0, 0x30, 0x7F, 0x80, 0x84, 0xFF].randomElement(using: &generator) ?? 0
      case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
      case 3: bytes.remove(at: index)
      default: bytes.removeSubrange(index...)
      }
    }
  }
}
