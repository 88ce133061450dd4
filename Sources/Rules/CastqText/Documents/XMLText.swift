/// Decodes the bytes of an XML document, by the byte order mark, by the first characters, or by what the prologue declares (XML 1.0,
/// appendix F).
///
/// A declaration that is wrong loses nothing: what is UTF-8 is read as UTF-8, and of what is not the character set is found out.
package struct XMLText {
  /// UTF-8, without a byte order mark.
  package private(set) var bytes: [UInt8]
  /// The set that it was written in, where that is none of Unicode; nil otherwise.
  package private(set) var set: CharacterSet?
  /// What was doubtful about the encoding; nil when it was as declared.
  package private(set) var doubt: TextError?

  package init(_ raw: [UInt8], conversion: @escaping PlaylistText.Conversion) {
    if let isBig = Self.isBigEndian(raw) {
      let hasMark = [[0xFF, 0xFE], [0xFE, 0xFF]].contains { raw.starts(with: $0) }
      bytes = Array(WideText.fromUTF16(raw[(hasMark ? 2 : 0)...], isBig: isBig).utf8)
      return
    }
    let body = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? raw[3...] : raw[...]
    let declared = Self.declaredEncoding(body)
    let isValid = String(validating: body, as: UTF8.self) != nil
    switch declared {
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
      bytes = Array(Windows1252.decode(body).utf8)
      set = body.allSatisfy({ $0 < 0x80 }) ? nil : .western
    // UTF-16 is often declared by programs that convert the text and leave the prologue as it was.
    case let name where isValid:
      bytes = Array(body)
      if let name, CharacterSet(label: name) != .utf8, !body.allSatisfy({ $0 < 0x80 }) {
        doubt = Self.doubt(of: name, readAs: .utf8)
      }
    case let name:
      let named = name.flatMap { CharacterSet(label: $0) }
      let text = PlaylistText(Array(body), declared: named, conversion: conversion)
      bytes = text.bytes
      set = text.foreign.flatMap { $0.isUnicode ? nil : $0 }
      if text.foreign != named { doubt = Self.doubt(of: name, readAs: text.foreign ?? .utf8) }
    }
  }

  private static func doubt(of name: String?, readAs set: CharacterSet) -> TextError {
    let isKnown = name.map { CharacterSet(label: $0) != nil } ?? true
    let words =
      isKnown
      ? "the document is not \(TerminalText.excerpt(name?.uppercased() ?? "UTF-8"))"
      : "the encoding \(TerminalText.excerpt(name ?? "")) is not known"
    return TextError("\(words); it was read as \(set.rawValue)", hint: "save it as UTF-8")
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
