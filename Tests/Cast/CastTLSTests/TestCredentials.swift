import CastTLS

/// Keys and certificates made once for all tests, since a key takes 100 ms.
enum TestCredentials {
  static let key = Result { try TLSKey.generate() }
  static let smallKey = Result { try TLSKey.generate(bits: 1024) }
  /// 2024-01-01 00:00:00 UTC.
  static let start = 1_704_067_200

  /// A certificate of 3 days, as receivers make them (protocol 2.5); long expired.
  static func identity(
    isSmall: Bool = false, version: TLSIdentity.CertificateVersion = .v3,
    hash: TLSIdentity.SignatureHash = .sha256
  ) throws -> TLSIdentity {
    try TLSIdentity.selfSigned(
      key: (isSmall ? smallKey : key).get(), commonName: "Kiosk 7", notBefore: start,
      notAfter: start + 3 * 86_400, version: version, hash: hash)
  }

  static func server(_ version: TLSVersion = .v1_3) throws -> TLSContext {
    try .server(identity: identity(), maximum: version)
  }
}
