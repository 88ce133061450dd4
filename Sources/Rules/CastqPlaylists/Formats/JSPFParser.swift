import CastProtocol
import CastqText

/// Parses JSPF, the JSON form of XSPF: `{"playlist": {"title": …, "track": [{"location": ["…"], "title": …}]}}`.
///
/// Of several locations of a track the first that can be used counts. An invalid value is reported and ignored; a track without a location is dropped.
struct JSPFParser {
  private let file: String
  private let limits: PlaylistLimits
  private var document: PlaylistDocument

  /// - Parameter file: the name for messages.
  static func parse(_ bytes: [UInt8], file: String, limits: PlaylistLimits) -> PlaylistDocument {
    if let refused = PlaylistDocument.refusing(bytes, file: file, limits: limits) { return refused }
    var documentLimits = DocumentLimits()
    documentLimits.errors = limits.issues
    let read = JSONDocumentReader.read(bytes, limits: documentLimits)
    var parser = JSPFParser(file: file, limits: limits, document: PlaylistDocument(limits: limits))
    for error in read.errors {
      parser.report(.error, DocumentPlace(line: error.line, column: error.column), error.value)
    }
    if let root = read.root { parser.playlist(root) }
    return parser.document
  }

  /// Whether a JSON document is JSPF and not castq's own format: everything is in one member.
  static func isOne(_ root: DocumentNode) -> Bool {
    guard let members = root.mapping, members.count == 1 else { return false }
    return members[0].key == "playlist" && members[0].value.mapping != nil
  }

  private mutating func report(
    _ severity: PlaylistIssue.Severity, _ place: DocumentPlace, _ error: TextError,
    kind: PlaylistIssue.Kind = .content
  ) {
    document.issues.add(PlaylistIssue(severity, kind, file: file, at: place, error))
  }

  private mutating func playlist(_ root: DocumentNode) {
    guard let playlist = root.mapping?.first(where: { $0.key == "playlist" })?.value,
      let members = playlist.mapping
    else {
      return report(.error, root.place, TextError("no mapping `playlist`, which holds the tracks in JSPF"))
    }
    var tracks: DocumentNode?
    for member in members {
      switch member.key {
      case "title": document.name = text(member)
      case "track": tracks = member.value
      case "link", "meta", "extension": document.foreign = keep(member, isOfList: true, in: document.foreign)
      // What else a list says of itself has no meaning for a queue.
      default: break
      }
    }
    guard let tracks, let list = tracks.list else {
      return report(.error, (tracks ?? playlist).place, TextError("the playlist has no list `track`"))
    }
    for node in list {
      guard document.items.count < limits.entries else {
        return report(
          .error, node.place,
          TextError("more than \(limits.entries) entries; this one and the rest were left out"), kind: .limit)
      }
      if let item = track(node) { document.items.append(item) }
    }
  }

  private mutating func track(_ node: DocumentNode) -> PlaylistItem? {
    guard let members = node.mapping else {
      report(.error, node.place, TextError("the track is \(node.kindName)", hint: "write a mapping"))
      return nil
    }
    var locations: [Located<String>] = []
    var attributes = EntryAttributes()
    for member in members {
      switch member.key {
      case "location": locations = addresses(member.value)
      case "title": attributes.title = text(member)
      case "creator": attributes.artist = text(member)
      case "album": attributes.album = text(member)
      case "image": attributes.image = addresses(member.value).first
      case "annotation": attributes.subtitle = text(member)
      case "trackNum": attributes.trackNumber = number(member)
      case "duration": attributes.length = seconds(member)
      case "identifier", "info":
        if let text = addresses(member.value).first?.value,
          !attributes.foreign.add(attribute: member.key, text)
        {
          report(.warning, member.value.place, TextError("`\(member.key)` is not kept for export"))
        }
      case "link", "meta", "extension":
        attributes.foreign = keep(member, isOfList: false, in: attributes.foreign)
      default: break
      }
    }
    guard let first = locations.first else {
      report(.error, node.place, TextError("the track has no `location`, so it was left out"))
      return nil
    }
    var item = PlaylistItem(location: first, attributes: attributes)
    item.alternatives = Array(locations.dropFirst())
    return item
  }

  /// `[{"REL": "TEXT"}]` of links and metas, `{"APPLICATION": [ANYTHING]}` of extensions.
  /// - Returns: the fields with what of it could be kept.
  private mutating func keep(_ member: DocumentMember, isOfList: Bool, in fields: ForeignFields)
    -> ForeignFields
  {
    var foreign = fields
    let isExtension = member.key == "extension"
    var isKept = true
    for node in isExtension ? [member.value] : member.value.list ?? [member.value] {
      guard let fields = node.mapping else {
        isKept = isKept && node.scalar == .null
        continue
      }
      for field in fields {
        let kind: ForeignNote.Kind = isExtension ? .json : member.key == "link" ? .link : .meta
        let values =
          isExtension ? (field.value.list ?? [field.value]).map(\.json.text) : [field.value.string ?? ""]
        for value in values {
          let note = ForeignNote(kind, name: field.key, value: value, isOfList: isOfList)
          if !foreign.add(note: note) { isKept = false }
        }
      }
    }
    if !isKept {
      report(.warning, member.value.place, TextError("a part of `\(member.key)` is not kept for export"))
    }
    return foreign
  }

  // MARK: - Values

  /// A list of addresses. Some programs write one alone.
  private func addresses(_ node: DocumentNode) -> [Located<String>] {
    (node.list ?? [node]).prefix(limits.locations).compactMap { node in
      guard let text = node.string, !text.isEmpty else { return nil }
      return Located(text, line: node.place.line, column: node.place.column)
    }
  }

  /// A number of a track; nil for 0.
  private mutating func number(_ member: DocumentMember) -> Int? {
    if member.value.scalar == .null { return nil }
    let written = member.value.scalar?.int ?? member.value.string.flatMap(Int.init)
    guard let number = written, (0...1_000_000).contains(number) else {
      report(.warning, member.value.place, TextError("`\(member.key)` is not a number"))
      return nil
    }
    return number > 0 ? number : nil
  }

  private mutating func text(_ member: DocumentMember) -> String? {
    let value = member.value
    // A title may look like a number.
    var written = value.string
    if case .scalar(let scalar, let text) = value.content, scalar.double != nil { written = text }
    guard let string = written else {
      if value.scalar != .null {
        report(.warning, value.place, TextError("`\(member.key)` is \(value.kindName), not text"))
      }
      return nil
    }
    let text = EntryText(string, limit: limits.textScalars)
    if text.isCut {
      report(
        .warning, value.place,
        TextError("`\(member.key)` is longer than \(limits.textScalars) characters; it was cut"))
    }
    return text.value.isEmpty ? nil : text.value
  }

  /// The length, which is in milliseconds; nil for 0, which means that it is unknown.
  private mutating func seconds(_ member: DocumentMember) -> Double? {
    let milliseconds: Double? =
      switch member.value.scalar {
      case .integer(let number): Double(number)
      case .number(let number): number
      case .null: 0
      case .string(let text): DecimalText(text)?.value
      case .bool, .array, .object, nil: nil
      }
    guard let milliseconds, milliseconds >= 0, let seconds = NumberField.length.number(milliseconds / 1000)
    else {
      report(.warning, member.value.place, TextError("`duration` is not a number of milliseconds"))
      return nil
    }
    return seconds > 0 ? seconds : nil
  }
}
