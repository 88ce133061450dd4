import CastProtocol
import CastqText

/// What is meant for other players: read and written under one key.
extension NativePlaylistParser {
  mutating func foreign(_ node: DocumentNode) -> ForeignFields {
    var result = ForeignFields()
    for (key, value) in fields(node, as: ForeignKey.self) ?? [] {
      switch key {
      case .attributes: for (name, text) in attributes(value) { _ = result.add(attribute: name, text) }
      case .list: for (name, text) in attributes(value) { _ = result.add(list: name, text) }
      case .lines: lines(value, &result)
      case .notes: notes(value, &result)
      }
    }
    return result
  }

  mutating func foreignOfList(_ node: DocumentNode) -> ForeignFields {
    var result = ForeignFields()
    for (key, value) in fields(node, as: ForeignListKey.self) ?? [] {
      switch key {
      case .attributes: for (name, text) in attributes(value) { _ = result.add(list: name, text) }
      case .notes: notes(value, &result, areOfList: true)
      }
    }
    return result
  }

  private mutating func attributes(_ node: DocumentNode) -> [(String, String)] {
    guard let members = node.mapping else {
      fail(node, "expected attributes, found \(node.kindName)", hint: "write name: value")
      return []
    }
    guard members.count <= ForeignFields.limit else {
      fail(node, "more than \(ForeignFields.limit) attributes")
      return []
    }
    var attributes: [(String, String)] = []
    for member in members {
      guard ForeignFields.isName(member.key) else {
        report(
          .error, member.place,
          TextError("`\(TerminalText.excerpt(member.key))` is not the name of an attribute"))
        continue
      }
      if let text = text(member.value) { attributes.append((member.key, text)) }
    }
    return attributes
  }

  /// - Parameter areOfList: whether all of them are about the whole list.
  private mutating func notes(
    _ node: DocumentNode, _ result: inout ForeignFields, areOfList: Bool = false
  ) {
    let nodes = list(node) ?? []
    guard nodes.count <= ForeignFields.limit else {
      fail(node, "more than \(ForeignFields.limit) notes")
      return
    }
    for node in nodes {
      guard let fields = fields(node, as: ForeignNoteKey.self) else { continue }
      var (kind, name, value, isOfList): (ForeignNote.Kind?, String?, String?, Bool) = (nil, nil, nil, false)
      for (key, field) in fields {
        switch key {
        case .kind: kind = word(field, of: ForeignNote.Kind.allCases.map { ($0.rawValue, $0) })
        case .name: name = string(field)
        case .value: value = string(field)
        case .list: isOfList = flag(field) ?? false
        }
      }
      let given = Set(fields.map(\.key))
      guard given.isSuperset(of: [.kind, .name, .value]) else {
        fail(node, "a note has no kind, name or value", hint: "write {kind: link, name: REL, value: ADDRESS}")
        continue
      }
      guard let kind, let name, let value else { continue }
      let note = ForeignNote(kind, name: name, value: value, isOfList: areOfList || isOfList)
      guard result.add(note: note) else {
        fail(node, "the note is too long")
        continue
      }
    }
  }

  private mutating func lines(_ node: DocumentNode, _ result: inout ForeignFields) {
    let nodes = list(node) ?? []
    guard nodes.count <= ForeignFields.limit else {
      fail(node, "more than \(ForeignFields.limit) lines")
      return
    }
    for node in nodes {
      guard let line = string(node) else { continue }
      guard line.unicodeScalars.count <= ForeignFields.textScalars, ForeignFields.isLine(line) else {
        fail(
          node, "\(shown(node)) is not a line that is kept",
          hint: "a line begins with \(ForeignFields.tags.joined(separator: ", ")) or |")
        continue
      }
      _ = result.add(line: line)
    }
  }
}

extension ForeignFields {
  /// What is about the whole list, in its place; nil when there is nothing.
  var listOutput: OutputNode? {
    if ofList.isEmpty { return nil }
    var fields = OutputMapping()
    if !list.isEmpty {
      var mapping = OutputMapping()
      for attribute in list { mapping[attribute.name] = attribute.value }
      fields.add(ForeignListKey.attributes.rawValue, .mapping(mapping))
    }
    fields.list(ForeignListKey.notes.rawValue, ofList.notes.map { $0.output(isInList: true) })
    return .mapping(fields)
  }

  /// Nil when there are none.
  var output: OutputNode? {
    if isEmpty { return nil }
    var fields = OutputMapping()
    if !attributes.isEmpty {
      var mapping = OutputMapping()
      for attribute in attributes { mapping[attribute.name] = attribute.value }
      fields.add(ForeignKey.attributes.rawValue, .mapping(mapping))
    }
    fields.list(ForeignKey.lines.rawValue, lines.map { .scalar(.string($0)) })
    if !list.isEmpty {
      var mapping = OutputMapping()
      for attribute in list { mapping[attribute.name] = attribute.value }
      fields.add(ForeignKey.list.rawValue, .mapping(mapping))
    }
    fields.list(ForeignKey.notes.rawValue, notes.map { $0.output() })
    return .mapping(fields)
  }
}

extension ForeignNote {
  /// - Parameter isInList: whether its place says that it is about the whole list.
  fileprivate func output(isInList: Bool = false) -> OutputNode {
    var mapping = OutputMapping()
    mapping[ForeignNoteKey.kind.rawValue] = kind.rawValue
    mapping[ForeignNoteKey.name.rawValue] = name
    mapping[ForeignNoteKey.value.rawValue] = value
    if isOfList, !isInList { mapping[ForeignNoteKey.list.rawValue] = true }
    return .mapping(mapping)
  }
}
