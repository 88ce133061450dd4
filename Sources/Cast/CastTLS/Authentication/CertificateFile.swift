import COpenSSL

/// Certificates in files: PEM, one or many, or the DER of one.
package enum CertificateFile {
  /// Maximum number of certificates in a file.
  private static let limit = 256

  /// The certificates as DER, each of them valid X.509.
  /// - Throws: the error of the first that is not, or that there is none.
  package static func certificates(in bytes: [UInt8]) throws(CertificateFault) -> [[UInt8]] {
    let all = bytes.first == DERReader.sequence ? [bytes] : try blocks(in: bytes)
    guard !all.isEmpty else { throw .notX509 }
    for der in all { _ = try Certificate(der) }
    return all
  }

  /// The PEM block of a certificate.
  package static func pem(_ der: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (der.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, der, Int32(clamping: der.count))
    var lines = ["-----BEGIN CERTIFICATE-----"]
    var rest = text.prefix(Int(max(0, count)))
    while !rest.isEmpty {
      lines.append(String(decoding: rest.prefix(64), as: UTF8.self))
      rest = rest.dropFirst(64)
    }
    return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
  }

  private static func blocks(in bytes: [UInt8]) throws(CertificateFault) -> [[UInt8]] {
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    return try bytes.withUnsafeBufferPointer { buffer throws(CertificateFault) in
      // OpenSSL reads out of the buffer itself.
      guard let file = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
        throw .malformed(OpenSSLErrors.takeWords())
      }
      defer { BIO_free(file) }
      var found: [[UInt8]] = []
      while let block = try nextBlock(file) {
        guard block.name == "CERTIFICATE" else { continue }
        found.append(block.content)
        guard found.count <= limit else { throw .malformed("there are more than \(limit)") }
      }
      return found
    }
  }

  /// Nil at the end. An invalid block is an error, not the end.
  private static func nextBlock(
    _ file: OpaquePointer
  ) throws(CertificateFault) -> (name: String, content: [UInt8])? {
    var name: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var data: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard PEM_read_bio(file, &name, &header, &data, &count) == 1 else {
      guard COpenSSL_reason(ERR_peek_last_error()) == PEM_R_NO_START_LINE else {
        throw .malformed(OpenSSLErrors.takeWords())
      }
      return nil
    }
    defer {
      CRYPTO_free(name, #file, #line)
      CRYPTO_free(header, #file, #line)
      CRYPTO_free(data, #file, #line)
    }
    guard let name, let data else { return nil }
    return (String(cString: name), Array(UnsafeBufferPointer(start: data, count: count)))
  }
}
