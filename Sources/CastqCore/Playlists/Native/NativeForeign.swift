import CastProtocol

/// What is meant for other players: read and written under one key.
extension NativePlaylistParser {
  mutating func foreign(_ node: DocumentNode) -> ForeignFields {
    var result = ForeignFields()
    for (key, value) in fields(node, as: ForeignKey.self) ?? [] {
      switch key {
      case .attributes: attributes(value, &result)
      case .lines: lines(value, &result)
      }
    }
    return result
  }

  private mutating func attributes(_ node: DocumentNode, _ result: inout ForeignFields) {
    guard let members = node.mapping else {
      fail(node, "expected attributes, found \(node.kindName)", hint: "write name: value")
      return
    }
    guard members.count <= ForeignFields.limit else {
      fail(node, "more than \(ForeignFields.limit) attributes")
      return
    }
    for member in members {
      guard ForeignFields.isName(member.key) else {
        report(
          .error, member.place,
          TextError("`\(TerminalText.excerpt(member.key))` is not the name of an attribute"))
        continue
      }
      if let text = text(member.value) { _ = result.add(attribute: member.key, text) }
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
    return .mapping(fields)
  }
}
