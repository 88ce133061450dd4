package import CastProtocol

/// What one line of a playlist asks for, not yet a row.
///
/// Addresses inside `media` may be `file://` URLs; castq serves those files to the device itself when the entry is offered, if
/// a list of this machine named them.
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
  /// Who wrote it, which decides whether files of this machine may be served for it.
  package var origin: EntryOrigin

  package init(
    media: MediaInformation, autoplay: Bool = true, startTime: MediaTime? = nil,
    playbackDuration: MediaTime? = nil,
    preloadTime: MediaTime? = nil, playbackRate: Double? = nil, activeTrackIDs: [Int]? = nil,
    customData: JSONValue? = nil, source: SourceLocation? = nil, origin: EntryOrigin = .network
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
    self.origin = origin
  }
}

/// Who wrote an entry. A list of the network must not choose which files of this machine a device is given.
package enum EntryOrigin: String, Sendable, Hashable {
  /// The command line, standard input, or a list that is a file of this machine.
  case local
  /// A list that was fetched, or an unknown origin.
  case network

  /// Whether a file of this machine may be served when an entry of this origin has this address; true for all that is not the
  /// address of a file.
  package func mayName(_ address: String) -> Bool { self == .local || !FilePath.isURL(address) }
}

extension EntryDraft {
  /// How long it will play; nil when unknown.
  /// - Parameter length: the length of the media from elsewhere, used where the list gives none.
  package func playingTime(length: MediaTime? = nil) -> MediaTime? {
    if media.isPicture { return playbackDuration ?? FeederConfiguration().imageDuration }
    let rest = (media.streamDuration ?? length).map { max($0 - (startTime ?? 0), 0) }
    guard let playbackDuration else { return rest }
    return rest.map { min($0, playbackDuration) } ?? playbackDuration
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
