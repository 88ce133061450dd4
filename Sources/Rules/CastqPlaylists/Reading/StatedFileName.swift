/// The name of a file that a server states in `Content-Disposition` (RFC 6266).
package enum StatedFileName {
  /// The name without a path; nil when none is stated.
  /// - Parameter header: the value of the header, such as `attachment; filename="tv.m3u"`.
  package static func name(in header: String) -> String? {
    var plain: String?
    var extended: String?
    for (key, value) in parameters(header) {
      switch key {
      case "filename": plain = plain ?? value
      case "filename*": extended = extended ?? decoded(value)
      default: break
      }
    }
    // The extended one goes first, whatever their order (RFC 6266, 4.3).
    return [extended, plain].lazy.compactMap { $0.flatMap(lastComponent) }.first
  }

  /// What follows the last separator of any system: a name is no path (RFC 6266, 4.3).
  private static func lastComponent(_ text: String) -> String? {
    let name = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last.map(String.init)
    guard let name, !name.isEmpty, name != ".", name != ".." else { return nil }
    return name
  }

  /// `key=token` and `key="text"` behind semicolons; within quotes a backslash stands before what it keeps (RFC 9110, 5.6.4).
  private static func parameters(_ header: String) -> [(key: String, value: String)] {
    var found: [(String, String)] = []
    var rest = Substring(header)
    while let semicolon = rest.firstIndex(where: { $0 == ";" }) {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
      let key = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest[key.endIndex...]
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = key.filter { $0 != " " && $0 != "\t" }.lowercased()
      guard rest.first == "\"" else {
        let value = rest.prefix { $0 != ";" }
        rest = rest[value.endIndex...]
        found.append((name, String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())))
        continue
      }
      rest = rest.dropFirst()
      var value = ""
      var isKept = false
      while let character = rest.first {
        rest = rest.dropFirst()
        if !isKept, character == "\"" { break }
        if !isKept, character == "\\" {
          isKept = true
          continue
        }
        value.append(character)
        isKept = false
      }
      found.append((name, value))
    }
    return found
  }

  /// `UTF-8'en'na%C3%AFve.m3u` (RFC 8187, 3.2); nil for other sets than UTF-8 and Latin-1, and what is malformed.
  private static func decoded(_ text: String) -> String? {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = bytes(parts[2]) else { return nil }
    switch parts[0].lowercased() {
    case "utf-8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1":
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: return nil
    }
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
