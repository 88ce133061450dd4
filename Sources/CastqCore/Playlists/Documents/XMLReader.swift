/// One piece of an XML document.
enum XMLToken {
  case start(XMLElement)
  /// The end of the innermost open element.
  case end
  /// A part of its text: references are replaced, and CDATA is text.
  case text(String)
}

struct XMLElement {
  /// The address of the namespace; empty without one, nil when the prefix is not declared.
  var namespace: String?
  /// The name without its prefix.
  var name: String
  /// As written, prefixes included.
  var attributes: [(name: String, value: String)]
  var place: DocumentPlace

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Limits on an XML document.
struct XMLLimits: Sendable {
  /// Nesting of elements.
  var depth = 64
  /// Bytes of a name.
  var nameBytes = 256
  /// Bytes of one text or value.
  var textBytes = 64 << 10
  /// Attributes of one element, declarations of namespaces included.
  var attributes = 64
  /// Declarations of namespaces that hold at one place; further ones are ignored.
  var namespaces = 32
  /// Issues of one piece.
  var issues = 1000
}

/// Reads XML 1.0 with namespaces, piece by piece, with exact places.
///
/// There are no document types: a DOCTYPE is passed over and declares no entity, so that nothing is fetched and nothing grows.
/// What is not well-formed is reported and costs its place: a tag, a reference, an end that fits nothing. Every element that was
/// opened is ended, also at the end of the document.
struct XMLReader {
  private let bytes: [UInt8]
  private let limits: XMLLimits
  private var index = 0
  private var line = 1
  /// Start of the line, and number of continuation bytes of UTF-8 since then.
  private var lineStart = 0
  private var continuations = 0
  /// The open elements, outermost first.
  private var open: [Open] = []
  private var pendingEnds = 0
  private var isAborted = false
  /// What was wrong since it was last asked for.
  private var issues: [Issue] = []

  typealias Issue = (severity: PlaylistIssue.Severity, place: DocumentPlace, error: TextError)

  private struct Open {
    var name: String
    var place: DocumentPlace
    /// Prefixes that it declares; the empty one is the default.
    var namespaces: [(prefix: String, address: String)]
  }

  /// - Parameter bytes: UTF-8.
  init(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) {
    self.bytes = bytes
    self.limits = limits
  }

  /// What was wrong with the pieces since the last call.
  mutating func takeIssues() -> [Issue] {
    defer { issues = [] }
    return issues
  }

  var place: DocumentPlace {
    DocumentPlace(line: line, column: index - lineStart - continuations + 1)
  }

  /// The next piece; nil at the end.
  mutating func next() -> XMLToken? {
    while true {
      if pendingEnds > 0 {
        pendingEnds -= 1
        open.removeLast()
        return .end
      }
      guard index < bytes.count, !isAborted else {
        guard let last = open.last else { return nil }
        if !isAborted {
          let name = TerminalText.excerpt(last.name)
          report(
            .error, last.place, TextError("`\(name)` has no end; the rest of the file may be missing"))
        }
        pendingEnds = open.count
        continue
      }
      if bytes[index] != UInt8(ascii: "<") { return .text(text()) }
      if let token = markup() { return token }
    }
  }

  // MARK: - Bytes

  private func byte(_ offset: Int) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A || (byte == 0x0D && self.byte(0) != 0x0A) {
        (line, lineStart, continuations) = (line + 1, index, 0)
      } else if byte & 0xC0 == 0x80 {
        continuations += 1
      }
    }
  }

  private func starts(with text: StaticString) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[index..<index + $0.count].elementsEqual($0) }
  }

  /// Moves behind the text; false, and to the end, when it does not occur.
  private mutating func skip(past text: StaticString) -> Bool {
    while index < bytes.count {
      if starts(with: text) {
        advance(text.utf8CodeUnitCount)
        return true
      }
      advance()
    }
    return false
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private mutating func skipSpace() {
    while let byte = byte(0), Self.isSpace(byte) { advance() }
  }

  private mutating func report(
    _ severity: PlaylistIssue.Severity, _ place: DocumentPlace, _ error: TextError
  ) {
    if issues.count < limits.issues { issues.append((severity, place, error)) }
  }

  // MARK: - Text

  private mutating func text() -> String {
    let start = place
    var result: [UInt8] = []
    var isCut = false
    while let byte = byte(0), byte != UInt8(ascii: "<"), !isCut {
      if byte == UInt8(ascii: "&") {
        result += reference()
      } else {
        result.append(byte)
        advance()
      }
      isCut = result.count > limits.textBytes
    }
    if isCut {
      while let byte = byte(0), byte != UInt8(ascii: "<") { advance() }
      report(.warning, start, TextError("the text is longer than \(limits.textBytes) bytes; it was cut"))
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// What `&…;` stands for. A `&` that begins no reference is kept: addresses are often pasted as they are.
  private mutating func reference() -> [UInt8] {
    let start = place
    let name = bytes[(index + 1)...].prefix(12).prefix {
      $0 == UInt8(ascii: "#") || PercentEncoding.isAlphanumeric($0)
    }
    guard byte(1 + name.count) == UInt8(ascii: ";"), !name.isEmpty else {
      report(.warning, start, TextError("a `&` that begins no reference", hint: "write &amp;"))
      advance()
      return [UInt8(ascii: "&")]
    }
    let word = String(decoding: name, as: UTF8.self)
    let named: [String: String] = ["lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\""]
    let text: String
    if let known = named[word] {
      text = known
    } else if let scalar = Self.scalar(word) {
      text = String(Character(scalar))
    } else {
      report(
        .warning, start,
        TextError("`&\(TerminalText.excerpt(word));` is unknown", hint: "write the character itself"))
      text = "&\(word);"
    }
    advance(name.count + 2)
    return Array(text.utf8)
  }

  /// The character of `#65` or `#x41`; nil when XML allows none of that number.
  private static func scalar(_ word: String) -> Unicode.Scalar? {
    guard word.hasPrefix("#") else { return nil }
    let digits = word.dropFirst()
    let isHex = digits.hasPrefix("x")
    guard let number = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10),
      number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number), number & 0xFFFE != 0xFFFE
    else { return nil }
    return Unicode.Scalar(number)
  }

  // MARK: - Markup

  /// What begins with `<`; nil for what is passed over.
  private mutating func markup() -> XMLToken? {
    let start = place
    if starts(with: "<!--") {
      advance(4)
      if !skip(past: "-->") { report(.error, start, TextError("the comment is not closed")) }
      return nil
    }
    if starts(with: "<![CDATA[") { return cdata(start) }
    if starts(with: "<?") {
      if !skip(past: "?>") { report(.error, start, TextError("the instruction is not closed")) }
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

  private mutating func cdata(_ start: DocumentPlace) -> XMLToken? {
    advance("<![CDATA[".utf8.count)
    let from = index
    let isClosed = skip(past: "]]>")
    if !isClosed { report(.error, start, TextError("the CDATA section is not closed")) }
    let content = bytes[from..<(isClosed ? index - 3 : index)]
    if content.count > limits.textBytes {
      report(.warning, start, TextError("the text is longer than \(limits.textBytes) bytes; it was cut"))
    }
    return .text(String(decoding: content.prefix(limits.textBytes), as: UTF8.self))
  }

  /// A document type, with what is in its brackets.
  private mutating func skipDeclaration(_ start: DocumentPlace) {
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
    report(.error, start, TextError("the declaration is not closed"))
  }

  private mutating func name() -> String? {
    let from = index
    while let byte = byte(0),
      PercentEncoding.isAlphanumeric(byte) || byte >= 0x80 || "_:-.".utf8.contains(byte)
    { advance() }
    guard index > from, index - from <= limits.nameBytes else { return nil }
    return String(decoding: bytes[from..<index], as: UTF8.self)
  }

  private mutating func endTag(_ start: DocumentPlace) {
    advance(2)
    let name = name()
    _ = skip(past: ">")
    guard let name, let level = open.lastIndex(where: { $0.name == name }) else {
      return report(.warning, start, TextError("an end tag that ends nothing, so it was left out"))
    }
    if level < open.count - 1 {
      let inner = open.last?.name ?? ""
      report(
        .warning, start,
        TextError(
          "`\(TerminalText.excerpt(name))` ends before `\(TerminalText.excerpt(inner))`",
          hint: "write </\(TerminalText.excerpt(inner))> before it"))
    }
    pendingEnds = open.count - level
  }

  private mutating func startTag(_ start: DocumentPlace) -> XMLToken? {
    advance()
    guard let name = name() else {
      report(.error, start, TextError("a `<` that begins no tag", hint: "write &lt;"))
      return nil
    }
    var element = XMLElement(namespace: nil, name: name, attributes: [], place: start)
    while true {
      skipSpace()
      if byte(0) == UInt8(ascii: ">") || starts(with: "/>") { break }
      guard let attribute = attribute() else {
        report(
          .warning, start,
          TextError("the tag `\(TerminalText.excerpt(name))` is malformed", hint: "write name=\"value\""))
        // Its end is there all the same, and so may be what is in it.
        while let byte = byte(0), byte != UInt8(ascii: "<"), byte != UInt8(ascii: ">") { advance() }
        break
      }
      if element.attributes.count < limits.attributes { element.attributes.append(attribute) }
    }
    let isEmpty = byte(0) == UInt8(ascii: "/")
    if isEmpty { advance(2) } else if byte(0) == UInt8(ascii: ">") { advance() }
    guard open.count < limits.depth else {
      report(
        .error, start, TextError("elements are nested more than \(limits.depth) deep; the rest was left out"))
      isAborted = true
      return nil
    }
    open.append(Open(name: name, place: start, namespaces: namespaces(element.attributes)))
    let colon = name.utf8.firstIndex(of: UInt8(ascii: ":"))
    element.namespace = namespace(of: colon.map { String(name[..<$0]) } ?? "")
    if let colon { element.name = String(name[name.utf8.index(after: colon)...]) }
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

  private func namespace(of prefix: String) -> String? {
    for element in open.reversed() {
      if let own = element.namespaces.last(where: { $0.prefix == prefix }) { return own.address }
    }
    return prefix.isEmpty ? "" : nil
  }
}
