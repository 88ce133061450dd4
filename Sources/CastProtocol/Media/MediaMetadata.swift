/// What a person is told about media: title, artist, episode, picture (protocol 11).
///
/// Keys are the wire's own, so that application-defined ones need no other door.
public struct MediaMetadata: Sendable, Hashable {
  /// The kind of metadata; decides which keys a receiver shows.
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
    /// 100 and above are an application's own; others are from the future. Receivers show them as generic.
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
      let known: [Kind] = [.generic, .movie, .tvShow, .musicTrack, .photo, .audiobookChapter]
      self = known.indices.contains(rawValue) ? known[rawValue] : .custom(rawValue)
    }
  }

  /// The kind; default generic.
  public var kind: Kind
  /// Pictures, the best first: most screens show the first one.
  public var images: [Image]
  /// Every other member by its wire key, such as `title`, `subtitle`, `artist`, `seriesTitle`, `season`.
  public var values: [String: JSONValue]

  /// Metadata of one kind; empty by default.
  public init(kind: Kind = .generic, images: [Image] = [], values: [String: JSONValue] = [:]) {
    self.kind = kind
    self.images = images
    self.values = values
  }

  /// `title`; nil when absent.
  public var title: String? {
    get { values["title"]?.string }
    set { values["title"] = JSONValue(newValue) }
  }

  /// `subtitle`; nil when absent.
  public var subtitle: String? {
    get { values["subtitle"]?.string }
    set { values["subtitle"] = JSONValue(newValue) }
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    kind = Kind(rawValue: members.take("metadataType")?.int ?? 0)
    images = members.take("images").list(Image.init(json:)) ?? []
    values = members.rest
  }

  package var json: JSONValue {
    .members([
      "metadataType": .integer(Int64(kind.rawValue)),
      "images": images.isEmpty ? nil : .array(images.map(\.json)),
    ]).keeping(values)
  }
}
