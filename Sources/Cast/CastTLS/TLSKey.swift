import COpenSSL

/// An RSA private key. Generating one takes about 100 ms, so one key is shared by many certificates.
package struct TLSKey: Sendable {
  /// The key as PKCS #1 or #8 DER. Kept as bytes, so that no OpenSSL object is shared between threads.
  let der: [UInt8]

  /// Generates a new RSA key.
  /// - Parameter bits: 2048 like real devices; 1024 like old ones.
  package static func generate(bits: Int32 = 2048) throws(TLSError) -> TLSKey {
    OpenSSLErrors.clear()
    guard let generator = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else {
      throw OpenSSLErrors.unusable("making an RSA key")
    }
    defer { EVP_PKEY_CTX_free(generator) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(generator) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(generator, bits) == 1,
      EVP_PKEY_keygen(generator, &made) == 1, let made
    else { throw OpenSSLErrors.unusable("making an RSA key of \(bits) bits") }
    defer { EVP_PKEY_free(made) }
    guard let der = DER.bytes({ i2d_PrivateKey(made, $0) }) else {
      throw OpenSSLErrors.unusable("writing an RSA key")
    }
    return TLSKey(der: der)
  }
}

/// Owns one EVP_PKEY for the duration of a call.
final class TLSKeyHandle {
  let pointer: OpaquePointer

  init(der: [UInt8]) throws(TLSError) {
    OpenSSLErrors.clear()
    let pointer = der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_AutoPrivateKey(nil, &next, bytes.count)
    }
    guard let pointer else { throw OpenSSLErrors.unusable("reading a private key") }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The SubjectPublicKeyInfo.
  var publicKey: [UInt8] {
    get throws(TLSError) {
      OpenSSLErrors.clear()
      guard let bytes = DER.bytes({ i2d_PUBKEY(pointer, $0) }) else {
        throw OpenSSLErrors.unusable("writing a public key")
      }
      return bytes
    }
  }

  /// - Parameter hash: an EVP_MD; nil for keys that sign without one.
  func signature(over content: [UInt8], hash: OpaquePointer?) throws(TLSError) -> [UInt8] {
    OpenSSLErrors.clear()
    guard let context = EVP_MD_CTX_new() else { throw OpenSSLErrors.unusable("signing") }
    defer { EVP_MD_CTX_free(context) }
    var count = 0
    guard EVP_DigestSignInit(context, nil, hash, nil, pointer) == 1,
      EVP_DigestSign(context, nil, &count, content, content.count) == 1
    else { throw OpenSSLErrors.unusable("signing") }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, content, content.count) == 1 else {
      throw OpenSSLErrors.unusable("signing")
    }
    return Array(signature.prefix(count))
  }
}

/// OpenSSL's i2d_ functions: called with nil they return the length, called with a pointer they write and advance it.
enum DER {
  static func bytes(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    let length = Int(encode(nil))
    guard length > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var next = buffer.baseAddress
      count = max(0, min(length, Int(encode(&next))))
    }
  }
}
