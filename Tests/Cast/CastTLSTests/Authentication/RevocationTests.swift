import Testing

@testable import CastTLS

@Suite("Lists of revoked certificates") struct RevocationTests {
  static let now = UInt64(TestPKI.now)

  /// A list signed by the intermediate's key, whose certificate the root has signed.
  private static func list(_ pki: TestPKI, signedBy issuerKey: TLSKey? = nil) throws -> RevocationList {
    let signer = TestPKI.template("Signer of lists", by: "Root", years: 1, [.device])
    let body: [UInt8] = [1, 2, 3]
    return RevocationList(
      body: body,
      signer: try signer.certificate(
        publicKey: pki.intermediateKey.publicKey, signedBy: issuerKey ?? pki.rootKey),
      signature: try pki.intermediateKey.signature(over: body), notBefore: now - 10, notAfter: now + 10,
      keyHashes: [], serials: [])
  }

  private static func refusal(_ pki: TestPKI, _ list: RevocationList, at now: Int = TestPKI.now) throws
    -> DeviceRefusal?
  {
    var rules = try pki.rules()
    rules.trust = .path(
      roots: [try pki.rootDER()], revocation: .list(list, roots: [try pki.rootDER()]))
    return try pki.refusal(nil, rules, at: now)
  }

  enum Flaw: CaseIterable {
    case early, late, signerLate, forged, body, strangeSigner, noSigner, backwards, indirect
  }

  @Test("a list that is not good refuses everybody", arguments: Flaw.allCases)
  func flaws(flaw: Flaw) throws {
    var pki = try TestPKI()
    var now = TestPKI.now
    var list = try Self.list(pki)
    let words: String
    switch flaw {
    case .early: (list.notBefore, words) = (Self.now + 1, "only from")
    case .late: (list.notAfter, words) = (Self.now - 1, "good until")
    case .signerLate:
      now += 370 * TestPKI.day
      (list.notAfter, words) = (.max, "has expired")
      pki.tls.notBefore = now - 1
      pki.tls.notAfter = now + 1
    case .forged:
      list.signature[5] ^= 1
      words = "signature is wrong"
    case .body: (list.body, words) = ([1, 2, 4], "signature is wrong")
    case .strangeSigner:
      list = try Self.list(pki, signedBy: pki.strangerKey)
      words = "was not signed by the issuer"
    case .noSigner: (list.signer, words) = ([], "not an X.509")
    case .backwards:
      list.serials = [.init(issuerKeyHash: [], first: 2, last: 1)]
      words = "ends before it begins"
    case .indirect: (list.signer, words) = (try pki.deviceDER(), "has an issuer that is neither")
    }
    guard case .revocationListInvalid(let reason)? = try Self.refusal(pki, list, at: now) else {
      Issue.record("\(flaw) was not noticed")
      return
    }
    #expect(reason.contains(words), "\(reason)")
  }

  @Test("a good list revokes by key and by issuer's serial number, at any place of the path")
  func revokes() throws {
    var pki = try TestPKI()
    pki.device.serial = [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    pki.intermediate.serial = [0x7F] + Array(repeating: 1, count: 20)
    let device = try SHA256.digest(of: pki.deviceKey.publicKey)
    let intermediate = try SHA256.digest(of: pki.intermediateKey.publicKey)
    let root = try SHA256.digest(of: pki.rootKey.publicKey)
    let cases: [([[UInt8]], [RevocationList.SerialRange], String?)] = [
      ([], [], nil), ([[1]], [], nil), ([device], [], "Kiosk 7"),
      ([device, intermediate], [], "Intermediate"),
      ([root], [], "Root"),
      ([], [.init(issuerKeyHash: intermediate, first: .max, last: .max)], "Kiosk 7"),
      ([], [.init(issuerKeyHash: intermediate, first: 0, last: .max - 1)], nil),
      ([], [.init(issuerKeyHash: root, first: 0, last: .max)], nil),
      ([], [.init(issuerKeyHash: [], first: 0, last: .max)], nil),
    ]
    for (hashes, serials, revoked) in cases {
      var list = try Self.list(pki)
      list.keyHashes = hashes
      list.serials = serials
      // Its first and last second is this one.
      list.notBefore = Self.now
      list.notAfter = Self.now
      #expect(try Self.refusal(pki, list) == revoked.map { .revoked("the certificate “\($0)”") })
    }
  }
}
