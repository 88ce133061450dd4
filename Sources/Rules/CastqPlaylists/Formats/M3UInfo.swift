import CastqText

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
    if let loose = named.loose { doubtWord(line, at: loose) }
    let comma =
      named.comma ?? utf8[(named.openQuote ?? numberEnd)...].firstIndex(of: Self.comma)
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
    if comma == nil, let title = named.title, !named.hasAttributes {
      let words = "no comma after the length; what follows it is taken as the title"
      doubts.append((line.column(of: title), TextError(words)))
    }
    if let titleStart = comma.map({ utf8.index(after: $0) }) ?? named.title {
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

  /// A blank ends a value without quotes, as Kodi has it (`PlaylistLoader::ReadMarkerValue`): the words behind it are in none.
  private mutating func doubtWord(_ line: SourceLine, at start: String.Index) {
    let word = line.text[start...].prefix { $0 != " " && $0 != "\t" && $0 != "," }
    let words = "`\(TerminalText.excerpt(String(word)))` is in no value and is ignored"
    doubts.append((line.column(of: start), TextError(words, hint: "a value with blanks needs quotes")))
  }

  private static let comma = UInt8(ascii: ",")

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

  /// Reads `key="value"` and `key=value` up to the comma that starts the title, or to a title without one.
  private mutating func readAttributes(
    _ line: SourceLine, from start: String.Index, limits: PlaylistLimits, unkept: inout String.Index?
  )
    -> (
      comma: String.Index?, title: String.Index?, openQuote: String.Index?, loose: String.Index?,
      hasAttributes: Bool
    )
  {
    let utf8 = line.text.utf8
    var scan = M3UAttributeScan(line.text, from: start)
    var (title, loose): (String.Index?, String.Index?)
    var hasAttributes = false
    while true {
      switch scan.next() {
      case .end: return (nil, title, nil, loose, hasAttributes)
      case .comma(let comma): return (comma, title, nil, loose ?? title, hasAttributes)
      case .openQuote(let quote): return (nil, title, quote, loose, hasAttributes)
      case .word(let word): title = title ?? word
      case .attribute(let keyRange, let valueRange):
        loose = loose ?? title
        title = nil
        hasAttributes = true
        let key = line.text[keyRange].lowercased()
        let value = String(line.text[valueRange])
        // Computing a column costs time, so it is computed only for values that are kept.
        if key == "tvg-logo" || key == "logo", attributes.image == nil, !value.isEmpty {
          let first = utf8[valueRange].firstIndex { !Self.isSpace($0) } ?? valueRange.lowerBound
          attributes.image = Located(value, line: line.number, column: line.column(of: first))
        }
        set(key, EntryText(value, limit: limits.textScalars).value)
        // These come back as what they mean here.
        if !["tvg-logo", "logo", "group-title"].contains(key), !attributes.foreign.add(attribute: key, value)
        {
          unkept = unkept ?? keyRange.lowerBound
        }
      }
    }
  }

  private mutating func set(_ key: String, _ text: String) {
    guard !text.isEmpty else { return }
    switch key {
    // Of an attribute that stands twice players take the first.
    case "group-title": attributes.group = attributes.group ?? text
    // The title after the comma wins; some lists leave it empty and put the station's name here.
    case "tvg-name": attributes.title = attributes.title ?? text
    case "radio": attributes.isRadio = ["true", "1", "yes"].contains(text.lowercased())
    default: break
    }
  }
}
