public import CastProtocol

extension MediaMetadata {
  /// The first line: the title, or for an older sender's audiobook or song its own key (protocol 11); nil when there is none.
  public var presentedTitle: String? { firstText([.title, .songName, .chapterTitle, .episodeTitle]) }

  /// The second line: the first there is of subtitle, artist, series, book, album and studio (protocol 11); nil when there is none.
  public var presentedSubtitle: String? {
    firstText([.subtitle, .artist, .artistName, .seriesTitle, .bookTitle, .albumTitle, .studio])
  }

  private func firstText(_ keys: [Key]) -> String? {
    keys.lazy.compactMap { string(for: $0) }.first { !$0.isEmpty }
  }
}

/// What played when a session ended: a face can offer to continue there.
public struct LastKnownPlayback: Sendable, Hashable {
  /// Name of the device.
  public let deviceName: String
  /// The media; nil when the receiver had not reported it.
  public let information: MediaInformation?
  /// Title; nil when there is none.
  public let title: String?
  /// Second line; nil when there is none.
  public let subtitle: String?
  /// The last position in seconds from the start; nil when unknown.
  public let streamPosition: MediaTime?
  /// Length in seconds; nil when unknown, and for live streams.
  public let streamDuration: MediaTime?

  /// Nil when nothing is loaded.
  init?(_ facts: PresentationFacts, at now: Tick) {
    guard let session = facts.openSession, let media = facts.media else { return nil }
    deviceName = session.deviceName
    information = media.mediaInformation
    title = facts.shownMetadata?.presentedTitle
    subtitle = facts.shownMetadata?.presentedSubtitle
    streamPosition = facts.position(at: now)
    streamDuration = facts.isLive ? nil : media.mediaInformation?.streamDuration
  }
}
