package import CastProtocol

/// A number of a message, and what a hostile peer may send in its place. It knows no field by name, so that it covers new ones.
package struct NumberTampering: Sendable, CustomStringConvertible {
  private enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  private let message: JSONValue
  private let path: [Step]

  /// The replacements, as JSON text, some of which is invalid.
  package static let words = [
    "1e400", "-1e400", "NaN", "\"NaN\"", "\"Infinity\"", "1.7e308", "-1.7e308", "-1", "0", "0.5", "4e-324",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "\"1\"", "null",
    "true", "[]",
  ]

  /// One for each number of the message.
  package static func all(in message: JSONValue) -> [NumberTampering] {
    paths(in: message, []).map { NumberTampering(message: message, path: $0) }
  }

  private static func paths(in value: JSONValue, _ path: [Step]) -> [[Step]] {
    switch value {
    case .integer, .number: [path]
    case .array(let elements): elements.enumerated().flatMap { paths(in: $1, path + [.index($0)]) }
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { paths(in: $1, path + [.key($0)]) }
    case .null, .bool, .string: []
    }
  }

  /// The message with a replacement for the number.
  package func text(_ word: String) -> String {
    let mark = "@the number@"
    return Self.replacing(message, path[...], mark).text.replacing("\"\(mark)\"", with: word)
  }

  private static func replacing(_ value: JSONValue, _ path: ArraySlice<Step>, _ mark: String) -> JSONValue {
    switch (path.first, value) {
    case (.key(let key)?, .object(var members)):
      members[key] = members[key].map { replacing($0, path.dropFirst(), mark) }
      return .object(members)
    case (.index(let index)?, .array(var elements)):
      elements[index] = replacing(elements[index], path.dropFirst(), mark)
      return .array(elements)
    default: return .string(mark)
    }
  }

  /// The path of the number, without the indexes of arrays.
  package var description: String {
    path.map {
      switch $0 {
      case .key(let key): ".\(key)"
      case .index: "[]"
      }
    }.joined()
  }
}
