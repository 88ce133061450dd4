/// A decimal number: digits, with an optional point and more digits. No sign, no exponent, no `inf`.
package struct DecimalText: Sendable, Hashable {
  /// The value, 0 or more and below 10^10.
  package var value: Double
  /// Whether it was written with a point.
  package var hasPoint: Bool
  /// Length in bytes.
  package var length: Int

  /// The number at the beginning of the bytes; nil when there is none, or it has more than ten digits on either side of the
  /// point.
  package init?(prefixOf bytes: ArraySlice<UInt8>) {
    let whole = bytes.prefix { (0x30...0x39).contains($0) }
    let rest = bytes[whole.endIndex...]
    var fraction = bytes[bytes.endIndex...]
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    }
    guard whole.count <= 10, fraction.count <= 10, !whole.isEmpty || !fraction.isEmpty else { return nil }
    hasPoint = !fraction.isEmpty
    length = whole.count + (hasPoint ? fraction.count + 1 : 0)
    guard let value = Double("0" + String(decoding: bytes.prefix(length), as: UTF8.self)) else { return nil }
    self.value = value
  }

  /// A number from 0 as this reads it, with at most six digits after the point.
  package static func text(_ value: Double) -> String {
    guard let millionths = Int64(exactly: (value * 1_000_000).rounded()), millionths >= 0 else {
      return String(value)
    }
    let whole = String(millionths / 1_000_000)
    guard millionths % 1_000_000 != 0 else { return whole }
    var digits = Substring(String(millionths % 1_000_000 + 1_000_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// Parses a text that consists of one number.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(prefixOf: bytes[...])
    guard length == bytes.count else { return nil }
  }
}
