import CastGuard
import CastProtocol
import CastqText

/// What a source or a line names: media, a list, a directory.
extension PlaylistReading {
  /// Includes what a source or a line of a list names.
  /// - Parameters:
  ///   - item: the line; nil for a source.
  ///   - base: the base of relative references in the item.
  mutating func include(
    _ location: FoundLocation, item: PlaylistItem?, base: PlaylistBase, at place: Place
  ) {
    // A given content type means media, whatever the name looks like.
    let isDeclaredMedia = item?.attributes.contentType != nil
    switch location {
    case .missing(let error):
      report(
        .error, item == nil ? .missingSource : .content, at: place, error, ofArgument: item == nil)
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
    // What is behind a page is found out when it is played.
    case .media(.address(let address)) where reader.resolvers.rule(for: address) != nil:
      append(item, at: .address(address), isPage: true, base: base, place: place)
    case .media(.address(let address)) where !isDeclaredMedia && isPageOfVideoSite(address):
      report(.error, .content, at: place, VideoSite.refusal(address), ofArgument: item == nil)
    case .media(.address(let address)):
      let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: address.path))
      // In a list, an address that ends in .m3u8 is a stream: fetching each address of a list of thousands of channels would
      // take hours. A source given by the user is fetched.
      let isStream = item != nil && format == .m3u8
      if !isDeclaredMedia, !isStream, let format {
        includeAddress(address, format: format, item: item, base: base, at: place)
      } else if format == nil, mustAsk(address, item: item) {
        ask(address, item: item, base: base, at: place)
      } else {
        if !isDeclaredMedia, item != nil { notePage(address, at: place) }
        append(item, at: .address(address), base: base, place: place)
      }
    }
  }

  /// Whether an address is a page of a video site, which no device plays: its name shows no media.
  private func isPageOfVideoSite(_ address: WebAddress) -> Bool {
    VideoSite.isPage(address) && reader.types.type(path: address.path) == nil
      && PlaylistFormat(fileExtension: FilePath.fileExtension(of: address.path)) == nil
  }

  /// The item of a source, which no list names.
  func plainItem(at place: Place) -> PlaylistItem {
    PlaylistItem(
      location: Located(place.file, line: place.line ?? 1, column: place.column),
      attributes: EntryAttributes())
  }

  mutating func reportIdleDirectives(_ item: PlaylistItem?, at place: Place) {
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

  mutating func includeFile(
    _ path: String, shown: String, format: PlaylistFormat, item: PlaylistItem?, base: PlaylistBase,
    at place: Place
  ) {
    let key = reader.loader.canonicalPath(path)
    guard mayRead(key: key, shown: shown, format: format, at: place) else { return }
    do {
      let bytes = try reader.loader.read(path, limit: limits.fileBytes)
      let directory = PlaylistBase.directory(
        FilePath.directory(of: path), shown: FilePath.directory(of: shown))
      let content = Content(bytes: bytes, format: format, shown: shown, base: directory, origin: .owner)
      if include(content, key: key, item: item, at: place) == .isMedia {
        append(item, at: .file(path, shown: shown), knownType: ContentTypes.hls, base: base, place: place)
      }
    } catch {
      report(
        .error, .unreadable, at: place,
        TextError("cannot read \(TerminalText.excerpt(shown, limit: 200)): \(error.message)"))
    }
  }

  /// Whether another list may be opened here; reports why not.
  mutating func mayRead(key: String, shown: String, format: PlaylistFormat, at place: Place) -> Bool {
    if let first = open.firstIndex(where: { $0.key == key }) {
      let way = (open[first...].map(\.content.shown) + [shown]).map { TerminalText.excerpt($0) }
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

  mutating func include(_ item: PlaylistItem, of content: Content, at place: Place) {
    if let native = item.native, native.isPlacedByName {
      append(item, at: nil, base: content.base, place: place)
      return
    }
    var refusal: TextError
    search.line = place.line ?? 1
    do {
      let location = try resolver.resolve(item.location.value, base: content.base)
      // What it opens has names of its own.
      reportNames(at: place)
      guard case .missing(let error) = location else {
        return include(location, item: item, base: content.base, at: place)
      }
      refusal = error
    } catch {
      refusal = error
    }
    // Of several locations the first that can be used counts; when none can, the first is reported.
    for other in item.alternatives {
      guard let location = try? resolver.resolve(other.value, base: content.base) else { continue }
      reportNames(at: place)
      if case .missing = location { continue }
      var moved = item
      moved.location = other
      return include(location, item: moved, base: content.base, at: place)
    }
    var exact = place
    exact.column += refusal.offset
    report(.error, .content, at: exact, refusal)
  }

  mutating func append(
    _ item: PlaylistItem?, at location: MediaLocation?, knownType: String? = nil, isPage: Bool = false,
    base: PlaylistBase, place: Place
  ) {
    if item == nil, open.isEmpty, case .file(let path, let shown)? = location, reader.loader.isEmpty(path) {
      let name = TerminalText.excerpt(shown, limit: 200)
      return report(.error, .content, at: place, TextError("\(name) is empty"), ofArgument: true)
    }
    var builder = EntryBuilder(resolver: resolver, types: reader.types, file: place.file, base: base)
    builder.isPage = isPage
    builder.isUnasked = reader.asking == .aboutSources
    builder.isOfArgument = item == nil && open.isEmpty
    if case .file(let path, _)? = location { builder.sidecars = sidecars(beside: path) }
    let source = SourceLocation(file: place.file, line: place.line)
    let entry: EntryDraft?
    if let item, let native = item.native {
      entry = builder.entry(native, of: item, at: location, knownType: knownType, source: source)
    } else {
      entry = location.flatMap {
        builder.entry(item ?? plainItem(at: place), at: $0, knownType: knownType, source: source)
      }
    }
    reportNames(at: place)
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
      if let last = open.indices.last, !open[last].foreign.isEmpty {
        entry.foreign = entry.foreign.joined(with: open[last].foreign)
        open[last].foreign = ForeignFields()
      }
      if !isInFallback {
        playlist.foreign = playlist.foreign.joined(with: entry.foreign.ofList)
        entry.foreign = entry.foreign.ofEntry
      }
      playlist.drafts.append(entry)
    }
  }
}

extension PlaylistReading {
  /// Most directories whose subtitles are remembered: entries of one directory usually follow each other.
  private static let rememberedDirectories = 16

  /// The subtitles in the directory of a file.
  fileprivate mutating func sidecars(beside path: String) -> SidecarSubtitles {
    let directory = FilePath.directory(of: path)
    if let known = subtitles[directory] { return known }
    if subtitles.count >= Self.rememberedDirectories { subtitles = [:] }
    let found = SidecarSubtitles(reader.loader.names(in: directory))
    subtitles[directory] = found
    return found
  }
}

extension MediaInformation {
  /// Whether its subtitles are never shown: the framework drops them with breaks that it plays itself.
  fileprivate var hidesSubtitles: Bool { hasOwnBreaks && mediaTracks.contains { $0.kind == .text } }

  /// Whether it has breaks that are not in the stream.
  var hasOwnBreaks: Bool { adBreaks.contains { !$0.isEmbedded } || vmapAdsRequest != nil }
}
