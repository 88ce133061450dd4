/// An error in encoding or decoding a DNS message.
package enum DNSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The packet has more bytes than `DNSMessage.maximumReceivedLength`; the value is its length.
  case tooLong(Int)
  /// The packet ends inside the field at this byte, or a length points past its end.
  case truncated(offset: Int)
  /// The header declares more entries than the bytes could hold.
  case countsExceedPacket(Int)
  /// The header declares more entries than `DNSMessage.maximumRecordCount`.
  case tooManyRecords(Int)
  /// A label has a type that the DNS does not use.
  case malformedLabel(offset: Int)
  /// A label is not UTF-8.
  case labelNotText(offset: Int)
  /// A pointer does not point before its name, so it might loop.
  case pointerNotBackwards(offset: Int)
  /// A name has more parts than `DNSMessage.maximumJumpCount`.
  case tooManyJumps(offset: Int)
  /// A name has more than 255 bytes.
  case nameTooLong(offset: Int)
  /// The data of a record is malformed for its type.
  case malformedData(DNSRecordType, offset: Int)

  /// A label is empty or has more than 63 bytes, or the whole name more than 255.
  case invalidName(DNSName)
  /// The value does not fit a record of this type.
  case invalidValue(DNSRecordType)
  /// The message exceeds the packet size; the value is the limit.
  case packetFull(Int)

  package var description: String {
    switch self {
    case .tooLong(let count):
      "a DNS packet of \(count) bytes exceeds the limit of \(DNSMessage.maximumReceivedLength)"
    case .truncated(let offset): "the DNS packet ends inside the field at byte \(offset)"
    case .countsExceedPacket(let count):
      "the DNS packet claims \(count) entries, more than its bytes can hold"
    case .tooManyRecords(let count):
      "the DNS packet has \(count) entries, more than the limit of \(DNSMessage.maximumRecordCount)"
    case .malformedLabel(let offset): "byte \(offset) of the DNS packet does not begin a label"
    case .labelNotText(let offset): "the label at byte \(offset) of the DNS packet is not UTF-8"
    case .pointerNotBackwards(let offset): "the name at byte \(offset) of the DNS packet does not point back"
    case .tooManyJumps(let offset):
      "the name at byte \(offset) of the DNS packet has too many compression pointers"
    case .nameTooLong(let offset): "the name at byte \(offset) of the DNS packet has more than 255 bytes"
    case .malformedData(let type, let offset):
      "the \(type) record at byte \(offset) of the DNS packet does not have the form of its type"
    case .invalidName(let name):
      "‘\(name)’ is not a DNS name: a label has 1 to 63 bytes, a name at most 255"
    case .invalidValue(let type): "the value does not fit a DNS record of type \(type)"
    case .packetFull(let limit): "the DNS message does not fit a packet of \(limit) bytes"
    }
  }
}
