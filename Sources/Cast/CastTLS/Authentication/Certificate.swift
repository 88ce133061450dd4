import COpenSSL
import Glibc

/// One certificate, parsed leniently: any version, any serial number, any dates (protocol 2.4).
///
/// Not Sendable, because OpenSSL caches computed values in an `X509*`: created, used and released within one call.
final class Certificate {
  let layout: CertificateLayout
  let pointer: OpaquePointer
  /// Seconds since 1970.
  let notBefore: Int
  /// Seconds since 1970.
  let notAfter: Int
  let permissions: CertificatePermissions

  /// The requirements for a signer's key (protocol 2.4).
  static let leastKeyBits: Int32 = 2048
  private static let nameLimit = 64

  init(_ der: [UInt8]) throws(CertificateFault) {
    guard let layout = CertificateLayout(der) else {
      // A truncated sequence, or one with other contents, was meant as a certificate; other bytes were not.
      guard der.first == DERReader.sequence else { throw .notX509 }
      throw .malformed("its parts are not those of a certificate, or it is cut off")
    }
    let strict = layout.strictBytes
    OpenSSLErrors.clear()
    let pointer = strict.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_X509(nil, &next, bytes.count)
    }
    guard let pointer else { throw .malformed(OpenSSLErrors.takeWords()) }
    let dates = Self.dates(pointer)
    let permissions = CertificatePermissions(pointer)
    guard let dates, let permissions else {
      X509_free(pointer)
      throw .malformed(
        dates == nil ? "its dates are malformed" : "one of its extensions is malformed or comes twice")
    }
    self.layout = layout
    self.pointer = pointer
    (notBefore, notAfter) = dates
    self.permissions = permissions
  }

  deinit { X509_free(pointer) }

  private static func dates(_ pointer: OpaquePointer) -> (Int, Int)? {
    var from = tm()
    var until = tm()
    guard ASN1_TIME_to_tm(X509_get0_notBefore(pointer), &from) == 1,
      ASN1_TIME_to_tm(X509_get0_notAfter(pointer), &until) == 1
    else { return nil }
    return (timegm(&from), timegm(&until))
  }

  /// SHA-256 of the SubjectPublicKeyInfo.
  var keyHash: [UInt8]? { try? SHA256.digest(of: layout.bytes[layout.publicKey]) }

  /// For messages; nil when there is none. It is untrusted text: truncated, and without control characters.
  var commonName: String? {
    guard let name = X509_get_subject_name(pointer) else { return nil }
    let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index),
      let data = X509_NAME_ENTRY_get_data(entry)
    else { return nil }
    var text: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&text, data)
    guard count >= 0, let text else { return nil }
    defer { CRYPTO_free(text, #file, #line) }
    let all = String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    let shown = all.unicodeScalars.filter { !$0.properties.generalCategory.isInvisible }.prefix(
      Self.nameLimit)
    return shown.isEmpty ? nil : String(String.UnicodeScalarView(shown))
  }

  var isSelfIssued: Bool {
    X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0
  }

  /// Whether the other one has the name of this one's issuer.
  func isNamedIssuer(_ other: Certificate) -> Bool {
    X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(other.pointer)) == 0
  }

  /// The rule its key violates; nil if none.
  var keyFlaw: CertificateRule? {
    guard let key = X509_get0_pubkey(pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      return .keyNotRSA
    }
    return EVP_PKEY_get_bits(key) < Self.leastKeyBits ? .keyTooShort : nil
  }

  /// The rule its signature algorithm violates; nil if none.
  var algorithmFlaw: CertificateRule? {
    guard layout.bytes[layout.innerAlgorithm] == layout.bytes[layout.outerAlgorithm] else {
      return .algorithmsDiffer
    }
    return signatureHash == nil ? .algorithmNotAllowed : nil
  }

  /// The hash of its signature; nil for algorithms that are not allowed.
  private var signatureHash: OpaquePointer? {
    switch X509_get_signature_nid(pointer) {
    case NID_sha1WithRSAEncryption: EVP_sha1()
    case NID_sha256WithRSAEncryption: EVP_sha256()
    case NID_sha384WithRSAEncryption: EVP_sha384()
    case NID_sha512WithRSAEncryption: EVP_sha512()
    default: nil
    }
  }

  /// Whether the issuer's key made its signature.
  func isSigned(by issuer: Certificate) -> Bool {
    guard let hash = signatureHash else { return false }
    return issuer.verifies(
      layout.bytes[layout.signature], over: layout.bytes[layout.signedPart], hash: hash)
  }

  /// Whether its key made a PKCS #1 v1.5 signature over these bytes. An EVP_MD is the hash algorithm.
  func verifies(
    _ signature: some Collection<UInt8>, over content: some Collection<UInt8>, hash: OpaquePointer?
  ) -> Bool {
    OpenSSLErrors.clear()
    // Only the result matters; OpenSSL's message for a wrong signature adds nothing.
    defer { OpenSSLErrors.clear() }
    guard let key = X509_get0_pubkey(pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
      let context = EVP_MD_CTX_new()
    else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, hash, nil, key) == 1 else { return false }
    let signature = Array(signature)
    let content = Array(content)
    return EVP_DigestVerify(context, signature, signature.count, content, content.count) == 1
  }
}

extension Unicode.GeneralCategory {
  /// Control and format characters, and others that could reverse or end a line of text.
  fileprivate var isInvisible: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}
