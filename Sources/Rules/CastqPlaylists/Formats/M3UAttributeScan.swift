import CastqText

/// The attributes of `#EXTINF` and `#EXTM3U` as providers write them: `key="value"`, `KEY = 'value'` and `key=value`, with blanks or commas
/// between them, also after the length. iptv-playlist-parser finds them so wherever they stand; Kodi's IPTV Simple Client takes what follows
/// the comma behind the last quotation mark as the title, and ends a value without quotes at a blank.
struct M3UAttributeScan {
  enum Part {
    case attribute(key: Range<String.Index>, value: Range<String.Index>)
    /// The comma that starts the title.
    case comma(String.Index)
    /// Where something begins that is no attribute: a title without a comma, if none comes.
    case word(String.Index)
    case openQuote(String.Index)
    case end
  }

  private let text: String
  private var index: String.Index
  /// All quotation marks, in order.
  private let quotes: [String.Index]
  /// Where one has no end, none behind it has: looking again for each would cost the square of the line.
  private var mayEndApostrophe = true

  init(_ text: String, from start: String.Index) {
    self.text = text
    index = start
    quotes = text.utf8.indices[start...].filter { text.utf8[$0] == Self.quote }
  }

  mutating func next() -> Part {
    index = afterBlanks(index)
    guard index < end else { return .end }
    if utf8[index] == Self.comma {
      let after = afterCommas(index)
      guard startsAttribute(after) else { return .comma(index) }
      index = after
    }
    let keyStart = index
    index = utf8[index...].firstIndex(where: Self.endsKey) ?? end
    let keyEnd = index
    let sign = afterBlanks(index)
    guard keyStart < keyEnd, sign < end, utf8[sign] == Self.equals else {
      if index == keyStart { index = utf8.index(after: index) }
      return .word(keyStart)
    }
    let afterSign = utf8.index(after: sign)
    return value(of: keyStart..<keyEnd, at: valueStart(afterSign, isSpaced: sign > keyEnd))
  }

  private mutating func value(of key: Range<String.Index>, at start: String.Index) -> Part {
    let opening = start < end ? utf8[start] : Self.comma
    if opening == Self.quote {
      let inner = utf8.index(after: start)
      guard let closing = closingQuote(from: inner) else { return .openQuote(start) }
      index = utf8.index(after: closing)
      return .attribute(key: key, value: inner..<closing)
    }
    if opening == Self.apostrophe, mayEndApostrophe {
      let inner = utf8.index(after: start)
      if let closing = closingApostrophe(from: inner) {
        index = utf8.index(after: closing)
        return .attribute(key: key, value: inner..<closing)
      }
      mayEndApostrophe = false
    }
    index = utf8[start...].firstIndex { Self.isBlank($0) || $0 == Self.comma } ?? end
    return .attribute(key: key, value: start..<index)
  }

  /// Blanks before a value: `tvg-id= tvg-name="A"` has an empty one, `tvg-id = a` has not.
  private func valueStart(_ afterSign: String.Index, isSpaced: Bool) -> String.Index {
    let start = afterBlanks(afterSign)
    guard start > afterSign, start < end else { return afterSign }
    if utf8[start] == Self.quote { return start }
    if !isSpaced { return afterSign }
    let word = utf8[start...].firstIndex { !Self.isKey($0) } ?? end
    let next = afterBlanks(word)
    return next < end && word > start && utf8[next] == Self.equals ? afterSign : start
  }

  /// Whether an attribute begins here, behind a comma. A title may have an equals sign, too: attributes have a name that players know, or
  /// one with a hyphen before a value in quotes.
  private func startsAttribute(_ start: String.Index) -> Bool {
    // No name of an attribute is longer; the bound keeps a line of commas cheap.
    let key = utf8[start...].prefix(64).prefix(while: Self.isKey)
    guard !key.isEmpty else { return false }
    let sign = afterBlanks(key.endIndex)
    guard sign < end, utf8[sign] == Self.equals else { return false }
    let name = text[key.startIndex..<key.endIndex].lowercased()
    if Self.known.contains(name) || name.utf8.starts(with: "tvg-".utf8) { return true }
    let value = afterBlanks(utf8.index(after: sign))
    return name.utf8.contains(UInt8(ascii: "-")) && value < end && utf8[value] == Self.quote
  }

  /// Of Kodi's IPTV Simple Client and of iptv-org's lists, besides all that begin with `tvg-`.
  private static let known: Set<String> = [
    "group-title", "logo", "radio", "catchup", "catchup-source", "catchup-days", "catchup-correction",
    "catchup-type", "timeshift", "channel-id", "channel-number", "parent-code", "audio-track", "aspect-ratio",
    "user-agent", "http-user-agent", "http-referrer", "url-tvg", "x-tvg-url", "cuid", "provider",
    "provider-type", "provider-logo", "media", "media-dir", "media-size",
  ]

  /// A quote closes a value at the end, before a comma, before another attribute, and before a word if the others pair up behind it:
  /// `tvg-name="The "Best" of"` exists. A value that another attribute's quote would close has no end.
  private func closingQuote(from start: String.Index) -> String.Index? {
    let first = numberOfQuotes(before: start)
    var last: String.Index?
    for number in first..<quotes.count {
      let found = quotes[number]
      if number > first || found > start, opensAttribute(found, after: start) { return last }
      let after = utf8.index(after: found)
      let next = afterBlanks(after)
      if next == end || utf8[next] == Self.comma { return found }
      if next > after {
        if (quotes.count - number - 1).isMultiple(of: 2) || beginsKey(next) { return found }
        last = last ?? found
      } else if last == nil, beginsKey(next) {
        return found
      }
    }
    // Before a word without a blank: `group-title="b"News`.
    return last ?? quotes.last.flatMap { $0 >= start ? $0 : nil }
  }

  /// Whether a quote follows ` key=`, so that it opens another value.
  private func opensAttribute(_ quote: String.Index, after start: String.Index) -> Bool {
    var place = quote
    func step() -> UInt8? {
      guard place > start else { return nil }
      place = utf8.index(before: place)
      return utf8[place]
    }
    guard step() == Self.equals else { return false }
    var length = 0
    while let byte = step(), length < 64 {
      if Self.isBlank(byte) { return length > 0 }
      guard Self.isKey(byte) else { return false }
      length += 1
    }
    return false
  }

  /// Where one closes before an attribute, a comma or the end, else the first before a blank: a title may have apostrophes.
  private func closingApostrophe(from start: String.Index) -> String.Index? {
    var index = start
    var candidate: String.Index?
    while let found = utf8[index...].firstIndex(of: Self.apostrophe) {
      index = utf8.index(after: found)
      let next = afterBlanks(index)
      if next == end || utf8[next] == Self.comma { return found }
      if next == index { continue }
      if beginsKey(next) { return found }
      candidate = candidate ?? found
    }
    return candidate
  }

  private func beginsKey(_ start: String.Index) -> Bool {
    let key = utf8[start...].prefix(64).prefix(while: Self.isKey)
    guard !key.isEmpty else { return false }
    let sign = afterBlanks(key.endIndex)
    return sign < end && utf8[sign] == Self.equals
  }

  private func numberOfQuotes(before index: String.Index) -> Int {
    var (low, high) = (0, quotes.count)
    while low < high {
      let middle = (low + high) / 2
      if quotes[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func afterBlanks(_ start: String.Index) -> String.Index {
    utf8[start...].firstIndex { !Self.isBlank($0) } ?? end
  }

  private func afterCommas(_ start: String.Index) -> String.Index {
    utf8[start...].firstIndex { !Self.isBlank($0) && $0 != Self.comma } ?? end
  }

  private var utf8: String.UTF8View { text.utf8 }
  private var end: String.Index { text.utf8.endIndex }

  private static let comma = UInt8(ascii: ",")
  private static let equals = UInt8(ascii: "=")
  private static let quote = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func endsKey(_ byte: UInt8) -> Bool { isBlank(byte) || byte == equals || byte == comma }
  private static func isKey(_ byte: UInt8) -> Bool {
    PercentEncoding.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
