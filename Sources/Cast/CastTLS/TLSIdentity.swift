import COpenSSL

/// A self-signed certificate with its key, for a simulated receiver's handshake (protocol 2.5).
package struct TLSIdentity: Sendable {
  /// The complete DER, the second half of what device authentication signs (protocol 2.2).
  package let certificateDER: [UInt8]
  let key: TLSKey

  /// The version of the X.509 structure. Some devices use version 1 (protocol 18, row 26).
  package enum CertificateVersion: Hashable, Sendable, CaseIterable { case v1, v3 }

  /// The hash of the certificate's signature. Old devices used SHA-1.
  package enum SignatureHash: Hashable, Sendable, CaseIterable { case sha1, sha256 }

  /// Creates a certificate.
  /// - Parameters:
  ///   - commonName: 1 to 64 characters.
  ///   - notBefore: seconds since 1970.
  ///   - notAfter: seconds since 1970; real receivers choose two or three days after `notBefore`.
  package static func selfSigned(
    key: TLSKey, commonName: String, notBefore: Int, notAfter: Int,
    version: CertificateVersion = .v3, hash: SignatureHash = .sha256
  ) throws(TLSError) -> TLSIdentity {
    let handle = try TLSKeyHandle(der: key.der)
    OpenSSLErrors.clear()
    guard let certificate = X509_new() else { throw OpenSSLErrors.unusable("making a certificate") }
    defer { X509_free(certificate) }
    let serial = UInt64.random(in: 1...UInt64(Int64.max))
    guard X509_set_version(certificate, version == .v1 ? 0 : 2) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
      ASN1_TIME_set(X509_getm_notBefore(certificate), notBefore) != nil,
      ASN1_TIME_set(X509_getm_notAfter(certificate), notAfter) != nil,
      X509_set_pubkey(certificate, handle.pointer) == 1,
      let name = X509_get_subject_name(certificate),
      X509_NAME_add_entry_by_txt(
        name, "CN", MBSTRING_FLAG, Array(commonName.utf8), Int32(clamping: commonName.utf8.count), -1, 0)
        == 1,
      X509_set_issuer_name(certificate, name) == 1
    else { throw OpenSSLErrors.unusable("making a certificate for \"\(commonName)\"") }
    guard X509_sign(certificate, handle.pointer, hash == .sha1 ? EVP_sha1() : EVP_sha256()) > 0,
      let der = DER.bytes({ i2d_X509(certificate, $0) })
    else { throw OpenSSLErrors.unusable("signing a certificate") }
    return TLSIdentity(certificateDER: der, key: key)
  }

  /// Creates a key and a certificate for it; takes about 100 ms.
  package static func selfSigned(
    commonName: String, notBefore: Int, notAfter: Int, version: CertificateVersion = .v3
  ) throws(TLSError) -> TLSIdentity {
    try selfSigned(
      key: .generate(), commonName: commonName, notBefore: notBefore, notAfter: notAfter, version: version)
  }
}
