/// Writes the fields of a protobuf message: the counterpart of `CastMessageReader`.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a length-delimited field: bytes, text, or a nested message.
  mutating func append(_ content: some Collection<UInt8>, field: UInt64) {
    Self.append(content, field: field, to: &bytes)
  }

  /// Appends a number or an enumeration.
  mutating func append(_ number: UInt64, field: UInt64) {
    Self.append(varint: field << 3, to: &bytes)
    Self.append(varint: number, to: &bytes)
  }

  static func append(_ content: some Collection<UInt8>, field: UInt64, to bytes: inout [UInt8]) {
    append(varint: field << 3 | 2, to: &bytes)
    append(varint: UInt64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }

  private static func append(varint number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
