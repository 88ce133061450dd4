import CastGuard
import CastProtocol
import CastqText

/// Resolves sources (media files, playlists, directories, addresses, `-`) to entries.
package struct PlaylistReader {
  let loader: any PlaylistLoader
  let limits: PlaylistLimits
  let types: ContentTypes
  let asking: ServerAsking
  let descends: Bool
  let resolvers: ResolverRules
  let mediaType: String?
  let music: MusicFolders

  /// - Parameters:
  ///   - asking: about which addresses a server is asked what they are, where the name does not show it.
  ///   - descends: whether folders in a folder are read, too.
  ///   - resolvers: which addresses are those of pages that a program resolves when they are played.
  ///   - mediaType: the content type of the files and addresses that are sources, which are media then whatever they are called. Nil
  ///     finds it out.
  ///   - music: what lists of the Music Player Daemon are relative to.
  package init(
    loader: any PlaylistLoader, limits: PlaylistLimits = PlaylistLimits(), types: ContentTypes = .standard,
    asking: ServerAsking = .nobody, descends: Bool = false, resolvers: ResolverRules = ResolverRules(),
    mediaType: String? = nil, music: MusicFolders = MusicFolders()
  ) {
    self.music = music
    self.mediaType = mediaType
    self.resolvers = resolvers
    self.loader = loader
    self.limits = limits
    self.types = types
    self.asking = asking
    self.descends = descends
  }

  /// Begins to read all sources in order.
  /// - Parameters:
  ///   - sources: as the user wrote them.
  ///   - format: the format of standard input and of files without a known extension; nil to detect it from the first bytes.
  package func reading(_ sources: [String], format: PlaylistFormat? = nil) -> PlaylistReading {
    PlaylistReading(reader: self, sources: sources, format: format)
  }
}

/// One reading of sources: the entries so far, and the counts for the limits.
///
/// `next()` reads until a document of the web is needed; `supply(_:)` and `supply(answer:)` bring it. Never fails as a whole: unusable sources and lines become
/// issues.
package struct PlaylistReading {
  let reader: PlaylistReader
  let format: PlaylistFormat?
  var playlist = Playlist()
  var log: IssueLog
  private var sources: ArraySlice<String>
  /// Subtitle files by directory.
  var subtitles: [String: SidecarSubtitles] = [:]
  /// Names that are spelt otherwise on the disk.
  let search: NameSearch
  /// The lists being read, outermost first.
  var open: [OpenList] = []
  /// The document of the web that is needed now.
  var awaited: AwaitedDocument?
  private var documents = 0
  private var bytes = 0
  private(set) var fetches = 0
  /// Addresses whose server was asked what they are.
  var askedAddresses = 0
  private var candidates = 0
  private var isFull: Bool { candidates > limits.entries }

  var limits: PlaylistLimits { reader.limits }

  /// Resolves what the list that is being read writes, or a source where none is.
  var resolver: LocationResolver { resolver(set: open.last?.document.set, isOfList: !open.isEmpty) }

  /// - Parameter isOfList: whether a list writes the names: somebody who names a source sees what there is.
  func resolver(set: CharacterSet?, isOfList: Bool) -> LocationResolver {
    LocationResolver(
      loader: reader.loader, limits: limits, set: set, search: isOfList ? search : nil, music: reader.music)
  }

  init(reader: PlaylistReader, sources: [String], format: PlaylistFormat?) {
    self.reader = reader
    self.sources = sources[...]
    self.format = format
    search = NameSearch(loader: reader.loader)
    log = IssueLog(limit: reader.limits.issues)
  }

  /// Reads on.
  /// - Returns: the document of the web to supply next; nil when everything is read.
  package mutating func next() -> WebRequest? {
    while awaited == nil {
      if !open.isEmpty {
        readNextItem()
      } else if let source = sources.popFirst() {
        include(source: source)
      } else {
        return nil
      }
    }
    return awaited.map {
      let kind: WebRequest.Kind = if case .list = $0.purpose { .list(limit: limits.fileBytes) } else { .type }
      return WebRequest(
        address: $0.address.text, kind: kind, origin: origin, following: followingRequests)
    }
  }

  /// Whose words are read: those of the list that is open, or of whoever named the sources.
  var origin: FetchOrigin { open.last?.content.origin ?? .owner }

  /// What was read. Complete once `next()` has returned nil.
  package var result: ParsedPlaylist { ParsedPlaylist(playlist: playlist, issues: log.complete) }

  /// Where something is named, for messages and as `source` of entries.
  struct Place {
    /// The list, or the source itself.
    var file: String
    /// Nil for a source, which no list names.
    var line: Int?
    var column = 1
  }

  mutating func report(
    _ severity: PlaylistIssue.Severity, _ kind: PlaylistIssue.Kind, at place: Place, _ error: TextError,
    ofArgument isOfArgument: Bool = false
  ) {
    var issue = PlaylistIssue(
      severity, kind, file: place.file, line: place.line ?? 1, column: place.column, message: error.message,
      hint: error.hint)
    issue.isOfArgument = isOfArgument
    log.add(issue)
  }

  private mutating func include(source: String) {
    let place = Place(file: source)
    if source == "-" { return includeStandardInput(at: place) }
    let base = PlaylistBase.directory(reader.loader.workingDirectory, shown: "")
    do {
      let location = try resolver.resolve(source, base: base)
      if let type = reader.mediaType, case .media(let media) = location {
        var item = plainItem(at: place)
        item.attributes.contentType = type
        append(item, at: media, base: base, place: place)
      } else {
        include(location, item: nil, base: base, at: place)
      }
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
      let content = Content(bytes: bytes, format: format, shown: "-", base: base, origin: .owner)
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

  // MARK: - Limits

  /// How many lists and folders may still be opened in this call.
  var documentsLeft: Int { limits.documents - documents }

  /// Counts a list against the limits of one call.
  mutating func mayOpenDocument(at place: Place) -> Bool {
    let isAllowed = documentsLeft > 0
    openDocuments(isAllowed ? 1 : 0, wantsMore: !isAllowed, at: place)
    return isAllowed
  }

  /// Counts lists or folders.
  /// - Parameter wantsMore: whether there were more than the limit, which is reported.
  mutating func openDocuments(_ count: Int, wantsMore: Bool, at place: Place) {
    documents += count
    guard wantsMore else { return }
    report(
      .error, .limit, at: place,
      TextError("more than \(limits.documents) playlists and directories in one call"))
  }

  /// Counts the bytes of a list.
  mutating func admitBytes(_ count: Int, at place: Place) -> Bool {
    bytes += count
    guard bytes > limits.totalBytes else { return true }
    report(
      .error, .limit, at: place,
      TextError("the playlists are larger than \(limits.totalBytes) bytes in total"))
    return false
  }

  /// Counts a list of the web.
  mutating func admitFetch(at place: Place) -> Bool {
    guard fetches < limits.fetches else {
      report(.error, .limit, at: place, TextError("more than \(limits.fetches) playlists to fetch"))
      return false
    }
    fetches += 1
    return true
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
}
