import CastqPaths

/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
  /// Characters of a path segment that need no encoding, besides letters and digits.
  private static let pathMarks = Array("-._~!$&'()*+,;=:@/".utf8)
  private static let digits = Array("0123456789ABCDEF".utf8)

  package static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// A file path as the path of a URL: `%` and every reserved character are encoded.
  package static func encodingPath(_ path: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(path.utf8.count)
    for byte in PathText.bytes(path) {
      if isAlphanumeric(byte) || pathMarks.contains(byte) {
        result.append(byte)
      } else {
        append(byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A text of a URL with invalid characters encoded. Existing escapes stay; a `%` that begins none is encoded.
  static func repairing(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isEscape = byte != 0x25 || (hex(bytes, index + 1) != nil && hex(bytes, index + 2) != nil)
      let isForbidden = byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
      if isForbidden || !isEscape { append(byte, to: &result) } else { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The decoded text; nil when an escape is invalid or the result is not UTF-8.
  package static func decoding(_ text: String) -> String? {
    guard text.utf8.contains(0x25) else { return text }
    return decodedBytes(text).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The decoded path of a file, whose name may be of any bytes (`PathText`); nil when an escape is invalid.
  package static func decodingPath(_ text: String) -> String? {
    guard text.utf8.contains(0x25) else { return text }
    return decodedBytes(text).map { PathText.text($0) }
  }

  private static func decodedBytes(_ text: String) -> [UInt8]? {
    let bytes = PathText.bytes(text)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25 {
        guard let high = hex(bytes, index + 1), let low = hex(bytes, index + 2) else { return nil }
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func hex(_ bytes: [UInt8], _ index: Int) -> UInt8? {
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case 0x30...0x39: return bytes[index] - 0x30
    case 0x41...0x46: return bytes[index] - 0x41 + 10
    case 0x61...0x66: return bytes[index] - 0x61 + 10
    default: return nil
    }
  }

  private static func append(_ byte: UInt8, to result: inout [UInt8]) {
    result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
