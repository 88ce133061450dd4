import CastProtocol

/// One value of a YAML or JSON document, and where it was written.
struct DocumentNode: Sendable {
  enum Content: Sendable {
    /// Null, a boolean, a number or a string; with the text it was written as, quotes taken off.
    case scalar(JSONValue, text: String)
    case list([DocumentNode])
    /// In the order of writing; keys are unique.
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

  /// What a person would call it.
  var kindName: String {
    switch content {
    case .list: "a list"
    case .mapping: "a mapping"
    case .scalar(let value, _):
      switch value {
      case .null: "nothing"
      case .bool: "true or false"
      case .integer, .number: "a number"
      case .string, .array, .object: "a text"
      }
    }
  }
}

/// One key of a mapping with its value.
struct DocumentMember: Sendable {
  var key: String
  /// Where the key stands.
  var place: DocumentPlace
  var value: DocumentNode
}

/// A place in a text: line, and column in Unicode scalars, both from 1.
struct DocumentPlace: Sendable, Hashable {
  var line: Int
  var column: Int
}

/// What could be read of a document. After an error in the syntax it holds what stood before it.
struct PositionedDocument: Sendable {
  /// Nil when there is nothing in it.
  var root: DocumentNode?
  var errors: [Located<TextError>] = []
}

/// How much of a document is taken before it is refused.
struct DocumentLimits: Sendable {
  /// Bytes of the document.
  var bytes = 32 << 20
  /// How deep lists and mappings may nest.
  var depth = 40
  /// Values, with those that aliases stand for.
  var nodes = 4_000_000
  /// Bytes of one text; a message to a receiver holds no more (protocol 1.2).
  var scalarBytes = 64 << 10
  /// Mistakes that do not end the reading.
  var errors = 1000
}
