package import CastProtocol

/// What a list says to other players of an entry or of itself, such as the guide's identifier of a channel: castq has no use for it,
/// keeps it, and gives it back on export.
///
/// Bounded in number and length; text is sanitised, and a line is never a directive or an address.
package struct ForeignFields: Sendable, Hashable {
  package struct Attribute: Sendable, Hashable {
    /// In small letters.
    package let name: String
    package let value: String
  }

  /// Attributes of `#EXTINF`, and `identifier` and `info` of XSPF, in the order of the list; each name once.
  package private(set) var attributes: [Attribute] = []
  /// Whole lines that begin with one of `tags`, in order; or `|` and the headers that Kodi's lists write behind an address.
  package private(set) var lines: [String] = []
  /// Attributes of `#EXTM3U`, which are about the whole list.
  package private(set) var list: [Attribute] = []
  package private(set) var notes: [ForeignNote] = []

  package init() {}

  /// Most of each.
  static let limit = 32
  /// Unicode scalars of a value or a line.
  static let textScalars = 1000
  static let nameBytes = 64
  static let tags = ["#EXTVLCOPT:", "#KODIPROP:", "#EXTHTTP:", "#WEBPROP:", "#EXTBYT:"]
  /// What begins headers behind an address.
  static let headers = "|"

  package var isEmpty: Bool { attributes.isEmpty && lines.isEmpty && list.isEmpty && notes.isEmpty }

  func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Whether an attribute may have this name: ASCII without blanks, quotes, commas and `=`.
  static func isName(_ name: String) -> Bool {
    (1...nameBytes).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"=,".utf8.contains($0) }
  }

  static func isLine(_ line: String) -> Bool {
    (tags + [headers]).contains { line.utf8.starts(with: $0.utf8) }
  }

  /// Adds an attribute, or nothing when it has no value or its name is there.
  /// - Returns: false when it does not fit into the limits.
  mutating func add(attribute name: String, _ value: String) -> Bool {
    Self.add(name, value, to: &attributes)
  }

  /// Adds an attribute of the whole list, or nothing when it has no value or its name is there.
  /// - Returns: false when it does not fit into the limits.
  mutating func add(list name: String, _ value: String) -> Bool { Self.add(name, value, to: &list) }

  private static func add(_ name: String, _ value: String, to attributes: inout [Attribute]) -> Bool {
    let text = EntryText(value, limit: textScalars)
    guard !text.value.isEmpty, !attributes.contains(where: { $0.name == name }) else { return true }
    guard isName(name), !text.isCut, attributes.count < limit else { return false }
    attributes.append(Attribute(name: name, value: text.value))
    return true
  }

  /// Adds a note, or nothing when it is there.
  /// - Returns: false when it is empty or does not fit into the limits.
  mutating func add(note: ForeignNote) -> Bool {
    guard let note = note.bounded else { return false }
    if notes.contains(note) { return true }
    guard notes.count < Self.limit else { return false }
    notes.append(note)
    return true
  }

  /// Adds a line.
  /// - Returns: false when it is none that is kept, or does not fit into the limits.
  mutating func add(line: String) -> Bool {
    let text = EntryText(line, limit: Self.textScalars)
    guard Self.isLine(text.value), !text.isCut, lines.count < Self.limit else { return false }
    lines.append(text.value)
    return true
  }

  /// What of it is about the whole list.
  package var ofList: ForeignFields {
    var result = ForeignFields()
    result.list = list
    result.notes = notes.filter(\.isOfList)
    return result
  }

  /// What of it is about an entry.
  package var ofEntry: ForeignFields {
    var result = self
    result.list = []
    result.notes.removeAll(where: \.isOfList)
    return result
  }

  /// These fields, and the other ones as far as they fit.
  package func joined(with other: ForeignFields) -> ForeignFields {
    if other.isEmpty { return self }
    if isEmpty { return other }
    var result = self
    for attribute in other.attributes { _ = result.add(attribute: attribute.name, attribute.value) }
    for line in other.lines { _ = result.add(line: line) }
    for attribute in other.list { _ = result.add(list: attribute.name, attribute.value) }
    for note in other.notes { _ = result.add(note: note) }
    return result
  }
}

extension ForeignFields {
  /// As an object, with the attributes as pairs.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "attributes": Self.pairs(attributes), "lines": .array(lines.map(JSONValue.string)),
    ]
    if !list.isEmpty { members["list"] = Self.pairs(list) }
    if !notes.isEmpty {
      members["notes"] = .array(
        notes.map {
          [
            "kind": .string($0.kind.rawValue), "name": .string($0.name), "value": .string($0.value),
            "list": .bool($0.isOfList),
          ]
        })
    }
    return .object(members)
  }

  private static func pairs(_ attributes: [Attribute]) -> JSONValue {
    .array(attributes.map { [.string($0.name), .string($0.value)] })
  }

  /// Nil when it is not what `json` writes.
  package init?(json: JSONValue) {
    guard let pairs = json["attributes"]?.array, let lines = json["lines"].list(\.string) else { return nil }
    for pair in pairs {
      guard let words = Optional(pair).list(\.string), words.count == 2, add(attribute: words[0], words[1])
      else {
        return nil
      }
    }
    for line in lines { guard add(line: line) else { return nil } }
    for pair in json["list"]?.array ?? [] {
      guard let words = Optional(pair).list(\.string), words.count == 2, add(list: words[0], words[1]) else {
        return nil
      }
    }
    for note in json["notes"]?.array ?? [] {
      guard let kind = note["kind"]?.string.flatMap(ForeignNote.Kind.init), let name = note["name"]?.string,
        let value = note["value"]?.string,
        add(note: ForeignNote(kind, name: name, value: value, isOfList: note["list"]?.bool ?? false))
      else { return nil }
    }
  }
}
