/// Why bytes are not a message of device authentication (protocol 1.4, 2.6).
package enum AuthenticationFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are no protobuf message, or end inside one.
  case malformed(message: String, CastMessageError)
  /// A field the format requires is not there.
  case missing(field: String, message: String)
  /// More of something than any device has cause to send.
  case tooMany(field: String, limit: Int)

  package var description: String {
    switch self {
    case .malformed(let message, let error): "the \(message) cannot be read: \(error)"
    case .missing(let field, let message): "the \(message) has no \(field)"
    case .tooMany(let field, let limit): "there are more than \(limit) of \(field)"
    }
  }
}

/// The fields of one message of device authentication, in the order in which they came.
///
/// A field whose wire type is not the one the format gives it counts as unknown, as in every protobuf reader; of
/// equal fields that may stand only once the last one wins.
struct AuthenticationFields {
  private var numbers: [UInt64: UInt64] = [:]
  private var contents: [UInt64: [Range<Int>]] = [:]
  private let source: [UInt8]

  /// - Parameter message: what it should be, for errors.
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
