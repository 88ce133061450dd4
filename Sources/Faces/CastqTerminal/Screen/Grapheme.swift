import CastqText

/// One character of a text as a terminal shows it: what is drawn in one place, and how many columns that takes.
package struct Grapheme: Sendable, Hashable {
  package let text: String
  /// 1 or 2.
  package let width: Int

  /// Whether every terminal agrees on the width.
  package var isPlain: Bool { text.utf8.count == 1 }

  /// Marks that one character may carry; a longer stack of them, as in hostile titles, is cut.
  static let markLimit = 6

  /// The characters of a text, without what could move the cursor or reorder the line.
  ///
  /// What some terminals draw together and others apart is written so that its width is the same everywhere: of a joined emoji the first part, a
  /// flag as its two letters, each visible part of an Indic syllable in a place of its own. A mark without a character before it is
  /// left out.
  package static func of(_ text: String) -> [Grapheme] {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return text.unicodeScalars.map { Grapheme(text: String($0), width: 1) }
    }
    var result: [Grapheme] = []
    for character in TerminalText.sanitized(text) { append(character, to: &result) }
    return result
  }

  /// The characters of a text as a terminal without Unicode shows it, in the same columns; only an ellipsis
  /// has three.
  package static func inASCII(_ text: String) -> [Grapheme] {
    of(text).flatMap { grapheme -> [Grapheme] in
      if grapheme.isPlain { return [grapheme] }
      let standIn = ASCIIText.standIn(for: grapheme.text, columns: grapheme.width)
      return standIn.map { Grapheme(text: String($0), width: 1) }
    }
  }

  private static func append(_ character: Character, to result: inout [Grapheme]) {
    var kept = String.UnicodeScalarView()
    var width = 0
    var marks = 0
    var isJoined = false
    func finished() -> Grapheme? { width > 0 ? Grapheme(text: String(kept), width: min(width, 2)) : nil }
    for scalar in character.unicodeScalars {
      if let letter = flagLetter(scalar) {
        if let grapheme = finished() { result.append(grapheme) }
        (kept, width) = (String.UnicodeScalarView(), 0)
        result.append(Grapheme(text: String(letter), width: 1))
        continue
      }
      let columns = DisplayWidth.columns(scalar)
      if columns > 0 {
        // The rest of a family, and the colour of a skin.
        if width == 2, isJoined || (0x1F3FB...0x1F3FF).contains(scalar.value) { break }
        if let grapheme = finished() { result.append(grapheme) }
        (kept, width, marks, isJoined) = (
          String.UnicodeScalarView(CollectionOfOne(scalar)), columns, 0, false
        )
      } else if scalar.value == 0x200D {
        isJoined = true
      } else if width > 0, marks < markLimit, !isShapeless(scalar) {
        kept.append(scalar)
        marks += 1
      }
    }
    if let grapheme = finished() { result.append(grapheme) }
  }

  /// Invisible marks: spaces without width, variation selectors, about which terminals differ, and the tags of flags.
  private static func isShapeless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200B...0x200F, 0x2060...0x2064, 0xFE00...0xFE0F, 0xE0000...0xE0FFF: true
    default: false
    }
  }

  /// Whether some terminals give a character fewer columns than its width here: spacing marks and emoji.
  static func isContested(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.value >= 0x80 else { return false }
    return first.properties.isEmoji || first.properties.generalCategory == .spacingMark
  }

  /// The letter of a half of a flag; nil for other characters.
  private static func flagLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41)
  }
}
