import CastProtocol
import CastqText

/// What the configuration says of the page and the terminal.
extension ConfigurationReader {
  /// Colours and fonts; reported where they stand when `checkStyle` finds something wrong in them.
  mutating func faceStyle(_ node: DocumentNode) -> JSONValue? {
    let style = Self.json(node)
    guard let problem = checkStyle(style) else { return style }
    report(node.place, TextError(TerminalText.excerpt(problem, limit: 400)))
    return nil
  }

  /// `once` or `off`.
  mutating func showsIntroduction(_ node: DocumentNode) -> Bool? {
    switch node.string {
    case "once": return true
    case "off": return false
    default:
      report(node.place, TextError("\(node.shown) is not valid here", hint: "write once or off"))
      return nil
    }
  }

  /// `asked` or `casting`.
  mutating func opensController(_ node: DocumentNode) -> Bool? {
    switch node.string {
    case "asked": return false
    case "casting": return true
    default:
      report(
        node.place,
        TextError(
          "\(node.shown) is not valid here",
          hint: "write asked, or casting: the controller opens by itself when casting begins"))
      return nil
    }
  }

  /// The name of a device, which need not be known yet.
  mutating func deviceName(_ node: DocumentNode) -> String? {
    // A name such as 12 is one, too.
    guard case .scalar(let value, let text) = node.content, value != .null, value.bool == nil, !text.isEmpty,
      !text.hasPrefix("@")
    else {
      report(
        node.place,
        TextError("\(node.shown) is not a device", hint: "write an alias, a name, a UUID or an address"))
      return nil
    }
    return text
  }

  /// The node as a value; the nesting is limited by the document's reader.
  private static func json(_ node: DocumentNode) -> JSONValue {
    switch node.content {
    case .scalar(let value, _): value
    case .list(let nodes): .array(nodes.map(json))
    case .mapping(let members): .object(Dictionary(members.map { ($0.key, json($0.value)) }) { $1 })
    }
  }
}
