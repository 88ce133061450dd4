import CastProtocol
import CastqText

/// One entry as a playlist writes it, before its location is resolved. All formats are parsed into it.
struct PlaylistItem: Sendable {
  /// Location of the media or of another list, as written.
  var location: Located<String>
  /// Further locations of the same media, in order.
  var alternatives: [Located<String>] = []
  var attributes: EntryAttributes
  /// Whether castq's own directives apply to it.
  var hasDirectives = false
  /// The properties of a native playlist; `attributes` then hold only the content type.
  var native: NativeEntry?
}

/// The properties of an entry besides its location; nil is unset.
struct EntryAttributes: Sendable {
  var title: String?
  var subtitle: String?
  var artist: String?
  var album: String?
  var genre: String?
  /// The heading of the entry's group in the list.
  var group: String?
  var series: String?
  var season: Int?
  var episode: Int?
  /// Its number on the album.
  var trackNumber: Int?
  var image: Located<String>?
  var kind: MediaMetadata.Kind?
  /// Seconds.
  var length: Double?
  /// Whether the length was given as -1.
  var isUnending: Bool?
  var isLive: Bool?
  /// Whether the list marks it as a radio station.
  var isRadio: Bool?
  /// Seconds.
  var start: Double?
  /// Seconds from the beginning of the media, not from `start`.
  var end: Located<Double>?
  /// Seconds.
  var preload: Double?
  var rate: Double?
  var isAutoplay: Bool?
  var contentType: String?
  var tracks: [TrackText]?
  /// What is meant for other players.
  var foreign = ForeignFields()
  /// The subtitles it starts with.
  var subtitles: SubtitleChoice?

  /// These attributes, with unset ones taken from the other ones.
  func over(_ other: EntryAttributes) -> EntryAttributes {
    var result = self
    result.title = title ?? other.title
    result.subtitle = subtitle ?? other.subtitle
    result.artist = artist ?? other.artist
    result.album = album ?? other.album
    result.genre = genre ?? other.genre
    result.group = group ?? other.group
    result.series = series ?? other.series
    result.season = season ?? other.season
    result.episode = episode ?? other.episode
    result.trackNumber = trackNumber ?? other.trackNumber
    result.image = image ?? other.image
    result.kind = kind ?? other.kind
    result.length = length ?? other.length
    result.isUnending = isUnending ?? other.isUnending
    result.isLive = isLive ?? other.isLive
    result.isRadio = isRadio ?? other.isRadio
    result.start = start ?? other.start
    result.end = end ?? other.end
    result.preload = preload ?? other.preload
    result.rate = rate ?? other.rate
    result.isAutoplay = isAutoplay ?? other.isAutoplay
    result.contentType = contentType ?? other.contentType
    result.tracks = tracks ?? other.tracks
    result.foreign = foreign.joined(with: other.foreign)
    result.subtitles = subtitles ?? other.subtitles
    return result
  }
}

/// One playlist file, parsed but not resolved.
struct PlaylistDocument: Sendable {
  var name: String?
  var repeatMode: QueueRepeat?
  var isShuffled: Bool?
  var items: [PlaylistItem] = []
  /// What plays while none of `items` can; nil when the list has no fallback.
  var fallback: Fallback?
  var issues: IssueLog
  /// What the list says of itself to other players.
  var foreign = ForeignFields()
  /// The character set that it is written in, where that is none of Unicode; nil otherwise.
  var set: CharacterSet?
  /// Whether the file is an HLS playlist, which is media and not a list; then nothing else is set.
  var isStreamManifest = false

  init(limits: PlaylistLimits) { issues = IssueLog(limit: limits.issues) }

  /// Why these bytes are not read line by line; nil if they are.
  static func refusing(_ bytes: [UInt8], file: String, limits: PlaylistLimits) -> PlaylistDocument? {
    var document = PlaylistDocument(limits: limits)
    func refuse(_ kind: PlaylistIssue.Kind, _ message: String, _ hint: FaceWords? = nil) -> PlaylistDocument {
      document.issues.add(
        PlaylistIssue(.error, kind, file: file, line: 1, column: 1, message: message, hint: hint))
      return document
    }
    if bytes.count > limits.fileBytes {
      return refuse(.limit, "the playlist is larger than \(limits.fileBytes) bytes")
    }
    // A file that was cut off while it was written must not empty a queue.
    if bytes.isEmpty { return refuse(.content, "the file is empty") }
    // What a server sends in place of a list that has moved, or that wants a login.
    let text = String(decoding: bytes.drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(14), as: UTF8.self)
      .lowercased()
    if text == "<!doctype html" || text.hasPrefix("<html") {
      return refuse(
        .content, "it is a web page, not a playlist",
        "look at it in a browser: the list may have moved, or want a login")
    }
    // A film that was renamed would be a thousand bad lines. A few zero bytes, or the colours of a terminal, may be slips in a text.
    let head = bytes.prefix(4096)
    let controls = head.count { $0 < 9 || (14..<32).contains($0) }
    if head.count(where: { $0 == 0 }) > 3, controls * 20 > head.count {
      return refuse(.content, "it is not a playlist: it holds bytes that no text has")
    }
    return nil
  }

  enum Fallback: Sendable {
    /// Another list, a directory or a single file, as written.
    case named(Located<String>)
    /// Entries of this list, and where they begin.
    case inline([PlaylistItem], line: Int, column: Int)
  }
}

/// A text for display, sanitised and cut to a maximum length.
struct EntryText {
  var value: String
  /// Whether the end was cut off.
  var isCut: Bool

  init(_ text: String, limit: Int) {
    let clean = TerminalText.sanitized(text)
    let scalars = clean.unicodeScalars.drop { $0 == " " }
    let end = scalars.lastIndex { $0 != " " }.map { scalars.index(after: $0) } ?? scalars.startIndex
    let trimmed = scalars[..<end]
    isCut = trimmed.count > limit
    value = String(trimmed.prefix(limit))
  }
}
