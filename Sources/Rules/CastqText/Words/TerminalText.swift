import CastProtocol
import CastqPaths

/// Sanitises text from playlists and receivers: no control character, escape sequence, bidirectional override or invisible character
/// reaches the terminal, so a title can neither move the cursor, nor reorder the text beside it, nor hide words.
package enum TerminalText {
  /// The text on one line: escape sequences and control characters are removed, tabs and line ends are spaces.
  package static func sanitized(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var visible = VisibleText()
    var index = 0
    var isOpenEnded = false
    while index < scalars.count {
      let end = endOfSequence(scalars, at: index, isOpenEnded: &isOpenEnded)
      if end > index {
        index = end
        continue
      }
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch visible.kind(of: scalars[index], before: next) {
      case .blank: result.append(" ")
      case .control, .order, .invisible: break
      case .shown: result.append(PathText.isByte(scalars[index]) ? "\u{FFFD}" : scalars[index])
      }
      index += 1
    }
    return String(result)
  }

  /// The text of a JSON document in which what cannot be seen is escaped: control characters, marks of direction, invisible ones.
  package static func escaped(document text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var line = ""
    VisibleText.forEach(text) { scalar, kind in
      if kind == .shown || scalar.isASCII {
        line.unicodeScalars.append(scalar)
      } else {
        line += scalar.escapedInJSON
      }
    }
    return line
  }

  /// A sanitised excerpt for a message, without the secrets of addresses.
  package static func excerpt(_ text: String, limit: Int = 60) -> String {
    let text = AddressText.withoutSecrets(text)
    let clean = sanitized(String(text.unicodeScalars.prefix(limit * 4)))
    guard clean.unicodeScalars.count > limit || text.unicodeScalars.count > limit * 4 else { return clean }
    return String(clean.unicodeScalars.prefix(limit)) + "…"
  }

  /// The end of the escape sequence that begins here; the index itself when none begins. An unterminated sequence counts as its
  /// introducer alone, so that it cannot hide the text after it. `isOpenEnded` records that no terminator follows, so that a
  /// text full of introducers is scanned once and not once for each.
  private static func endOfSequence(
    _ scalars: [Unicode.Scalar], at start: Int, isOpenEnded: inout Bool
  ) -> Int {
    var index = start
    var kind = scalars[index].value
    if kind == 0x1B {
      index += 1
      guard index < scalars.count else { return start + 1 }
      // ESC with a letter is the C1 control 0x40 above it.
      kind = scalars[index].value &+ 0x40
    }
    index += 1
    switch kind {
    case 0x9B:  // CSI: parameters, then one final character
      while index < scalars.count, (0x20...0x3F).contains(scalars[index].value) { index += 1 }
      guard index < scalars.count, (0x40...0x7E).contains(scalars[index].value) else { return start + 1 }
      return index + 1
    case 0x90, 0x98, 0x9D, 0x9E, 0x9F:  // DCS, SOS, OSC, PM, APC: up to BEL or ST
      while index < scalars.count, !isOpenEnded {
        switch scalars[index].value {
        case 0x07, 0x9C: return index + 1
        case 0x1B where index + 1 < scalars.count && scalars[index + 1] == "\\": return index + 2
        default: index += 1
        }
      }
      isOpenEnded = true
      return start + 1
    default: return scalars[start].value == 0x1B ? start + 1 : start
    }
  }
}
