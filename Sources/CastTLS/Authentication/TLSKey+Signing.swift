import COpenSSL

extension TLSKey {
  /// The SubjectPublicKeyInfo.
  package var publicKey: [UInt8] {
    get throws(TLSError) {
      let handle = try TLSKeyHandle(der: der)
      OpenSSLErrors.clear()
      guard let bytes = DER.bytes({ i2d_PUBKEY(handle.pointer, $0) }) else {
        throw OpenSSLErrors.unusable("writing a public key")
      }
      return bytes
    }
  }

  /// Creates an RSASSA-PKCS1-v1_5 signature, as devices do (protocol 2.2).
  package func signature(over content: [UInt8], isSHA1: Bool = false) throws(TLSError) -> [UInt8] {
    try signature(over: content, hash: isSHA1 ? EVP_sha1() : EVP_sha256())
  }

  /// - Parameter hash: an EVP_MD.
  func signature(over content: [UInt8], hash: OpaquePointer?) throws(TLSError) -> [UInt8] {
    let handle = try TLSKeyHandle(der: der)
    OpenSSLErrors.clear()
    guard let context = EVP_MD_CTX_new() else { throw OpenSSLErrors.unusable("signing") }
    defer { EVP_MD_CTX_free(context) }
    var count = 0
    guard EVP_DigestSignInit(context, nil, hash, nil, handle.pointer) == 1,
      EVP_DigestSign(context, nil, &count, content, content.count) == 1
    else { throw OpenSSLErrors.unusable("signing") }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, content, content.count) == 1 else {
      throw OpenSSLErrors.unusable("signing")
    }
    return Array(signature.prefix(count))
  }
}
