import CastProtocol

/// One value of a YAML or JSON document, with its place.
struct DocumentNode: Sendable {
  enum Content: Sendable {
    /// Null, a boolean, a number or a string; with its text as written, without quotes.
    case scalar(JSONValue, text: String)
    case list([DocumentNode])
    /// In the order of the document; keys are unique.
    case mapping([DocumentMember])
  }

  var content: Content
  var place: DocumentPlace

  var list: [DocumentNode]? {
    if case .list(let nodes) = content { nodes } else { nil }
  }

  var mapping: [DocumentMember]? {
    if case .mapping(let members) = content { members } else { nil }
  }

  /// Nil for lists and mappings.
  var scalar: JSONValue? {
    if case .scalar(let value, _) = content { value } else { nil }
  }

  /// The text of a string; nil for everything else.
  var string: String? { scalar?.string }

  /// The value without its places.
  var json: JSONValue {
    switch content {
    case .scalar(let value, _): value
    case .list(let nodes): .array(nodes.map(\.json))
    case .mapping(let members): .object(Dictionary(members.map { ($0.key, $0.value.json) }) { $1 })
    }
  }

  /// The kind of the value, for messages.
  var kindName: String {
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
struct DocumentMember: Sendable {
  var key: String
  /// Place of the key.
  var place: DocumentPlace
  var value: DocumentNode
}

/// A place in a text: line, and column in Unicode scalars, both from 1.
struct DocumentPlace: Sendable, Hashable {
  var line: Int
  var column: Int
}

/// The readable part of a document. After a syntax error it holds what came before it.
struct PositionedDocument: Sendable {
  /// Nil when the document is empty.
  var root: DocumentNode?
  var errors: [Located<TextError>] = []
}

/// Limits on a document.
struct DocumentLimits: Sendable {
  /// Bytes of the document.
  var bytes = 32 << 20
  /// Nesting of lists and mappings.
  var depth = 40
  /// Values, with the values of aliases.
  var nodes = 4_000_000
  /// Elements that are kept of one list, and one more, which shows that there are others. Those behind are read and dropped.
  var elements = 100_000
  /// Memory of all values, about, in bytes.
  var memory = 128 << 20
  /// Bytes of one text; a message to a receiver holds no more (protocol 1.2).
  var scalarBytes = 64 << 10
  /// Errors that do not end the reading.
  var errors = 1000
}
