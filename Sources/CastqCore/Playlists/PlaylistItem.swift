import CastProtocol

/// One entry as a playlist writes it, before anybody has looked whether the place exists: what all formats are read into.
struct PlaylistItem: Sendable {
  /// Where the media or another list is, as written.
  var location: Located<String>
  var attributes: EntryAttributes
  /// castq's own directives speak of it.
  var hasDirectives = false
  /// What a native playlist says of it; `attributes` then hold the content type alone.
  var native: NativeEntry?
}

/// What a playlist says of an entry beside its place; nil is unsaid.
struct EntryAttributes: Sendable {
  var title: String?
  var subtitle: String?
  var artist: String?
  var album: String?
  var genre: String?
  /// The heading under which the list shows the entry.
  var group: String?
  var series: String?
  var season: Int?
  var episode: Int?
  var image: Located<String>?
  var kind: MediaMetadata.Kind?
  /// Seconds.
  var length: Double?
  /// The length was given as -1.
  var isUnending: Bool?
  var isLive: Bool?
  /// The list marks it as a radio station.
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

  /// These attributes, and the other's where these are silent.
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
    return result
  }
}

/// One playlist file, read but not resolved.
struct PlaylistDocument: Sendable {
  var name: String?
  var repeatMode: QueueRepeat?
  var isShuffled: Bool?
  var items: [PlaylistItem] = []
  /// What to show while nothing of `items` can be; nil when the list does not say.
  var fallback: Fallback?
  var issues: IssueLog
  /// The file is an HLS playlist, which is media and not a list; then nothing else is set.
  var isStreamManifest = false

  init(limits: PlaylistLimits) { issues = IssueLog(limit: limits.issues) }

  enum Fallback: Sendable {
    /// Another list, a directory or a single file, as written.
    case named(Located<String>)
    /// Entries that stand in this list, and where they begin.
    case inline([PlaylistItem], line: Int, column: Int)
  }
}

/// A text of a person's own, made safe and cut to a bearable length.
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
