package import CastProtocol

/// JSON with one text for one value (RFC 8785), of what a proof holds: objects of texts, whole numbers, booleans and null.
package enum CanonicalText {
  /// The text; nil for values with a fraction, which a proof does not have.
  package static func of(_ value: JSONValue) -> String? {
    var bytes: [UInt8] = []
    return write(value, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The same of an object whose members are in the order of their names already.
  package static func of(_ members: KeyValuePairs<String, JSONValue>) -> String? {
    var bytes: [UInt8] = []
    return write(members, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func write(_ value: JSONValue, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number: return false
    case .string(let text): write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        guard write(element, to: &bytes) else { return false }
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      // RFC 8785 sorts by UTF-16 units.
      return write(members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }, to: &bytes)
    }
    return true
  }

  private static func write(
    _ members: some Sequence<(key: String, value: JSONValue)>, to bytes: inout [UInt8]
  ) -> Bool {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(member.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      guard write(member.value, to: &bytes) else { return false }
    }
    bytes.append(UInt8(ascii: "}"))
    return true
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
