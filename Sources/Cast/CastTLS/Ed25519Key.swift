import COpenSSL

/// A key for Ed25519 signatures (RFC 8032).
package struct Ed25519Key: Sendable {
  /// The private key as PKCS #8 DER. Kept as bytes, so that no OpenSSL object is shared between threads.
  package let der: [UInt8]

  /// Generates a new key.
  package static func generate() throws(TLSError) -> Ed25519Key {
    OpenSSLErrors.clear()
    guard let generator = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else {
      throw OpenSSLErrors.unusable("making an Ed25519 key")
    }
    defer { EVP_PKEY_CTX_free(generator) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(generator) == 1, EVP_PKEY_keygen(generator, &made) == 1, let made else {
      throw OpenSSLErrors.unusable("making an Ed25519 key")
    }
    defer { EVP_PKEY_free(made) }
    guard let der = DER.bytes({ i2d_PrivateKey(made, $0) }) else {
      throw OpenSSLErrors.unusable("writing an Ed25519 key")
    }
    return try Ed25519Key(der: der)
  }

  /// Reads a private key; throws for keys of other kinds.
  package init(der: [UInt8]) throws(TLSError) {
    let handle = try TLSKeyHandle(der: der)
    guard EVP_PKEY_get_base_id(handle.pointer) == EVP_PKEY_ED25519 else {
      throw .unusable("reading an Ed25519 key: it is of another kind")
    }
    self.der = der
  }

  /// The SubjectPublicKeyInfo, 44 bytes.
  package var publicKey: [UInt8] {
    get throws(TLSError) { try TLSKeyHandle(der: der).publicKey }
  }

  /// 64 bytes.
  package func signature(over content: [UInt8]) throws(TLSError) -> [UInt8] {
    try TLSKeyHandle(der: der).signature(over: content, hash: nil)
  }

  /// Whether the private key of a public one made a signature. False for what is no Ed25519 key.
  /// - Parameter publicKey: a SubjectPublicKeyInfo.
  package static func verifies(_ signature: [UInt8], over content: [UInt8], publicKey: [UInt8]) -> Bool {
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    let key = publicKey.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_PUBKEY(nil, &next, bytes.count)
    }
    guard let key else { return false }
    defer { EVP_PKEY_free(key) }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519, signature.count == 64,
      let context = EVP_MD_CTX_new()
    else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, content, content.count) == 1
  }
}
