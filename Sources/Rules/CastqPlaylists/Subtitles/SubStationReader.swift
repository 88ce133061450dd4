import CastqText

/// Reads the dialogue of SubStation Alpha files, versions 4 (`.ssa`) and 4+ (`.ass`): times, text, and of each style what WebVTT can
/// show. Comments, drawings, embedded fonts and pictures are left out.
struct SubStationReader {
  private struct Style {
    var faces: Set<CueText.Style> = []
    /// As on a number pad.
    var alignment: Int?
  }

  private enum Section { case styles(isOld: Bool), events, other }

  private var list: CueList
  private var section = Section.other
  /// Fields of the lines of a section, in lower case, as its `Format:` names them; the usual ones without it.
  private var styleFields = [
    "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour", "backcolour", "bold",
    "italic", "underline", "strikeout", "scalex", "scaley", "spacing", "angle", "borderstyle", "outline",
    "shadow", "alignment",
  ]
  private var eventFields = [
    "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
  ]
  private var styles: [String: Style] = [:]

  static func read(_ text: [UInt8], file: String, limits: SubtitleLimits) -> CueList {
    var reader = SubStationReader(list: CueList(file: file, limits: limits))
    var source = LineReader(text, encoding: .utf8, limit: limits.lineBytes)
    while let line = source.next() {
      switch line {
      case .text(let line): reader.read(line)
      case .bad(let error, isComment: _):
        reader.list.report(error.line, error.column, error.value.message, .limit)
      }
    }
    return reader.list
  }

  private mutating func read(_ line: SourceLine) {
    let text = line.text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    if text.first == UInt8(ascii: "[") {
      switch String(Substring(text)).lowercased().split(separator: "]").first {
      case "[v4+ styles": section = .styles(isOld: false)
      case "[v4 styles": section = .styles(isOld: true)
      case "[events": section = .events
      default: section = .other
      }
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
    let key = String(Substring(text[..<colon])).lowercased()
    let value = Substring(text[text.index(after: colon)...].drop { $0 == 0x20 })
    switch (section, key) {
    case (.styles, "format"): styleFields = Self.names(value)
    case (.styles(let isOld), "style"): readStyle(value, isOld: isOld)
    case (.events, "format"): eventFields = Self.names(value)
    case (.events, "dialogue"): readDialogue(value, line)
    default: break
    }
  }

  private static func names(_ value: Substring) -> [String] {
    value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).prefix(64)
      .map { trimmed(Substring($0)).lowercased() }
  }

  /// The values by field; the last one may contain commas.
  private static func values(_ value: Substring, _ names: [String]) -> [String: Substring] {
    let parts = value.utf8.split(
      separator: UInt8(ascii: ","), maxSplits: max(0, names.count - 1), omittingEmptySubsequences: false)
    return Dictionary(zip(names, parts.map { Substring($0) })) { first, _ in first }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    guard let end = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
    return String(Substring(start[...end]))
  }

  private mutating func readStyle(_ value: Substring, isOld: Bool) {
    let values = Self.values(value, styleFields)
    guard let name = values["name"].map(Self.styleName), styles.count < 1000 else { return }
    var style = Style()
    let faces: [(String, CueText.Style)] = [("italic", .italic), ("bold", .bold), ("underline", .underline)]
    for (field, face) in faces where values[field].flatMap({ Int(Self.trimmed($0)) }).map({ $0 != 0 }) == true
    {
      style.faces.insert(face)
    }
    let place = values["alignment"].flatMap { Int(Self.trimmed($0)) }
    style.alignment = isOld ? place.flatMap(SubStationOverride.numberPad) : place
    styles[name] = style
  }

  /// Programs disagree on an asterisk before the name of the default style.
  private static func styleName(_ text: Substring) -> String {
    let name = trimmed(text)
    return name.hasPrefix("*") ? String(name.dropFirst()) : name
  }

  private mutating func readDialogue(_ value: Substring, _ line: SourceLine) {
    let values = Self.values(value, eventFields)
    guard let from = values["start"], let to = values["end"], let text = values["text"] else {
      return list.report(
        line.number, 1, "the line has fewer fields than its Format, so it was left out")
    }
    var scanner = TimeScanner(from)
    guard let start = scanner.time(), scanner.rest.utf8.allSatisfy({ $0 == 0x20 }) else {
      return leaveOut(line, from)
    }
    scanner = TimeScanner(to)
    guard let end = scanner.time(), scanner.rest.utf8.allSatisfy({ $0 == 0x20 }) else {
      return leaveOut(line, to)
    }
    let style = values["style"].flatMap { styles[Self.styleName($0)] } ?? Style()
    var override = SubStationOverride()
    let cue = Self.text(text, style.faces, &override)
    let place = override.alignment ?? style.alignment
    list.add(
      SubtitleCue(
        start: max(0, start), end: end, settings: place.map(SubStationOverride.settings) ?? "", text: cue),
      line: line.number)
  }

  private mutating func leaveOut(_ line: SourceLine, _ field: Substring) {
    list.report(
      line.number, line.column(of: field.startIndex),
      "the time of the subtitle cannot be read, so it was left out", hint: "write it as 0:00:01.00")
  }

  private static func text(
    _ text: Substring, _ style: Set<CueText.Style>, _ override: inout SubStationOverride
  ) -> String {
    var cue = CueText()
    cue.set(style)
    var rest = text.unicodeScalars
    // Without it every brace would look through the rest of the line again.
    var hasBrace = true
    while let scalar = rest.first {
      if scalar == "{", hasBrace {
        guard let end = rest.firstIndex(of: "}") else {
          hasBrace = false
          continue
        }
        // Braces without a backslash hold a comment.
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        if inside.contains("\\") { override.read(inside, style: style, into: &cue) }
        rest = rest[rest.index(after: end)...]
        continue
      }
      if scalar == "\\", let next = rest.dropFirst().first, ["N", "n", "h"].contains(next) {
        // `\n` breaks a line only where the file turns wrapping off, and is a space elsewhere.
        switch next {
        case "N": cue.endLine()
        case "n": cue.append(" ")
        default: if !override.isDrawing { cue.append("\u{A0}") }
        }
        rest = rest.dropFirst(2)
        continue
      }
      if !override.isDrawing { cue.append(scalar) }
      rest = rest.dropFirst()
    }
    return cue.finished
  }
}
