@testable import CastTLS

/// A root, an intermediate and a device certificate, with everything about them open to change.
struct TestPKI {
  /// 2026-05-28 20:26:40 UTC.
  static let now = 1_780_000_000
  static let day = 86_400
  static let nonce: [UInt8] = Array(0..<16)

  private static let keys = Result { try (0..<5).map { _ in try TLSKey.generate() } }
  static let smallKey = Result { try TLSKey.generate(bits: 1024) }

  var rootKey: TLSKey
  var intermediateKey: TLSKey
  var deviceKey: TLSKey
  var strangerKey: TLSKey
  var tlsKey: TLSKey
  /// Overrides the key that signs the intermediate, or the device.
  var intermediateSigner: TLSKey?
  var deviceSigner: TLSKey?
  /// Overrides what the device's certificate says its key is.
  var devicePublicKey: [UInt8]?

  var root = template(
    "Root", by: "Root", years: 10, [.constraints(isAuthority: true, pathLimit: 2), .authority])
  var intermediate = template(
    "Intermediate", by: "Root", years: 5, [.constraints(isAuthority: true, pathLimit: 0), .authority])
  var device = template("Kiosk 7", by: "Intermediate", years: 2, [.device])
  var tls = CertificateTemplate(
    subject: "tls", issuer: "tls", notBefore: now - day, notAfter: now + 2 * day)
  /// Sent along after the intermediate.
  var others: [[UInt8]] = []
  var sendsIntermediate = true
  var hash = DeviceProof.Hash.sha256
  var echoed: [UInt8]? = nonce
  var revocation = RevocationCheck.ignored

  init() throws {
    let keys = try Self.keys.get()
    (rootKey, intermediateKey, deviceKey, strangerKey, tlsKey) = (keys[0], keys[1], keys[2], keys[3], keys[4])
  }

  static func template(
    _ subject: String, by issuer: String, years: Int, _ extensions: [CertificateTemplate.Extension]
  ) -> CertificateTemplate {
    CertificateTemplate(
      subject: subject, issuer: issuer, notBefore: now - 365 * day, notAfter: now + years * 365 * day,
      extensions: extensions)
  }

  func rootDER() throws -> [UInt8] { try root.certificate(publicKey: rootKey.publicKey, signedBy: rootKey) }

  func intermediateDER() throws -> [UInt8] {
    try intermediate.certificate(
      publicKey: intermediateKey.publicKey, signedBy: intermediateSigner ?? rootKey)
  }

  func deviceDER() throws -> [UInt8] {
    let publicKey = try devicePublicKey ?? deviceKey.publicKey
    return try device.certificate(publicKey: publicKey, signedBy: deviceSigner ?? intermediateKey)
  }

  func tlsDER() throws -> [UInt8] { try tls.certificate(publicKey: tlsKey.publicKey, signedBy: tlsKey) }

  func proof() throws -> DeviceProof {
    let tls = try tlsDER()
    return DeviceProof(
      tlsCertificate: tls, deviceCertificate: try deviceDER(),
      intermediates: (sendsIntermediate ? [try intermediateDER()] : []) + others,
      signature: try deviceKey.signature(over: (echoed ?? []) + tls, isSHA1: hash == .sha1), hash: hash,
      nonce: echoed)
  }

  func rules() throws -> DeviceProofRules {
    DeviceProofRules(
      trust: .path(roots: [try rootDER()], revocation: revocation), expectedNonce: Self.nonce)
  }

  func verify() throws -> ProvenDevice {
    try DeviceVerifier.verify(proof(), under: rules(), at: Self.now)
  }

  /// Nil when the proof holds.
  func refusal(_ proof: DeviceProof? = nil, _ rules: DeviceProofRules? = nil, at now: Int = now) throws
    -> DeviceRefusal?
  {
    let proof = try proof ?? self.proof()
    let rules = try rules ?? self.rules()
    do throws(DeviceRefusal) {
      _ = try DeviceVerifier.verify(proof, under: rules, at: now)
      return nil
    } catch {
      return error
    }
  }
}

extension CertificateTemplate.Extension {
  static let authority = usage(signsData: false, signsCertificates: true)
  static let device = usage(signsData: true, signsCertificates: false)

  /// Only names below this one are permitted.
  static func permitting(_ commonName: String) -> Self {
    let attribute = DERWriter.sequence(
      DERWriter.identifier("2.5.4.3"), DERWriter.element(0x0C, Array(commonName.utf8)))
    let name = DERWriter.sequence(DERWriter.element(0x31, attribute))
    let subtree = DERWriter.sequence(DERWriter.element(0xA4, name))
    return Self("2.5.29.30", isCritical: true, DERWriter.sequence(DERWriter.element(0xA0, subtree)))
  }

  static func mapping(_ first: String, to second: String) -> Self {
    Self(
      "2.5.29.33",
      DERWriter.sequence(DERWriter.sequence(DERWriter.identifier(first), DERWriter.identifier(second))))
  }

  static func unknown(isCritical: Bool) -> Self {
    Self("1.3.6.1.4.1.99999.1", isCritical: isCritical, [5, 0])
  }
}
