import COpenSSL

extension TLSKey {
  /// The SubjectPublicKeyInfo.
  package var publicKey: [UInt8] {
    get throws(TLSError) { try TLSKeyHandle(der: der).publicKey }
  }

  /// Creates an RSASSA-PKCS1-v1_5 signature, as devices do (protocol 2.2).
  package func signature(over content: [UInt8], isSHA1: Bool = false) throws(TLSError) -> [UInt8] {
    try signature(over: content, hash: isSHA1 ? EVP_sha1() : EVP_sha256())
  }

  /// - Parameter hash: an EVP_MD.
  func signature(over content: [UInt8], hash: OpaquePointer?) throws(TLSError) -> [UInt8] {
    try TLSKeyHandle(der: der).signature(over: content, hash: hash)
  }
}
