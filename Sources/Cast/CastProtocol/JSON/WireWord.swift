/// An open enumeration of the wire: known values, and `.unknown` for those of newer firmware.
package protocol WireWord: Sendable, Hashable {
  /// Every known value with its text.
  static var words: [(word: String, value: Self)] { get }
  /// An unknown value; kept, so that it survives a round trip.
  static func unknown(_ word: String) -> Self
}

extension WireWord {
  /// Parses a value, ignoring case, because some receivers send `buffered` (protocol 6.5) and HLS formats are lower case on the
  /// wire (protocol 12.3).
  package init(word: String) {
    self =
      Self.words.first { $0.word == word }?.value ?? Self.words.first { Self.isSame($0.word, word) }?.value
      ?? .unknown(word)
  }

  /// Compares ASCII letters only: other scripts have letters whose other case is ASCII.
  private static func isSame(_ known: String, _ word: String) -> Bool {
    known.utf8.elementsEqual(word.utf8) { upper($0) == upper($1) }
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
  }

  /// Parses a JSON string; nil when it is not one.
  package init?(_ json: JSONValue?) {
    guard let word = json?.string else { return nil }
    self.init(word: word)
  }

  /// The text on the wire.
  package var word: String {
    if let known = Self.words.first(where: { $0.value == self }) { return known.word }
    // Only `.unknown` is left, whose one associated value is the text: using the mirror avoids the same switch in a dozen
    // enumerations.
    return Mirror(reflecting: self).children.first?.value as? String ?? ""
  }

  /// The text as a JSON string.
  package var json: JSONValue { .string(word) }
}
