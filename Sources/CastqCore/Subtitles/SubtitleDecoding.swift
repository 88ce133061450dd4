/// Finds out the character set of a subtitle file, which most formats do not say.
///
/// A byte order mark decides, then what the file says of itself, then whether it is UTF-8: text in another set hardly ever is. What is
/// left is decoded in every set that the language is written in, and the result that looks most like the language wins
/// (`WritingProfile`).
package struct SubtitleDecoding: Sendable {
  /// The decoded file, without byte order mark.
  package let text: String
  package let set: CharacterSet

  /// - Parameters:
  ///   - bytes: the file.
  ///   - language: the language of the subtitles, as an RFC 5646 code; nil when it is unknown, and all sets are compared.
  ///   - declared: the set that a server or the file's format names; believed if the file can be decoded so.
  ///   - decode: converts bytes; what is no character becomes U+FFFD, and bytes that are cut off at the end are dropped. Nil when the
  ///     system does not know the set.
  package init(
    _ bytes: [UInt8], language: String?, declared: CharacterSet? = nil,
    decode: (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String?
  ) {
    if let (set, length) = Self.mark(bytes), let text = decode(bytes.dropFirst(length), set) {
      (self.text, self.set) = (text, set)
      return
    }
    if let set = Self.wideSet(bytes), let text = decode(bytes[...], set) {
      (self.text, self.set) = (text, set)
      return
    }
    // Escapes of ISO-2022-JP are ASCII, so that it looks like UTF-8.
    let isEscaped = Self.hasJapaneseEscapes(bytes)
    if !isEscaped, let text = String(validating: bytes, as: UTF8.self) {
      (self.text, set) = (text, .utf8)
      return
    }
    if let declared = declared ?? Self.declaredInXML(bytes), declared != .utf8,
      let text = decode(bytes[...], declared), !text.contains("\u{FFFD}")
    {
      (self.text, set) = (text, declared)
      return
    }
    let candidates =
      isEscaped ? [(CharacterSet.iso2022JP, [WritingProfile.japanese])] : Self.candidates(language)
    let sample = Self.sample(bytes)
    var best: (set: CharacterSet, score: Double)?
    for (set, profiles) in candidates {
      guard let text = decode(sample[...], set) else { continue }
      let score = profiles.map { $0.score(text) }.max() ?? 0
      // The first of equals stays: candidates are in the order of their frequency.
      if score > (best?.score ?? -4) { best = (set, score) }
    }
    let chosen = best?.set ?? .western
    (text, set) = (decode(bytes[...], chosen) ?? String(decoding: bytes, as: UTF8.self), chosen)
  }

  private static func mark(_ bytes: [UInt8]) -> (CharacterSet, Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    return nil
  }

  /// UTF-16 without a mark: digits, spaces and line ends are ASCII in every subtitle file and list, so that each second byte of many is zero.
  static func wideSet(_ bytes: [UInt8]) -> CharacterSet? {
    let start = bytes.prefix(1024)
    guard start.count >= 8 else { return nil }
    var zeros = [0, 0]
    for (index, byte) in start.enumerated() where byte == 0 { zeros[index % 2] += 1 }
    guard zeros[0] + zeros[1] >= start.count / 5 else { return nil }
    if zeros[1] > zeros[0] * 4 { return .utf16LittleEndian }
    return zeros[0] > zeros[1] * 4 ? .utf16BigEndian : nil
  }

  /// The set that the prologue of an XML document names.
  private static func declaredInXML(_ bytes: [UInt8]) -> CharacterSet? {
    guard bytes.starts(with: "<?xml".utf8) else { return nil }
    let prologue = String(decoding: bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    let parts = prologue.split { $0 == "\"" || $0 == "'" }
    guard let name = parts.firstIndex(where: { $0.hasSuffix("encoding=") }), name + 1 < parts.count else {
      return nil
    }
    return CharacterSet(label: parts[name + 1])
  }

  static func hasJapaneseEscapes(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(64 << 10)
    return start.allSatisfy { $0 < 0x80 }
      && start.indices.contains { start[$0] == 0x1B && start[$0...].starts(with: [0x1B, 0x24]) }
  }

  /// The lines that are not ASCII, up to 8 KiB: what says something of the set.
  private static func sample(_ bytes: [UInt8]) -> [UInt8] {
    var sample: [UInt8] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard line.contains(where: { $0 >= 0x80 || $0 == 0x1B }) else { continue }
      sample += line.prefix(1024)
      sample.append(0x0A)
      if sample.count >= 8 << 10 { break }
    }
    return sample
  }

  private typealias Candidate = (CharacterSet, [WritingProfile])

  /// Sets in which a language is written, the most frequent one first, and what the language looks like.
  private static func candidates(_ language: String?) -> [Candidate] {
    switch language.map(SubtitleLanguage.base) {
    case "ru", "bg", "be":
      [(.cyrillic, [.russian]), (.koi8, [.russian]), (.dosCyrillic, [.russian]), (.isoCyrillic, [.russian])]
    case "uk": [(.cyrillic, [.ukrainian]), (.koi8, [.ukrainian])]
    case "mk": [(.cyrillic, [.serbian]), (.isoCyrillic, [.serbian])]
    case "sr": [(.cyrillic, [.serbian]), (.centralEuropean, [.southSlavic]), (.latin2, [.southSlavic])]
    case "pl": [(.centralEuropean, [.polish]), (.latin2, [.polish])]
    case "cs", "sk": [(.centralEuropean, [.czech]), (.latin2, [.czech])]
    case "hu": [(.centralEuropean, [.hungarian]), (.latin2, [.hungarian])]
    case "hr", "sl", "bs": [(.centralEuropean, [.southSlavic]), (.latin2, [.southSlavic])]
    case "ro": [(.centralEuropean, [.romanian]), (.latin2, [.romanian])]
    case "el": [(.greek, [.greek])]
    case "tr", "az": [(.turkish, [.turkish])]
    case "he", "yi": [(.hebrew, [.hebrew])]
    case "ar", "fa", "ur": [(.arabic, [.arabic])]
    case "et", "lt", "lv": [(.baltic, [.baltic])]
    case "vi": [(.vietnamese, [.vietnamese])]
    case "th": [(.thai, [.thai])]
    case "ja": [(.shiftJIS, [.japanese]), (.eucJP, [.japanese])]
    case "zh": [(.chinese, [.chinese, .traditional]), (.big5, [.traditional, .chinese])]
    case "ko": [(.korean, [.korean])]
    case nil: unknown
    default: [(.western, [.western])]
    }
  }

  /// Without a language all sets are compared. What looks like nothing is western.
  private static let unknown: [Candidate] = [
    (.western, [.western]), (.cyrillic, [.russian, .ukrainian]), (.koi8, [.russian]),
    (.dosCyrillic, [.russian]), (.centralEuropean, [.polish, .czech, .hungarian]), (.greek, [.greek]),
    (.turkish, [.turkish]), (.hebrew, [.hebrew]), (.arabic, [.arabic]), (.thai, [.thai]),
    (.shiftJIS, [.japanese]), (.eucJP, [.japanese]), (.chinese, [.chinese]), (.big5, [.traditional]),
    (.korean, [.korean]),
  ]
}
