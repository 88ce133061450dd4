/// An open enumeration of the wire: known words, and `.unknown` for those of tomorrow's firmware.
package protocol WireWord: Sendable, Hashable {
  /// Every known word with its case.
  static var words: [(word: String, value: Self)] { get }
  /// A word this code does not know; kept, so that it survives a round trip.
  static func unknown(_ word: String) -> Self
}

extension WireWord {
  /// Reads a word; upper and lower case are one, as some receivers write `buffered` (protocol 6.5).
  package init(word: String) {
    let upper = word.uppercased()
    self = Self.words.first { $0.word == upper || $0.word == word }?.value ?? .unknown(word)
  }

  /// Reads a string value; nil when there is none.
  package init?(_ json: JSONValue?) {
    guard let word = json?.string else { return nil }
    self.init(word: word)
  }

  /// The word as the wire spells it.
  package var word: String {
    if let known = Self.words.first(where: { $0.value == self }) { return known.word }
    // Only `.unknown` is left, and its one associated value is the word: asking the mirror spares each of a dozen
    // enumerations the same switch.
    return Mirror(reflecting: self).children.first?.value as? String ?? ""
  }

  /// The word as a JSON string.
  package var json: JSONValue { .string(word) }
}
