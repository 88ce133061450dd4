// The type of each predefined key, and the kinds that have it: the table of protocol 11.

extension MediaMetadata.Key {
  /// The type of a key's value.
  public enum ValueType: Sendable, Hashable {
    /// Text.
    case string
    /// A whole number, 0 or more.
    case integer
    /// Any number.
    case number
    /// Seconds, 0 or more.
    case time
    /// A date as ISO 8601 text; `MediaDate` reads it.
    case date
  }

  /// The type of its value; nil for an application-defined key, which may have any.
  public var valueType: ValueType? { Self.table[self]?.type }

  /// Whether the protocol defines it.
  public var isPredefined: Bool { Self.table[self] != nil }

  /// Whether it is deprecated in favour of another key: old receivers and senders still send it.
  public var isDeprecated: Bool { Self.table[self]?.isDeprecated ?? false }

  /// Whether a receiver displays it with this kind. Application-defined keys belong to every kind, and every key to kinds that the
  /// protocol does not define.
  public func isValid(for kind: MediaMetadata.Kind) -> Bool {
    guard let row = Self.table[self], let kinds = row.kinds else { return true }
    if case .custom = kind { return true }
    return kinds.contains(kind)
  }

  /// Every predefined key, sorted by name.
  public static let predefined: [MediaMetadata.Key] = table.keys.sorted { $0.rawValue < $1.rawValue }

  private struct Row: Sendable {
    var type: ValueType
    /// Nil when every kind has it.
    var kinds: Set<MediaMetadata.Kind>?
    var isDeprecated = false

    init(_ type: ValueType, _ kinds: Set<MediaMetadata.Kind>?, isDeprecated: Bool = false) {
      self.type = type
      self.kinds = kinds
      self.isDeprecated = isDeprecated
    }
  }

  private static let table: [MediaMetadata.Key: Row] = [
    .title: Row(.string, [.generic, .movie, .tvShow, .musicTrack, .photo, .audiobookChapter]),
    .subtitle: Row(.string, [.generic, .movie, .tvShow, .audiobookChapter]),
    .artist: Row(.string, [.generic, .musicTrack, .photo]),
    .studio: Row(.string, [.movie]),
    .seriesTitle: Row(.string, [.tvShow]),
    .season: Row(.integer, [.tvShow]),
    .episode: Row(.integer, [.tvShow]),
    .broadcastDate: Row(.date, [.tvShow]),
    .releaseDate: Row(.date, [.generic, .movie, .tvShow, .musicTrack]),
    .albumTitle: Row(.string, [.musicTrack]),
    .albumArtist: Row(.string, [.musicTrack]),
    .composer: Row(.string, [.musicTrack]),
    .songName: Row(.string, [.musicTrack]),
    .trackNumber: Row(.integer, [.musicTrack]),
    .discNumber: Row(.integer, [.musicTrack]),
    .locationName: Row(.string, [.photo]),
    .latitude: Row(.number, [.photo]),
    .longitude: Row(.number, [.photo]),
    .width: Row(.integer, [.photo]),
    .height: Row(.integer, [.photo]),
    .creationDate: Row(.date, [.photo]),
    .bookTitle: Row(.string, [.audiobookChapter]),
    .chapterNumber: Row(.integer, [.audiobookChapter]),
    .chapterTitle: Row(.string, [.audiobookChapter]),
    .contentRating: Row(.string, [.audiobookChapter]),
    .sectionDuration: Row(.time, nil),
    .sectionStartTimeInMedia: Row(.time, nil),
    .sectionStartAbsoluteTime: Row(.time, nil),
    .sectionStartTimeInContainer: Row(.time, nil),
    .queueItemID: Row(.integer, nil),
    .posterURL: Row(.string, nil),
    .releaseYear: Row(.integer, [.generic, .movie, .tvShow, .musicTrack], isDeprecated: true),
    .seasonNumber: Row(.integer, [.tvShow], isDeprecated: true),
    .episodeNumber: Row(.integer, [.tvShow], isDeprecated: true),
    .episodeTitle: Row(.string, [.tvShow], isDeprecated: true),
    .artistName: Row(.string, [.musicTrack], isDeprecated: true),
  ]
}
