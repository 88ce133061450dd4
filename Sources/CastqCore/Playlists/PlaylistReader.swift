import CastProtocol

/// Turns what a user names (media files, playlists, directories, addresses, `-`) into entries.
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

  /// Reads all sources in order. Never fails as a whole: what cannot be used is an issue.
  /// - Parameters:
  ///   - sources: as the user wrote them.
  ///   - format: the format of standard input and of files whose name does not tell; nil to look at the first bytes.
  package func read(_ sources: [String], format: PlaylistFormat? = nil) -> ParsedPlaylist {
    var reading = PlaylistReading(reader: self, format: format)
    for source in sources { reading.include(source: source) }
    return ParsedPlaylist(playlist: reading.playlist, issues: reading.log.complete)
  }
}

/// One call of the reader: what has been read so far, and how much more may be.
struct PlaylistReading {
  let reader: PlaylistReader
  let format: PlaylistFormat?
  let resolver: LocationResolver
  var playlist = Playlist()
  var log: IssueLog
  /// The lists that are being read, from the outermost, by canonical path or address.
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

  /// Where something is named: for messages, and as `source` of entries.
  struct Place {
    /// The list, or the source itself.
    var file: String
    /// Nil for a source, which is written in no list.
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
          TextError("the format of standard input cannot be told", hint: "name it with --format m3u"))
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

  /// Takes up what a source or a line of a list names.
  /// - Parameters:
  ///   - item: the line; nil for a source.
  ///   - base: where the item's own references begin.
  private mutating func include(
    _ location: FoundLocation, item: PlaylistItem?, base: PlaylistBase, at place: Place
  ) {
    // A type that was given says that it is media, whatever the name looks like.
    let isSaidToBeMedia = item?.attributes.contentType != nil
    switch location {
    case .missing(let error):
      report(.error, item == nil ? .missingSource : .content, at: place, error)
    case .directory(let path, let shown):
      reportIdleDirectives(item, at: place)
      includeDirectory(path, shown: item == nil ? place.file : shown, at: place)
    case .media(.file(let path, let shown)):
      let name = item == nil ? place.file : shown
      if !isSaidToBeMedia, let format = listFormat(ofFile: path, item: item) {
        includeFile(path, shown: name, format: format, item: item, base: base, at: place)
      } else {
        append(item, at: .file(path, shown: name), base: base, place: place)
      }
    case .media(.address(let address)):
      let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: address.path))
      // In a list, an address that ends in .m3u8 is a stream: lists of thousands of channels are written so, and asking
      // every one of them would take hours. Named by the user it is looked at.
      let isStream = item != nil && format == .m3u8
      if !isSaidToBeMedia, !isStream, let format {
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
        ? TextError("#CASTQ speaks of one entry and means nothing for a list", hint: "put it into the list")
        : TextError("what is said of this entry means nothing for a list", hint: "put it into the list"))
  }

  /// The format when the file is a list; files without a telling name are looked at when the user named them.
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
        .error, .limit, at: place, TextError("more than \(limits.fetches) playlists would have to be fetched")
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
      // Nobody can look into it from here; the device perhaps can, and what ends so is a stream far more often than a list.
      report(
        .warning, .unreadable, at: place,
        TextError("cannot be looked into, so it is taken for an HLS stream: \(reason)"))
      append(item, at: .address(address), knownType: ContentTypes.hls, base: base, place: place)
    } catch {
      report(
        .error, .unreadable, at: place,
        TextError("cannot fetch \(TerminalText.excerpt(address.text, limit: 200)): \(error.message)"))
    }
  }

  /// Whether another list may be opened here.
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

  /// Counts a list or a directory against the limit for one call.
  mutating func mayOpenDocument(at place: Place) -> Bool {
    guard documents < limits.documents else {
      report(
        .error, .limit, at: place,
        TextError("more than \(limits.documents) playlists and directories are named together"))
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
    /// It is an HLS playlist, to be taken up as media.
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
        TextError("the playlists are larger than \(limits.totalBytes) bytes together"))
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
    if open.isEmpty { takeSettings(of: document) }
    open.append((key, content.shown))
    for item in document.items {
      // A person reads issues down the file, whichever step has found them.
      while let line = waiting.first?.line, line <= item.location.line { log.add(waiting.removeFirst()) }
      let place = Place(file: content.shown, line: item.location.line, column: item.location.column)
      guard mayTakeCandidate(at: place) else { break }
      include(item, of: content, at: place)
    }
    for issue in waiting { log.add(issue) }
    log.addUnlisted(of: document.issues)
    if open.count == 1, playlist.fallback == nil, let fallback = document.fallback {
      take(fallback, of: content)
    }
    open.removeLast()
    return .done
  }

  /// Counts a line or a file that may become an entry. Those that turn out to be unusable count too: looking costs time.
  mutating func mayTakeCandidate(at place: Place) -> Bool {
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

  /// The outermost list decides what becomes of the queue, and of several the first that says something.
  private mutating func takeSettings(of document: PlaylistDocument) {
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
  /// Whether it has subtitles that never show: the framework drops them beside breaks that it plays itself.
  fileprivate var hidesSubtitles: Bool {
    let hasBreaks = adBreaks.contains { !$0.isEmbedded } || vmapAdsRequest != nil
    return hasBreaks && mediaTracks.contains { $0.kind == .text }
  }
}
