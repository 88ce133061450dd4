/// Finds out the character set of a subtitle file, which most formats do not say.
///
/// A byte order mark decides, then what the file says of itself, then whether it is UTF-8: text in another set hardly ever is. What is
/// left is decoded in every set, and the result that looks most like a language wins (`CharacterSetGuess`).
package struct SubtitleDecoding: Sendable {
  /// The decoded file, without byte order mark.
  package let text: String
  package let set: CharacterSet
  package let confidence: SetConfidence

  /// - Parameters:
  ///   - bytes: the file.
  ///   - language: the language of the subtitles, as an RFC 5646 code; nil or `und` when it is unknown.
  ///   - hint: the language that viewers prefer: that of a file may be unknown and still be this one.
  ///   - declared: the set that a server or the file's format names; believed if the file can be decoded so.
  ///   - decode: converts bytes; what is no character becomes U+FFFD, and bytes that are cut off at the end are dropped. Nil when the
  ///     system does not know the set.
  package init(
    _ bytes: [UInt8], language: String?, hint: String? = nil, declared: CharacterSet? = nil,
    decode: (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String?
  ) {
    if let (set, length) = Self.mark(bytes), let text = decode(bytes.dropFirst(length), set) {
      (self.text, self.set, confidence) = (text, set, .sure)
      return
    }
    if let set = Self.wideSet(bytes), let text = decode(bytes[...], set) {
      (self.text, self.set, confidence) = (text, set, .sure)
      return
    }
    // Escapes of ISO-2022-JP are ASCII, so that it looks like UTF-8.
    let isEscaped = Self.hasJapaneseEscapes(bytes)
    if !isEscaped, let text = String(validating: bytes, as: UTF8.self) {
      (self.text, set, confidence) = (text, .utf8, .sure)
      return
    }
    if let declared = declared ?? Self.declaredInXML(bytes), declared != .utf8,
      let text = decode(bytes[...], declared), !text.contains("\u{FFFD}")
    {
      (self.text, set, confidence) = (text, declared, .sure)
      return
    }
    if isEscaped, let text = decode(bytes[...], .iso2022JP) {
      (self.text, set, confidence) = (text, .iso2022JP, .sure)
      return
    }
    if let text = Self.damaged(bytes) {
      (self.text, set, confidence) = (text, .utf8, .likely)
      return
    }
    let guess = CharacterSetGuess(Self.sample(bytes), language: language, hint: hint, decode: decode)
    (set, confidence) = (guess.set, guess.confidence)
    text = decode(bytes[...], guess.set) ?? String(decoding: bytes, as: UTF8.self)
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

  /// UTF-8 with a few bytes that are damaged; nil for anything else. Hardly a text of another set has so many sequences of UTF-8.
  private static func damaged(_ bytes: [UInt8]) -> String? {
    let head = bytes.prefix(64 << 10)
    var (whole, broken, index) = (0, 0, head.startIndex)
    while index < head.endIndex {
      let lead = head[index]
      let length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
      guard length > 0, index + length <= head.endIndex,
        head[(index + 1)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
      else {
        broken += 1
        index += 1
        continue
      }
      if length > 1 { whole += 1 }
      index += length
    }
    return whole >= 20 && whole >= broken * 10 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Different lines that are not ASCII from all parts of the file, about 8 KiB, and each different byte: what says something of the set.
  static func sample(_ bytes: [UInt8]) -> [UInt8] {
    var lines: [Range<Int>] = []
    var (start, total, isASCII) = (0, 0, true)
    for index in 0...bytes.count {
      if index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
        if bytes[index] >= 0x80 { isASCII = false }
        continue
      }
      if !isASCII {
        let line = start..<min(index, start + 1024)
        lines.append(line)
        total += line.count
      }
      (start, isASCII) = (index + 1, true)
    }
    let step = max(1, total / sampleBytes)
    var sample: [UInt8] = []
    var seen: Set<ArraySlice<UInt8>> = []
    var isKnown = [Bool](repeating: false, count: 256)
    for (place, range) in lines.enumerated() {
      // Two sets may differ in one letter, which few lines have.
      let line = bytes[range]
      let isNew = line.contains { $0 >= 0x80 && !isKnown[Int($0)] }
      guard isNew || (place % step == 0 && sample.count < sampleBytes) else { continue }
      for byte in line { isKnown[Int(byte)] = true }
      // A line that is repeated says nothing new.
      guard seen.insert(line).inserted else { continue }
      sample += line
      sample.append(0x0A)
    }
    return sample
  }

  private static let sampleBytes = 8 << 10
}
