// Tags with their attributes and namespaces, and what is passed over.

extension XMLReader {
  /// What begins with `<`; nil for what is passed over.
  mutating func markup() -> XMLToken? {
    let start = place
    if starts(with: "<!--") {
      advance(4)
      if !skip(past: "-->") { report(.notClosed(.comment), start) }
      return nil
    }
    if starts(with: "<![CDATA[") { return cdata(start) }
    if starts(with: "<?") {
      if !skip(past: "?>") { report(.notClosed(.instruction), start) }
      return nil
    }
    if starts(with: "<!") {
      skipDeclaration(start)
      return nil
    }
    if starts(with: "</") {
      endTag(start)
      return nil
    }
    return startTag(start)
  }

  /// A document type, with what is in its brackets.
  private mutating func skipDeclaration(_ start: XMLPlace) {
    var depth = 0
    var quote: UInt8?
    while let byte = byte(0) {
      if starts(with: "<!--"), quote == nil {
        advance(4)
        _ = skip(past: "-->")
        continue
      }
      advance()
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        depth += 1
      } else if byte == UInt8(ascii: ">") {
        depth -= 1
        if depth <= 0 { return }
      }
    }
    report(.notClosed(.declaration), start)
  }

  private mutating func name() -> String? {
    let from = index
    while let byte = byte(0),
      Self.isAlphanumeric(byte) || byte >= 0x80 || "_:-.".utf8.contains(byte)
    { advance() }
    guard index > from, index - from <= limits.nameBytes else { return nil }
    return String(decoding: bytes[from..<index], as: UTF8.self)
  }

  private mutating func endTag(_ start: XMLPlace) {
    advance(2)
    let name = name()
    _ = skip(past: ">")
    guard let name, let level = open.lastIndex(where: { $0.name == name }) else {
      return report(.strayEnd, start)
    }
    if level < open.count - 1 {
      report(.endsBefore(name, inner: open.last?.name ?? ""), start)
    }
    pendingEnds = open.count - level
  }

  private mutating func startTag(_ start: XMLPlace) -> XMLToken? {
    advance()
    guard let name = name() else {
      report(.noTag, start)
      return nil
    }
    var element = XMLElement(namespace: nil, name: name, attributes: [], place: start)
    while true {
      skipSpace()
      if byte(0) == UInt8(ascii: ">") || starts(with: "/>") { break }
      guard let attribute = attribute() else {
        report(.malformedTag(name), start)
        // Its end is there all the same, and so may be what is in it.
        while let byte = byte(0), byte != UInt8(ascii: "<"), byte != UInt8(ascii: ">") { advance() }
        break
      }
      if element.attributes.count < limits.attributes { element.attributes.append(attribute) }
    }
    let isEmpty = byte(0) == UInt8(ascii: "/")
    if isEmpty { advance(2) } else if byte(0) == UInt8(ascii: ">") { advance() }
    guard open.count < limits.depth else {
      report(.tooDeep(limits.depth), start)
      isAborted = true
      return nil
    }
    open.append(Open(name: name, place: start, namespaces: namespaces(element.attributes)))
    let colon = name.utf8.firstIndex(of: UInt8(ascii: ":"))
    element.namespace = namespace(of: colon.map { String(name[..<$0]) } ?? "")
    if let colon { element.name = String(name[name.utf8.index(after: colon)...]) }
    element.prefixes = prefixes(of: element.attributes)
    if isEmpty { pendingEnds = 1 }
    return .start(element)
  }

  private mutating func attribute() -> (name: String, value: String)? {
    guard let name = name() else { return nil }
    skipSpace()
    guard byte(0) == UInt8(ascii: "=") else { return nil }
    advance()
    skipSpace()
    guard let quote = byte(0), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    advance()
    var value: [UInt8] = []
    while let byte = byte(0), byte != quote {
      guard byte != UInt8(ascii: "<"), value.count <= limits.textBytes else { return nil }
      if byte == UInt8(ascii: "&") {
        value += reference()
      } else {
        value.append(byte)
        advance()
      }
    }
    guard byte(0) == quote else { return nil }
    advance()
    return (name, String(decoding: value, as: UTF8.self))
  }

  /// The namespaces that an element declares.
  private func namespaces(_ attributes: [(name: String, value: String)]) -> [(
    prefix: String, address: String
  )] {
    let room = limits.namespaces - open.reduce(0) { $0 + $1.namespaces.count }
    let declared: [(String, String)] = attributes.compactMap { attribute in
      if attribute.name == "xmlns" { return ("", attribute.value) }
      guard attribute.name.hasPrefix("xmlns:") else { return nil }
      return (String(attribute.name.dropFirst("xmlns:".utf8.count)), attribute.value)
    }
    return Array(declared.prefix(room))
  }

  /// The declared prefixes that the innermost element declares, and that its attributes need.
  private func prefixes(
    of attributes: [(name: String, value: String)]
  ) -> [(prefix: String, address: String)] {
    var found: [(prefix: String, address: String)] = []
    func add(_ prefix: String?) {
      // An empty address would take a prefix back, which XML does not allow.
      guard let prefix, !["", "xml", "xmlns"].contains(prefix),
        !found.contains(where: { $0.prefix == prefix }),
        let address = namespace(of: prefix), !address.isEmpty
      else { return }
      found.append((prefix, address))
    }
    for declared in open.last?.namespaces ?? [] { add(declared.prefix) }
    for attribute in attributes where attribute.name != "xmlns" && !attribute.name.hasPrefix("xmlns:") {
      add(Self.prefix(of: attribute.name))
      add(Self.prefix(of: attribute.value))
    }
    return found
  }

  /// What stands before the first colon of a text, if it may be a prefix.
  package static func prefix(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else {
      return nil
    }
    let prefix = text.utf8[..<colon]
    let isName = prefix.allSatisfy {
      Self.isAlphanumeric($0) || $0 >= 0x80 || "_-.".utf8.contains($0)
    }
    let isStart = prefix.first.map { !(0x30...0x39).contains($0) && !"-.".utf8.contains($0) } ?? false
    return isName && isStart ? String(text[..<colon]) : nil
  }

  private func namespace(of prefix: String) -> String? {
    for element in open.reversed() {
      if let own = element.namespaces.last(where: { $0.prefix == prefix }) { return own.address }
    }
    return prefix.isEmpty ? "" : nil
  }
}
