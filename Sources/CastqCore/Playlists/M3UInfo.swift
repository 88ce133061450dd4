/// What follows `#EXTINF:`: seconds, attributes, a comma, the title.
struct M3UInfo: Sendable {
  var attributes = EntryAttributes()
  /// Doubtful parts, with their columns.
  var doubts: [(column: Int, error: TextError)] = []

  /// - Parameter start: where the text after the tag's colon begins.
  init(_ line: SourceLine, from start: String.Index, limits: PlaylistLimits) {
    let utf8 = line.text.utf8
    let beginning = utf8[start...].firstIndex { !Self.isSpace($0) } ?? utf8.endIndex
    let numberEnd = utf8[beginning...].firstIndex { Self.isSpace($0) || $0 == Self.comma } ?? utf8.endIndex
    readLength(line, beginning..<numberEnd)
    var unkept: String.Index?
    let named = readAttributes(line, from: numberEnd, limits: limits, unkept: &unkept)
    let comma = named.comma ?? utf8[numberEnd...].firstIndex(of: Self.comma)
    if let unkept {
      doubts.append(
        (
          line.column(of: unkept),
          TextError("attributes that are too long or too many are not kept for export")
        )
      )
    }
    if let quote = named.openQuote {
      doubts.append((line.column(of: quote), TextError("the quote is not closed")))
    }
    if let comma {
      let titleStart = utf8.index(after: comma)
      let title = EntryText(String(line.text[titleStart...]), limit: limits.textScalars)
      if !title.value.isEmpty { attributes.title = title.value }
      if title.isCut {
        doubts.append(
          (
            line.column(of: titleStart),
            TextError("the title is longer than \(limits.textScalars) characters; it was cut")
          ))
      }
    } else {
      let end = utf8.index(before: utf8.endIndex)
      doubts.append((line.column(of: end), TextError("no comma after the length, so there is no title")))
    }
  }

  /// The attributes of `#EXTM3U`.
  /// - Parameter start: where the text after the tag begins.
  init(header line: SourceLine, from start: String.Index, limits: PlaylistLimits) {
    let utf8 = line.text.utf8
    var rest: String.Index? = start
    var unkept: String.Index?
    // A comma begins no title here.
    while let next = rest, next < utf8.endIndex {
      let named = readAttributes(line, from: next, limits: limits, unkept: &unkept)
      if let quote = named.openQuote {
        doubts.append((line.column(of: quote), TextError("the quote is not closed")))
      }
      rest = named.comma.map { utf8.index(after: $0) }
    }
    if let unkept {
      doubts.append(
        (
          line.column(of: unkept),
          TextError("attributes that are too long or too many are not kept for export")
        ))
    }
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// -1 is a stream without an end or, as often, an unknown length; 0 is unknown.
  private mutating func readLength(_ line: SourceLine, _ range: Range<String.Index>) {
    let text = String(line.text[range])
    if text.isEmpty { return }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    guard let number = DecimalText(isNegative ? String(text.unicodeScalars.dropFirst()) : text) else {
      doubts.append(
        (
          line.column(of: range.lowerBound),
          TextError("`\(TerminalText.excerpt(text))` is not a length in seconds")
        ))
      return
    }
    if isNegative {
      attributes.isUnending = number.value > 0
    } else if number.value > 0 {
      attributes.length = number.value
    }
  }

  /// Reads `key="value"` and `key=value` up to the comma that starts the title.
  private mutating func readAttributes(
    _ line: SourceLine, from start: String.Index, limits: PlaylistLimits, unkept: inout String.Index?
  )
    -> (
      comma: String.Index?, openQuote: String.Index?
    )
  {
    let utf8 = line.text.utf8
    var index = start
    // Where one has no end, none behind it has: looking again for each would cost the square of the line.
    var mayEndApostrophe = true
    while index < utf8.endIndex {
      if utf8[index] == Self.comma { return (index, nil) }
      if Self.isSpace(utf8[index]) {
        index = utf8.index(after: index)
        continue
      }
      let keyStart = index
      while index < utf8.endIndex, utf8[index] != UInt8(ascii: "="), utf8[index] != Self.comma,
        !Self.isSpace(utf8[index])
      {
        index = utf8.index(after: index)
      }
      guard index < utf8.endIndex, utf8[index] == UInt8(ascii: "=") else { continue }
      let key = line.text[keyStart..<index].lowercased()
      index = utf8.index(after: index)
      let valueStart: String.Index
      let valueEnd: String.Index
      let opening = index < utf8.endIndex ? utf8[index] : Self.comma
      let inner = opening == Self.comma ? index : utf8.index(after: index)
      var apostrophe: String.Index?
      if opening == Self.apostrophe, mayEndApostrophe {
        apostrophe = Self.closingQuote(utf8, from: inner, Self.apostrophe)
        mayEndApostrophe = apostrophe != nil
      }
      if let end = apostrophe {
        (valueStart, valueEnd) = (inner, end)
        index = utf8.index(after: end)
      } else if opening == Self.quote {
        valueStart = inner
        guard let end = Self.closingQuote(utf8, from: valueStart, Self.quote) else { return (nil, index) }
        valueEnd = end
        index = utf8.index(after: end)
      } else {
        valueStart = index
        valueEnd = utf8[index...].firstIndex { Self.isSpace($0) || $0 == Self.comma } ?? utf8.endIndex
        index = valueEnd
      }
      let value = String(line.text[valueStart..<valueEnd])
      // Computing a column costs time, so it is computed only for values that are kept.
      if key == "tvg-logo" || key == "logo", attributes.image == nil, !value.isEmpty {
        attributes.image = Located(value, line: line.number, column: line.column(of: valueStart))
      }
      set(key, EntryText(value, limit: limits.textScalars).value)
      // These come back as what they mean here.
      if !["tvg-logo", "logo", "group-title"].contains(key), !attributes.foreign.add(attribute: key, value) {
        unkept = unkept ?? keyStart
      }
    }
    return (nil, nil)
  }

  /// A quote closes a value only at the end, before a comma, or before a blank and what can begin a title or another attribute:
  /// `tvg-name="The "Best" of"` exists.
  private static func closingQuote(_ utf8: String.UTF8View, from start: String.Index, _ quote: UInt8)
    -> String.Index?
  {
    var index = start
    while let found = utf8[index...].firstIndex(of: quote) {
      index = utf8.index(after: found)
      let next = utf8[index...].firstIndex { !isSpace($0) } ?? utf8.endIndex
      if next == utf8.endIndex || utf8[next] == comma { return found }
      if next == index { continue }
      // Ends at the next quote at the latest, so that a line of quotes is looked at once.
      let key = utf8[next...].prefix { !isSpace($0) && $0 != UInt8(ascii: "=") && $0 != quote && $0 != comma }
      if key.endIndex < utf8.endIndex, utf8[key.endIndex] == UInt8(ascii: "="), !key.isEmpty { return found }
    }
    return nil
  }

  private mutating func set(_ key: String, _ text: String) {
    guard !text.isEmpty else { return }
    switch key {
    case "group-title": attributes.group = text
    // The title after the comma wins; some lists leave it empty and put the station's name here.
    case "tvg-name": attributes.title = attributes.title ?? text
    case "radio": attributes.isRadio = ["true", "1", "yes"].contains(text.lowercased())
    default: break
    }
  }
}
