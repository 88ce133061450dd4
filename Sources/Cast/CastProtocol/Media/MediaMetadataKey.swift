extension MediaMetadata {
  /// The name of a metadata value on the wire: predefined or application-defined.
  ///
  /// Each predefined key has a type and belongs to certain kinds (protocol 11). An application-defined key is any other text:
  /// `Key(rawValue: "com.example.rating")`.
  public struct Key: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The key on the wire.
    public let rawValue: String
    /// The key with this name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name on the wire.
    public var description: String { rawValue }
  }
}

extension MediaMetadata.Key {
  /// Name of the film, episode, piece or picture; of an audiobook's chapter for older receivers. Text; generic, film,
  /// series, music, photograph, audiobook.
  public static let title = Self(rawValue: "title")
  /// Second line. In a series the title of the episode for older receivers, in an audiobook that of the book. Text;
  /// generic, film, series, audiobook.
  public static let subtitle = Self(rawValue: "subtitle")
  /// Who made it: musicians, photographer. Text; generic, music, photograph.
  public static let artist = Self(rawValue: "artist")
  /// Studio of a film. Text; film.
  public static let studio = Self(rawValue: "studio")
  /// Name of the series. Text; series.
  public static let seriesTitle = Self(rawValue: "seriesTitle")
  /// Number of the season, from 1; 0 for specials. Whole number; series.
  public static let season = Self(rawValue: "season")
  /// Number of the episode in its season, from 1; 0 for pilots. Whole number; series.
  public static let episode = Self(rawValue: "episode")
  /// First broadcast; `originalAirdate` on the wire. Date; series.
  public static let broadcastDate = Self(rawValue: "originalAirdate")
  /// First published. Date; generic, film, series, music.
  public static let releaseDate = Self(rawValue: "releaseDate")
  /// Name of the album; `albumName` on the wire. Text; music.
  public static let albumTitle = Self(rawValue: "albumName")
  /// Who made the album. Text; music.
  public static let albumArtist = Self(rawValue: "albumArtist")
  /// Who wrote the music. Text; music.
  public static let composer = Self(rawValue: "composer")
  /// Name of the song, where `title` is something else. Text; music.
  public static let songName = Self(rawValue: "songName")
  /// Number on the album, from 1; 0 for hidden tracks. Whole number; music.
  public static let trackNumber = Self(rawValue: "trackNumber")
  /// Number of the album's disc, from 1. Whole number; music.
  public static let discNumber = Self(rawValue: "discNumber")
  /// Where a photograph was taken, in words; `location` on the wire. Text; photograph.
  public static let locationName = Self(rawValue: "location")
  /// Where a photograph was taken, in degrees north. Number; photograph.
  public static let latitude = Self(rawValue: "latitude")
  /// Where a photograph was taken, in degrees east. Number; photograph.
  public static let longitude = Self(rawValue: "longitude")
  /// Width of a photograph in pixels. Whole number; photograph.
  public static let width = Self(rawValue: "width")
  /// Height of a photograph in pixels. Whole number; photograph.
  public static let height = Self(rawValue: "height")
  /// When a photograph was taken; `creationDateTime` on the wire. Date; photograph.
  public static let creationDate = Self(rawValue: "creationDateTime")
  /// Name of the audiobook. Text; audiobook.
  public static let bookTitle = Self(rawValue: "bookTitle")
  /// Number of the chapter, from 1. Whole number; audiobook.
  public static let chapterNumber = Self(rawValue: "chapterNumber")
  /// Name of the chapter. Text; audiobook.
  public static let chapterTitle = Self(rawValue: "chapterTitle")
  /// For whom the audiobook is, such as an age. Text; audiobook.
  public static let contentRating = Self(rawValue: "contentRating")
  /// Length of a section. Seconds; any kind.
  public static let sectionDuration = Self(rawValue: "sectionDuration")
  /// Where a section starts in its media. Seconds; any kind.
  public static let sectionStartTimeInMedia = Self(rawValue: "sectionStartTimeInMedia")
  /// When a section of a live stream started, in seconds since 1970. Seconds; any kind.
  public static let sectionStartAbsoluteTime = Self(rawValue: "sectionStartAbsoluteTime")
  /// Where a section starts in its container. Seconds; any kind.
  public static let sectionStartTimeInContainer = Self(rawValue: "sectionStartTimeInContainer")
  /// The queue item a section belongs to; `queueItemId` on the wire. Whole number; any kind.
  public static let queueItemID = Self(rawValue: "queueItemId")
  /// Address of a picture of the section; `posterUrl` on the wire. Text; any kind.
  public static let posterURL = Self(rawValue: "posterUrl")
  /// First published, as a year. Deprecated in favour of `releaseDate`. Whole number; generic, film, series, music.
  public static let releaseYear = Self(rawValue: "releaseYear")
  /// Deprecated in favour of `season`. Whole number; series.
  public static let seasonNumber = Self(rawValue: "seasonNumber")
  /// Deprecated in favour of `episode`. Whole number; series.
  public static let episodeNumber = Self(rawValue: "episodeNumber")
  /// Deprecated in favour of `title`. Text; series.
  public static let episodeTitle = Self(rawValue: "episodeTitle")
  /// Deprecated in favour of `artist`. Text; music.
  public static let artistName = Self(rawValue: "artistName")
}
