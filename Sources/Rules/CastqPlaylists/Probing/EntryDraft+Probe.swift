package import CastProtocol
import CastqText

/// What the file itself tells of an entry. What its list says is never replaced.
extension EntryDraft {
  /// Fills in what the list leaves open: the length, the title and the other words of the file's tags.
  /// - Parameter probe: of the file that the entry plays; nil where nothing is known, and then the file's name is the title.
  package mutating func fill(from probe: MediaProbe?) {
    let listed = media
    guard !listed.standsStill, listed.isNamed else { return }
    if let length = probe?.duration, listed.streamDuration == nil, listed.streamType == .buffered {
      media.streamDuration = MediaTime(seconds: length)
    }
    let hasTitle = listed.givenTitle != nil
    var values = probe.map { Self.values($0.tags) } ?? [:]
    if !hasTitle, values["title"] == nil, !listed.isLive {
      values["title"] = MediaTitle.told(by: listed.url).map(JSONValue.string)
    }
    guard !values.isEmpty else { return }
    for key in (listed.metadata?.values ?? [:]).keys where key != "title" || hasTitle { values[key] = nil }
    guard !values.isEmpty else { return }
    var metadata = listed.metadata ?? MediaMetadata(kind: Self.kind(listed, values))
    metadata.values.merge(values) { $1 }
    media.metadata = metadata
  }

  /// Tags by their names on the wire (protocol 11).
  private static func values(_ tags: [String: String]) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    let words = [
      "title": ["title"], "artist": ["artist"], "albumArtist": ["album_artist", "albumartist"],
      "albumName": ["album"],
      "composer": ["composer"], "seriesTitle": ["show"],
    ]
    for (key, names) in words { values[key] = names.lazy.compactMap { tags[$0] }.first.map(JSONValue.string) }
    let numbers = [
      "trackNumber": ["track", "tracknumber"], "discNumber": ["disc", "discnumber"],
      "season": ["season_number"],
      "episode": ["episode_sort"],
    ]
    for (key, names) in numbers {
      values[key] = JSONValue(names.lazy.compactMap { tags[$0] }.first.flatMap(number))
    }
    return values
  }

  /// `3` of `3/12`.
  private static func number(_ text: String) -> Int? {
    text.split(separator: "/").first.flatMap { Int($0) }.flatMap { (1...9999).contains($0) ? $0 : nil }
  }

  private static func kind(_ media: MediaInformation, _ values: [String: JSONValue]) -> MediaMetadata.Kind {
    if values["seriesTitle"] != nil { return .tvShow }
    return ContentTypes.family(of: media.contentType ?? "") == "audio" ? .musicTrack : .generic
  }
}

extension MediaInformation {
  /// Whether it has an address, which is not so where an application knows it by another name.
  fileprivate var isNamed: Bool { url.contains("/") }

  /// The path of the local file that is played; nil where none is.
  package var localPath: String? {
    guard FilePath.isURL(url) else { return nil }
    do throws(TextError) { return try FilePath.path(url: url) } catch { return nil }
  }
}

extension EntryDraft {
  /// The local file that may be probed for it: lists of the network may not name any, and pictures tell nothing. Nor does a manifest:
  /// what it names are other files.
  package var probedPath: String? {
    // Read once: each reading is a copy of all of it.
    let media = media
    guard !media.standsStill, origin.mayName(media.url) else { return nil }
    if let type = media.contentType, ContentTypes.isInPieces(type.lowercased()) { return nil }
    return media.localPath
  }
}
