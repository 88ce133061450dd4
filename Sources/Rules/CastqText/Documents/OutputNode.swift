package import CastProtocol

/// One value of a document to be written.
package indirect enum OutputNode: Sendable {
  case scalar(JSONValue)
  case list([OutputNode])
  case mapping(OutputMapping)

  /// The keys of objects are sorted.
  package init(_ json: JSONValue) {
    switch json {
    case .array(let values): self = .list(values.map(OutputNode.init))
    case .object(let members):
      var mapping = OutputMapping()
      for (key, value) in members.sorted(by: { $0.key < $1.key }) { mapping.add(key, OutputNode(value)) }
      self = .mapping(mapping)
    case .null, .bool, .integer, .number, .string: self = .scalar(json)
    }
  }
}

extension OutputNode {
  /// As JSON, with escapes also for characters that YAML does not allow or that cannot be seen; JSON allows those escapes, too.
  /// - Parameter isYAML: whether a scalar beyond U+FFFF has the escape of YAML, which knows no surrogates.
  package static func quoted(_ text: String, isYAML: Bool = false) -> String {
    var result = ""
    VisibleText.forEach(JSONValue.string(text).text) { scalar, kind in
      switch (kind, scalar.value) {
      case (.shown, 0x20..<0x7F): result.unicodeScalars.append(scalar)
      case (.shown, 0xA0), (.shown, 0xFFFE), (.shown, 0xFFFF): result += scalar.escapedInJSON
      case (.shown, _): result.unicodeScalars.append(scalar)
      case (_, 0x1_0000...) where isYAML: result += "\\U000" + String(scalar.value, radix: 16)
      default: result += scalar.escapedInJSON
      }
    }
    return result
  }
}

/// Keys with their values, in the order in which they are written.
package struct OutputMapping: Sendable {
  package private(set) var members: [(key: String, value: OutputNode)] = []

  package init() {}

  package mutating func add(_ key: String, _ value: OutputNode) { members.append((key, value)) }

  /// Omits an empty list, unless `always`.
  package mutating func list(_ key: String, _ nodes: [OutputNode], always: Bool = false) {
    if always || !nodes.isEmpty { add(key, .list(nodes)) }
  }

  package mutating func json(_ key: String, _ value: JSONValue?) {
    if let value, value != .null { add(key, OutputNode(value)) }
  }

  // Setting adds a member; nil adds nothing. Reading is not supported.
  package subscript(key: String) -> String? {
    get { nil }
    set { json(key, JSONValue(newValue)) }
  }

  package subscript(key: String) -> Int? {
    get { nil }
    set { json(key, JSONValue(newValue)) }
  }

  package subscript(key: String) -> Double? {
    get { nil }
    set { json(key, JSONValue(newValue)) }
  }

  package subscript(key: String) -> Bool? {
    get { nil }
    set { json(key, JSONValue(newValue)) }
  }
}

/// JSON on several lines.
package enum JSONDocumentWriter {
  package static func text(_ node: OutputNode) -> String {
    var text = ""
    write(node, indent: "", &text)
    return text + "\n"
  }

  private static func write(_ node: OutputNode, indent: String, _ text: inout String) {
    let inner = indent + "  "
    switch node {
    case .scalar(.string(let string)): text += OutputNode.quoted(string)
    case .scalar(let value): text += value.text
    case .list(let nodes) where nodes.isEmpty: text += "[]"
    case .mapping(let mapping) where mapping.members.isEmpty: text += "{}"
    case .list(let nodes):
      text += "["
      for (offset, node) in nodes.enumerated() {
        text += (offset > 0 ? ",\n" : "\n") + inner
        write(node, indent: inner, &text)
      }
      text += "\n\(indent)]"
    case .mapping(let mapping):
      text += "{"
      for (offset, member) in mapping.members.enumerated() {
        text += (offset > 0 ? ",\n" : "\n") + inner + OutputNode.quoted(member.key) + ": "
        write(member.value, indent: inner, &text)
      }
      text += "\n\(indent)}"
    }
  }
}
