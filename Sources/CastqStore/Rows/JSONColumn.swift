import CastProtocol
import GRDB

/// JSON text in a column; NULL stands for nothing.
extension Row {
  /// The value of a JSON column; nil when it is NULL or, in a file somebody else edited, no JSON.
  func json(_ column: String) -> JSONValue? {
    guard let text: String = self[column] else { return nil }
    return try? JSONValue(parsing: text)
  }

  /// The value of a column that holds a word of the wire; nil when it is NULL.
  func word<Word: WireWord>(_ column: String) -> Word? {
    let word: String? = self[column]
    return word.map { Word(word: $0) }
  }
}

extension [String: JSONValue] {
  /// An object for a column; nil when it is empty.
  var column: String? { isEmpty ? nil : JSONValue.object(self).text }
}
