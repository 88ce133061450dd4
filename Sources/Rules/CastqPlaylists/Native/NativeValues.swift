import CastProtocol
import CastqText

/// Reads single values: an invalid one is reported and ignored.
extension NativePlaylistParser {
  /// The known keys of a mapping, in the order of the document; nil, and an issue, when the node is not a mapping.
  mutating func fields<Key: NativeKey>(_ node: DocumentNode, as keys: Key.Type) -> [(
    key: Key, value: DocumentNode
  )]? {
    guard let members = node.mapping else {
      report(
        .error, node.place,
        TextError("expected \(Key.whole), found \(node.kindName)", hint: "write key: value"))
      return nil
    }
    return members.compactMap { member in
      if let key = Key(rawValue: member.key) { return (key, member.value) }
      reportUnknown(member, of: Key.whole, names: Key.names)
      return nil
    }
  }

  mutating func reportUnknown(_ member: DocumentMember, of whole: String, names: [String]) {
    let shown = TerminalText.excerpt(member.key)
    guard givesAdvice else {
      report(.error, member.place, TextError("`\(shown)` is not a key of \(whole)"))
      return
    }
    if member.key == "<<" {
      report(
        .error, member.place,
        TextError("YAML 1.2 has no merge key", hint: "put what all entries share into `defaults`"))
      return
    }
    let near = Spelling.nearest(to: member.key, in: names)
    report(
      .error, member.place,
      TextError(
        "`\(shown)` is not a key of \(whole)",
        hint: near.map { "did you mean `\($0)`?" } ?? "the keys are \(names.joined(separator: ", "))"))
  }

  mutating func fail(_ node: DocumentNode, _ message: String, hint: FaceWords? = nil) {
    report(.error, node.place, TextError(message, hint: hint))
  }

  mutating func list(_ node: DocumentNode) -> [DocumentNode]? {
    guard let nodes = node.list else {
      fail(node, "expected a list, found \(node.kindName)")
      return nil
    }
    return nodes
  }

  /// A text for display, sanitised. A number is read as written, because `title: 1984` is a text.
  mutating func text(_ node: DocumentNode) -> String? {
    guard case .scalar(let value, let text) = node.content, value.string != nil || value.double != nil,
      !text.isEmpty
    else {
      fail(node, "expected text, found \(node.string == "" ? "empty text" : node.kindName)")
      return nil
    }
    guard text.unicodeScalars.count <= limits.textScalars else {
      fail(node, "the text is longer than \(limits.textScalars) characters")
      return nil
    }
    let clean = EntryText(text, limit: limits.textScalars).value
    return clean.isEmpty ? nil : clean
  }

  /// A text for programs, unchanged.
  mutating func string(_ node: DocumentNode) -> String? {
    guard let string = node.string, !string.isEmpty else {
      fail(
        node, "expected text, found \(node.string == "" ? "empty text" : node.kindName)",
        hint: node.scalar?.double == nil ? nil : "put it in quotes")
      return nil
    }
    return string
  }

  /// A name that an application knows; never the address of a file.
  mutating func identifier(_ node: DocumentNode) -> String? {
    guard let name = string(node) else { return nil }
    do throws(TextError) {
      try resolver.checkName(name, base: base)
      return name
    } catch {
      report(.error, node.place, error)
      return nil
    }
  }

  mutating func flag(_ node: DocumentNode) -> Bool? {
    if let flag = node.scalar?.bool { return flag }
    switch node.string {
    case "yes", "on": return true
    case "no", "off": return false
    default:
      fail(node, "\(shown(node)) is neither yes nor no")
      return nil
    }
  }

  mutating func number(_ node: DocumentNode, _ range: ClosedRange<Double>, _ what: String) -> Double? {
    guard let value = node.scalar?.double, range.contains(value) else {
      fail(node, "\(shown(node)) is not \(what)")
      return nil
    }
    return value
  }

  /// A whole number; `3.0` is one.
  mutating func count(_ node: DocumentNode, _ range: ClosedRange<Int>) -> Int? {
    guard let value = node.scalar?.int, range.contains(value) else {
      fail(
        node, "\(shown(node)) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }

  /// Seconds: a number, or a duration such as `1m30s`.
  mutating func duration(_ node: DocumentNode) -> Double? {
    if let seconds = node.scalar?.double {
      guard seconds >= 0, seconds < 1e10 else {
        fail(node, "\(shown(node)) is not a duration", hint: "write seconds, or 1m30s, or 1:30")
        return nil
      }
      return seconds
    }
    do {
      return try DurationText.seconds(node.string ?? "")
    } catch {
      report(.error, node.place, TextError("\(shown(node)) is not a duration", hint: error.hint))
      return nil
    }
  }

  mutating func time(_ node: DocumentNode) -> MediaTime? { duration(node).map(MediaTime.init(seconds:)) }

  mutating func word<Value>(_ node: DocumentNode, of words: [(String, Value)]) -> Value? {
    if let text = node.string, let known = words.first(where: { $0.0 == text }) { return known.1 }
    let names = words.map(\.0)
    let near = givesAdvice ? node.string.flatMap { Spelling.nearest(to: $0, in: names) } : nil
    fail(
      node, "\(shown(node)) is not a known value",
      hint: near.map { "did you mean `\($0)`?" } ?? "write one of \(names.joined(separator: ", "))")
    return nil
  }

  /// A word of the protocol, in lower case.
  mutating func word<Word: WireWord>(_ node: DocumentNode, as type: Word.Type) -> Word? {
    word(node, of: Word.words.map { ($0.word.lowercased(), $0.value) })
  }

  mutating func moment(_ node: DocumentNode) -> WallTime? {
    do {
      return try RFC3339.parse(node.string ?? "")
    } catch {
      report(.error, node.place, TextError("\(shown(node)) is not a date and time", hint: error.hint))
      return nil
    }
  }

  mutating func contentType(_ node: DocumentNode) -> String? {
    guard let type = node.string, ContentTypes.isWellFormed(type) else {
      fail(node, "\(shown(node)) is not a MIME type", hint: "write one such as video/mp4")
      return nil
    }
    return type
  }

  /// Any value, for the receiver application.
  mutating func json(_ node: DocumentNode) -> JSONValue? {
    guard let value = value(node) else { return nil }
    guard value != .null else {
      fail(node, "expected data, found nothing")
      return nil
    }
    return value
  }

  mutating func object(_ node: DocumentNode) -> JSONValue? {
    guard node.mapping != nil else {
      fail(node, "expected a mapping, found \(node.kindName)")
      return nil
    }
    return json(node)
  }

  private mutating func value(_ node: DocumentNode) -> JSONValue? {
    switch node.content {
    case .scalar(let value, _):
      guard value.double?.isFinite ?? true else {
        fail(node, "\(shown(node)) cannot be sent to a receiver")
        return nil
      }
      return value
    case .list(let nodes): return .array(nodes.compactMap { value($0) })
    case .mapping(let members):
      var object: [String: JSONValue] = [:]
      for member in members { object[member.key] = value(member.value) }
      return .object(object)
    }
  }

  /// A file or address that belongs to an entry; nil, and an issue, when there is none.
  /// - Parameter missing: severity of a missing file.
  mutating func location(
    _ node: DocumentNode, what: String, missing: PlaylistIssue.Severity = .error
  ) -> MediaLocation? {
    guard let written = string(node) else { return nil }
    resolver.search?.line = node.place.line
    do throws(TextError) {
      switch try resolver.resolve(written, base: base) {
      case .media(let location): return location
      case .missing(let error):
        report(missing, node.place, error)
        return nil
      case .directory: throw TextError("the \(what) is a directory: \(TerminalText.excerpt(written))")
      }
    } catch {
      report(.error, node.place, error)
      return nil
    }
  }

  /// An address for a person or a receiver, unchanged.
  mutating func address(_ node: DocumentNode) -> String? {
    guard let written = string(node) else { return nil }
    do {
      return try WebAddress(written).text
    } catch {
      report(.error, node.place, error)
      return nil
    }
  }

  /// The value as written, for messages.
  func shown(_ node: DocumentNode) -> String {
    guard case .scalar(let value, let text) = node.content, value != .null else { return node.kindName }
    return "`\(TerminalText.excerpt(text))`"
  }

  /// `url` and `file` are alternatives.
  mutating func only(_ first: DocumentNode?, _ second: DocumentNode?) -> DocumentNode? {
    if first != nil, let second { fail(second, "`url` and `file` exclude each other") }
    return first ?? second
  }
}
