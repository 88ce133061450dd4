/// The text of a SubRip subtitle, in which players know a few tags of HTML, character references, and the overrides of SubStation.
///
/// Tags that WebVTT has stay, those of looks (`font`) go, and everything else in angle brackets is text: `<3`, `<Applause>`.
struct SubRipText {
  private var cue = CueText()
  private var override = SubStationOverride()

  /// Reads one line of the text.
  mutating func read(_ line: String) {
    cue.endLine()
    var rest = line.unicodeScalars[...]
    // Without it every brace would look through the rest of the line again.
    var hasBrace = true
    while let scalar = rest.first {
      switch scalar {
      case "<":
        if let tag = HTMLTag(rest) {
          apply(tag)
          rest = rest.dropFirst(tag.length)
          continue
        }
      case "&":
        if let reference = CharacterReference(rest) {
          cue.append(reference.scalar)
          rest = rest.dropFirst(reference.length)
          continue
        }
      case "{":
        if hasBrace, rest.dropFirst().first == "\\" {
          guard let end = rest.firstIndex(of: "}") else {
            hasBrace = false
            continue
          }
          override.read(rest[rest.index(after: rest.startIndex)..<end], style: [], into: &cue)
          rest = rest[rest.index(after: end)...]
          continue
        }
        if hasBrace, Self.isMicroDVD(rest) {
          guard let end = rest.firstIndex(of: "}") else {
            hasBrace = false
            continue
          }
          if rest.dropFirst().first.map({ "Yy".unicodeScalars.contains($0) }) ?? false {
            cue.set(Set(rest.dropFirst(3).prefix { $0 != "}" }.compactMap(Self.face)))
          }
          rest = rest[rest.index(after: end)...]
          continue
        }
      default: break
      }
      cue.append(scalar)
      rest = rest.dropFirst()
    }
  }

  /// A style of MicroDVD, as files have it that were converted from there: `{y:i}`, `{C:$0000FF}`.
  private static func isMicroDVD(_ text: Substring.UnicodeScalarView) -> Bool {
    let letter = text.dropFirst().first
    return text.dropFirst(2).first == ":" && letter.map { "CcFfoPSsYy".unicodeScalars.contains($0) } ?? false
  }

  private static func face(_ letter: Unicode.Scalar) -> CueText.Style? {
    switch letter {
    case "i": .italic
    case "b": .bold
    case "u": .underline
    default: nil
    }
  }

  private mutating func apply(_ tag: HTMLTag) {
    switch tag.name {
    case "i", "em": cue.set(.italic, !tag.isClosing)
    case "b", "strong": cue.set(.bold, !tag.isClosing)
    case "u": cue.set(.underline, !tag.isClosing)
    case "br", "p", "div": cue.endLine()
    default: break
    }
  }

  var finished: String { cue.finished }
  /// WebVTT settings for the place of the subtitle.
  var settings: String { override.alignment.map(SubStationOverride.settings) ?? "" }
}

/// A tag of HTML that subtitles have.
struct HTMLTag {
  private static let names: Set = [
    "i", "b", "u", "em", "strong", "font", "s", "strike", "span", "br", "p", "div", "c", "small", "big",
  ]
  private static let longest = 300

  /// In lower case.
  let name: String
  let isClosing: Bool
  /// Scalars, with both brackets.
  let length: Int

  /// - Parameter text: begins with `<`. Nil when that is no known tag.
  init?(_ text: Substring.UnicodeScalarView) {
    var rest = text.dropFirst()
    isClosing = rest.first == "/"
    if isClosing { rest = rest.dropFirst() }
    let word = rest.prefix { $0.properties.isAlphabetic && $0.isASCII }
    name = String(word).lowercased()
    guard Self.names.contains(name) else { return nil }
    let after = rest.dropFirst(word.count).prefix(Self.longest)
    guard let next = after.first, next == ">" || next == " " || next == "/" || next == "\t",
      let end = after.firstIndex(where: { $0 == ">" || $0 == "<" }), after[end] == ">"
    else { return nil }
    length = text.distance(from: text.startIndex, to: end) + 1
  }
}

/// A character that HTML writes by name or number.
struct CharacterReference {
  private static let names: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "lrm": "\u{200E}",
    "rlm": "\u{200F}",
  ]

  let scalar: Unicode.Scalar
  /// Scalars, with `&` and `;`.
  let length: Int

  /// - Parameter text: begins with `&`. Nil when that is no reference.
  init?(_ text: Substring.UnicodeScalarView) {
    let word = text.dropFirst().prefix(9).prefix { $0 != ";" }
    guard text.dropFirst(word.count + 1).first == ";" else { return nil }
    length = word.count + 2
    if word.first == "#" {
      let digits = String(word.dropFirst())
      let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
      guard let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
        number >= 0x20, let known = Unicode.Scalar(number)
      else { return nil }
      scalar = known
    } else {
      guard let known = Self.names[String(word)] else { return nil }
      scalar = known
    }
  }
}
