import CastProtocol

/// Resolves sources (media files, playlists, directories, addresses, `-`) to entries.
package struct PlaylistReader {
  let loader: any PlaylistLoader
  let limits: PlaylistLimits
  let types: ContentTypes

  package init(
    loader: any PlaylistLoader, limits: PlaylistLimits = PlaylistLimits(), types: ContentTypes = .standard
  ) {
    self.loader = loader
    self.limits = limits
    self.types = types
  }

  /// Reads all sources in order. Never fails as a whole: unusable sources and lines become issues.
  /// - Parameters:
  ///   - sources: as the user wrote them.
  ///   - format: the format of standard input and of files without a known extension; nil to detect it from the first bytes.
  package func read(_ sources: [String], format: PlaylistFormat? = nil) -> ParsedPlaylist {
    var reading = PlaylistReading(reader: self, format: format)
    for source in sources { reading.include(source: source) }
    return ParsedPlaylist(playlist: reading.playlist, issues: reading.log.complete)
  }
}

/// The state of one call of the reader: the entries so far, and the counts for the limits.
struct PlaylistReading {
  let reader: PlaylistReader
  let format: PlaylistFormat?
  let resolver: LocationResolver
  var playlist = Playlist()
  var log: IssueLog
  /// The lists being read, outermost first, by canonical path or address.
  private var open: [(key: String, shown: String)] = []
  private var documents = 0
  private var bytes = 0
  private var fetches = 0
  private var candidates = 0
  private var isFull: Bool { candidates > limits.entries }

  var limits: PlaylistLimits { reader.limits }

  init(reader: PlaylistReader, format: PlaylistFormat?) {
    self.reader = reader
    self.format = format
    resolver = LocationResolver(loader: reader.loader, limits: reader.limits)
    log = IssueLog(limit: reader.limits.issues)
  }

  /// Where something is named, for messages and as `source` of entries.
  struct Place {
    /// The list, or the source itself.
    var file: String
    /// Nil for a source, which no list names.
    var line: Int?
    var column = 1
  }

  mutating func report(
    _ severity: PlaylistIssue.Severity, _ kind: PlaylistIssue.Kind, at place: Place, _ error: TextError
  ) {
    log.add(
      PlaylistIssue(
        severity, kind, file: place.file, line: place.line ?? 1, column: place.column, message: error.message,
        hint: error.hint))
  }

  mutating func include(source: String) {
    let place = Place(file: source)
    if source == "-" {
      includeStandardInput(at: place)
      return
    }
    let base = PlaylistBase.directory(reader.loader.workingDirectory, shown: "")
    do {
      let location = try resolver.resolve(source, base: base)
      include(location, item: nil, base: base, at: place)
    } catch {
      report(.error, .content, at: place, error)
    }
  }

  private mutating func includeStandardInput(at place: Place) {
    do {
      let bytes = try reader.loader.readStandardInput(limit: limits.fileBytes)
      guard let format = format ?? PlaylistFormat(sniffing: bytes) else {
        report(
          .error, .content, at: place,
          TextError("the format of standard input is unknown", hint: "name it with --format m3u"))
        return
      }
      let base = PlaylistBase.directory(reader.loader.workingDirectory, shown: "")
      let content = Content(bytes: bytes, format: format, shown: "-", base: base)
      if include(content, key: "-", item: nil, at: place) == .isMedia {
        report(
          .error, .content, at: place,
          TextError(
            "an HLS playlist on standard input has no address", hint: "name its file or address instead"))
      }
    } catch {
      report(.error, .unreadable, at: place, TextError("cannot read standard input: \(error.message)"))
    }
  }

  /// Includes what a source or a line of a list names.
  /// - Parameters:
  ///   - item: the line; nil for a source.
  ///   - base: the base of relative references in the item.
  private mutating func include(
    _ location: FoundLocation, item: PlaylistItem?, base: PlaylistBase, at place: Place
  ) {
    // A given content type means media, whatever the name looks like.
    let isDeclaredMedia = item?.attributes.contentType != nil
    switch location {
    case .missing(let error):
      report(.error, item == nil ? .missingSource : .content, at: place, error)
    case .directory(let path, let shown):
      reportIdleDirectives(item, at: place)
      includeDirectory(path, shown: item == nil ? place.file : shown, at: place)
    case .media(.file(let path, let shown)):
      let name = item == nil ? place.file : shown
      if !isDeclaredMedia, let format = listFormat(ofFile: path, item: item) {
        includeFile(path, shown: name, format: format, item: item, base: base, at: place)
      } else {
        append(item, at: .file(path, shown: name), base: base, place: place)
      }
    case .media(.address(let address)):
      let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: address.path))
      // In a list, an address that ends in .m3u8 is a stream: fetching each address of a list of thousands of channels would
      // take hours. A source given by the user is fetched.
      let isStream = item != nil && format == .m3u8
      if !isDeclaredMedia, !isStream, let format {
        includeAddress(address, format: format, item: item, base: base, at: place)
      } else {
        append(item, at: .address(address), base: base, place: place)
      }
    }
  }

  private mutating func reportIdleDirectives(_ item: PlaylistItem?, at place: Place) {
    guard let item, item.hasDirectives else { return }
    report(
      .warning, .content, at: place,
      item.native == nil
        ? TextError("#CASTQ applies to one entry, not to a list", hint: "put it into the list")
        : TextError("the settings of this entry do not apply to a list", hint: "put them into the list"))
  }

  /// The format if the file is a list. A source without a known extension is a list of the format that the user gave.
  private func listFormat(ofFile path: String, item: PlaylistItem?) -> PlaylistFormat? {
    if let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: path)) { return format }
    return item == nil && reader.types.type(path: path) == nil ? format : nil
  }

  private mutating func includeFile(
    _ path: String, shown: String, format: PlaylistFormat, item: PlaylistItem?, base: PlaylistBase,
    at place: Place
  ) {
    let key = reader.loader.canonicalPath(path)
    guard mayRead(key: key, shown: shown, format: format, at: place) else { return }
    do {
      let bytes = try reader.loader.read(path, limit: limits.fileBytes)
      let directory = PlaylistBase.directory(
        FilePath.directory(of: path), shown: FilePath.directory(of: shown))
      let content = Content(bytes: bytes, format: format, shown: shown, base: directory)
      if include(content, key: key, item: item, at: place) == .isMedia {
        append(item, at: .file(path, shown: shown), knownType: ContentTypes.hls, base: base, place: place)
      }
    } catch {
      report(
        .error, .unreadable, at: place,
        TextError("cannot read \(TerminalText.excerpt(shown, limit: 200)): \(error.message)"))
    }
  }

  private mutating func includeAddress(
    _ address: WebAddress, format: PlaylistFormat, item: PlaylistItem?, base: PlaylistBase, at place: Place
  ) {
    guard mayRead(key: address.text, shown: address.text, format: format, at: place) else { return }
    guard fetches < limits.fetches else {
      report(
        .error, .limit, at: place, TextError("more than \(limits.fetches) playlists to fetch")
      )
      return
    }
    fetches += 1
    do {
      let fetched = try reader.loader.fetch(address.text, limit: limits.fileBytes)
      if let type = fetched.mediaType {
        append(item, at: .address(address), knownType: type, base: base, place: place)
        return
      }
      let final = (try? WebAddress(fetched.address)) ?? address
      let content = Content(bytes: fetched.bytes, format: format, shown: address.text, base: .address(final))
      if include(content, key: address.text, item: item, at: place) == .isMedia {
        append(item, at: .address(address), knownType: ContentTypes.hls, base: base, place: place)
      }
    } catch PlaylistLoadError.failed(let reason) where format == .m3u8 {
      // The device may reach the address; such a name is a stream far more often than a list.
      report(
        .warning, .unreadable, at: place,
        TextError("cannot be read, so an HLS stream is assumed: \(reason)"))
      append(item, at: .address(address), knownType: ContentTypes.hls, base: base, place: place)
    } catch {
      report(
        .error, .unreadable, at: place,
        TextError("cannot fetch \(TerminalText.excerpt(address.text, limit: 200)): \(error.message)"))
    }
  }

  /// Whether another list may be opened here; reports why not.
  private mutating func mayRead(key: String, shown: String, format: PlaylistFormat, at place: Place) -> Bool {
    guard format.isSupported else {
      report(.error, .unsupportedFormat, at: place, format.unsupportedMessage)
      return false
    }
    if let first = open.firstIndex(where: { $0.key == key }) {
      let way = (open[first...].map(\.shown) + [shown]).map { TerminalText.excerpt($0) }
      report(
        .error, .content, at: place,
        TextError("the playlist includes itself: \(way.joined(separator: " → "))"))
      return false
    }
    guard open.count < limits.depth else {
      report(.error, .limit, at: place, TextError("playlists are nested more than \(limits.depth) deep"))
      return false
    }
    return mayOpenDocument(at: place)
  }

  /// Counts a list or a directory against the limits of one call.
  mutating func mayOpenDocument(at place: Place) -> Bool {
    guard documents < limits.documents else {
      report(
        .error, .limit, at: place,
        TextError("more than \(limits.documents) playlists and directories in one call"))
      return false
    }
    documents += 1
    return true
  }

  struct Content {
    var bytes: [UInt8]
    var format: PlaylistFormat
    var shown: String
    var base: PlaylistBase
  }

  private enum Inclusion {
    case done
    /// It is an HLS playlist, which is media.
    case isMedia
  }

  private mutating func include(_ content: Content, key: String, item: PlaylistItem?, at place: Place)
    -> Inclusion
  {
    guard content.format.isSupported else {
      report(.error, .unsupportedFormat, at: place, content.format.unsupportedMessage)
      return .done
    }
    bytes += content.bytes.count
    guard bytes <= limits.totalBytes else {
      report(
        .error, .limit, at: place,
        TextError("the playlists are larger than \(limits.totalBytes) bytes in total"))
      return .done
    }
    let document =
      content.format.isNative
      ? NativePlaylistParser.parse(
        content.bytes, file: content.shown, format: content.format, base: content.base, resolver: resolver,
        types: reader.types, limits: limits)
      : M3UParser.parse(content.bytes, file: content.shown, format: content.format, limits: limits)
    guard !document.isStreamManifest else { return .isMedia }
    reportIdleDirectives(item, at: place)
    var waiting = document.issues.byLine[...]
    if open.isEmpty { adoptSettings(of: document) }
    open.append((key, content.shown))
    for item in document.items {
      // Issues are reported in the order of lines, whichever step found them.
      while let line = waiting.first?.line, line <= item.location.line { log.add(waiting.removeFirst()) }
      let place = Place(file: content.shown, line: item.location.line, column: item.location.column)
      guard admitCandidate(at: place) else { break }
      include(item, of: content, at: place)
    }
    for issue in waiting { log.add(issue) }
    log.addUnlisted(of: document.issues)
    if open.count == 1, playlist.fallback == nil, let fallback = document.fallback {
      readFallback(fallback, of: content)
    }
    open.removeLast()
    return .done
  }

  /// Counts a line or a file that may become an entry. Unusable ones count too, because checking them costs time.
  mutating func admitCandidate(at place: Place) -> Bool {
    guard !isFull else { return false }
    candidates += 1
    guard isFull else { return true }
    report(
      .error, .limit, at: place,
      TextError("more than \(limits.entries) entries; this one and the rest were left out"))
    return false
  }

  mutating func include(_ item: PlaylistItem, of content: Content, at place: Place) {
    if let native = item.native, native.isPlacedByName {
      append(item, at: nil, base: content.base, place: place)
      return
    }
    do {
      let location = try resolver.resolve(item.location.value, base: content.base)
      include(location, item: item, base: content.base, at: place)
    } catch {
      var exact = place
      exact.column += error.offset
      report(.error, .content, at: exact, error)
    }
  }

  /// The outermost list decides the settings of the queue; of several, the first that has a value.
  private mutating func adoptSettings(of document: PlaylistDocument) {
    playlist.name = playlist.name ?? document.name
    playlist.repeatMode = playlist.repeatMode ?? document.repeatMode
    playlist.isShuffled = playlist.isShuffled ?? document.isShuffled
  }

  mutating func append(
    _ item: PlaylistItem?, at location: MediaLocation?, knownType: String? = nil, base: PlaylistBase,
    place: Place
  ) {
    let plain = PlaylistItem(
      location: Located(place.file, line: place.line ?? 1, column: place.column),
      attributes: EntryAttributes())
    var builder = EntryBuilder(resolver: resolver, types: reader.types, file: place.file, base: base)
    let source = SourceLocation(file: place.file, line: place.line)
    let entry: EntryDraft?
    if let item, let native = item.native {
      entry = builder.entry(native, of: item, at: location, knownType: knownType, source: source)
    } else {
      entry = location.flatMap { builder.entry(item ?? plain, at: $0, knownType: knownType, source: source) }
    }
    for issue in builder.issues { log.add(issue) }
    if var entry {
      if entry.media.hidesSubtitles {
        report(
          .warning, .content, at: place,
          TextError(
            "receivers show no subtitles of a film that has ad breaks",
            hint: "play the ads as entries of their own, before and after it"))
      }
      entry.origin = base.origin
      playlist.drafts.append(entry)
    }
  }
}

extension MediaInformation {
  /// Whether its subtitles are never shown: the framework drops them with breaks that it plays itself.
  fileprivate var hidesSubtitles: Bool {
    let hasBreaks = adBreaks.contains { !$0.isEmbedded } || vmapAdsRequest != nil
    return hasBreaks && mediaTracks.contains { $0.kind == .text }
  }
}
