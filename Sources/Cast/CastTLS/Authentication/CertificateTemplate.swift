import COpenSSL

/// A certificate to create for simulated devices: valid, or invalid in chosen parts.
///
/// The structure is encoded by hand, because OpenSSL refuses to create invalid certificates, which tests of a verifier need.
package struct CertificateTemplate: Sendable {
  /// A signature algorithm by its object identifier.
  package enum Algorithm: String, Sendable, CaseIterable {
    case sha1WithRSA = "1.2.840.113549.1.1.5"
    case sha256WithRSA = "1.2.840.113549.1.1.11"
    case sha512WithRSA = "1.2.840.113549.1.1.13"
    /// Too weak for any path.
    case md5WithRSA = "1.2.840.113549.1.1.4"

    var hash: OpaquePointer? {
      switch self {
      case .sha1WithRSA: EVP_sha1()
      case .sha256WithRSA: EVP_sha256()
      case .sha512WithRSA: EVP_sha512()
      case .md5WithRSA: EVP_md5()
      }
    }
  }

  /// An extension: object identifier and DER of its value.
  package struct Extension: Sendable {
    package var identifier: String
    package var isCritical: Bool
    package var value: [UInt8]

    package init(_ identifier: String, isCritical: Bool = false, _ value: [UInt8]) {
      self.identifier = identifier
      self.isCritical = isCritical
      self.value = value
    }
  }

  /// The subject's common name.
  package var subject: String
  /// The issuer's common name.
  package var issuer: String
  /// Content of the serial number, most significant byte first.
  package var serial: [UInt8] = [1]
  /// Seconds since 1970.
  package var notBefore: Int
  /// Seconds since 1970.
  package var notAfter: Int
  package var version = TLSIdentity.CertificateVersion.v3
  package var extensions: [Extension]
  package var algorithm = Algorithm.sha256WithRSA
  /// The algorithm named inside the signed part; nil for the same.
  package var innerAlgorithm: Algorithm?

  package init(
    subject: String, issuer: String, notBefore: Int, notAfter: Int, extensions: [Extension] = []
  ) {
    self.subject = subject
    self.issuer = issuer
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.extensions = extensions
  }

  /// The certificate as DER.
  /// - Parameter publicKey: the subject's SubjectPublicKeyInfo.
  package func certificate(publicKey: [UInt8], signedBy issuerKey: TLSKey) throws(TLSError) -> [UInt8] {
    var fields = version == .v1 ? [] : DERWriter.element(DERReader.version, [2, 1, 2])
    fields += DERWriter.element(DERReader.integer, serial)
    fields += Self.algorithm(innerAlgorithm ?? algorithm)
    fields += Self.name(issuer)
    fields += DERWriter.sequence(try Self.time(notBefore), try Self.time(notAfter))
    fields += Self.name(subject)
    fields += publicKey
    if !extensions.isEmpty {
      let parts = extensions.flatMap { part in
        DERWriter.sequence(
          DERWriter.identifier(part.identifier), part.isCritical ? [1, 1, 0xFF] : [],
          DERWriter.element(4, part.value))
      }
      fields += DERWriter.element(0xA3, DERWriter.sequence(parts))
    }
    let signed = DERWriter.sequence(fields)
    let signature = try issuerKey.signature(over: signed, hash: algorithm.hash)
    return DERWriter.sequence(
      signed, Self.algorithm(algorithm), DERWriter.element(DERReader.bitString, [0] + signature))
  }

  private static func algorithm(_ algorithm: Algorithm) -> [UInt8] {
    DERWriter.sequence(DERWriter.identifier(algorithm.rawValue), [5, 0])
  }

  private static func name(_ commonName: String) -> [UInt8] {
    let attribute = DERWriter.sequence(
      DERWriter.identifier("2.5.4.3"), DERWriter.element(0x0C, Array(commonName.utf8)))
    return DERWriter.sequence(DERWriter.element(0x31, attribute))
  }

  private static func time(_ seconds: Int) throws(TLSError) -> [UInt8] {
    OpenSSLErrors.clear()
    guard let time = ASN1_TIME_set(nil, seconds) else { throw OpenSSLErrors.unusable("writing a date") }
    defer { ASN1_TIME_free(time) }
    guard let bytes = DER.bytes({ i2d_ASN1_TIME(time, $0) }) else {
      throw OpenSSLErrors.unusable("writing a date")
    }
    return bytes
  }
}

extension CertificateTemplate.Extension {
  /// Whether it is an authority's certificate, and the maximum number of intermediate ones below it; nil sets no limit.
  package static func constraints(isAuthority: Bool, pathLimit: Int? = nil) -> Self {
    let limit = pathLimit.map { DERWriter.element(DERReader.integer, bigEndian($0)) } ?? []
    return Self(
      "2.5.29.19", isCritical: true, DERWriter.sequence(isAuthority ? [1, 1, 0xFF] : [], limit))
  }

  /// The key usage.
  package static func usage(signsData: Bool, signsCertificates: Bool) -> Self {
    let bits: UInt8 = (signsData ? 0x80 : 0) | (signsCertificates ? 0x04 : 0)
    return Self("2.5.29.15", isCritical: true, [3, 2, signsCertificates ? 2 : 7, bits])
  }

  /// Policies by object identifier.
  package static func policies(_ identifiers: [String]) -> Self {
    Self(
      "2.5.29.32",
      DERWriter.sequence(identifiers.flatMap { DERWriter.sequence(DERWriter.identifier($0)) }))
  }

  /// The policy of audio devices (protocol 2.4).
  package static let audioOnly = policies([CertificatePermissions.audioOnlyPolicy])

  /// Purposes by object identifier.
  package static func purposes(_ identifiers: [String]) -> Self {
    Self("2.5.29.37", DERWriter.sequence(identifiers.flatMap(DERWriter.identifier)))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    var digits = [UInt8(truncatingIfNeeded: number)]
    var rest = number >> 8
    while rest > 0 {
      digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return (digits.first ?? 0) >= 0x80 ? [0] + digits : digits
  }
}
