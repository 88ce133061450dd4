import CastProtocol

/// What one method does at one address of the API, as its description has it.
struct APIOperation {
  let summary: String
  let parameters: [Parameter]
  /// What the request has to carry; nil for none.
  let body: Schema?
  let answers: [Answer]

  init(_ summary: String, _ answers: Answer..., given parameters: [Parameter] = [], body: Schema? = nil) {
    (self.summary, self.parameters, self.body, self.answers) = (summary, parameters, body, answers)
  }

  /// All of them, by method and address.
  static let all = devices.merging(schedule) { $1 }.merging(reading) { $1 }

  struct Parameter {
    let name: String
    /// Where it stands: in the path, the query or a header.
    let place: String
    let schema: Schema
    let words: String

    static func query(_ name: String, _ schema: Schema, _ words: String) -> Parameter {
      Parameter(name: name, place: "query", schema: schema, words: words)
    }

    static func header(_ name: String, _ schema: Schema, _ words: String) -> Parameter {
      Parameter(name: name, place: "header", schema: schema, words: words)
    }

    static func time(_ name: String) -> Parameter { query(name, .text, "A time.") }

    static let device = query("device", .text, "A device, or @GROUP.")
    static let since = query("since", .text, "A time, as castq history reads it.")
    static let zone = query("tz", .text, "A zone such as Europe/Berlin.")

    /// A variable part of the path.
    init(part name: String) {
      let schema: Schema = name == "entry" ? .integer(from: 1) : .name
      self.init(name: name, place: "path", schema: schema, words: Self.parts[name] ?? "")
    }

    private init(name: String, place: String, schema: Schema, words: String) {
      (self.name, self.place, self.schema, self.words) = (name, place, schema, words)
    }

    private static let parts = [
      "device": "Alias, name, UUID or address.", "entry": "The number of the entry.",
      "name": "The name of the rule or programme.", "digest": "32 hexadecimal digits.",
      "kind": "plays, gaps, outages, adherence or share",
    ]

    var json: JSONValue {
      var members: [String: JSONValue] = [
        "name": .string(name), "in": .string(place), "schema": schema.json, "description": .string(words),
      ]
      if place == "path" { members["required"] = true }
      return .object(members)
    }
  }

  struct Answer {
    let status: Int
    let words: String
    /// By type.
    let content: [String: Schema]
    /// Whether it has the revision in `ETag`.
    var hasTag = false

    static func document(_ schema: Schema, hasTag: Bool = false) -> Answer {
      done(schema, hasTag: hasTag, "The document.")
    }

    static func done(_ schema: Schema, hasTag: Bool = false, _ words: String = "Done.") -> Answer {
      Answer(status: 200, words: words, content: ["application/json": schema], hasTag: hasTag)
    }

    static func made(_ schema: Schema, _ words: String) -> Answer {
      Answer(status: 201, words: words, content: ["application/json": schema])
    }

    static func content(_ content: [String: Schema], _ words: String) -> Answer {
      Answer(status: 200, words: words, content: content)
    }

    static func plain(_ status: Int, _ words: String) -> Answer {
      Answer(status: status, words: words, content: ["text/plain": .text])
    }

    static let begun = Answer(
      status: 202, words: "Begun; what becomes of it is an `outcome` event with this request.",
      content: ["application/json": .of(.accepted)])

    static let nothing = Answer(status: 204, words: "Done.", content: [:])

    var json: JSONValue {
      var members: [String: JSONValue] = ["description": .string(words)]
      if !content.isEmpty { members["content"] = .object(content.mapValues { ["schema": $0.json] }) }
      if hasTag {
        members["headers"] = ["ETag": ["description": "The revision.", "schema": Schema.text.json]]
      }
      return .object(members)
    }
  }
}
