/// An open enumeration of the wire: known words, and `.unknown` for those of tomorrow's firmware.
package protocol WireWord: Sendable, Hashable {
  /// Every known word with its case.
  static var words: [(word: String, value: Self)] { get }
  /// A word this code does not know; kept, so that it survives a round trip.
  static func unknown(_ word: String) -> Self
}

extension WireWord {
  /// Reads a word; upper and lower case are one, as some receivers write `buffered` (protocol 6.5) and HLS formats
  /// are lower case on the wire (protocol 12.3).
  package init(word: String) {
    self =
      Self.words.first { $0.word == word }?.value ?? Self.words.first { Self.isSame($0.word, word) }?.value
      ?? .unknown(word)
  }

  /// Upper and lower case of ASCII alone are one: other scripts have letters that turn into these.
  private static func isSame(_ known: String, _ word: String) -> Bool {
    known.utf8.elementsEqual(word.utf8) { upper($0) == upper($1) }
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
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
