/// An error in encoding or decoding a message of the Cast channel (protocol 1.3).
package enum CastMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes end inside a field, or a length points past their end.
  case truncated(offset: Int)
  /// A number has more than ten bytes or does not fit 64 bits.
  case malformedVarint(offset: Int)
  /// A tag names field 0, a field above 2²⁹ − 1, or a wire type that this format never uses (groups included).
  case malformedTag(offset: Int)
  /// An id or the namespace is absent or empty.
  case missing(CastMessageField)
  /// An id or the namespace is not UTF-8.
  case invalidText(CastMessageField)
  /// Both payload fields are missing.
  case missingPayload
  /// A payload type other than STRING and BINARY.
  case unknownPayloadType(UInt64)
  /// One part of a chunked message, which was never negotiated: this sender uses 2.1.0.
  case chunked

  package var description: String {
    switch self {
    case .truncated(let offset): "the message ends inside the field at byte \(offset)"
    case .malformedVarint(let offset): "the number at byte \(offset) of the message is too long"
    case .malformedTag(let offset): "byte \(offset) of the message does not start a valid field"
    case .missing(let field): "the message has no \(field.rawValue)"
    case .invalidText(let field): "the \(field.rawValue) of the message is not UTF-8"
    case .missingPayload: "the message has no payload"
    case .unknownPayloadType(let type): "the message has a payload of unknown type \(type)"
    case .chunked: "the message is a chunk, although chunking was never offered"
    }
  }
}

/// The required texts of a message, by their names in the format.
package enum CastMessageField: String, Sendable, Hashable, CaseIterable {
  case source = "source_id"
  case destination = "destination_id"
  case namespace

  fileprivate var number: UInt64 {
    switch self {
    case .source: 2
    case .destination: 3
    case .namespace: 4
    }
  }
}

/// The protobuf form of one `CastMessage`, written by hand: one message does not justify a code generator.
package enum CastMessageCodec {
  /// Exact length of `encode(_:)`'s result, without building it.
  package static func encodedLength(of message: CastMessage) -> Int {
    var length = 4  // protocol_version and payload_type: one byte of tag and one of value each
    for text in [message.source.rawValue, message.destination.rawValue, message.namespace.rawValue] {
      length += lengthDelimitedLength(text.utf8.count)
    }
    switch message.payload {
    case .string(let text): length += lengthDelimitedLength(text.utf8.count)
    case .binary(let bytes): length += lengthDelimitedLength(bytes.count)
    }
    return length
  }

  /// Encodes the message. Fields 1 and 5 are written although they are 0: they are required, and devices refuse a message without
  /// them (protocol 1.3). Refuses an empty id or namespace.
  package static func encode(_ message: CastMessage) throws(CastMessageError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encodedLength(of: message))
    try encode(message, into: &bytes)
    return bytes
  }

  /// Appends the message to existing bytes, such as a length prefix.
  static func encode(_ message: CastMessage, into bytes: inout [UInt8]) throws(CastMessageError) {
    let texts: [(CastMessageField, String)] = [
      (.source, message.source.rawValue), (.destination, message.destination.rawValue),
      (.namespace, message.namespace.rawValue),
    ]
    bytes.append(contentsOf: [0x08, 0])
    for (field, text) in texts {
      guard !text.isEmpty else { throw .missing(field) }
      ProtobufWriter.append(text.utf8, field: field.number, to: &bytes)
    }
    switch message.payload {
    case .string(let text):
      bytes.append(contentsOf: [0x28, 0])
      ProtobufWriter.append(text.utf8, field: 6, to: &bytes)
    case .binary(let payload):
      bytes.append(contentsOf: [0x28, 1])
      ProtobufWriter.append(payload, field: 7, to: &bytes)
    }
  }

  /// Decodes one message. Unknown fields are skipped, the last of two equal fields wins, an absent version or payload type is
  /// accepted, and so is a payload in the field of the other type (protocol 1.3).
  package static func decode(_ bytes: [UInt8]) throws(CastMessageError) -> CastMessage {
    var fields = Fields()
    var reader = CastMessageReader(bytes: bytes)
    while let field = try reader.next() { fields.take(field) }
    return try fields.message(from: bytes)
  }

  /// Length of a field with a one-byte tag.
  private static func lengthDelimitedLength(_ count: Int) -> Int {
    var rest = count >> 7
    var length = 2 + count
    while rest > 0 {
      rest >>= 7
      length += 1
    }
    return length
  }
}

/// The fields found so far; texts remain ranges until all fields are read.
private struct Fields {
  private var texts: [CastMessageField: Range<Int>] = [:]
  private var payloadType: UInt64?
  private var textPayload: Range<Int>?
  private var binaryPayload: Range<Int>?
  private var isChunk = false

  mutating func take(_ field: CastMessageReader.Field) {
    switch (field.number, field.value) {
    case (2, .bytes(let range)): texts[.source] = range
    case (3, .bytes(let range)): texts[.destination] = range
    case (4, .bytes(let range)): texts[.namespace] = range
    case (5, .varint(let value)): payloadType = value
    case (6, .bytes(let range)): textPayload = range
    case (7, .bytes(let range)): binaryPayload = range
    // An unchunked message may contain `continued` false and no remaining length (protocol 1.3).
    case (8, .varint(let value)), (9, .varint(let value)): isChunk = isChunk || value != 0
    default: break
    }
  }

  func message(from bytes: [UInt8]) throws(CastMessageError) -> CastMessage {
    if isChunk { throw .chunked }
    let source = try text(.source, from: bytes)
    let destination = try text(.destination, from: bytes)
    let namespace = try text(.namespace, from: bytes)
    return CastMessage(
      source: EndpointID(source), destination: EndpointID(destination), namespace: Namespace(namespace),
      payload: try payload(from: bytes))
  }

  private func text(_ field: CastMessageField, from bytes: [UInt8]) throws(CastMessageError) -> String {
    guard let range = texts[field], !range.isEmpty else { throw .missing(field) }
    guard let text = String(validating: bytes[range], as: UTF8.self) else { throw .invalidText(field) }
    return text
  }

  /// The declared type determines the payload's type; the bytes come from its own field or, if that is missing, from the other one.
  private func payload(from bytes: [UInt8]) throws(CastMessageError) -> CastMessage.Payload {
    switch payloadType ?? (textPayload == nil ? 1 : 0) {
    case 0:
      guard let range = textPayload ?? binaryPayload else { throw .missingPayload }
      return .string(String(decoding: bytes[range], as: UTF8.self))
    case 1:
      guard let range = binaryPayload ?? textPayload else { throw .missingPayload }
      return .binary(Array(bytes[range]))
    case let type: throw .unknownPayloadType(type)
    }
  }
}
