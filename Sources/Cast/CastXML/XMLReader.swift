/// Reads XML 1.0 with namespaces, piece by piece, with exact places.
///
/// There are no document types: a DOCTYPE is passed over and declares no entity, so that nothing is fetched and nothing grows.
/// What is not well-formed is reported and costs its place: a tag, a reference, an end that fits nothing. Every element that was
/// opened is ended, also at the end of the document.
package struct XMLReader {
  let bytes: [UInt8]
  let limits: XMLLimits
  var index = 0
  var line = 1
  /// Start of the line, and number of continuation bytes of UTF-8 since then.
  var lineStart = 0
  var continuations = 0
  /// The open elements, outermost first.
  var open: [Open] = []
  var pendingEnds = 0
  var isAborted = false
  /// What was wrong since it was last asked for.
  var issues: [XMLIssue] = []

  struct Open {
    var name: String
    var place: XMLPlace
    /// Prefixes that it declares; the empty one is the default.
    var namespaces: [(prefix: String, address: String)]
  }

  /// - Parameter bytes: UTF-8.
  package init(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) {
    self.bytes = bytes
    self.limits = limits
  }

  /// What was wrong with the pieces since the last call.
  package mutating func takeIssues() -> [XMLIssue] {
    defer { issues = [] }
    return issues
  }

  var place: XMLPlace {
    XMLPlace(line: line, column: index - lineStart - continuations + 1)
  }

  /// The next piece; nil at the end.
  package mutating func next() -> XMLToken? {
    while true {
      if pendingEnds > 0 {
        pendingEnds -= 1
        open.removeLast()
        return .end
      }
      guard index < bytes.count, !isAborted else {
        guard let last = open.last else { return nil }
        if !isAborted { report(.noEnd(last.name), last.place) }
        pendingEnds = open.count
        continue
      }
      if bytes[index] != UInt8(ascii: "<") { return .text(text()) }
      if let token = markup() { return token }
    }
  }

  // MARK: - Bytes

  func byte(_ offset: Int) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  mutating func advance(_ count: Int = 1) {
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

  func starts(with text: StaticString) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[index..<index + $0.count].elementsEqual($0) }
  }

  /// Moves behind the text; false, and to the end, when it does not occur.
  mutating func skip(past text: StaticString) -> Bool {
    while index < bytes.count {
      if starts(with: text) {
        advance(text.utf8CodeUnitCount)
        return true
      }
      advance()
    }
    return false
  }

  static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  mutating func skipSpace() {
    while let byte = byte(0), Self.isSpace(byte) { advance() }
  }

  /// A document may consist of mistakes; those beyond the limit are not kept.
  mutating func report(_ mistake: XMLIssue.Mistake, _ place: XMLPlace) {
    if issues.count < limits.issues { issues.append(XMLIssue(mistake: mistake, place: place)) }
  }
}
