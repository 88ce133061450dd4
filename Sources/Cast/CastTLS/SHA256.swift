import COpenSSL

/// The SHA-256 of bytes.
package enum SHA256 {
  /// 32 bytes.
  /// - Throws: `TLSError.unusable` when OpenSSL refuses, as a restricted build may.
  package static func digest(of bytes: some Collection<UInt8>) throws(TLSError) -> [UInt8] {
    let input = Array(bytes)
    var digest = [UInt8](repeating: 0, count: 32)
    OpenSSLErrors.clear()
    guard EVP_Digest(input, input.count, &digest, nil, EVP_sha256(), nil) == 1 else {
      throw OpenSSLErrors.unusable("computing a SHA-256")
    }
    return digest
  }

  /// 64 lower-case hexadecimal digits.
  package static func text(of bytes: some Collection<UInt8>) throws(TLSError) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = try digest(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
