import COpenSSL

/// A key and its self-signed certificate, as a device has one (protocol 2.5).
///
/// `@unchecked Sendable`: both objects are made in the initialiser and only read afterwards; OpenSSL counts their references
/// atomically.
package final class TLSIdentity: @unchecked Sendable {
  let key: OpaquePointer
  let certificate: OpaquePointer
  /// The certificate as it goes over the wire.
  package let certificateDER: [UInt8]

  /// Makes a 2048-bit RSA key and a certificate for it; takes about 100 ms.
  ///
  /// - Parameters:
  ///   - commonName: what the certificate calls itself; nobody checks it.
  ///   - notBefore: seconds since 1970.
  ///   - notAfter: seconds since 1970; devices use about three days.
  ///   - version: X.509 version, 3, or 1 as some old devices present (protocol 1.1).
  package static func selfSigned(
    commonName: String, notBefore: Int64, notAfter: Int64, version: Int = 3
  ) throws(TLSError) -> TLSIdentity {
    try TLSIdentity(commonName, notBefore, notAfter, version)
  }

  private init(
    _ commonName: String, _ notBefore: Int64, _ notAfter: Int64, _ version: Int
  ) throws(TLSError) {
    OpenSSLErrors.clear()
    guard let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw .setup(OpenSSLErrors.take()) }
    defer { EVP_PKEY_CTX_free(maker) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(maker) == 1, castq_rsa_set_bits(maker, 2048) == 1,
      EVP_PKEY_keygen(maker, &made) == 1, let key = made
    else { throw .setup(OpenSSLErrors.take()) }
    guard let certificate = X509_new() else {
      EVP_PKEY_free(key)
      throw .setup(OpenSSLErrors.take())
    }
    self.key = key
    self.certificate = certificate
    X509_set_version(certificate, version - 1)
    ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), Int64.random(in: 1...Int64.max))
    ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(notBefore))
    ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(notAfter))
    let name = X509_get_subject_name(certificate)
    let isNamed = Array(commonName.utf8.prefix(64)).withUnsafeBufferPointer { bytes in
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes.baseAddress, Int32(bytes.count), -1, 0)
    }
    guard isNamed == 1, X509_set_issuer_name(certificate, name) == 1, X509_set_pubkey(certificate, key) == 1,
      X509_sign(certificate, key, EVP_sha256()) > 0
    else {
      certificateDER = []
      throw .setup(OpenSSLErrors.take())
    }
    certificateDER = X509DER.bytes(of: certificate)
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }
}

/// The encoded form of a certificate.
enum X509DER {
  static func bytes(of certificate: OpaquePointer) -> [UInt8] {
    let length = i2d_X509(certificate, nil)
    guard length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      var cursor = buffer.baseAddress
      count = max(Int(i2d_X509(certificate, &cursor)), 0)
    }
  }
}
