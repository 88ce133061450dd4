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

/// Numbers that look random and are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
