import CastProtocol
import CastqText

/// The keys of `#CASTQ:`, which apply to the next entry.
enum EntryDirective: String, CaseIterable {
  case start, end, preload, autoplay, rate, type, live, image, title, subtitle, tracks, subtitles, metadata
  case artist, album, series, season, episode, duration

  static let names = allCases.map(\.rawValue)

  /// Sets the attribute of this key.
  func apply(
    _ value: DirectiveValue, line: Int, limits: PlaylistLimits, to attributes: inout EntryAttributes
  ) throws(DirectiveError) {
    let text = value.text
    do throws(TextError) {
      switch self {
      case .start: attributes.start = try DurationText.seconds(text)
      case .end: attributes.end = Located(try DurationText.seconds(text), line: line, column: value.column)
      case .preload: attributes.preload = try DurationText.seconds(text)
      case .duration: attributes.length = try DurationText.seconds(text)
      case .rate: attributes.rate = try Self.rate(text)
      case .autoplay: attributes.isAutoplay = try Self.flag(text)
      case .live: attributes.isLive = try Self.flag(text)
      case .type:
        guard ContentTypes.isWellFormed(text) else {
          throw TextError(
            "`\(TerminalText.excerpt(text))` is not a MIME type", hint: "write one such as video/mp4")
        }
        attributes.contentType = text
      case .image:
        guard !text.isEmpty else { throw TextError("the image has no address") }
        attributes.image = Located(text, line: line, column: value.column)
      case .metadata: attributes.kind = try Self.kind(text)
      case .season: attributes.season = try Self.count(text)
      case .episode: attributes.episode = try Self.count(text)
      case .title: attributes.title = try Self.text(text, limits)
      case .subtitle: attributes.subtitle = try Self.text(text, limits)
      case .artist: attributes.artist = try Self.text(text, limits)
      case .album: attributes.album = try Self.text(text, limits)
      case .series: attributes.series = try Self.text(text, limits)
      case .subtitles: attributes.subtitles = try SubtitleChoice(text)
      case .tracks: break
      }
    } catch {
      throw DirectiveError(value.column, error)
    }
    guard self == .tracks else { return }
    let tracks = try TrackText.list(value, line: line)
    guard tracks.count <= limits.tracks else {
      throw DirectiveError(value.column, TextError("more than \(limits.tracks) tracks"))
    }
    attributes.tracks = tracks
  }

  /// `yes` or `no`.
  static func flag(_ text: String) throws(TextError) -> Bool {
    switch text {
    case "yes": return true
    case "no": return false
    default: throw TextError("`\(TerminalText.excerpt(text))` is neither yes nor no")
    }
  }

  /// The value of one of the words; an unknown word is reported with the nearest one.
  static func word<Value>(_ text: String, of words: [(String, Value)]) throws(TextError) -> Value {
    if let known = words.first(where: { $0.0 == text }) { return known.1 }
    let names = words.map(\.0)
    let near = Spelling.nearest(to: text, in: names)
    throw TextError(
      "`\(TerminalText.excerpt(text))` is not a known value",
      hint: near.map { "did you mean `\($0)`?" } ?? "write one of \(names.joined(separator: ", "))")
  }

  private static func rate(_ text: String) throws(TextError) -> Double {
    guard let rate = DecimalText(text)?.value, (0.5...2).contains(rate) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a playback rate", hint: "write a number from 0.5 to 2")
    }
    return rate
  }

  private static func kind(_ text: String) throws(TextError) -> MediaMetadata.Kind {
    try word(
      text,
      of: [
        ("generic", .generic), ("movie", .movie), ("tv", .tvShow), ("music", .musicTrack), ("photo", .photo),
        ("audiobook", .audiobookChapter),
      ])
  }

  /// Seasons and episodes; 0 is used for pilots (protocol 11).
  private static func count(_ text: String) throws(TextError) -> Int {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(text)
    else { throw TextError("`\(TerminalText.excerpt(text))` is not a number", hint: "write digits only") }
    return count
  }

  static func text(_ text: String, _ limits: PlaylistLimits) throws(TextError) -> String {
    let entryText = EntryText(text, limit: limits.textScalars)
    guard !entryText.isCut else {
      throw TextError("the text is longer than \(limits.textScalars) characters")
    }
    return entryText.value
  }
}
