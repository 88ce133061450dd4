/// Displayed metadata of media: title, artist, episode, image (protocol 11).
///
/// Keys are those of the wire, so that application-defined ones use the same API. A predefined key that a kind does not have is
/// kept here, but not sent: receivers would display it in the wrong place, or not at all.
public struct MediaMetadata: Sendable, Hashable {
  /// The kind of metadata, which determines the keys that a receiver displays.
  public enum Kind: Sendable, Hashable {
    /// 0: anything.
    case generic
    /// 1: a film.
    case movie
    /// 2: an episode of a series.
    case tvShow
    /// 3: a piece of music.
    case musicTrack
    /// 4: a photograph.
    case photo
    /// 5: a chapter of an audiobook.
    case audiobookChapter
    /// 100 and above are application-defined; others are unknown. Receivers treat them as generic.
    case custom(Int)

    /// The number on the wire.
    public var rawValue: Int {
      switch self {
      case .generic: 0
      case .movie: 1
      case .tvShow: 2
      case .musicTrack: 3
      case .photo: 4
      case .audiobookChapter: 5
      case .custom(let value): value
      }
    }

    /// The kind of a wire number.
    public init(rawValue: Int) {
      self = Self.predefined.indices.contains(rawValue) ? Self.predefined[rawValue] : .custom(rawValue)
    }

    /// The kinds of the protocol, in the order of their numbers.
    package static let predefined: [Kind] = [
      .generic, .movie, .tvShow, .musicTrack, .photo, .audiobookChapter,
    ]
  }

  /// The kind; default generic.
  public var kind: Kind
  /// Images, the best first: most displays use the first one.
  public var images: [Image]
  /// All other members by key, such as `title`, `subtitle`, `artist`, `seriesTitle`, `season`; including those that are not sent.
  public var values: [String: JSONValue]

  /// Metadata of one kind; empty by default.
  public init(kind: Kind = .generic, images: [Image] = [], values: [String: JSONValue] = [:]) {
    self.kind = kind
    self.images = images
    self.values = values
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    kind = Kind(rawValue: members.take("metadataType")?.integer(.code) ?? 0)
    images = members.take("images").list(Image.init(json:)) ?? []
    values = members.rest
  }

  package var json: JSONValue {
    .members([
      "metadataType": .integer(Int64(kind.rawValue)),
      "images": images.isEmpty ? nil : .array(images.map(\.json)),
    ]).keeping(values.filter { Key(rawValue: $0.key).isValid(for: kind) })
  }
}
