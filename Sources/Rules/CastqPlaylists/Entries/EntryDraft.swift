package import CastGuard
package import CastProtocol
package import CastqText

/// The entry that one line of a playlist describes, not yet a row.
///
/// Addresses inside `media` may be `file://` URLs; castq serves those files to the device when the entry is offered, if a local
/// list named them.
package struct EntryDraft: Sendable, Hashable {
  /// What is played, with metadata, tracks and breaks.
  package var media: MediaInformation {
    get { boxedMedia.value }
    set { boxedMedia = Boxed(newValue) }
  }
  private var boxedMedia: Boxed<MediaInformation>
  /// Whether it plays when its turn comes; false pauses the queue there.
  package var autoplay: Bool
  /// Where it starts; nil is the beginning.
  package var startTime: MediaTime?
  /// How long it plays at most; nil is to the end.
  package var playbackDuration: MediaTime?
  /// How long before the end of the previous item it is preloaded; nil is the configured default.
  package var preloadTime: MediaTime?
  /// Playback rate 0.5 to 2; nil is 1.
  package var playbackRate: Double?
  /// Tracks shown from the start; nil leaves the choice to the receiver.
  package var activeTrackIDs: [Int]?
  /// Custom data for the receiver application.
  package var customData: JSONValue?
  /// Credentials for the receiver application.
  package var credentials: String?
  /// Type of the credentials, such as `cloud`; nil leaves it to the receiver.
  package var credentialsType: String?
  /// The entry does not play before this moment.
  package var notBefore: WallTime?
  /// The entry does not play after this moment.
  package var notAfter: WallTime?
  /// Policy when it cannot be played; nil is the feeder's own.
  package var onError: EntryErrorPolicy?
  /// What its list says of it to other players.
  package var foreign = ForeignFields()
  /// Where it is written.
  package var source: SourceLocation?
  /// Who wrote it. The origin decides whether local files may be served for it.
  package var origin: EntryOrigin

  package init(
    media: MediaInformation, autoplay: Bool = true, startTime: MediaTime? = nil,
    playbackDuration: MediaTime? = nil,
    preloadTime: MediaTime? = nil, playbackRate: Double? = nil, activeTrackIDs: [Int]? = nil,
    customData: JSONValue? = nil, source: SourceLocation? = nil, origin: EntryOrigin = .network
  ) {
    boxedMedia = Boxed(media)
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

/// Who wrote an entry. A list from the network must not choose local files to be served to a device.
package enum EntryOrigin: String, Sendable, Hashable {
  /// The command line, standard input, or a list in a local file.
  case local
  /// A fetched list, or an unknown origin.
  case network

  /// Whether an entry of this origin may have this address; true unless it is the address of a file and the origin is the network.
  package func mayName(_ address: String) -> Bool { self == .local || !FilePath.isURL(address) }
}

extension SourceLocation? {
  /// Whose words an entry is made of that is written here, and of which nothing else is known any more.
  package var fetchOrigin: FetchOrigin {
    guard let self, !WebAddress.isOnWeb(self.file) else {
      return .network(host: self.flatMap { try? WebAddress($0.file).host }, address: nil)
    }
    return .owner
  }
}

extension EntryDraft {
  /// Whose words its pictures are: a page that is resolved may have named them.
  package func pictureOrigin(_ resolvers: ResolverRules) -> FetchOrigin {
    guard resolvers.rule(for: media.url) != nil else { return fetchOrigin }
    return .resolver(host: try? WebAddress(media.url).host)
  }

  /// Whose words its addresses are.
  package var fetchOrigin: FetchOrigin {
    switch origin {
    case .local: .owner
    case .network: .network(host: source.flatMap { try? WebAddress($0.file).host }, address: nil)
    }
  }

  /// How long a picture is shown whose entry does not say it.
  package static let pictureTime: MediaTime = 10

  /// How long it will play; nil when unknown.
  package func playingTime() -> MediaTime? {
    // One copy out of its box.
    let media = media
    if media.isPicture { return playbackDuration ?? Self.pictureTime }
    let rest = media.streamDuration.map { max($0 - (startTime ?? 0), 0) }
    guard let playbackDuration else { return rest }
    return rest.map { min($0, playbackDuration) } ?? playbackDuration
  }
}

/// A line of a playlist file.
package struct SourceLocation: Sendable, Hashable {
  /// The file as the user named it, or an address, or `-`.
  package var file: String
  /// From 1; nil stands for the whole file.
  package var line: Int?

  package init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}

extension EntryDraft {
  /// How long its item is to be on the screen, in milliseconds, as far as the list or history says; pictures and what is unknown
  /// count as what a feeder gives them.
  /// - Parameter history: how long its medium was when it was played before; nil when it never was.
  package func expectedLength(history: MediaTime?) -> Int64 {
    let usual = media.isPicture || media.isPage ? 10.0 : 30.0
    let known =
      playbackDuration ?? media.streamDuration.flatMap { $0 > .zero ? $0 : nil } ?? history
    return Int64(bounded: ((known?.seconds ?? usual) * 1000).rounded())
  }
}
