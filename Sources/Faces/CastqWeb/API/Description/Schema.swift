import CastProtocol

/// What a document may hold, as JSON Schema has it.
struct Schema {
  private(set) var members: [String: JSONValue]

  private init(_ members: [String: JSONValue]) { self.members = members }

  var json: JSONValue { .object(members) }

  static let text = Schema(["type": "string"])
  static let flag = Schema(["type": "boolean"])
  static let number = Schema(["type": "number"])
  static let object = Schema(["type": "object"])
  static let any = Schema([:])
  /// A text with something in it.
  static let name = Schema(["type": "string", "minLength": 1])

  static func text(atMost length: Int) -> Schema {
    Schema(["type": "string", "minLength": 1, "maxLength": .integer(Int64(length))])
  }

  static let integer = Schema(["type": "integer"])

  static func integer(from least: Int, to most: Int? = nil) -> Schema {
    var members: [String: JSONValue] = ["type": "integer", "minimum": .integer(Int64(least))]
    members["maximum"] = most.map { .integer(Int64($0)) }
    return Schema(members)
  }

  static func choice(_ words: [String]) -> Schema { Schema(["enum": .array(words.map { .string($0) })]) }

  static func choice(_ words: String...) -> Schema { choice(words) }

  static func constant(_ value: JSONValue) -> Schema { Schema(["const": value]) }

  static func either(_ schemas: Schema...) -> Schema { Schema(["oneOf": .array(schemas.map(\.json))]) }

  static func list(of item: Schema, atLeast least: Int? = nil, atMost most: Int? = nil) -> Schema {
    var members: [String: JSONValue] = ["type": "array", "items": item.json]
    members["minItems"] = least.map { .integer(Int64($0)) }
    members["maxItems"] = most.map { .integer(Int64($0)) }
    return Schema(members)
  }

  /// The schema of this name.
  static func of(_ name: APISchema) -> Schema {
    Schema(["$ref": .string("#/components/schemas/\(name.rawValue)")])
  }

  /// - Parameters:
  ///   - isClosed: whether other members are mistakes: requests say so, documents may grow.
  ///   - others: what members are that have any name; nil leaves them open.
  static func object(_ members: [Member], isClosed: Bool = false, others: Schema? = nil) -> Schema {
    var schema = Schema.object
    if !members.isEmpty {
      schema.members["properties"] = .object(
        Dictionary(members.map { ($0.name, $0.schema.json) }) { $1 })
    }
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema.members["required"] = .array(required) }
    if isClosed { schema.members["additionalProperties"] = false }
    if let others { schema.members["additionalProperties"] = others.json }
    return schema
  }

  struct Member {
    let name: String
    let schema: Schema
    /// Whether it is always there.
    let isRequired: Bool

    static func has(_ name: String, _ schema: Schema) -> Member {
      Member(name: name, schema: schema, isRequired: true)
    }

    static func may(_ name: String, _ schema: Schema) -> Member {
      Member(name: name, schema: schema, isRequired: false)
    }
  }

  /// The same, or null.
  var orNull: Schema {
    var schema = self
    switch members["type"] {
    case .string(let type)?: schema.members["type"] = [.string(type), "null"]
    case .array(let types)?: schema.members["type"] = .array(types + ["null"])
    default: break
    }
    return schema
  }

  /// The same, or of this type.
  func or(_ other: Schema) -> Schema {
    var schema = self
    let types = [self, other].flatMap { each in
      each.members["type"]?.array ?? each.members["type"].map { [$0] } ?? []
    }
    schema.members["type"] = .array(types)
    return schema
  }

  /// With words for those who read it.
  func saying(_ words: String) -> Schema {
    var schema = self
    schema.members["description"] = .string(words)
    return schema
  }
}
