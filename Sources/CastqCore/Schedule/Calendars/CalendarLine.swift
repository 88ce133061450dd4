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

  /// TEXT (section 3.3.11), sanitised, on one line.
  var text: String {
    var result = ""
    var isEscaped = false
    for character in value {
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
