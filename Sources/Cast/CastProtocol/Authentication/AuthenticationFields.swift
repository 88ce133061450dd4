/// An error in a message of device authentication (protocol 1.4, 2.6).
package enum AuthenticationFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not a protobuf message, or are truncated.
  case malformed(message: String, CastMessageError)
  /// A required field is missing.
  case missing(field: String, message: String)
  /// A field occurs more often than any device sends it.
  case tooMany(field: String, limit: Int)

  package var description: String {
    switch self {
    case .malformed(let message, let error): "the \(message) cannot be read: \(error)"
    case .missing(let field, let message): "the \(message) has no \(field)"
    case .tooMany(let field, let limit): "there are more than \(limit) of \(field)"
    }
  }
}

/// The fields of one message of device authentication, in the order of the bytes.
///
/// A field whose wire type is not the one of the format counts as unknown, as in every protobuf parser; of repeated single fields
/// the last one wins.
struct AuthenticationFields {
  private var numbers: [UInt64: UInt64] = [:]
  private var contents: [UInt64: [Range<Int>]] = [:]
  private let source: [UInt8]

  /// - Parameter message: the name of the message, for errors.
  init(_ bytes: [UInt8], message: String) throws(AuthenticationFormatError) {
    source = bytes
    var reader = CastMessageReader(bytes: bytes)
    do throws(CastMessageError) {
      while let field = try reader.next() {
        switch field.value {
        case .varint(let number): numbers[field.number] = number
        case .bytes(let range): contents[field.number, default: []].append(range)
        case .fixed: break
        }
      }
    } catch {
      throw .malformed(message: message, error)
    }
  }

  func number(_ field: UInt64) -> UInt64? { numbers[field] }

  func bytes(_ field: UInt64) -> [UInt8]? { contents[field]?.last.map { Array(source[$0]) } }

  func all(_ field: UInt64) -> [[UInt8]] { (contents[field] ?? []).map { Array(source[$0]) } }

  func count(_ field: UInt64) -> Int { contents[field]?.count ?? 0 }
}
