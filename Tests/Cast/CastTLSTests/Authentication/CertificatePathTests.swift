import Testing

@testable import CastTLS

@Suite("Paths from a device to a root") struct CertificatePathTests {
  @Test("a device's certificate over one intermediate to the root is believed")
  func honest() throws {
    let device = try TestPKI().verify()
    #expect(device.commonName == "Kiosk 7" && !device.isAudioOnly && device.windowFlaw == nil)
    #expect(device.hash == .sha256 && device.notAfter == TestPKI.now + 2 * 365 * TestPKI.day)
    #expect(try device.keyHash == SHA256.text(of: TestPKI().deviceKey.publicKey))
    #expect(try device.rootFingerprint == SHA256.text(of: TestPKI().rootDER()))
  }

  @Test("each rule of a path refuses by its own name", arguments: CertificateRule.allCases)
  func refuses(rule: CertificateRule) throws {
    var pki = try TestPKI()
    Self.breakRule(rule, &pki)
    try Self.breakWithBytes(rule, &pki)
    let refusal = try pki.refusal()
    guard case .untrusted(let chain)? = refusal else {
      Issue.record("\(rule): \(String(describing: refusal))")
      return
    }
    #expect(chain.rule == rule, "\(chain)")
    #expect(refusal?.check == 6 && chain.description.contains(rule.rawValue))
  }

  private static func breakRule(_ rule: CertificateRule, _ pki: inout TestPKI) {
    switch rule {
    case .notYetValid: pki.device.notBefore = TestPKI.now + 1
    case .expired: pki.intermediate.notAfter = TestPKI.now - 1
    case .algorithmsDiffer: pki.device.innerAlgorithm = .sha512WithRSA
    case .algorithmNotAllowed: pki.device.algorithm = .md5WithRSA
    case .noDigitalSignature: pki.device.extensions = [.authority]
    case .purposeNotAllowed: pki.device.extensions.append(.purposes(["1.3.6.1.5.5.7.3.1"]))
    case .noIssuer: pki.sendsIntermediate = false
    case .signatureWrong: pki.intermediateSigner = pki.strangerKey
    case .notAnAuthority: pki.intermediate.extensions = [.authority]
    case .cannotSignCertificates:
      pki.intermediate.extensions = [.constraints(isAuthority: true), .device]
    case .pathTooLong: pki.root.extensions = [.constraints(isAuthority: true, pathLimit: 0)]
    case .pathLimitTooLarge: pki.intermediate.extensions = [.constraints(isAuthority: true, pathLimit: 256)]
    case .nameNotPermitted: pki.intermediate.extensions.append(.permitting("Another"))
    case .anyPolicyMapped: pki.root.extensions.append(.mapping("2.5.29.32.0", to: "1.2.3"))
    case .unknownCriticalExtension: pki.intermediate.extensions.append(.unknown(isCritical: true))
    case .unreadable, .keyNotRSA, .keyTooShort, .tooManyAttempts: break
    }
  }

  private static func breakWithBytes(_ rule: CertificateRule, _ pki: inout TestPKI) throws {
    switch rule {
    case .unreadable: pki.others = [[1, 2, 3]]
    case .keyNotRSA: pki.devicePublicKey = ellipticKey
    case .keyTooShort: pki.devicePublicKey = try TestPKI.smallKey.get().publicKey
    case .tooManyAttempts:
      // Each of them could be the issuer of every other one.
      pki.intermediate.issuer = "Intermediate"
      pki.intermediate.extensions = [.constraints(isAuthority: true)]
      pki.intermediateSigner = pki.intermediateKey
      for number in 2..<11 {
        pki.intermediate.serial = [UInt8(number)]
        pki.others.append(try pki.intermediateDER())
      }
    case .notYetValid, .expired, .algorithmsDiffer, .algorithmNotAllowed, .noDigitalSignature,
      .purposeNotAllowed, .noIssuer, .signatureWrong, .notAnAuthority, .cannotSignCertificates, .pathTooLong,
      .pathLimitTooLarge, .nameNotPermitted, .anyPolicyMapped, .unknownCriticalExtension:
      break
    }
  }

  /// The base point of P-256 as a public key.
  private static let ellipticKey: [UInt8] = {
    let point =
      "046B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C2964FE342E2FE1A7F9B8EE7EB4A7C0F9E16"
      + "2BCE33576B315ECECBB6406837BF51F5"
    let digits = point.compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    return DERWriter.sequence(
      DERWriter.sequence(
        DERWriter.identifier("1.2.840.10045.2.1"), DERWriter.identifier("1.2.840.10045.3.1.7")),
      DERWriter.element(3, [0] + bytes))
  }()

  /// What is unusual, and allowed all the same.
  enum Oddity: CaseIterable {
    case longSerial, paddedSerial, negativeSerial, expiredRoot, futureRoot, sha1Certificates,
      sha512Certificates
    case rootSentAlong, strangersSentAlong, strangerOfSameName, noIntermediate, longerPath, clientPurpose
    case noIntermediateUsage, unknownExtension, permittedName, otherMapping, lastSecond, firstSecond
  }

  @Test("what is unusual and allowed is believed", arguments: Oddity.allCases)
  func accepts(oddity: Oddity) throws {
    var pki = try TestPKI()
    switch oddity {
    case .longSerial: pki.intermediate.serial = [0x7F] + Array(repeating: 0xFF, count: 20)
    case .paddedSerial: pki.device.serial = [0, 0, 0, 5]
    case .negativeSerial: pki.device.serial = [0xFF, 0xFF, 0x80]
    case .expiredRoot: pki.root.notAfter = TestPKI.now - 1
    case .futureRoot: pki.root.notBefore = TestPKI.now + 1
    case .sha1Certificates:
      pki.device.algorithm = .sha1WithRSA
      pki.root.algorithm = .md5WithRSA
    case .sha512Certificates: pki.device.algorithm = .sha512WithRSA
    case .rootSentAlong: pki.others = [try pki.rootDER()]
    case .strangersSentAlong: pki.others = [try pki.tlsDER()]
    case .strangerOfSameName:
      var stranger = pki
      stranger.intermediateKey = pki.strangerKey
      pki.others = [try stranger.intermediateDER(), try pki.intermediateDER()]
      pki.sendsIntermediate = false
    case .noIntermediate:
      pki.device.issuer = "Root"
      pki.deviceSigner = pki.rootKey
      pki.sendsIntermediate = false
    case .longerPath:
      var upper = pki
      upper.intermediate.subject = "Upper"
      upper.intermediate.extensions = [.constraints(isAuthority: true, pathLimit: 1)]
      upper.intermediateKey = pki.strangerKey
      pki.intermediate.issuer = "Upper"
      pki.intermediateSigner = pki.strangerKey
      pki.others = [try upper.intermediateDER()]
    case .clientPurpose: pki.device.extensions.append(.purposes(["1.3.6.1.5.5.7.3.2"]))
    case .noIntermediateUsage: pki.intermediate.extensions = [.constraints(isAuthority: true, pathLimit: 255)]
    case .unknownExtension: pki.device.extensions.append(.unknown(isCritical: false))
    case .permittedName: pki.intermediate.extensions.append(.permitting("Kiosk 7"))
    case .otherMapping: pki.intermediate.extensions.append(.mapping("1.2.3", to: "1.2.4"))
    case .lastSecond: pki.device.notAfter = TestPKI.now
    case .firstSecond: pki.intermediate.notBefore = TestPKI.now
    }
    #expect(try pki.refusal() == nil)
  }

  @Test("a device's certificate that cannot be read says whether it is one at all")
  func unreadableDevice() throws {
    let pki = try TestPKI()
    let good = try pki.proof()
    for (bytes, isOne) in [
      ([], false), (Array("-----BEGIN".utf8), false), (Array(good.deviceCertificate.dropLast()), true),
      (good.deviceCertificate + [0], true), ([0x30, 0], true), ([0x30, 0x84, 1, 0, 0, 0], true),
    ] as [([UInt8], Bool)] {
      var proof = good
      proof.deviceCertificate = bytes
      guard case .untrusted(let refusal)? = try pki.refusal(proof) else {
        Issue.record("\(bytes.prefix(10)) was taken")
        continue
      }
      #expect((refusal.deviceFault != .notX509) == isOne && refusal.rule == .unreadable)
    }
  }

  @Test("malformed extensions, extensions that come twice and impossible dates cannot be read")
  func malformedParts() throws {
    for part in [
      CertificateTemplate.Extension.device, .init("2.5.29.19", [5, 0]), .init("2.5.29.32", [1]),
      .init("2.5.29.37", []), .init("2.5.29.33", [0x30]), .init("2.5.29.30", [2, 1, 1]),
      .init("2.5.29.17", [2]),
    ] {
      var pki = try TestPKI()
      pki.device.extensions.append(part)
      guard case .untrusted(let refusal)? = try pki.refusal(), refusal.rule == .unreadable else {
        Issue.record("\(part) was taken")
        continue
      }
    }
    var der = try TestPKI().deviceDER()
    let date = try #require(der.indices.first { Array(der[$0...].prefix(2)) == [0x17, 13] })
    der[date + 4] = UInt8(ascii: "9")
    #expect(throws: CertificateFault.self) { try Certificate(der) }
  }

  @Test("names are shown without what could deceive")
  func names() throws {
    var pki = try TestPKI()
    pki.device.subject = "TV\u{1B}[2J\u{202E}\n" + String(repeating: "x", count: 50)
    #expect(try pki.verify().commonName == "TV[2J" + String(repeating: "x", count: 50))
  }

  @Test("roots are read from PEM, many to a file, and from DER")
  func files() throws {
    let pki = try TestPKI()
    let first = try pki.rootDER()
    let second = try pki.intermediateDER()
    let text = "roots of the lobby\n" + CertificateFile.pem(first) + "\n" + CertificateFile.pem(second)
    #expect(try CertificateFile.certificates(in: Array(text.utf8)) == [first, second])
    #expect(try CertificateFile.certificates(in: first) == [first])
    for broken in [
      "", "no roots", String(text.dropLast(40)), text.replacing("MII", with: "MIJ"),
      text.replacing("MII", with: "?II"),
    ] {
      #expect(throws: CertificateFault.self) { try CertificateFile.certificates(in: Array(broken.utf8)) }
    }
  }
}
