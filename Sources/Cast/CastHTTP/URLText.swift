/// The grammar of addresses, byte by byte (RFC 3986).
enum URLText {
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// Whether the text begins with a scheme, and so is an absolute address.
  static func hasScheme(_ text: String) -> Bool {
    let name = text.utf8.prefix { isAlphanumeric($0) || "+-.".utf8.contains($0) }
    guard let first = name.first, isAlphanumeric(first), !(0x30...0x39).contains(first) else { return false }
    return name.endIndex < text.endIndex && text.utf8[name.endIndex] == UInt8(ascii: ":")
  }

  /// Removes `.` and `..` from a path, which then begins with a slash (5.2.4).
  static func removingDots(_ path: Substring) -> String {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    var result: [Substring] = []
    for (index, part) in parts.dropFirst().enumerated() {
      let isDot = part == "." || part == ".."
      if part == ".." { _ = result.popLast() } else if !isDot { result.append(part) }
      // A path that ends in a dot segment names a directory and keeps its slash.
      if isDot, index == parts.count - 2 { result.append("") }
    }
    return "/" + result.joined(separator: "/")
  }

  /// Percent-encodes characters that are not allowed in an address; existing encoding is kept.
  static func encoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: needsEncoding) else { return String(text) }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if needsEncoding(byte) {
        bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes percent-encoding; an incomplete sequence is kept.
  static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func needsEncoding(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
