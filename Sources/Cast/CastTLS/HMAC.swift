import COpenSSL

/// The keyed hash of RFC 2104, with SHA-256.
package enum HMACSHA256 {
  /// 64 lower-case hexadecimal digits.
  /// - Throws: `TLSError.unusable` when OpenSSL refuses, as a restricted build may.
  package static func text(of bytes: [UInt8], key: [UInt8]) throws(TLSError) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    OpenSSLErrors.clear()
    let result = HMAC(EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, &digest, &length)
    guard result != nil, length == 32 else { throw OpenSSLErrors.unusable("computing an HMAC") }
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
