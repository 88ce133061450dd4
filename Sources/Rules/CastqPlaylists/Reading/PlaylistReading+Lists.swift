import CastGuard
import CastProtocol
import CastqText

/// A list that is being read.
struct OpenList {
  /// Its canonical path or address, by which a list that includes itself is recognised.
  var key: String
  var content: PlaylistReading.Content
  var items: ArraySlice<PlaylistItem>
  /// Issues of its parser that are not reported yet: they come in the order of lines, whichever step found them.
  var issues: ArraySlice<PlaylistIssue>
  let document: PlaylistDocument
  /// What a fallback list says of itself to other players, until an entry of it carries that: it is no list of its own.
  var foreign = ForeignFields()
  /// What was said of its names.
  var saidRules: Set<NameSearch.Rule> = []
  /// Whether it was said that its pages are not asked for.
  var saidPages = false
  /// Its fallback list, once that is being read.
  var fallback: OpenFallback?
  /// What is read in place of items where it is a folder.
  var folder: OpenFolder?

  init(_ folder: OpenFolder, key: String, shown: String, limits: PlaylistLimits) {
    self.init(
      PlaylistDocument(limits: limits), key: key,
      content: PlaylistReading.Content(
        bytes: [], format: .m3u, shown: shown, base: .directory(key, shown: shown), origin: .owner))
    self.folder = folder
  }

  init(_ document: PlaylistDocument, key: String, content: PlaylistReading.Content) {
    self.document = document
    self.key = key
    self.content = content
    items = document.items[...]
    issues = document.issues.byLine[...]
  }
}

/// The lists that contain entries: each is read item by item, and the lists it names in between.
extension PlaylistReading {
  struct Content {
    var bytes: [UInt8]
    var format: PlaylistFormat
    var shown: String
    var base: PlaylistBase
    /// Whose words it is made of.
    var origin: FetchOrigin
    /// The character set that its server names.
    var declaredSet: CharacterSet?
  }

  enum Inclusion {
    /// It is open now, or was refused.
    case done
    /// It is an HLS playlist, which is media.
    case isMedia
  }

  /// Opens a list. The outermost one decides the settings of the queue.
  mutating func include(
    _ content: Content, key: String, item: PlaylistItem?, at place: Place
  ) -> Inclusion {
    guard admitBytes(content.bytes.count, at: place) else { return .done }
    let document = parse(content)
    guard !document.isStreamManifest else { return .isMedia }
    reportIdleDirectives(item, at: place)
    if open.isEmpty { adoptSettings(of: document) }
    var list = OpenList(document, key: key, content: content)
    if isInFallback {
      list.foreign = document.foreign
    } else {
      playlist.foreign = playlist.foreign.joined(with: document.foreign)
    }
    open.append(list)
    reportNames(at: Place(file: content.shown))
    return .done
  }

  /// Whether what is read now is for the fallback list.
  var isInFallback: Bool { open.contains { $0.fallback != nil } }

  private func parse(_ content: Content) -> PlaylistDocument {
    let loader = reader.loader
    let conversion: PlaylistText.Conversion = { loader.text($0, in: $1) }
    // What XML declares, its reader knows.
    if content.format == .xspf {
      return XSPFParser.parse(content.bytes, file: content.shown, limits: limits, conversion: conversion)
    }
    let text = PlaylistText(
      content.bytes, declared: PlaylistText.declared(in: content.bytes) ?? content.declaredSet,
      keepsDamage: content.format == .m3u8, files: namedFiles(content), conversion: conversion)
    let set = text.foreign.flatMap { $0.isUnicode ? nil : $0 }
    var document = parse(text.bytes, of: content, in: set)
    document.set = set
    // Of the others the format says that they are UTF-8.
    if let set, ![.m3u, .pls].contains(content.format) {
      let words = "the list is not UTF-8; it was read as \(set.rawValue)"
      document.issues.add(
        PlaylistIssue(
          .warning, .content, file: content.shown, line: 1, column: 1, message: words,
          hint: "save it as UTF-8"))
    }
    return document
  }

  /// Nil for a list of the web, and for formats in which a line is no name.
  private func namedFiles(_ content: Content) -> PlaylistText.FileSearch? {
    guard case .directory(let directory, _) = content.base, [.m3u, .m3u8, .pls].contains(content.format)
    else { return nil }
    let files = NamedFiles(loader: reader.loader, directory: directory, format: content.format)
    return { files.set($0, of: $1) }
  }

  private func parse(_ bytes: [UInt8], of content: Content, in set: CharacterSet?) -> PlaylistDocument {
    switch content.format {
    case .json, .yaml:
      NativePlaylistParser.parse(
        bytes, file: content.shown, format: content.format, base: content.base,
        resolver: resolver(set: set, isOfList: true),
        types: reader.types, limits: limits)
    case .pls: PLSParser.parse(bytes, file: content.shown, limits: limits)
    case .jspf: JSPFParser.parse(bytes, file: content.shown, limits: limits)
    case .xspf: XSPFParser.parse(bytes, file: content.shown, limits: limits, conversion: { _, _ in nil })
    case .m3u, .m3u8:
      M3UParser.parse(bytes, file: content.shown, limits: limits)
    }
  }

  /// Reads the next item of the innermost list, or closes the list.
  mutating func readNextItem() {
    guard let list = open.last, list.fallback == nil else { return readNextFallbackItem() }
    guard list.folder == nil else { return readNextFile() }
    guard let item = list.items.first else { return finishItems() }
    let last = open.count - 1
    open[last].items.removeFirst()
    while let line = open[last].issues.first?.line, line <= item.location.line {
      log.add(open[last].issues.removeFirst())
    }
    let place = Place(file: list.content.shown, line: item.location.line, column: item.location.column)
    guard admitCandidate(at: place) else {
      open[last].items = []
      return
    }
    include(item, of: list.content, at: place)
  }

  private mutating func finishItems() {
    guard let list = open.last else { return }
    for issue in list.issues { log.add(issue) }
    log.addUnlisted(of: list.document.issues)
    guard open.count == 1, playlist.fallback == nil, let fallback = list.document.fallback else {
      open.removeLast()
      return
    }
    beginFallback(fallback, of: list.content)
  }

  /// Of several outermost lists, the first that has a value decides.
  private mutating func adoptSettings(of document: PlaylistDocument) {
    playlist.name = playlist.name ?? document.name
    playlist.repeatMode = playlist.repeatMode ?? document.repeatMode
    playlist.isShuffled = playlist.isShuffled ?? document.isShuffled
  }
}
