import FoundationEssentials

/// Keys and signatures as text: base64, and PEM (RFC 7468).
package enum KeyText {
  /// `-----BEGIN PUBLIC KEY-----` and so on, with a line feed at the end.
  package static func pem(_ der: [UInt8], label: String) -> String {
    let text = base64(der)
    var lines = ["-----BEGIN \(label)-----"]
    var rest = Substring(text)
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return (lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
  }

  /// The bytes of the first block with the label; nil without one.
  package static func der(_ text: String, label: String) -> [UInt8]? {
    guard let begin = text.firstRange(of: "-----BEGIN \(label)-----"),
      let end = text[begin.upperBound...].firstRange(of: "-----END \(label)-----")
    else { return nil }
    return bytes(String(text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }))
  }

  /// The public key in a file, as base64: PEM, or the base64 alone; nil for what is none.
  package static func publicKey(_ text: String) -> String? {
    let trimmed = String(text.filter { !$0.isWhitespace })
    let der = der(text, label: "PUBLIC KEY") ?? (trimmed.utf8.count <= 1024 ? bytes(trimmed) : nil)
    return der.flatMap { $0.isEmpty ? nil : base64($0) }
  }

  package static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Nil for what is not base64.
  package static func bytes(_ base64: String) -> [UInt8]? { Data(base64Encoded: base64).map(Array.init) }
}
