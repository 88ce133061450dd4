import CastTLS
import NIOCore
import Testing

@Suite("The variety of devices") struct PeerVarietyTests {
  @Test(
    "an expired certificate of either version, hash and key size is taken and shown whole",
    arguments: TLSIdentity.CertificateVersion.allCases, TLSIdentity.SignatureHash.allCases)
  func certificates(version: TLSIdentity.CertificateVersion, hash: TLSIdentity.SignatureHash) throws {
    for isSmall in [false, true] {
      for maximum in [TLSVersion.v1_2, .v1_3] {
        let identity = try TestCredentials.identity(isSmall: isSmall, version: version, hash: hash)
        let pair = try EnginePair(client: .client(), server: .server(identity: identity, maximum: maximum))
        pair.exchange()
        #expect(pair.client.failure == nil)
        #expect(pair.client.peer?.certificateDER == identity.certificateDER)
        // In DER the explicit tag [0] of a certificate's version is left out for version 1.
        let hasTag = identity.certificateDER[8] == 0xA0
        #expect(hasTag == (version == .v3))
      }
    }
  }

  @Test("a certificate keeps its name and dates; an impossible name is refused in words")
  func fields() throws {
    let der = try TestCredentials.identity().certificateDER
    for part in ["Kiosk 7", "240101000000Z", "240104000000Z"] {
      #expect(String(decoding: der, as: UTF8.self).contains(part), "\(part)")
    }
    let error = #expect(throws: TLSError.self) {
      try TLSIdentity.selfSigned(
        key: TestCredentials.key.get(), commonName: String(repeating: "x", count: 65), notBefore: 0,
        notAfter: 1)
    }
    #expect(error?.description.contains("string too long") == true)
  }

  @Test(
    "a server older than TLS 1.2 is refused in words by either client", arguments: [false, true])
  func oldServer(compatibility: Bool) throws {
    let old = try TLSContext.server(
      identity: TestCredentials.identity(), minimum: .v1_0, maximum: .v1_1)
    let pair = try EnginePair(client: .client(compatibility: compatibility), server: old)
    pair.exchange()
    #expect(
      pair.client.failure
        == .handshakeFailed("tlsv1 alert protocol version (SSL alert number 70)"))
    #expect(pair.server.failure == .handshakeFailed("unsupported protocol"))
  }

  @Test("versions in the wrong order are refused")
  func wrongVersions() throws {
    let identity = try TestCredentials.identity()
    let context = try TLSContext.server(identity: identity, minimum: .v1_3, maximum: .v1_2)
    let pair = try EnginePair(client: .client(), server: context)
    pair.exchange()
    #expect(pair.server.failure != nil)
  }
}
