import CastXML
import CastqText

/// Parses XSPF, the XML playlists of Xiph: `playlist`, `trackList`, `track` with `location`, `title` and more.
///
/// Of several locations of a track the first that can be used counts. An invalid value is reported and ignored; a track without a
/// location is dropped. Links, metas and extensions are kept for export; of VLC's extension the options are read. Elements of other
/// namespaces are passed over.
struct XSPFParser {
  /// The application of VLC's extension.
  static let player = "http://www.videolan.org/vlc/playlist/0"

  private let file: String
  private let limits: PlaylistLimits
  private var document: PlaylistDocument
  /// The open elements, outermost first.
  private var open: [Level] = []
  /// The namespace of the root: a list without one, or with a misspelt one, is read all the same.
  private var namespace: String?
  private var root: DocumentPlace?
  private var hasTracks = false
  private var isFull = false
  private var track = Track()
  /// The extension that is being read.
  private var fragment: XMLFragment?

  private struct Level {
    var role: Role
    var place: DocumentPlace
    var base: StatedBase
    /// The `rel` or `application`.
    var label = ""
    var text = ""
  }

  /// What an element is, by its name and by the one around it.
  private enum Role {
    case playlist, trackList, track, options, option, other
    /// A link, a meta or an extension, and whether it is about the whole list.
    case note(ForeignNote.Kind, isOfList: Bool)
    case field(Field)
    /// The title of the whole list.
    case name
  }

  private enum Field: String {
    case location, title, creator, album, annotation, image, duration, identifier, info
    case trackNumber = "trackNum"
  }

  private struct Track {
    var locations: [Located<String>] = []
    var attributes = EntryAttributes()
  }

  /// - Parameters:
  ///   - file: the name for messages.
  ///   - conversion: converts the bytes of a document that is not UTF-8.
  static func parse(
    _ bytes: [UInt8], file: String, limits: PlaylistLimits, conversion: @escaping PlaylistText.Conversion
  ) -> PlaylistDocument {
    var parser = XSPFParser(file: file, limits: limits, document: PlaylistDocument(limits: limits))
    let start = DocumentPlace(line: 1, column: 1)
    guard bytes.count <= limits.fileBytes else {
      parser.report(
        .error, start, TextError("the playlist is larger than \(limits.fileBytes) bytes"), kind: .limit)
      return parser.document
    }
    let text = XMLText(bytes, conversion: conversion)
    parser.document.set = text.set
    if let doubt = text.doubt { parser.report(.warning, start, doubt) }
    var reader = XMLReader(text.bytes)
    while !parser.isFull, let token = reader.next() {
      for issue in reader.takeIssues() { parser.report(issue.severity, issue.place.document, issue.error) }
      parser.handle(token)
    }
    for issue in reader.takeIssues() { parser.report(issue.severity, issue.place.document, issue.error) }
    if parser.root == nil {
      parser.report(.error, start, TextError("no element `playlist`, which holds the tracks in XSPF"))
    } else if let root = parser.root, parser.namespace != nil, !parser.hasTracks {
      parser.report(.error, root, TextError("the playlist has no `trackList`"))
    }
    return parser.document
  }

  private mutating func report(
    _ severity: PlaylistIssue.Severity, _ place: DocumentPlace, _ error: TextError,
    kind: PlaylistIssue.Kind = .content
  ) {
    document.issues.add(PlaylistIssue(severity, kind, file: file, at: place, error))
  }

  private mutating func handle(_ token: XMLToken) {
    switch token {
    case .start(let element): start(element)
    case .text(let text):
      fragment?.add(text)
      guard let last = open.last, open[open.count - 1].text.utf8.count <= limits.lineBytes else { return }
      switch last.role {
      case .field, .name, .option, .note: open[open.count - 1].text += text
      case .playlist, .trackList, .track, .options, .other: break
      }
    case .end:
      guard let level = open.popLast() else { return }
      if case .note = level.role {} else { fragment?.end() }
      end(level)
    }
  }

  // MARK: - Elements

  private mutating func start(_ element: XMLElement) {
    if root == nil { begin(element) }
    fragment?.start(element)
    let outer = open.last
    var base = outer?.base ?? StatedBase()
    if let stated = element.attribute("xml:base") { base = base.inner(Self.trimmed(stated)) }
    let role = role(of: element, within: outer?.role)
    open.append(Level(role: role, place: element.place.document, base: base))
    switch role {
    case .trackList: hasTracks = true
    case .track:
      track = Track()
      guard document.items.count < limits.entries else {
        isFull = true
        return report(
          .error, element.place.document,
          TextError("more than \(limits.entries) entries; this one and the rest were left out"), kind: .limit)
      }
    case .note(let kind, _):
      open[open.count - 1].label = element.attribute(kind == .xml ? "application" : "rel") ?? ""
      if kind == .xml { fragment = XMLFragment() }
    case .playlist, .field, .name, .options, .option, .other: break
    }
  }

  /// The outermost element tells other documents apart.
  private mutating func begin(_ element: XMLElement) {
    root = element.place.document
    if element.name == "playlist" {
      namespace = element.namespace ?? ""
    } else if element.name == "MPD" {
      report(
        .error, element.place.document,
        TextError("a DASH manifest, which is media and not a list", hint: "name its file or address instead"))
    } else {
      report(
        .error, element.place.document,
        TextError("the document is `\(TerminalText.excerpt(element.name))`, and not an XSPF `playlist`"))
    }
  }

  private func role(of element: XMLElement, within outer: Role?) -> Role {
    if case .options = outer { return element.name == "option" ? .option : .other }
    guard element.namespace == namespace || (open.isEmpty && namespace != nil) else { return .other }
    switch outer {
    case nil: return element.name == "playlist" ? .playlist : .other
    case .playlist where element.name == "trackList": return .trackList
    case .playlist where element.name == "title": return .name
    case .playlist: return Self.note(element, isOfList: true) ?? .other
    case .trackList: return element.name == "track" ? .track : .other
    case .track:
      let isOfPlayer = element.name == "extension" && element.attribute("application") == Self.player
      if isOfPlayer { return .options }
      return Field(rawValue: element.name).map(Role.field) ?? Self.note(element, isOfList: false) ?? .other
    case .field, .name, .options, .option, .note, .other: return .other
    }
  }

  /// VLC's extension of the whole list is the tree of its window.
  private static func note(_ element: XMLElement, isOfList: Bool) -> Role? {
    switch element.name {
    case "link": .note(.link, isOfList: isOfList)
    case "meta": .note(.meta, isOfList: isOfList)
    case "extension" where element.attribute("application") != player: .note(.xml, isOfList: isOfList)
    default: nil
    }
  }

  private mutating func end(_ level: Level) {
    switch level.role {
    case .playlist, .trackList, .options, .other: break
    case .option: option(level)
    case .note(let kind, let isOfList): keep(kind, level, isOfList: isOfList)
    case .name: document.name = document.name ?? text(level, "title")
    case .field(let field): set(field, level)
    case .track:
      guard let first = track.locations.first else {
        return report(
          .error, level.place, TextError("the track has no `location`, so it was left out"))
      }
      var item = PlaylistItem(location: first, attributes: track.attributes)
      item.alternatives = Array(track.locations.dropFirst())
      document.items.append(item)
    }
  }

  // MARK: - Values

  private static func trimmed(_ text: String) -> String {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let utf8 = text.utf8
    guard let start = utf8.firstIndex(where: { !isSpace($0) }),
      let end = utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(text[start...end])
  }

  /// An address, with the stated base; nil when it is empty.
  private func address(_ level: Level) -> Located<String>? {
    let reference = Self.trimmed(level.text)
    guard !reference.isEmpty else { return nil }
    return Located(level.base.resolving(reference), line: level.place.line, column: level.place.column)
  }

  private mutating func option(_ level: Level) {
    let (line, column) = (level.place.line, level.place.column)
    do {
      let isOwn = try PlayerOption.apply(
        Self.trimmed(level.text), line: line, column: column, to: &track.attributes)
      if !isOwn, !track.attributes.foreign.add(line: "#EXTVLCOPT:" + Self.trimmed(level.text)) {
        report(.warning, level.place, TextError("the option is not kept for export"))
      }
    } catch {
      report(.warning, level.place, error)
    }
  }

  private mutating func keep(_ kind: ForeignNote.Kind, _ level: Level, isOfList: Bool) {
    var (value, isWhole) = (Self.trimmed(level.text), true)
    if let fragment, kind == .xml {
      (value, isWhole) = (Self.trimmed(fragment.text), !fragment.isIncomplete)
      self.fragment = nil
    }
    // An empty one says nothing.
    if value.isEmpty && isWhole { return }
    let note = ForeignNote(kind, name: level.label, value: value, isOfList: isOfList)
    let isKept =
      isWhole && (isOfList ? document.foreign.add(note: note) : track.attributes.foreign.add(note: note))
    if !isKept {
      let name = kind == .xml ? "extension" : kind.rawValue
      report(.warning, level.place, TextError("`\(name)` is not kept for export"))
    }
  }

  private mutating func set(_ field: Field, _ level: Level) {
    switch field {
    case .location:
      guard let location = address(level), track.locations.count < limits.locations else { return }
      track.locations.append(location)
    case .image: track.attributes.image = track.attributes.image ?? address(level)
    case .title: track.attributes.title = text(level, field.rawValue)
    case .creator: track.attributes.artist = text(level, field.rawValue)
    case .album: track.attributes.album = text(level, field.rawValue)
    case .annotation: track.attributes.subtitle = text(level, field.rawValue)
    case .identifier, .info:
      if !track.attributes.foreign.add(attribute: field.rawValue, Self.trimmed(level.text)) {
        report(.warning, level.place, TextError("`\(field.rawValue)` is not kept for export"))
      }
    case .duration:
      let value = Self.trimmed(level.text)
      if value.isEmpty { return }
      guard let milliseconds = DecimalText(value)?.value else {
        return report(.warning, level.place, TextError("`duration` is not a number of milliseconds"))
      }
      track.attributes.length = milliseconds > 0 ? milliseconds / 1000 : nil
    case .trackNumber:
      let value = Self.trimmed(level.text)
      if value.isEmpty || value == "0" { return }
      guard let number = DecimalText(value), !number.hasPoint, number.value <= 1_000_000 else {
        return report(.warning, level.place, TextError("`trackNum` is not a number"))
      }
      track.attributes.trackNumber = Int(number.value)
    }
  }

  private mutating func text(_ level: Level, _ name: String) -> String? {
    let text = EntryText(level.text, limit: limits.textScalars)
    if text.isCut {
      report(
        .warning, level.place,
        TextError("`\(name)` is longer than \(limits.textScalars) characters; it was cut"))
    }
    return text.value.isEmpty ? nil : text.value
  }
}
