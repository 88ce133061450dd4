import CastProtocol

/// Everything that is known: what the models are computed from.
struct PresentationFacts: Sendable, Equatable {
  var devices: [Device] = []
  var isSearching = false
  /// What limits discovery, in words for a person.
  var problems: [String] = []
  var session: PresentedSession?
  /// When its phase was reported.
  var sessionAt = Tick.zero
  var receiver: ReceiverStatus?
  var application: ApplicationMetadata?
  /// The group that the device leads; nil while nothing is known of one.
  var group: Group?
  /// The newest media status, also after the media has ended.
  var status: MediaStatus?
  /// When it was received.
  var statusAt = Tick.zero
  var queuePlace: QueuePlace?
  var upNext: UpNextItem?
  /// The images that were selected; none until a driver has answered.
  var artwork: [ArtworkUse: SelectedImage] = [:]
  var pending: [PendingIntent] = []
  var requestedVolume = RequestedVolume()
  /// Why the last attempt to connect has failed; nil from the next attempt on.
  var connectFailure: PresentationFailure?
  /// What played when the last session ended.
  var lastKnown: LastKnownPlayback?

  struct SelectedImage: Sendable, Hashable {
    var image: Image?
    var state: ArtworkState
  }

  /// The members of a group (protocol 5.9).
  struct Group: Sendable, Hashable {
    var members: [MultizoneDevice] = []
    /// Whether each plays one channel: a stereo pair is one output.
    var isMultichannel = false
  }

  /// An intent whose command has no outcome yet.
  struct PendingIntent: Sendable, Hashable {
    let id: IntentID
    let intent: PresentationIntent
    let command: PresentationCommand
    let since: Tick
  }

  /// The session, unless it has ended.
  var openSession: PresentedSession? { session.flatMap { $0.phase.isOpen ? $0 : nil } }

  /// Whether requests are accepted.
  var isConnected: Bool { openSession?.phase == .connected }

  /// The media that is loaded or being loaded; nil when nothing is, and without a session.
  var media: MediaStatus? {
    guard openSession != nil, let status, !status.isEnded else { return nil }
    // Idle without a reason: nothing has been loaded yet.
    guard status.playerState != .idle || status.isLoading || status.loadingItemID != nil else { return nil }
    return status
  }

  /// The metadata of what plays; while another item is loading, of that one.
  var shownMetadata: MediaMetadata? {
    guard let media else { return nil }
    return media.loadingMedia?.metadata ?? media.mediaInformation?.metadata
  }

  /// The ad that plays; nil for the content.
  var adBreak: AdBreakStatus? { media?.adBreakStatus }

  var isLive: Bool { media?.mediaInformation?.isLive == true }

  /// Whether a command for an intent like this has no outcome yet.
  func isPending(_ isLike: (PresentationIntent) -> Bool) -> Bool { pending.contains { isLike($0.intent) } }

  /// The position at a time; nil when unknown.
  func position(at now: Tick) -> MediaTime? { media?.streamPosition(after: age(at: now)) }

  /// The seekable range of a live stream at a time; nil for all other media.
  func seekableRange(at now: Tick) -> MediaLiveSeekableRange? {
    media?.liveSeekableRange?.range(after: age(at: now))
  }

  /// The time since the newest status; never negative.
  func age(at now: Tick) -> Duration { max(now - statusAt, .zero) }
}

extension Permission {
  static let notConnected = Permission.refused(
    "nothing is being cast", "choose a device first", code: .sessionIsNotActive)

  /// The reason of a session that does not accept requests.
  static func suspended(_ session: PresentedSession) -> Permission {
    if case .connecting = session.phase {
      return .refused(
        "\(session.deviceName) is not connected yet", "wait until it is", code: .sessionIsNotActive)
    }
    if session.phase == .moving {
      return .refused(
        "what plays is being moved to \(session.deviceName)", "wait until it plays there",
        code: .sessionIsNotActive)
    }
    return .refused(
      "the connection to \(session.deviceName) is lost", "wait until it is restored",
      code: .deviceNotConnected)
  }
}
