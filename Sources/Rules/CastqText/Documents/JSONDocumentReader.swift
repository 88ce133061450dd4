import CastProtocol

/// Reads one JSON document (RFC 8259) with the place of each value. Duplicate keys are reported, and everything before a syntax
/// error is kept.
package struct JSONDocumentReader {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  /// Start of the line, and number of continuation bytes of UTF-8 since then.
  private var lineStart = 0
  private var continuations = 0
  private var builder: DocumentBuilder

  package static func read(_ bytes: [UInt8], limits: DocumentLimits) -> PositionedDocument {
    var reader = JSONDocumentReader(bytes: bytes, builder: DocumentBuilder(limits: limits))
    do throws(DocumentError) {
      try reader.check(limits)
      try reader.read()
    } catch {
      reader.builder.fail(error)
    }
    return reader.builder.document
  }

  private init(bytes: [UInt8], builder: DocumentBuilder) {
    self.bytes = bytes
    self.builder = builder
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      lineStart = 3
    }
  }

  private func check(_ limits: DocumentLimits) throws(DocumentError) {
    guard bytes.count <= limits.bytes else {
      throw failure(TextError("the playlist is larger than \(limits.bytes) bytes"))
    }
  }

  private var place: DocumentPlace {
    DocumentPlace(line: line, column: index - lineStart - continuations + 1)
  }

  private func failure(_ error: TextError) -> DocumentError { DocumentError(place: place, error: error) }

  private func failure(_ words: String) -> DocumentError { failure(TextError("not JSON: \(words)")) }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = current {
      switch byte {
      case 0x20, 0x09: index += 1
      case 0x0A: newLine(1)
      case 0x0D: newLine(index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1)
      default: return
      }
    }
  }

  private mutating func newLine(_ length: Int) {
    index += length
    line += 1
    lineStart = index
    continuations = 0
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  /// Closing brackets of the open lists and mappings, outermost first.
  private var open: [UInt8] = []

  private mutating func read() throws(DocumentError) {
    skipSpace()
    guard current != nil else { return }
    repeat {
      try value()
      // After a value: closing brackets, then a comma and the next value.
      var wantsValue = false
      while !wantsValue, let closing = open.last {
        skipSpace()
        if skip(closing) {
          open.removeLast()
          try builder.close()
        } else if skip(UInt8(ascii: ",")) {
          if closing == UInt8(ascii: "}") { try key() }
          wantsValue = true
        } else {
          throw failure(current == nil ? "unexpected end" : "expected a comma or \(Self.name(closing))")
        }
      }
    } while !open.isEmpty
    skipSpace()
    guard index == bytes.count else { throw failure("text after the end") }
  }

  private static func name(_ closing: UInt8) -> String { closing == UInt8(ascii: "}") ? "`}`" : "`]`" }

  /// Reads a scalar, or the openings of lists and mappings up to the first scalar or empty one.
  private mutating func value() throws(DocumentError) {
    while true {
      skipSpace()
      let start = place
      switch current {
      case UInt8(ascii: "["):
        index += 1
        try builder.open(isMapping: false, at: start)
        skipSpace()
        if skip(UInt8(ascii: "]")) { return try builder.close() }
        open.append(UInt8(ascii: "]"))
      case UInt8(ascii: "{"):
        index += 1
        try builder.open(isMapping: true, at: start)
        skipSpace()
        if skip(UInt8(ascii: "}")) { return try builder.close() }
        open.append(UInt8(ascii: "}"))
        try key()
      case UInt8(ascii: "\""):
        guard let text = try string() else { return try builder.refuseScalar(at: start) }
        return try builder.scalar(.string(text), text: text, at: start)
      default:
        let (value, text) = try word()
        return try builder.scalar(value, text: text, at: start)
      }
    }
  }

  private mutating func key() throws(DocumentError) {
    skipSpace()
    let start = place
    guard current == UInt8(ascii: "\"") else { throw failure("expected a key in quotes") }
    if let text = try string() {
      try builder.scalar(.string(text), text: text, at: start)
    } else {
      try builder.refuseScalar(at: start)
    }
    skipSpace()
    guard skip(UInt8(ascii: ":")) else { throw failure("expected `:`") }
  }

  /// A number, `true`, `false` or `null`.
  private mutating func word() throws(DocumentError) -> (JSONValue, text: String) {
    let start = index
    while let byte = current, PercentEncoding.isAlphanumeric(byte) || "+-._".utf8.contains(byte) {
      index += 1
    }
    let end = index
    index = start
    guard end > start else { throw failure(current == nil ? "unexpected end" : "expected a value") }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard end - start <= 400, let value = (try? JSONValue(parsing: Array(text.utf8))) ?? Self.infinite(text)
    else {
      throw failure("expected a value; write text in quotes")
    }
    index = end
    return (value, text)
  }

  /// A number that JSON allows and no computer holds: the member that has it is refused, and not the document.
  private static func infinite(_ text: String) -> JSONValue? {
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?[eE]\+?[0-9]+/) != nil, let value = Double(text),
      value.isInfinite
    else { return nil }
    return .number(value)
  }

  /// - Returns: nil for a text that is too long, which is skipped.
  private mutating func string() throws(DocumentError) -> String? {
    let opening = place
    index += 1
    var text: [UInt8] = []
    var isTooLong = false
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        if isTooLong { return nil }
        guard let string = String(validating: text, as: UTF8.self) else {
          throw DocumentError(
            place: opening, error: TextError("not UTF-8", hint: "save the file as UTF-8"))
        }
        return string
      case UInt8(ascii: "\\"): try escape(&text)
      case 0..<0x20: throw failure("a control character in a string")
      default:
        if byte & 0xC0 == 0x80 { continuations += 1 }
        text.append(byte)
        index += 1
      }
      if text.count > builder.limits.scalarBytes {
        isTooLong = true
        text.removeAll(keepingCapacity: true)
      }
    }
    throw DocumentError(place: opening, error: TextError("not JSON: a string without an end"))
  }

  private mutating func escape(_ text: inout [UInt8]) throws(DocumentError) {
    let start = index
    index += 1
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[index])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      let high = try fourDigits(start)
      var scalar = high
      if (0xD800..<0xDC00).contains(high), bytes[(index + 1)...].starts(with: "\\u".utf8) {
        let first = index
        index += 2
        let low = try fourDigits(start)
        if (0xDC00..<0xE000).contains(low) {
          scalar = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        } else {
          index = first
        }
      }
      // Half of a pair is what is left of a character where a program has cut a text: it costs that character.
      text.append(contentsOf: String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8)
    default:
      index = start
      throw failure("an unknown escape")
    }
    index += 1
  }

  /// Reads the digits after `u`; ends on the last one.
  private mutating func fourDigits(_ start: Int) throws(DocumentError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      index += 1
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        index = start
        throw failure("an escape without four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
