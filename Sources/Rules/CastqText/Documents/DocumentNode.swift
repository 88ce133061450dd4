package import CastProtocol

/// One value of a YAML or JSON document, with its place.
package struct DocumentNode: Sendable {
  package enum Content: Sendable {
    /// Null, a boolean, a number or a string; with its text as written, without quotes.
    case scalar(JSONValue, text: String)
    case list([DocumentNode])
    /// In the order of the document; keys are unique.
    case mapping([DocumentMember])
  }

  package var content: Content
  package var place: DocumentPlace

  package init(content: Content, place: DocumentPlace) {
    (self.content, self.place) = (content, place)
  }

  package var list: [DocumentNode]? {
    if case .list(let nodes) = content { nodes } else { nil }
  }

  package var mapping: [DocumentMember]? {
    if case .mapping(let members) = content { members } else { nil }
  }

  /// Nil for lists and mappings.
  package var scalar: JSONValue? {
    if case .scalar(let value, _) = content { value } else { nil }
  }

  /// The text of a string; nil for everything else.
  package var string: String? { scalar?.string }

  /// The value without its places.
  package var json: JSONValue {
    switch content {
    case .scalar(let value, _): value
    case .list(let nodes): .array(nodes.map(\.json))
    case .mapping(let members): .object(Dictionary(members.map { ($0.key, $0.value.json) }) { $1 })
    }
  }

  /// The kind of the value, for messages.
  package var kindName: String {
    switch content {
    case .list: "a list"
    case .mapping: "a mapping"
    case .scalar(let value, _):
      switch value {
      case .null: "nothing"
      case .bool: "true or false"
      case .integer, .number: "a number"
      case .string, .array, .object: "text"
      }
    }
  }
}

/// One key of a mapping with its value.
package struct DocumentMember: Sendable {
  package var key: String
  /// Place of the key.
  package var place: DocumentPlace
  package var value: DocumentNode

  package init(key: String, place: DocumentPlace, value: DocumentNode) {
    (self.key, self.place, self.value) = (key, place, value)
  }
}

/// A place in a text: line, and column in Unicode scalars, both from 1.
package struct DocumentPlace: Sendable, Hashable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }
}

/// The readable part of a document. After a syntax error it holds what came before it.
package struct PositionedDocument: Sendable {
  /// Nil when the document is empty.
  package var root: DocumentNode?
  package var errors: [Located<TextError>] = []
}

/// Limits on a document.
package struct DocumentLimits: Sendable {
  /// Bytes of the document.
  package var bytes = 32 << 20
  /// Nesting of lists and mappings.
  package var depth = 40
  /// Values, with the values of aliases.
  package var nodes = 4_000_000
  /// Elements that are kept of one list, and one more, which shows that there are others. Those behind are read and dropped.
  package var elements = 100_000
  /// Memory of all values, about, in bytes.
  package var memory = 128 << 20
  /// Bytes of one text; a message to a receiver holds no more (protocol 1.2).
  package var scalarBytes = 64 << 10
  /// Errors that do not end the reading.
  package var errors = 1000

  package init() {}
}
