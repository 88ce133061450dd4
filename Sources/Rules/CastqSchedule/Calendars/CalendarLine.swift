import CastqText

/// One content line of an iCalendar file (RFC 5545, section 3.1), unfolded.
struct CalendarLine: Sendable {
  /// In upper case.
  var name: String
  /// By their names in upper case; the first value of each, without quotes.
  var parameters: [String: String] = [:]
  var value: String
  /// Of its beginning in the file, from 1.
  var line: Int
  /// Of its value in its first line, from 1, in Unicode scalars.
  var column: Int

  init?(_ bytes: [UInt8], line: Int) {
    guard let colon = Self.end(of: bytes, at: 0x3A, from: 0) else { return nil }
    let fields = Self.fields(bytes[..<colon])
    guard let name = fields.first, !name.isEmpty else { return nil }
    self.name = String(decoding: name, as: UTF8.self).uppercased()
    self.line = line
    let head = String(decoding: bytes[..<colon], as: UTF8.self)
    column = head.unicodeScalars.count + 2
    value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    for field in fields.dropFirst() {
      let halves = field.split(separator: 0x3D, maxSplits: 1)
      guard halves.count == 2 else { continue }
      let key = String(decoding: halves[0], as: UTF8.self).uppercased()
      var value = halves[1]
      if value.first == 0x22, value.last == 0x22, value.count >= 2 { value = value.dropFirst().dropLast() }
      if parameters[key] == nil { parameters[key] = String(decoding: value, as: UTF8.self) }
    }
  }

  /// The next such byte that no quotes hide.
  private static func end(of bytes: [UInt8], at mark: UInt8, from start: Int) -> Int? {
    var isQuoted = false
    for index in start..<bytes.count {
      if bytes[index] == 0x22 { isQuoted.toggle() }
      if bytes[index] == mark, !isQuoted { return index }
    }
    return nil
  }

  private static func fields(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var isQuoted = false
    for index in bytes.indices {
      if bytes[index] == 0x22 { isQuoted.toggle() }
      if bytes[index] == 0x3B, !isQuoted {
        fields.append(bytes[start..<index])
        start = index + 1
      }
    }
    return fields + [bytes[start...]]
  }

  /// Bytes as `=C3`, in which vCalendar 1.0 writes what is not ASCII; in UTF-8, else Western.
  private static func decodingQuotedPrintable(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let code = rest.prefix(2)
      if byte == UInt8(ascii: "="), code.count == 2,
        let value = UInt8(String(decoding: code, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// TEXT (section 3.3.11), sanitised, on one line.
  var text: String {
    var result = ""
    var isEscaped = false
    let isQuoted = parameters["ENCODING"]?.uppercased() == "QUOTED-PRINTABLE"
    for character in isQuoted ? Self.decodingQuotedPrintable(value) : value {
      if isEscaped {
        result.append(character == "n" || character == "N" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return TerminalText.sanitized(String(result.prefix(500))).trimmingBlanks
  }
}
