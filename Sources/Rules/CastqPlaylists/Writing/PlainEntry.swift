import CastProtocol
import CastqText

/// What the small formats can say of an entry.
struct PlainEntry {
  /// The address of the media.
  var location: String
  var title: String?
  var artist: String?
  var album: String?
  var subtitle: String?
  /// The address of its first picture.
  var image: String?
  var trackNumber: Int?
  /// Seconds: of the media, or how long a picture is shown.
  var length: Double?
  var isLive: Bool
  var foreign: ForeignFields

  /// - Returns: nil when it has no address that a playlist could name.
  init?(_ draft: EntryDraft) {
    guard let location = draft.location else { return nil }
    self.location = location
    let values = draft.media.metadata?.values ?? [:]
    func text(_ key: String) -> String? {
      values[key]?.string.map(TerminalText.sanitized).flatMap { $0.isEmpty ? nil : $0 }
    }
    title = text("title")
    artist = text("artist")
    album = text("albumName") ?? text("bookTitle")
    subtitle = text("subtitle")
    trackNumber = values["trackNumber"]?.int
    image = draft.media.metadata?.images.first.map(\.url).flatMap { draft.origin.mayName($0) ? $0 : nil }
    length = draft.writtenLength?.seconds
    foreign = draft.foreign
    isLive = draft.media.streamType == .live
  }
}

extension EntryDraft {
  /// The address of the media; nil for an application's own names, and for files that its list may not name.
  var location: String? {
    let location = media.contentURL ?? media.contentID
    guard ["file", "http", "https"].contains(WebAddress.scheme(of: location)?.scheme),
      origin.mayName(location)
    else { return nil }
    return location
  }

  /// The length as lists write it: of the media, or how long a picture or a page is shown.
  var writtenLength: MediaTime? {
    media.standsStill && startTime == nil ? playbackDuration : media.streamDuration
  }
}
