/// Decodes the bytes of an XML document: UTF-8, UTF-16, ASCII, ISO 8859-1 and Windows-1252, by the byte order mark, by the first
/// characters, or by what the prologue declares (XML 1.0, appendix F).
///
/// A declaration that is wrong loses nothing: what is UTF-8 is read as UTF-8, and each line that is not as Windows-1252.
struct XMLText {
  /// UTF-8, without a byte order mark.
  private(set) var bytes: [UInt8]
  /// What was doubtful about the encoding; nil when it was as declared.
  private(set) var doubt: TextError?

  init(_ raw: [UInt8]) {
    if let isBig = Self.isBigEndian(raw) {
      bytes = Self.fromUTF16(raw, isBig: isBig)
      return
    }
    let body = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? raw[3...] : raw[...]
    let declared = Self.declaredEncoding(body)
    let isValid = String(validating: body, as: UTF8.self) != nil
    switch declared {
    case nil, "utf-8", "utf8", "us-ascii", "ascii":
      bytes = isValid ? Array(body) : Self.fromMixedLines(body)
      if !isValid {
        doubt = TextError(
          "the document is not UTF-8; lines that are not were read as Latin-1", hint: "save it as UTF-8")
      }
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
      bytes = Array(Windows1252.decode(body).utf8)
    case .some(let name):
      bytes = isValid ? Array(body) : Self.fromMixedLines(body)
      // UTF-16 is often declared by programs that convert the text and leave the prologue as it was.
      let isASCII = body.allSatisfy { $0 < 0x80 }
      if !isASCII {
        doubt = TextError(
          "the encoding \(TerminalText.excerpt(name)) is not known; the document was read as "
            + (isValid ? "UTF-8" : "UTF-8 and Latin-1"), hint: "save it as UTF-8")
      }
    }
  }

  /// Whether UTF-16 begins with the more significant byte; nil when the document is not UTF-16.
  static func isBigEndian(_ bytes: [UInt8]) -> Bool? {
    // The byte order mark alone may be damage; in UTF-16 an ASCII character follows, which has a zero byte.
    if bytes.starts(with: [0xFE, 0xFF]), bytes.dropFirst(2).first == 0 { return true }
    if bytes.starts(with: [0xFF, 0xFE]), bytes.dropFirst(3).first == 0 { return false }
    if bytes.starts(with: [0, UInt8(ascii: "<"), 0]) { return true }
    if bytes.starts(with: [UInt8(ascii: "<"), 0]), bytes.dropFirst(3).first == 0 { return false }
    return nil
  }

  private static func fromUTF16(_ bytes: [UInt8], isBig: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = 0
    while index + 1 < bytes.count {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      let unit = isBig ? first << 8 | second : second << 8 | first
      if index > 0 || unit != 0xFEFF { units.append(unit) }
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func fromMixedLines(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let isValid = String(validating: line, as: UTF8.self) != nil
      if isValid { result += line } else { result += Windows1252.decode(line).utf8 }
      result.append(0x0A)
    }
    result.removeLast()
    return result
  }

  /// The encoding that `<?xml … encoding="…"?>` names, in small letters; nil when it names none.
  private static func declaredEncoding(_ bytes: ArraySlice<UInt8>) -> String? {
    let head = bytes.prefix(200)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let words = String(decoding: head[..<end], as: UTF8.self).lowercased().split { " \t\r\n=".contains($0) }
    guard let key = words.firstIndex(of: "encoding"), key + 1 < words.count else { return nil }
    let value = words[key + 1]
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
  }
}
