/// What is shown of text that others wrote: one table for the terminal, tables, logs, exports and pages.
///
/// Invisible characters can hide words in a title, or make two names look alike. Unicode lists them as Default_Ignorable_Code_Point. Some
/// of them shape their neighbours, and are shown there alone: a joiner within an emoji or a word of a script that needs it, a variation
/// selector behind a character with variants, a mark of direction beside text from right to left.
///
/// It judges one scalar after the other, because the last one that was shown decides about the next.
package struct VisibleText: Sendable {
  /// What a scalar is to those who see it.
  package enum Kind: Sendable, Hashable {
    case shown
    /// A tab or the end of a line.
    case blank
    /// It controls a terminal.
    case control
    /// It changes the order of what stands beside it.
    case order
    case invisible
  }

  private var last: Unicode.Scalar?
  private var hasRightToLeft = false

  package init() {}

  /// - Parameters:
  ///   - scalar: the next scalar of the text.
  ///   - next: the one behind it; nil at the end.
  package mutating func kind(of scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Kind {
    let kind = judge(scalar, before: next)
    if kind == .shown {
      last = scalar
      if ScriptRanges.isRightToLeft(scalar) { hasRightToLeft = true }
    } else if kind == .blank {
      last = nil
    }
    return kind
  }

  /// Calls the body with each scalar of a text.
  package static func forEach(_ text: String, _ body: (Unicode.Scalar, Kind) -> Void) {
    var visible = VisibleText()
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if let before { body(before, visible.kind(of: before, before: scalar)) }
      before = scalar
    }
    if let before { body(before, visible.kind(of: before, before: nil)) }
  }

  private func judge(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Kind {
    switch scalar.value {
    case 0x20..<0x7F: return .shown
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: return .blank
    case 0..<0x20, 0x7F..<0xA0: return .control
    // Embeddings, overrides, isolates and the deprecated format characters.
    case 0x202A...0x202E, 0x2066...0x206F: return .order
    case 0xFFF9...0xFFFB: return .invisible
    default: break
    }
    guard scalar.properties.isDefaultIgnorableCodePoint else { return .shown }
    return isNeeded(scalar, before: next) ? .shown : .invisible
  }

  /// Whether an invisible character shapes what stands beside it.
  private func isNeeded(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    switch scalar.value {
    // Correct Hebrew and Arabic need marks of direction.
    case 0x200E, 0x200F, 0x061C: return hasRightToLeft || next.map(ScriptRanges.isRightToLeft) == true
    default: break
    }
    guard let last, !last.properties.isDefaultIgnorableCodePoint || last.value == 0xFE0F else { return false }
    switch scalar.value {
    case 0x200D where Self.isEmoji(last) || last.value == 0xFE0F: return next.map(Self.isEmoji) == true
    case 0x200C, 0x200D: return ScriptRanges.joins(last)
    case 0xFE0E, 0xFE0F: return last.properties.isEmoji
    case 0xFE00...0xFE0D: return ScriptRanges.hasVariants(last) || last.properties.isIdeographic
    case 0xE0100...0xE01EF: return last.properties.isIdeographic
    case 0x180B...0x180F: return (0x1800...0x18AF).contains(last.value)
    // The empty vowel of a Hangul syllable in pieces.
    case 0x1160: return (0x1100...0x115E).contains(last.value)
    default: return false
    }
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji
  }
}

/// Blocks of Unicode whose characters are shaped by invisible ones.
private enum ScriptRanges {
  /// Hebrew, Arabic, Syriac, Thaana, N'Ko and others up to Adlam.
  static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      !scalar.properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  /// Scripts whose letters join, or form clusters: Arabic to Myanmar, Khmer, Mongolian and their relatives.
  static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0600...0x109F, 0x1700...0x18AF, 0x1900...0x1CFF, 0xA840...0xABFF, 0xFB50...0xFDFF,
      0xFE70...0xFEFC, 0x10A00...0x11FFF, 0x1E900...0x1E95F:
      true
    default: false
    }
  }

  /// Mathematical operators, Myanmar and Phags-pa.
  static func hasVariants(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1000...0x109F, 0x2200...0x22FF, 0x2A00...0x2AFF, 0xA840...0xA87F, 0xAA60...0xAA7F: true
    default: false
    }
  }
}
