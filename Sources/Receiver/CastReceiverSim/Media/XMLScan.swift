/// Finds elements by name in a text that is XML, or looks like it.
///
/// It knows tags, attributes in double quotes, CDATA marks and the five entities, which is enough for ad documents.
enum XMLScan {
  struct Element {
    var tag: Substring
    /// The text between the tags, unmodified.
    var content: String
    var after: Substring

    func attribute(_ name: String) -> String? {
      guard let start = tag.place(of: "\(name)=\"")?.upperBound,
        let end = tag[start...].firstIndex(of: "\"")
      else { return nil }
      return XMLScan.plain(tag[start..<end])
    }

    /// The text of an element without child elements: without CDATA marks and outer blanks, with entities resolved.
    var text: String {
      let trimmed = content.trimmed
      guard trimmed.hasPrefix("<![CDATA[") else { return XMLScan.plain(trimmed) }
      let inner = trimmed.dropFirst(9)
      guard let end = inner.place(of: "]]>") else { return XMLScan.plain(inner) }
      return String(inner[..<end.lowerBound].trimmed)
    }
  }

  /// Every element of that name that is not inside another one of it.
  static func elements(_ name: String, in text: some StringProtocol, limit: Int) -> [Element] {
    var found: [Element] = []
    var rest = Substring(text)
    while found.count < limit, let next = element(name, in: rest) {
      found.append(next)
      rest = next.after
    }
    return found
  }

  private static func plain(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    var result = ""
    var rest = text
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      rest = rest[mark...]
      let entity = entities.first { rest.hasPrefix($0.name) }
      result += entity?.meaning ?? "&"
      rest = rest.dropFirst(entity?.name.count ?? 1)
    }
    return result + rest
  }

  private static let entities: [(name: String, meaning: String)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
  ]

  static func element(_ name: String, in text: some StringProtocol) -> Element? {
    let text = Substring(text)
    guard let open = opening(of: name, in: text), let end = text[open...].firstIndex(of: ">") else {
      return nil
    }
    let tag = text[open..<end]
    let inner = text.index(after: end)
    guard let close = text[inner...].place(of: "</\(name)>") else { return nil }
    return Element(
      tag: tag, content: String(text[inner..<close.lowerBound]), after: text[close.upperBound...])
  }

  /// The end of the name in the first tag of that name; a longer name with this prefix does not match.
  private static func opening(of name: String, in text: Substring) -> Substring.Index? {
    var rest = text
    while let open = rest.place(of: "<\(name)")?.upperBound {
      if let next = text[open...].first, next == ">" || next.isWhitespace { return open }
      rest = text[open...]
    }
    return nil
  }
}

extension StringProtocol {
  fileprivate var trimmed: Substring {
    var text = Substring(self).drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}

extension Substring {
  /// The first occurrence of an ASCII word; nil when there is none. It compares bytes: a mark that combines with the word's last
  /// character must neither hide it nor move its end.
  fileprivate func place(of word: String) -> Range<Index>? {
    let pattern = Array(word.utf8)
    var start = utf8.startIndex
    while let first = utf8[start...].firstIndex(of: pattern[0]) {
      if utf8[first...].starts(with: pattern) { return first..<utf8.index(first, offsetBy: pattern.count) }
      start = utf8.index(after: first)
    }
    return nil
  }
}
