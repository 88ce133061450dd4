import COpenSSL

/// The SHA-1 of bytes, for names that contain one (protocol 13.4); it is not secure.
package enum SHA1 {
  /// 40 upper-case hexadecimal digits.
  /// - Throws: `TLSError.unusable` when OpenSSL refuses, as a restricted build may.
  package static func text(of bytes: some Collection<UInt8>) throws(TLSError) -> String {
    let input = Array(bytes)
    var digest = [UInt8](repeating: 0, count: 20)
    OpenSSLErrors.clear()
    guard EVP_Digest(input, input.count, &digest, nil, EVP_sha1(), nil) == 1 else {
      throw OpenSSLErrors.unusable("computing a SHA-1")
    }
    let digits = Array("0123456789ABCDEF".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
