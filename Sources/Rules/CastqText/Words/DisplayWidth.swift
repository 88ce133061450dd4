/// The number of terminal columns of a text: none for combining marks, two for East Asian characters and emoji.
///
/// Where terminals differ, as for joined emoji, this is the larger number: a line that wraps cannot be redrawn in place, so no
/// line may be wider than reported.
package enum DisplayWidth {
  /// Columns of a sanitised text.
  package static func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    var sum = 0
    var last = 0
    for scalar in text.unicodeScalars {
      var width = columns(scalar)
      // The emoji variation selector makes a narrow character a wide one.
      if scalar.value == 0xFE0F, last == 1 { width = 1 }
      sum += width
      if width > 0 { last = width }
    }
    return sum
  }

  /// The text, truncated between characters to a number of columns, with a mark where it was cut.
  package static func fitted(_ text: String, columns limit: Int, mark: String = "…") -> String {
    guard columns(text) > limit else { return text }
    let mark = String(mark.prefix(max(limit, 0)))
    var result = ""
    var used = mark.count
    for character in text {
      used += columns(String(character))
      guard used <= limit else { break }
      result.append(character)
    }
    return result + mark
  }

  /// The end of the text, truncated between characters to a number of columns, with a mark where it was cut.
  package static func fittedEnd(_ text: String, columns limit: Int, mark: String = "…") -> String {
    guard columns(text) > limit else { return text }
    let mark = String(mark.prefix(max(limit, 0)))
    var result: [Character] = []
    var used = mark.count
    for character in text.reversed() {
      used += columns(String(character))
      guard used <= limit else { break }
      result.append(character)
    }
    return mark + String(result.reversed())
  }

  /// The text in lines of at most so many columns, at least one, broken at spaces; a longer word has a line
  /// of its own.
  package static func wrapped(_ text: String, columns limit: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ").map(String.init) {
      if let last = lines.last, columns(last) + 1 + columns(word) <= limit {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines.isEmpty ? [""] : lines
  }

  /// Columns of a single scalar.
  package static func columns(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if isZero(scalar) { return 0 }
    let isRegional = (0x1F1E6...0x1F1FF).contains(value)
    return isWide(value) || (scalar.properties.isEmojiPresentation && !isRegional) ? 2 : 1
  }

  private static func isZero(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Vowels and finals of Hangul syllables, which join the consonant before; fillers; Egyptian joiners.
    case 0x1160...0x11FF, 0xD7B0...0xD7FB, 0x3164, 0xFFA0, 0xFFF9...0xFFFB, 0x13430...0x1343F: return true
    case 0x115F: return false
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return true
    case .format: return properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  /// The blocks of wide characters (Unicode, East Asian Width W and F), emoji apart.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
    0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DF2, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wide.contains { $0.contains(value) }
  }
}
