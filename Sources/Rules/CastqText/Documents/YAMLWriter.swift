import CastProtocol

/// YAML in block style. A text is unquoted only where every reader, of YAML 1.1 too, reads it as that text.
package enum YAMLWriter {
  package static func text(_ node: OutputNode) -> String {
    var text = ""
    write(node, indent: "", isInline: true, &text)
    return text
  }

  /// - Parameter isInline: whether the node begins on a line that has begun already, at this indent.
  private static func write(_ node: OutputNode, indent: String, isInline: Bool, _ text: inout String) {
    switch node {
    case .scalar(let value): text += scalar(value) + "\n"
    case .list(let nodes) where nodes.isEmpty: text += "[]\n"
    case .mapping(let mapping) where mapping.members.isEmpty: text += "{}\n"
    case .list(let nodes):
      for (offset, node) in nodes.enumerated() {
        text += (offset > 0 || !isInline ? indent : "") + "- "
        write(node, indent: indent + "  ", isInline: true, &text)
      }
    case .mapping(let mapping):
      for (offset, member) in mapping.members.enumerated() {
        text += (offset > 0 || !isInline ? indent : "") + scalar(.string(member.key)) + ":"
        switch member.value {
        case .list(let nodes) where !nodes.isEmpty:
          text += "\n"
          write(member.value, indent: indent + "  ", isInline: false, &text)
        case .mapping(let inner) where !inner.members.isEmpty:
          text += "\n"
          write(member.value, indent: indent + "  ", isInline: false, &text)
        default:
          text += " "
          write(member.value, indent: indent, isInline: true, &text)
        }
      }
    }
  }

  private static func scalar(_ value: JSONValue) -> String {
    switch value {
    case .string(let string): isPlain(string) ? string : OutputNode.quoted(string, isYAML: true)
    // Readers of YAML 1.1 need the point in `1e-07` to read a number.
    case .number(let number): plain(number)
    case .null, .bool, .integer, .array, .object: value.text
    }
  }

  private static func plain(_ number: Double) -> String {
    let text = JSONValue.number(number).text
    guard let exponent = text.utf8.firstIndex(of: UInt8(ascii: "e")), !text.utf8.contains(UInt8(ascii: "."))
    else { return text }
    return text[..<exponent] + ".0" + text[exponent...]
  }

  /// Words that readers of YAML 1.1 read as another type.
  private static let taken: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null",
  ]

  private static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, bytes.count <= 1000, last != 0x20,
      isLetter(first) || first == UInt8(ascii: "/"), !taken.contains(text.lowercased())
    else { return false }
    return bytes.indices.allSatisfy { index in
      let byte = bytes[index]
      if byte == UInt8(ascii: ":") { return index + 1 < bytes.count && bytes[index + 1] != 0x20 }
      return isLetter(byte) || (0x30...0x39).contains(byte) || " _/.-+=%~".utf8.contains(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
