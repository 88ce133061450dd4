/// Metadata of a queue as a whole: its title, its images, its sections (protocol 11.4).
public struct MediaQueueContainerMetadata: Sendable, Hashable {
  /// The kind of container.
  public enum Kind: Sendable, Hashable {
    /// 0: anything.
    case generic
    /// 1: an audiobook.
    case audiobook
    /// A number unknown to this version.
    case unknown(Int)

    /// The number on the wire.
    public var rawValue: Int {
      switch self {
      case .generic: 0
      case .audiobook: 1
      case .unknown(let value): value
      }
    }

    /// The kind of a wire number.
    public init(rawValue: Int) {
      switch rawValue {
      case 0: self = .generic
      case 1: self = .audiobook
      default: self = .unknown(rawValue)
      }
    }
  }

  /// The kind of container; default generic.
  public var kind: Kind
  /// The displayed title; nil for none.
  public var title: String?
  /// Whole length; nil when unknown.
  public var containerDuration: MediaTime?
  /// Pictures, the best first.
  public var containerImages: [Image]
  /// Its parts, such as chapters, with the section keys of `MediaMetadata.Key`.
  public var sections: [MediaMetadata]
  /// Who wrote it; audiobooks only.
  public var authors: [String]
  /// Who reads it; audiobooks only.
  public var narrators: [String]
  /// Who published it; nil when not reported. Audiobooks only.
  public var publisher: String?
  /// When it was published, as ISO 8601 text that `MediaDate` reads; nil when not reported. Audiobooks only.
  public var releaseDate: String?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A container of any kind; everything defaults to absent.
  public init(
    title: String? = nil, containerDuration: MediaTime? = nil, containerImages: [Image] = [],
    sections: [MediaMetadata] = []
  ) {
    self.init(
      kind: .generic, title: title, containerDuration: containerDuration, containerImages: containerImages,
      sections: sections, authors: [], narrators: [], publisher: nil, releaseDate: nil)
  }

  /// An audiobook; its sections are its chapters.
  public static func audiobook(
    title: String? = nil, containerDuration: MediaTime? = nil, containerImages: [Image] = [],
    sections: [MediaMetadata] = [], authors: [String] = [], narrators: [String] = [],
    publisher: String? = nil, releaseDate: MediaDate? = nil
  ) -> MediaQueueContainerMetadata {
    MediaQueueContainerMetadata(
      kind: .audiobook, title: title, containerDuration: containerDuration,
      containerImages: containerImages, sections: sections, authors: authors, narrators: narrators,
      publisher: publisher, releaseDate: releaseDate?.description)
  }

  private init(
    kind: Kind, title: String?, containerDuration: MediaTime?, containerImages: [Image],
    sections: [MediaMetadata], authors: [String], narrators: [String], publisher: String?,
    releaseDate: String?
  ) {
    self.kind = kind
    self.title = title
    self.containerDuration = containerDuration
    self.containerImages = containerImages
    self.sections = sections
    self.authors = authors
    self.narrators = narrators
    self.publisher = publisher
    self.releaseDate = releaseDate
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(
      kind: Kind(rawValue: members.take("containerType")?.integer(.code) ?? 0),
      title: members.take("title")?.string,
      containerDuration: MediaTime(members.take("containerDuration"), .length),
      containerImages: members.take("containerImages").list(Image.init(json:)) ?? [],
      sections: members.take("sections").list { MediaMetadata(json: $0) } ?? [],
      authors: members.take("authors").list(\.string) ?? [],
      narrators: members.take("narrators").list(\.string) ?? [],
      publisher: members.take("publisher")?.string, releaseDate: members.take("releaseDate")?.string)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "containerType": .integer(Int64(kind.rawValue)), "title": JSONValue(title),
      "containerDuration": JSONValue(containerDuration?.seconds),
      "containerImages": containerImages.isEmpty ? nil : .array(containerImages.map(\.json)),
      "sections": sections.isEmpty ? nil : .array(sections.map(\.json)),
      "authors": authors.isEmpty ? nil : .array(authors.map(JSONValue.string)),
      "narrators": narrators.isEmpty ? nil : .array(narrators.map(JSONValue.string)),
      "publisher": JSONValue(publisher), "releaseDate": JSONValue(releaseDate),
    ]).keeping(unknownMembers)
  }
}
