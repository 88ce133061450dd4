import CastProtocol

/// The value of a plain YAML scalar in the core schema of YAML 1.2: `yes`, `off` and `1:30` are strings, `012` is 12, `0o14` is
/// 12, too.
enum CoreSchema {
  static func value(_ text: String) -> JSONValue {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { return .null }
    switch text {
    case "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return .number(.nan)
    default: break
    }
    // Any other scalar that is not a string begins like a number, and no number is long.
    guard bytes.count <= 400,
      first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        || first == UInt8(ascii: ".") || isDigit(first)
    else { return .string(text) }
    return number(text, bytes) ?? .string(text)
  }

  private static func number(_ text: String, _ bytes: [UInt8]) -> JSONValue? {
    if bytes.starts(with: "0x".utf8) { return radix(bytes.dropFirst(2), 16) }
    if bytes.starts(with: "0o".utf8) { return radix(bytes.dropFirst(2), 8) }
    let hasSign = bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+")
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var rest = bytes.dropFirst(hasSign ? 1 : 0)
    if [".inf", ".Inf", ".INF"].contains(String(decoding: rest, as: UTF8.self)) {
      return .number(isNegative ? -.infinity : .infinity)
    }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    if rest.isEmpty, !whole.isEmpty {
      let digits = (isNegative ? "-" : "") + String(decoding: whole, as: UTF8.self)
      return Int64(digits).map(JSONValue.integer) ?? Double(digits).map(JSONValue.number)
    }
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = ""
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") { exponent = "-" }
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      let digits = rest.prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      exponent = "e" + exponent + String(decoding: digits, as: UTF8.self)
      rest = rest.dropFirst(digits.count)
    }
    guard rest.isEmpty else { return nil }
    let digits =
      (isNegative ? "-0" : "0") + String(decoding: whole, as: UTF8.self) + "."
      + (fraction.isEmpty ? "0" : String(decoding: fraction, as: UTF8.self)) + exponent
    return Double(digits).map(JSONValue.number)
  }

  private static func radix(_ digits: ArraySlice<UInt8>, _ radix: Int) -> JSONValue? {
    guard let first = digits.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
      let value = Int64(String(decoding: digits, as: UTF8.self), radix: radix)
    else { return nil }
    return .integer(value)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
