import CastProtocol
import Testing

@Suite("Messages of device authentication")
struct DeviceAuthMessageTests {
  /// By hand after protocol 1.4, not by the writer under test.
  static let known: [(message: DeviceAuthMessage, hex: String)] = [
    (DeviceAuthMessage(challenge: AuthChallenge(nonce: Array(0..<4))), "0a08" + "120400010203" + "1801"),
    (DeviceAuthMessage(challenge: AuthChallenge(nonce: nil, hashAlgorithm: .sha1)), "0a00"),
    (
      DeviceAuthMessage(
        challenge: AuthChallenge(nonce: [9], hashAlgorithm: .unknown(7), signatureAlgorithm: .rsaPSS)),
      "0a07" + "0802" + "120109" + "1807"
    ),
    (DeviceAuthMessage(error: .internalError), "1a020800"),
    (DeviceAuthMessage(error: .noTLS), "1a020801"),
    (DeviceAuthMessage(error: .signatureAlgorithmUnavailable), "1a020802"),
    (DeviceAuthMessage(error: .unknown(300)), "1a0308ac02"),
    (
      DeviceAuthMessage(
        response: AuthResponse(
          signature: [1], certificate: [2, 3], intermediates: [[4], []], nonce: [5], crl: [6])),
      "1214" + "0a0101" + "12020203" + "1a0104" + "1a00" + "2a0105" + "3001" + "3a0106"
    ),
    (
      DeviceAuthMessage(
        response: AuthResponse(
          signature: [], certificate: [7], signatureAlgorithm: .unspecified, hashAlgorithm: .sha1)),
      "1207" + "0a00" + "120107" + "2000"
    ),
    (DeviceAuthMessage(), ""),
  ]

  @Test("known bytes are written and read", arguments: known.indices)
  func knownBytes(index: Int) throws {
    let (message, hex) = Self.known[index]
    #expect(message.encoded.hex == hex)
    #expect(try DeviceAuthMessage(decoding: [UInt8](hex: hex)) == message)
  }

  @Test(
    "what cannot be a message is refused in words",
    arguments: [
      ("12050a0101", "ends inside"), ("12030a0101", "no client_auth_certificate"),
      ("12031a0101", "no signature"), ("1a00", "no error_type"), ("12020a05", "authentication response"),
      ("0a0108", "challenge"), ("ff", "authentication message"), ("0b", "does not start a valid field"),
      ("1225" + "0a00" + "1200" + String(repeating: "1a0101", count: 11), "more than 10"),
    ])
  func refuses(hex: String, words: String) {
    let error = #expect(throws: AuthenticationFormatError.self) {
      try DeviceAuthMessage(decoding: [UInt8](hex: hex))
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(
    "unknown fields are passed over, the last of equal ones wins, absent algorithms are PKCS #1 and SHA-1")
  func liberal() throws {
    let response = try #require(
      try DeviceAuthMessage(decoding: [UInt8](hex: "2001" + "120b" + "0a0101" + "0a00" + "120107" + "f80101"))
        .response)
    #expect(response.signature == [] && response.certificate == [7])
    #expect(response.signatureAlgorithm == .rsaPKCS1 && response.hashAlgorithm == .sha1)
    #expect(response.nonce == nil && response.crl == nil)
  }

  static let body = CRLBody(
    notBefore: 100, notAfter: .max, revokedKeyHashes: [[1, 2], []],
    revokedSerials: [.init(issuerKeyHash: [3], first: 4, last: 300)])
  static let list = CRL(body: body.encoded, signer: [8], signature: [9])

  @Test("a bundle of revocation lists is written and read")
  func revocations() throws {
    #expect(
      CRLBody(
        notBefore: 1, notAfter: 2, revokedKeyHashes: [[7]],
        revokedSerials: [.init(issuerKeyHash: [8], first: 9, last: 10)]
      ).encoded.hex == "0800" + "1001" + "1802" + "220107" + "2a07" + "0a0108" + "1009" + "180a")
    let bundle = CRLBundle(lists: [Self.list, Self.list])
    #expect(try CRLBundle(decoding: bundle.encoded) == bundle)
    #expect(bundle.usable?.body == Self.body && bundle.usable?.list == Self.list)
  }

  @Test("the first list of version 0 that can be read is the one that counts")
  func picksList() {
    var later = Self.body
    later.version = 1
    let others = [
      CRL(body: later.encoded, signer: [1], signature: []), CRL(body: [0xFF], signer: [2], signature: []),
    ]
    #expect(CRLBundle(lists: others + [Self.list]).usable?.list == Self.list)
    #expect(CRLBundle(lists: others).usable == nil)
  }

  @Test(
    "what cannot be a bundle is refused in words",
    arguments: [
      ("0a021201", "ends inside"), ("0a0412001a00", "no tbs_crl"), ("0a040a001a00", "no signer_cert"),
      ("0a040a001200", "no signature"),
      (String(repeating: "0a060a0012001a00", count: 17), "more than 16"),
    ])
  func refusesBundles(hex: String, words: String) {
    let error = #expect(throws: AuthenticationFormatError.self) { try CRLBundle(decoding: [UInt8](hex: hex)) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("damaged bytes are a message or an error, never the end of the program")
  func survivesDamage() {
    var generator = SeededGenerator(seed: 14)
    let bundle = CRLBundle(lists: [Self.list]).encoded
    var refused = 0
    for round in 0..<5_000 {
      var bytes = round.isMultiple(of: 2) ? [UInt8](hex: Self.known[round / 2 % 9].hex) : bundle
      generator.mutate(&bytes)
      do throws(AuthenticationFormatError) {
        if round.isMultiple(of: 2) {
          let message = try DeviceAuthMessage(decoding: bytes)
          #expect(try DeviceAuthMessage(decoding: message.encoded) == message)
        } else {
          let read = try CRLBundle(decoding: bytes)
          #expect(try CRLBundle(decoding: read.encoded) == read)
          _ = read.usable
        }
      } catch {
        refused += 1
      }
    }
    #expect((250..<4_750).contains(refused))
  }
}
