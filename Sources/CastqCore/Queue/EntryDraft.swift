package import CastProtocol

/// What one line of a playlist asks for, not yet a row.
///
/// Addresses inside `media` may be `file://` URLs; castq serves those files to the device itself when the entry is offered.
package struct EntryDraft: Sendable, Hashable {
  /// What is played, with metadata, tracks and breaks.
  package var media: MediaInformation
  /// Whether it plays when its turn comes; false holds the queue there.
  package var autoplay: Bool
  /// Where it starts; nil is the beginning.
  package var startTime: MediaTime?
  /// How long it plays at most; nil is to the end.
  package var playbackDuration: MediaTime?
  /// How long before the end of the item before it is fetched; nil takes the configured default.
  package var preloadTime: MediaTime?
  /// Playback rate 0.5 to 2; nil is 1.
  package var playbackRate: Double?
  /// Tracks shown from the start; nil leaves the choice to the receiver.
  package var activeTrackIDs: [Int]?
  /// Data of the user's own for the receiver application.
  package var customData: JSONValue?
  /// What the user signs in with at the receiver application, and how that is to be read.
  package var credentials: String?
  /// Such as `cloud`; nil leaves it to the receiver.
  package var credentialsType: String?
  /// It is not to play before this moment.
  package var notBefore: WallTime?
  /// It is not to play after this moment.
  package var notAfter: WallTime?
  /// What is to happen when it cannot be played; nil is the feeder's own rule.
  package var onError: EntryErrorPolicy?
  /// Where it was written.
  package var source: SourceLocation?

  package init(
    media: MediaInformation, autoplay: Bool = true, startTime: MediaTime? = nil,
    playbackDuration: MediaTime? = nil,
    preloadTime: MediaTime? = nil, playbackRate: Double? = nil, activeTrackIDs: [Int]? = nil,
    customData: JSONValue? = nil, source: SourceLocation? = nil
  ) {
    self.media = media
    self.autoplay = autoplay
    self.startTime = startTime
    self.playbackDuration = playbackDuration
    self.preloadTime = preloadTime
    self.playbackRate = playbackRate
    self.activeTrackIDs = activeTrackIDs
    self.customData = customData
    self.source = source
  }
}

/// A line of a playlist file.
package struct SourceLocation: Sendable, Hashable {
  /// The file as the user named it, or an address, or `-`.
  package var file: String
  /// From 1; nil when the whole file is meant.
  package var line: Int?

  package init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}
