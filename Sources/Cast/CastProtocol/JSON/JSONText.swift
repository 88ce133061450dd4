/// A syntax error in a JSON text.
package struct JSONError: Error, Hashable, Sendable {
  /// Offset into the UTF-8 bytes, from 0.
  package var offset: Int
  /// The error, without the offending text.
  package var reason: String
}

extension JSONValue {
  /// Maximum nesting depth of arrays and objects, so that a hostile peer causes an error instead of a stack overflow.
  package static let maximumDepth = 64

  /// Parses one JSON text (RFC 8259). Escapes of lone surrogates become U+FFFD; the last of two equal keys wins.
  package init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Parses one JSON text from its UTF-8 bytes.
  /// - Parameter allowsHalves: whether escapes of lone surrogates become U+FFFD, as devices need it; otherwise they are an error.
  package init(parsing bytes: [UInt8], allowsHalves: Bool = true) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, allowsHalves: allowsHalves)
    self = try reader.document()
  }

  /// This value as JSON text: without white space and with sorted keys, so equal values have equal text.
  package var text: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// A recursive-descent parser over bytes. The pure targets may not load full Foundation, and `JSONDecoder` would try six types for
/// each value; see docs/decisions.
private struct JSONReader {
  let bytes: [UInt8]
  let allowsHalves: Bool
  var index = 0

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try self.value(depth: 0)
    skipSpace()
    guard index == bytes.count else { throw error("text after the value") }
    return value
  }

  private func error(_ reason: String) -> JSONError { JSONError(offset: index, reason: reason) }

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipSpace()
    guard index < bytes.count else { throw error("the text ends where a value is expected") }
    guard depth < JSONValue.maximumDepth else { throw error("nested too deeply") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for offset in 0..<word.utf8CodeUnitCount {
      guard take(word.utf8Start[offset]) else { throw error("unknown word") }
    }
    return value
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw error("expected ',' or ']'") }
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([:]) }
    while true {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw error("expected a key") }
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
      members[key] = try value(depth: depth + 1)
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
    }
  }

  private mutating func string() throws(JSONError) -> String {
    let opening = index
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"),
      bytes[index] >= 0x20
    {
      index += 1
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {  // the common case: nothing escaped
      defer { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }
    var unescaped = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index += 1
        return String(decoding: unescaped, as: UTF8.self)
      }
      guard byte >= 0x20 else { throw error("control character in a string") }
      index += 1
      if byte == UInt8(ascii: "\\") {
        unescaped.append(contentsOf: String(try escape()).utf8)
      } else {
        unescaped.append(byte)
      }
    }
    throw JSONError(offset: opening, reason: "a string without an end")
  }

  private mutating func escape() throws(JSONError) -> Character {
    guard index < bytes.count else { throw error("the text ends inside a string") }
    defer { index += 1 }
    switch bytes[index] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return Character(try unicodeEscape())
    default: throw error("unknown escape")
    }
  }

  /// Reads the digits after `\u`, and a second escape if the first is a high surrogate. Ends at the last digit.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try fourDigits()
    guard (0xD800..<0xDC00).contains(first) else { return try whole(first) }
    guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\"),
      bytes[index + 2] == UInt8(ascii: "u")
    else {
      return try half()
    }
    let mark = index
    index += 2
    let second = try fourDigits()
    guard (0xDC00..<0xE000).contains(second) else {
      index = mark
      return try half()
    }
    return try whole(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
  }

  private func whole(_ number: UInt32) throws(JSONError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(number) else { return try half() }
    return scalar
  }

  /// What stands for half of a pair of surrogates.
  private func half() throws(JSONError) -> Unicode.Scalar {
    guard allowsHalves else { throw error("half of a character") }
    return "\u{FFFD}"
  }

  private mutating func fourDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      index += 1
      guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else {
        throw error("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads a number by the JSON grammar, which is stricter than that of `Int64` and `Double`.
  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    let isNegative = take(UInt8(ascii: "-"))
    let firstDigit = index
    guard skipDigits() else {
      if !isNegative { throw error("expected a value") }
      throw error("expected a digit")
    }
    guard bytes[firstDigit] != UInt8(ascii: "0") || index == firstDigit + 1 else {
      index = firstDigit
      throw error("a number with leading zeros")
    }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      guard skipDigits() else { throw error("expected a digit") }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard skipDigits() else { throw error("expected a digit") }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let whole = Int64(text) { return .integer(whole) }
    guard let value = Double(text), value.isFinite else {
      index = start
      throw error("a number out of range")
    }
    return .number(value)
  }

  /// - Returns: whether there was at least one digit.
  private mutating func skipDigits() -> Bool {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    return index > start
  }
}

private struct JSONWriter {
  var bytes: [UInt8] = []

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .number(let value): append(value.isFinite ? String(value) : "null")
    case .string(let value): write(value)
    case .array(let elements):
      append("[")
      for (offset, element) in elements.enumerated() {
        if offset > 0 { append(",") }
        write(element)
      }
      append("]")
    case .object(let members):
      append("{")
      for (offset, key) in members.keys.sorted().enumerated() {
        if offset > 0 { append(",") }
        write(key)
        append(":")
        write(members[key] ?? .null)
      }
      append("}")
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7F:
        append("\\u00")
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
