/// Iterates over the fields of one protobuf message without interpreting them. Every index is checked: the bytes are untrusted.
struct CastMessageReader {
  /// One field: its number and the position of its value.
  struct Field: Hashable {
    enum Value: Hashable {
      case varint(UInt64)
      /// Position of the contents of a length-delimited field.
      case bytes(Range<Int>)
      /// A 32- or 64-bit value; no supported field has one, so only its length matters.
      case fixed
    }

    var number: UInt64
    var value: Value
  }

  private let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next field; nil at the end.
  mutating func next() throws(CastMessageError) -> Field? {
    guard index < bytes.count else { return nil }
    let start = index
    let tag = try varint()
    guard tag <= UInt64(UInt32.max), tag >> 3 > 0 else { throw .malformedTag(offset: start) }
    let value: Field.Value
    switch tag & 7 {
    case 0: value = .varint(try varint())
    case 1:
      try skip(8, from: start)
      value = .fixed
    case 2:
      let length = try varint()
      let begin = index
      try skip(length, from: start)
      value = .bytes(begin..<index)
    case 5:
      try skip(4, from: start)
      value = .fixed
    default: throw .malformedTag(offset: start)
    }
    return Field(number: tag >> 3, value: value)
  }

  private mutating func skip(_ length: UInt64, from start: Int) throws(CastMessageError) {
    guard length <= UInt64(bytes.count - index) else { throw .truncated(offset: start) }
    index += Int(length)
  }

  private mutating func varint() throws(CastMessageError) -> UInt64 {
    let start = index
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard index < bytes.count else { throw .truncated(offset: start) }
      let byte = bytes[index]
      index += 1
      // The tenth byte has room for one bit only.
      guard shift < 63 || byte <= 1 else { throw .malformedVarint(offset: start) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .malformedVarint(offset: start)
  }
}
