import CastProtocol

extension SeededGenerator {
  /// Damages bytes as a faulty or hostile peer might: flips, inserts, removes, repeats, cuts.
  mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      guard let index = bytes.indices.randomElement(using: &self) else { return }
      switch Int.random(in: 0..<6, using: &self) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &self)
      case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: index)
      case 3: bytes.remove(at: index)
      case 4: bytes.insert(contentsOf: bytes[index...].prefix(16), at: index)
      default: bytes.removeSubrange(index...)
      }
    }
  }

  /// A message with ids, namespace and payload of any length and script.
  mutating func message() -> CastMessage {
    let payload: CastMessage.Payload =
      Bool.random(using: &self)
      ? .string(text(0...400))
      : .binary(
        (0..<Int.random(in: 0...400, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
      )
    return CastMessage(
      source: EndpointID(text(1...40)), destination: EndpointID(text(1...40)),
      namespace: Namespace(text(1...200)),
      payload: payload)
  }

  /// Any JSON value, nested to this depth at most.
  mutating func json(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &self))
    case 2: return .integer(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
    case 3:
      let number = Double(bitPattern: next())
      return .number(number.isFinite ? number : 0.5)
    case 4, 5: return .string(text(0...12))
    case 6: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &self) { members[text(0...6)] = json(depth: depth - 1) }
      return .object(members)
    }
  }

  private mutating func text(_ length: ClosedRange<Int>) -> String {
    let alphabet = Array("abcXYZ019 {}\":,\\\u{00}\u{7F}äßЖ漢🛰\u{FFFD}\u{10FFFF}")
    return String(
      (0..<Int.random(in: length, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "-" })
  }
}

extension Array where Element == UInt8 {
  /// Bytes from hexadecimal digits; anything that is no pair of digits gives an empty array.
  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Hexadecimal digits.
  var hex: String {
    map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
