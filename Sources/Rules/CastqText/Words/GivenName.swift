/// What a person may call something: a device, a rule, a day.
///
/// Names stand in tables, messages and documents again and again, so they are short; and a person who gives one hears of what is wrong
/// with it. What a network says of itself is cleaned instead.
package enum GivenName {
  /// The most bytes of a name in UTF-8.
  package static let mostBytes = 200

  /// Whether it has 1 to `mostBytes` bytes, and nothing that steers a terminal.
  package static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= mostBytes && TerminalText.sanitized(text) == text
  }

  /// Whether it is plain, without blanks at its ends, and nothing that a command takes for an option.
  package static func isName(_ text: String) -> Bool {
    isPlain(text) && text.utf8.first != UInt8(ascii: " ") && text.utf8.last != UInt8(ascii: " ")
      && !readsAsOption(text)
  }

  /// Whether it begins as options do, and `-`, which is standard input.
  package static func readsAsOption(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "-") }

  /// The plain beginning of what somebody else calls something; empty when nothing of it is plain.
  package static func cleaned(_ text: String) -> String {
    var (cleaned, count) = (String.UnicodeScalarView(), 0)
    for scalar in TerminalText.sanitized(text).unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= mostBytes else { break }
      cleaned.append(scalar)
    }
    return String(cleaned)
  }
}
