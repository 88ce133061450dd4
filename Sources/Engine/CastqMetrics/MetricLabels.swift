/// The labels of a sample, as the text has them.
package struct MetricLabels: Sendable, Hashable {
  /// Without braces; empty without labels.
  let text: String

  /// Values may come from outside: they are escaped, control characters become blanks, and they end after 100 characters.
  package init(_ pairs: [(String, String)] = []) {
    text = pairs.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
  }

  /// With one more, behind the others.
  func adding(_ name: String, _ value: String) -> String {
    text.isEmpty ? "\(name)=\"\(value)\"" : "\(text),\(name)=\"\(value)\""
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars.prefix(100) {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      default:
        let isControl = character.properties.generalCategory == .control
        text.unicodeScalars.append(isControl ? " " : character)
      }
    }
    return text
  }
}
