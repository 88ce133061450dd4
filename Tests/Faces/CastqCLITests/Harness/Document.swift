import Foundation

/// A JSON document as a stranger's parser reads it.
enum Document: Decodable, Equatable, CustomStringConvertible {
  case object([String: Document])
  case array([Document])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  init(_ text: String) throws { self = try JSONDecoder().decode(Document.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([Document].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: Document].self))
    }
  }

  subscript(key: String) -> Document? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The elements; none when it is no array.
  var elements: [Document] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// The members' names; none when it is no object.
  var keys: Set<String> {
    guard case .object(let members) = self else { return [] }
    return Set(members.keys)
  }

  var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  var number: Double? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  var int: Int? { number.flatMap { Int(exactly: $0) } }

  var description: String {
    switch self {
    case .object(let members): "\(members)"
    case .array(let elements): "\(elements)"
    case .string(let value): value
    case .number(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .null: "null"
    }
  }
}
