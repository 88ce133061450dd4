import CastProtocol
import CastqText

/// Builds an entry from a playlist's item and its resolved location.
struct EntryBuilder {
  let resolver: LocationResolver
  let types: ContentTypes
  /// The playlist, for messages and for `source`.
  let file: String
  let base: PlaylistBase
  /// The subtitles in the directory of the media; nil where it has none.
  var sidecars: SidecarSubtitles?
  /// Whether the location is a page whose media a program finds: its type is known when that has answered.
  var isPage = false
  /// Whether the location is an argument, which no list names.
  var isOfArgument = false
  /// Whether the servers of addresses in lists are not asked what these are, though they may know.
  var isUnasked = false
  private(set) var issues: [PlaylistIssue] = []

  /// - Parameters:
  ///   - item: as written.
  ///   - location: a file or an address.
  ///   - knownType: the type, if the content showed it.
  ///   - source: where the item is written.
  /// - Returns: nil when it cannot be played; `issues` says why.
  mutating func entry(
    _ item: PlaylistItem, at location: MediaLocation, knownType: String? = nil, source: SourceLocation
  ) -> EntryDraft? {
    let attributes = item.attributes
    let contentType = attributes.contentType ?? knownType ?? (isPage ? nil : contentType(of: location, item))
    guard isPage || contentType != nil else { return nil }
    let family = ContentTypes.family(of: contentType ?? "")
    let isLive = attributes.isLive ?? isUnending(attributes, location, contentType: contentType ?? "")
    var media = MediaInformation(contentID: location.url, contentType: contentType)
    media.streamType = media.standsStill ? .none : isLive ? .live : .buffered
    media.metadata = metadata(attributes, family: family)
    media.mediaTracks = tracks(attributes)
    var draft = EntryDraft(media: media, autoplay: attributes.isAutoplay ?? true, source: source)
    draft.startTime = attributes.start.map(MediaTime.init(seconds:))
    draft.playbackDuration = playbackDuration(attributes)
    draft.preloadTime = attributes.preload.map(MediaTime.init(seconds:))
    draft.playbackRate = attributes.rate
    draft.foreign = attributes.foreign
    addSidecars(&draft, of: location)
    if let choice = attributes.subtitles { draft.chooseSubtitles(choice) }
    if let length = attributes.length, length > 0 {
      // A picture or a page has no length of its own: the given length is its display time (protocol 21.7).
      if media.standsStill {
        draft.playbackDuration = draft.playbackDuration ?? MediaTime(seconds: length)
      } else if !isLive {
        draft.media.streamDuration = MediaTime(seconds: length)
      }
    }
    return draft
  }

  mutating func report<Value>(
    _ severity: PlaylistIssue.Severity, at place: Located<Value>, _ message: String, hint: FaceWords? = nil
  ) {
    issues.append(
      PlaylistIssue(
        severity, file: file, line: place.line, column: place.column, message: message, hint: hint))
    issues[issues.count - 1].isOfArgument = isOfArgument
  }

  /// The type by the name. A file of an unknown type is refused, because receivers refuse a wrong type; an address often has no
  /// extension and is most often a film.
  mutating func contentType(of location: MediaLocation, _ item: PlaylistItem) -> String? {
    if let type = knownType(of: location) { return type }
    let advice = isOfArgument ? "name the type, as in --type video/mp4" : Self.typeAdvice(item)
    switch location {
    case .file(let path, _) where Self.otherLists.contains(FilePath.fileExtension(of: path).lowercased()):
      report(
        .error, at: item.location,
        "this kind of list is not read: \(TerminalText.excerpt(item.location.value, limit: 200))",
        hint: "castq reads M3U, PLS, XSPF, JSPF and its own YAML and JSON; convert it to one of them")
      return nil
    case .file:
      report(
        .error, at: item.location,
        "unknown kind of media: \(TerminalText.excerpt(item.location.value, limit: 200))",
        hint: "if receivers can play it, \(advice)")
      return nil
    case .address:
      let reason = isUnasked ? "check asks its server with --online" : nil
      let assumption = Self.assumption(item, because: reason)
      report(.warning, at: item.location, assumption.error.message, hint: assumption.error.hint)
      return assumption.type
    }
  }

  /// Lists of other players: cue sheets, Kodi's `.strm`, and those of Windows Media Player, RealPlayer and Kodi's smart playlists.
  private static let otherLists: Set<String> = [
    "cue", "strm", "asx", "wax", "wvx", "wpl", "zpl", "ram", "smil", "b4s", "xsp",
  ]

  private func knownType(of location: MediaLocation) -> String? {
    switch location {
    case .file(let path, _): types.fileType(path: path)
    case .address: types.type(path: location.path)
    }
  }

  /// The type of an address that nothing shows, and the words for that: an address most often names a film.
  /// - Parameter reason: why its server does not show it either; nil when it was not asked.
  static func assumption(_ item: PlaylistItem?, because reason: String? = nil) -> (
    type: String, error: TextError
  ) {
    let type = item?.attributes.isRadio == true ? "audio/mpeg" : "video/mp4"
    let words = "the address does not show the kind of media" + (reason.map { " (\($0))" } ?? "")
    return (type, TextError("\(words); \(type) is assumed", hint: typeAdvice(item)))
  }

  private static func typeAdvice(_ item: PlaylistItem?) -> FaceWords {
    item?.native == nil ? "put `#CASTQ: type=…` before it in a playlist" : "give its `type`"
  }

  /// A length of -1 is also written for files of unknown length. It means a live stream only for HLS and DASH over http, and
  /// for sound without a file name (protocol 12.5).
  func isUnending(_ attributes: EntryAttributes, _ location: MediaLocation?, contentType: String) -> Bool {
    guard attributes.isUnending == true, case .address(let address) = location else { return false }
    let lower = contentType.lowercased()
    if lower == ContentTypes.hls || lower == "application/vnd.apple.mpegurl" || lower == ContentTypes.dash {
      return true
    }
    guard ContentTypes.family(of: lower) == "audio" else { return false }
    // `/;stream.mp3` asks a SHOUTcast server for sound instead of its page.
    return types.type(path: address.path) == nil || address.path.utf8.starts(with: "/;".utf8)
  }

  private mutating func playbackDuration(_ attributes: EntryAttributes) -> MediaTime? {
    guard let end = attributes.end else { return nil }
    let start = attributes.start ?? 0
    guard end.value > start else {
      report(.error, at: end, "the end is not after the start, so it was ignored")
      return nil
    }
    return MediaTime(seconds: end.value - start)
  }

  private mutating func tracks(_ attributes: EntryAttributes) -> [MediaTrack] {
    var tracks: [MediaTrack] = []
    for track in attributes.tracks ?? [] {
      guard let location = usable(track.location, what: "track") else { continue }
      guard let type = ContentTypes.textTrackType(fileExtension: FilePath.fileExtension(of: location.path))
      else {
        report(
          .error, at: track.location,
          "unknown kind of text track: \(TerminalText.excerpt(track.location.value, limit: 200))",
          hint: "castq reads \(SubtitleFormat.endingsInWords) files")
        continue
      }
      var found = MediaTrack(
        identifier: tracks.count + 1, kind: .text, textSubtype: .subtitles, contentIdentifier: location.url,
        contentType: type, languageCode: track.language, name: track.name)
      _ = found.setSubtitleOffset(track.offset)
      tracks.append(found)
    }
    return tracks
  }

  /// Adds the subtitles found beside a film, after those that are listed. With ad breaks none would be shown.
  mutating func addSidecars(_ draft: inout EntryDraft, of location: MediaLocation?) {
    guard case .file(let path, _)? = location,
      ["video", "audio"].contains(ContentTypes.family(of: draft.media.contentType ?? "")),
      !draft.media.hasOwnBreaks
    else { return }
    let listed = Set(draft.media.mediaTracks.compactMap(\.contentIdentifier))
    var next = (draft.media.mediaTracks.map(\.identifier).max() ?? 0) + 1
    for var track in sidecars?.tracks(of: path) ?? [] {
      guard let address = track.contentIdentifier, !listed.contains(address),
        draft.media.mediaTracks.count < resolver.limits.tracks
      else { continue }
      track.identifier = next
      next += 1
      draft.media.mediaTracks.append(track)
    }
  }

  /// A file or address that belongs to the entry; nil, and an issue, when there is none.
  private mutating func usable(_ place: Located<String>, what: String) -> MediaLocation? {
    resolver.search?.line = place.line
    do throws(TextError) {
      switch try resolver.resolve(place.value, base: base) {
      case .media(let location): return location
      case .missing(let error): throw error
      case .directory: throw TextError("the \(what) is a directory: \(TerminalText.excerpt(place.value))")
      }
    } catch {
      // A missing picture does not fail a list; missing subtitles may.
      report(what == "picture" ? .warning : .error, at: place, error.message, hint: error.hint)
      return nil
    }
  }

  private mutating func metadata(_ attributes: EntryAttributes, family: String) -> MediaMetadata? {
    var values: [String: JSONValue] = [:]
    func put(_ key: String, _ value: String?) {
      if let value, !value.isEmpty { values[key] = .string(value) }
    }
    let kind = attributes.kind ?? inferredKind(attributes, family: family)
    put("title", attributes.title)
    put("subtitle", attributes.subtitle)
    put("artist", attributes.artist)
    put("genre", attributes.genre)
    put("group", attributes.group)
    values["trackNumber"] = JSONValue(attributes.trackNumber)
    switch kind {
    case .audiobookChapter:
      put("chapterTitle", attributes.title)
      put("bookTitle", attributes.album ?? attributes.series)
      values["chapterNumber"] = JSONValue(attributes.episode)
    case .generic, .movie, .tvShow, .musicTrack, .photo, .custom:
      put("albumName", attributes.album)
      put("seriesTitle", attributes.series)
      values["season"] = JSONValue(attributes.season)
      values["episode"] = JSONValue(attributes.episode)
    }
    var images: [Image] = []
    if let place = attributes.image, let location = usable(place, what: "picture") {
      images.append(Image(url: location.url))
    }
    guard !values.isEmpty || !images.isEmpty || attributes.kind != nil else { return nil }
    return MediaMetadata(kind: kind, images: images, values: values)
  }

  private func inferredKind(_ attributes: EntryAttributes, family: String) -> MediaMetadata.Kind {
    if attributes.series != nil || attributes.season != nil || attributes.episode != nil { return .tvShow }
    if family == "image" { return .photo }
    return attributes.album != nil || attributes.artist != nil || family == "audio" ? .musicTrack : .generic
  }
}
