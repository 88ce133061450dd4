package import CastProtocol
package import CastqText

/// Parses castq's own playlists in YAML or JSON: one grammar, described in `playlists/castq.schema.json`.
///
/// An invalid value is reported and ignored; an entry is dropped only when it names no media.
package struct NativePlaylistParser {
  let file: String
  let limits: PlaylistLimits
  let resolver: LocationResolver
  let types: ContentTypes
  let base: PlaylistBase
  var document: PlaylistDocument
  /// Issues that were reported already: `defaults` are read again with each entry.
  private var reported: Set<PlaylistIssue> = []
  private var isFull = false

  /// The text style that a mapping of another document describes, with the keys that lists have, and what is wrong with it.
  package static func style(_ node: DocumentNode, file: String) -> (
    style: MediaTextTrackStyle?, issues: [PlaylistIssue]
  ) {
    let limits = PlaylistLimits()
    var parser = NativePlaylistParser(
      file: file, limits: limits, resolver: LocationResolver(loader: NoFiles(), limits: limits),
      types: .standard, base: .directory("/", shown: ""), document: PlaylistDocument(limits: limits))
    let style = parser.style(node)
    return (style, parser.document.issues.complete)
  }

  /// A style names no files.
  private struct NoFiles: PlaylistLoader {
    let workingDirectory = "/"
    func kind(of path: String) -> PathKind { .missing }
    func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] { throw .failed("no files") }
    func list(_ directory: String) throws(PlaylistLoadError) -> [String] { [] }
    func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { [] }
  }

  /// - Parameters:
  ///   - file: the name for messages.
  ///   - format: `.json` or `.yaml`.
  ///   - base: the base of relative paths.
  static func parse(
    _ bytes: [UInt8], file: String, format: PlaylistFormat, base: PlaylistBase, resolver: LocationResolver,
    types: ContentTypes, limits: PlaylistLimits
  ) -> PlaylistDocument {
    var parser = NativePlaylistParser(
      file: file, limits: limits, resolver: resolver, types: types, base: base,
      document: PlaylistDocument(limits: limits))
    var documentLimits = DocumentLimits()
    documentLimits.errors = limits.issues
    documentLimits.bytes = min(documentLimits.bytes, limits.fileBytes)
    let read =
      format == .json
      ? JSONDocumentReader.read(bytes, limits: documentLimits)
      : YAMLReader.read(bytes, limits: documentLimits)
    for error in read.errors {
      parser.report(.error, DocumentPlace(line: error.line, column: error.column), error.value)
    }
    if let root = read.root {
      if JSPFParser.isOne(root) { return JSPFParser.parse(bytes, file: file, limits: limits) }
      parser.playlist(root)
    }
    return parser.document
  }

  /// False once the limit of issues is reached; then computing advice is not worth its time.
  var givesAdvice: Bool { reported.count < limits.issues }

  mutating func report(
    _ severity: PlaylistIssue.Severity, _ place: DocumentPlace, _ error: TextError,
    kind: PlaylistIssue.Kind = .content
  ) {
    let issue = PlaylistIssue(severity, kind, file: file, at: place, error)
    if givesAdvice {
      guard reported.insert(issue).inserted else { return }
    }
    document.issues.add(issue)
  }

  private mutating func playlist(_ root: DocumentNode) {
    if root.list != nil {
      document.items = entries(root, defaults: nil)
      return
    }
    guard root.mapping != nil else {
      report(
        .error, root.place,
        TextError(
          "the playlist is \(root.kindName)", hint: "write a mapping with `entries`, or a list of entries"))
      return
    }
    var defaults: DocumentNode?
    var list: DocumentNode?
    var fallback: DocumentNode?
    for (key, value) in fields(root, as: PlaylistKey.self) ?? [] {
      switch key {
      case .castq: version(value)
      case .name: document.name = text(value)
      case .repeat: document.repeatMode = word(value, of: QueueRepeat.allCases.map { ($0.rawValue, $0) })
      case .shuffle: document.isShuffled = flag(value)
      case .foreign: document.foreign = foreignOfList(value)
      case .defaults: defaults = value
      case .fallback: fallback = value
      case .entries: list = value
      }
    }
    if let defaults { check(defaults: defaults) }
    guard let list else {
      report(.error, root.place, TextError("the playlist has no `entries`"))
      return
    }
    document.items = entries(list, defaults: defaults?.mapping)
    if let fallback { self.fallback(fallback, defaults: defaults?.mapping) }
  }

  /// The name of another list, or inline entries.
  private mutating func fallback(_ node: DocumentNode, defaults: [DocumentMember]?) {
    let place = node.place
    if node.list != nil {
      document.fallback = .inline(
        entries(node, defaults: defaults), line: place.line, column: place.column)
    } else if node.mapping != nil {
      fail(node, "expected a fallback list, found a mapping", hint: "write a file, or a list of entries")
    } else if let name = string(node) {
      document.fallback = .named(Located(name, line: place.line, column: place.column))
    }
  }

  private mutating func version(_ node: DocumentNode) {
    guard node.scalar?.int == 1 else {
      report(
        .error, node.place,
        TextError("this version of the format is not supported", hint: "write castq: 1"))
      return
    }
  }

  private mutating func entries(_ node: DocumentNode, defaults: [DocumentMember]?) -> [PlaylistItem] {
    var items: [PlaylistItem] = []
    for node in list(node) ?? [] where !isFull {
      guard document.items.count + items.count < limits.entries else {
        report(
          .error, node.place,
          TextError("more than \(limits.entries) entries; this one and the rest were left out"), kind: .limit)
        isFull = true
        break
      }
      if let item = entry(node, defaults: defaults ?? []) { items.append(item) }
    }
    return items
  }

  /// Errors in the defaults are reported even if no entry uses them.
  private mutating func check(defaults node: DocumentNode) {
    for (key, value) in fields(node, as: EntryKey.self) ?? [] where EntryKey.places.contains(key) {
      report(
        .error, value.place, TextError("`\(key.rawValue)` is the place of one entry and cannot be a default"))
    }
    var rest = node
    rest.content = .mapping(
      (node.mapping ?? []).filter { member in !EntryKey.places.contains { $0.rawValue == member.key } })
    _ = attributes(of: rest.mapping ?? [], at: rest.place)
  }
}
