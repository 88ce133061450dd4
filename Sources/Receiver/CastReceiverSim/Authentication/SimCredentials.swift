package import CastTLS
import Glibc

/// The keys and certificates of simulated devices: a root, an intermediate and a device. They are generated once per process,
/// because key generation is slow. Only senders that are configured with this root accept them.
package struct SimCredentials: Sendable {
  package static let shared = Result { () throws(TLSError) in try SimCredentials(now: time(nil)) }

  /// The root of devices' certificates, as DER.
  package let root: [UInt8]
  /// The root of lists of revoked certificates, as DER.
  package let crlRoot: [UInt8]
  let rootKey: TLSKey
  let intermediateKey: TLSKey
  let deviceKey: TLSKey
  let tlsKey: TLSKey
  /// When they were generated, in seconds since 1970.
  let now: Int

  private static let rootName = "Simulated Cast Root CA"
  private static let intermediateName = "Simulated Cast Intermediate CA"
  private static let crlRootName = "Simulated Cast CRL Root CA"
  static let day = 86_400

  private init(now: Int) throws(TLSError) {
    self.now = now
    rootKey = try .generate()
    intermediateKey = try .generate()
    deviceKey = try .generate()
    tlsKey = try .generate()
    var template = Self.template(
      Self.rootName, by: Self.rootName, at: now, years: 20,
      [.constraints(isAuthority: true, pathLimit: 2), .usage(signsData: false, signsCertificates: true)])
    root = try template.certificate(publicKey: rootKey.publicKey, signedBy: rootKey)
    template.subject = Self.crlRootName
    template.issuer = Self.crlRootName
    crlRoot = try template.certificate(publicKey: rootKey.publicKey, signedBy: rootKey)
  }

  private static func template(
    _ subject: String, by issuer: String, at now: Int, years: Int,
    _ extensions: [CertificateTemplate.Extension]
  ) -> CertificateTemplate {
    CertificateTemplate(
      subject: subject, issuer: issuer, notBefore: now - 365 * day, notAfter: now + years * 365 * day,
      extensions: extensions)
  }

  /// SHA-256 of the honest device's key, in hexadecimal.
  package var deviceKeyHash: String {
    get throws(TLSError) { try SHA256.text(of: deviceKey.publicKey) }
  }

  /// The root certificates that a sender can be configured with.
  package enum Root: Sendable { case devices, revocations }

  package func pem(of root: Root) -> String {
    CertificateFile.pem(root == .devices ? self.root : crlRoot)
  }

  func intermediate(signedBy key: TLSKey) throws(TLSError) -> [UInt8] {
    let template = Self.template(
      Self.intermediateName, by: Self.rootName, at: now, years: 10,
      [.constraints(isAuthority: true, pathLimit: 0), .usage(signsData: false, signsCertificates: true)])
    return try template.certificate(publicKey: intermediateKey.publicKey, signedBy: key)
  }

  func device(
    name: String, key: TLSKey, isAudioOnly: Bool = false, isExpired: Bool = false
  ) throws(TLSError) -> [UInt8] {
    var template = Self.template(
      name, by: Self.intermediateName, at: now, years: 5,
      [.usage(signsData: true, signsCertificates: false)] + (isAudioOnly ? [.audioOnly] : []))
    if isExpired { template.notAfter = now - 1 }
    return try template.certificate(publicKey: key.publicKey, signedBy: intermediateKey)
  }

  /// A TLS certificate like those of devices, valid for three days; or a flawed one (protocol 2.5).
  func tls(_ authentication: SimAuthentication) throws(TLSError) -> TLSIdentity {
    var (from, until) = (-3600, 3 * Self.day)
    if authentication == .expiredTLS { (from, until) = (-5 * Self.day, -2 * Self.day) }
    if authentication == .earlyTLS { from = 2 * Self.day }
    if authentication == .longTLS { until = 30 * Self.day }
    return try TLSIdentity.selfSigned(
      key: tlsKey, commonName: "simulated device", notBefore: now + from, notAfter: now + until)
  }

  /// A bundle with a signed list that revokes the key; nil revokes none (protocol 2.6).
  func revocations(of key: TLSKey?, isOld: Bool) throws(TLSError) -> [UInt8] {
    let signer = Self.template(
      "Simulated CRL signer", by: Self.crlRootName, at: now, years: 5,
      [.usage(signsData: true, signsCertificates: false)])
    let revoked =
      if let key { try SHA256.digest(of: key.publicKey) } else { [UInt8](repeating: 0, count: 32) }
    let from = now - (isOld ? 60 : 10) * Self.day
    let until = now + (isOld ? -1 : 30) * Self.day
    let body =
      SimAuthFields.number(1, 0) + SimAuthFields.number(2, UInt64(max(0, from)))
      + SimAuthFields.number(3, UInt64(max(0, until))) + SimAuthFields.bytes(4, revoked)
    let list =
      SimAuthFields.bytes(1, body)
      + SimAuthFields.bytes(
        2, try signer.certificate(publicKey: intermediateKey.publicKey, signedBy: rootKey))
      + SimAuthFields.bytes(3, try intermediateKey.signature(over: body))
    return SimAuthFields.bytes(1, list)
  }
}

extension TLSIdentity {
  /// The TLS certificate of simulated receivers without authentication, valid for three days from now.
  static func simulated() throws(TLSError) -> TLSIdentity {
    let now = time(nil)
    return try selfSigned(
      commonName: "castq-receiver-sim", notBefore: now - 3600, notAfter: now + 3 * SimCredentials.day)
  }
}
