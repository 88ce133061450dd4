public import CastProtocol

/// The media as a controller shows it, as `GCKUIMediaController` of the iOS SDK: what plays, how far it is, and what may be done.
public struct MediaController: Sendable, Hashable {
  /// What the player does.
  public enum PlaybackState: Sendable, Hashable {
    /// Nothing is loaded.
    case none
    /// Media is being loaded.
    case loading
    /// It waits for data.
    case buffering
    /// It plays.
    case playing
    /// It is paused.
    case paused
    /// The media has ended.
    case ended(MediaPlayerIdleReason?)
  }

  /// What the one playback button does.
  public enum PlaybackAction: Sendable, Hashable {
    /// Resume playback.
    case play
    /// Pause playback.
    case pause
    /// Stop: live streams are stopped, not paused (Google's design checklist).
    case stop
  }

  /// What the player does.
  public let playbackState: PlaybackState
  /// What the one playback button does; nil when nothing is loaded.
  public let playbackAction: PlaybackAction?
  /// Title; nil when there is none.
  public let title: String?
  /// Second line: subtitle, artist, series, album or studio, the first there is; nil when there is none.
  public let subtitle: String?
  /// Image for the dialog; nil when there is none. The mini and the expanded controller have their own.
  public let artwork: Artwork?
  /// The media; nil when nothing is loaded.
  public let information: MediaInformation?
  /// Name of the device; nil without a session.
  public let deviceName: String?
  /// Whether it is a live stream.
  public let isLive: Bool
  /// Position in seconds from the start, extrapolated while playing; nil when unknown.
  public let streamPosition: MediaTime?
  /// The position that a pending seek leads to, in seconds; nil without one.
  public let pendingPosition: MediaTime?
  /// Length in seconds; nil when unknown, and for live streams.
  public let streamDuration: MediaTime?
  /// The seekable range of a live stream; nil for all other media.
  public let liveSeekableRange: MediaLiveSeekableRange?
  /// The position in the length, or in the seekable range, 0 to 1; nil when unknown.
  public let progress: Double?
  /// The ad breaks.
  public let adMarks: [AdMark]
  /// The ad that plays; nil for the content.
  public let ad: AdModel?
  /// The speed; 1 is normal.
  public let playbackRate: Double
  /// Volume of the stream, 0 to 1; nil when not reported.
  public let streamVolume: Double?
  /// Whether the stream is muted.
  public let isStreamMuted: Bool
  /// Place in the whole queue; nil when unknown.
  public let queuePlace: QueuePlace?
  /// What happens at the end of the queue; nil when not reported.
  public let repeatMode: MediaRepeatMode?
  /// Whether the queue is played in random order; nil when not reported.
  public let isShuffled: Bool?
  /// Whether subtitles are shown.
  public let hasActiveText: Bool
  /// Whether there are subtitles to choose.
  public let hasText: Bool
  /// What played when the last session ended, until the next one begins; nil when nothing did.
  public let lastKnown: LastKnownPlayback?

  let permissions: MediaPermissions
  private let pendingKinds: Set<MediaControlKind>

  /// Whether media is loaded or being loaded.
  public var hasMedia: Bool { information != nil || isLoading || playbackAction != nil }
  /// Whether media is being loaded, or waits for data: a face shows an indicator.
  public var isLoading: Bool { playbackState == .loading || playbackState == .buffering }

  init(_ facts: PresentationFacts, _ options: PresentationOptions, shown: ShownValues, at now: Tick) {
    let media = facts.media
    let permissions = MediaPermissions(facts, options, at: now)
    self.permissions = permissions
    let state = PlaybackState(facts, shown)
    playbackState = state
    information = media.flatMap { $0.loadingMedia ?? $0.mediaInformation }
    title = facts.shownMetadata?.presentedTitle
    subtitle = facts.shownMetadata?.presentedSubtitle
    artwork = facts.artwork(for: .castDialog)
    deviceName = facts.openSession?.deviceName
    isLive = facts.isLive
    playbackAction =
      media == nil ? nil : facts.isLive ? .stop : state == .paused || state == .loading ? .play : .pause
    streamPosition = shown.position
    pendingPosition = shown.pendingPosition
    streamDuration = facts.isLive ? nil : media?.mediaInformation?.streamDuration
    liveSeekableRange = facts.seekableRange(at: now)
    progress = Self.progress(shown.position, streamDuration, liveSeekableRange)
    adMarks = media?.mediaInformation?.adBreaks.map(AdMark.init) ?? []
    ad = AdModel(facts, skip: permissions.skipAd, at: now)
    playbackRate = shown.rate
    streamVolume = shown.streamLevel
    isStreamMuted = shown.isStreamMuted
    queuePlace = media == nil ? nil : facts.queuePlace
    repeatMode = media?.queueRepeatMode
    isShuffled = media?.queueData?.shuffle
    let texts = media?.mediaInformation?.mediaTracks.filter(\.isPresentedText) ?? []
    hasText = !texts.isEmpty
    let active = media?.activeTrackIDs ?? []
    hasActiveText = texts.contains { active.contains($0.identifier) }
    lastKnown = facts.openSession == nil ? facts.lastKnown : nil
    pendingKinds = Set(facts.pending.compactMap(\.intent.controlKind))
  }

  private static func progress(
    _ position: MediaTime?, _ duration: MediaTime?, _ range: MediaLiveSeekableRange?
  ) -> Double? {
    guard let position else { return nil }
    let (start, end) = (range?.startTime.seconds ?? 0, range?.endTime.seconds ?? duration?.seconds ?? 0)
    guard end > start else { return nil }
    return ((position.seconds - start) / (end - start)).clampedToUnit
  }
}

extension MediaController.PlaybackState {
  init(_ facts: PresentationFacts, _ shown: ShownValues) {
    guard let media = facts.media else {
      let ended = facts.openSession != nil && facts.status?.isEnded == true
      self = ended ? .ended(facts.status?.idleReason) : .none
      return
    }
    switch media.playerState {
    case .idle, .loading: self = .loading
    case .buffering: self = .buffering
    case .playing, .paused: self = shown.isPaused ? .paused : .playing
    case .unknown: self = .playing
    }
  }
}

// MARK: - What may be done

extension MediaController {
  /// Whether playback may be resumed.
  public var canPlay: Bool { permissions.play.isAllowed }
  /// Whether it may be paused.
  public var canPause: Bool { permissions.pause.isAllowed }
  /// Whether it may be stopped.
  public var canStop: Bool { permissions.stop.isAllowed }
  /// Whether another position may be chosen.
  public var canSeek: Bool { permissions.seek.isAllowed }
  /// Whether a live stream can be continued at its edge.
  public var canSeekToLiveEdge: Bool { permissions.seekToLiveEdge.isAllowed }
  /// Whether a next item is known.
  public var canSkipToNext: Bool { permissions.skipToNext.isAllowed }
  /// Whether a previous item is known.
  public var canSkipToPrevious: Bool { permissions.skipToPrevious.isAllowed }
  /// Whether the ad may be skipped now.
  public var canSkipAd: Bool { permissions.skipAd.isAllowed }
  /// Whether the speed may be changed.
  public var canSetPlaybackRate: Bool { permissions.playbackRate.isAllowed }
  /// Whether the queue can repeat.
  public var canRepeat: Bool { permissions.queueRepeat.isAllowed }
  /// Whether the queue can be shuffled.
  public var canShuffle: Bool { permissions.shuffle.isAllowed }
  /// Whether tracks may be chosen.
  public var canSelectTracks: Bool { permissions.tracks.isAllowed }
  /// Whether the volume of the stream may be changed.
  public var canSetStreamVolume: Bool { permissions.streamVolume.isAllowed }
  /// Whether the stream may be muted.
  public var canMuteStream: Bool { permissions.streamMute.isAllowed }
}

// MARK: - Buttons

extension MediaController {
  /// A button as it is drawn now.
  public func control(_ kind: MediaControlKind) -> MediaControl {
    let (label, permission, isOn, intent): (String, Permission, Bool, PresentationIntent?) =
      switch kind {
      case .none: ("", .notConnected, false, nil)
      case .playPauseToggle: toggle
      case .skipNext: ("Next", permissions.skipToNext, false, .skipToNext)
      case .skipPrevious: ("Previous", permissions.skipToPrevious, false, .skipToPrevious)
      case .rewind(let seconds):
        ("Back \(seconds) s", permissions.seek, false, .skip(by: MediaTime(seconds: -Double(seconds))))
      case .forward(let seconds):
        ("Forward \(seconds) s", permissions.seek, false, .skip(by: MediaTime(seconds: Double(seconds))))
      case .muteToggle:
        (
          isStreamMuted ? "Unmute" : "Mute", permissions.streamMute, isStreamMuted,
          .setStreamMuted(!isStreamMuted)
        )
      case .closedCaptions:
        (
          hasActiveText ? "Hide subtitles" : "Show subtitles",
          hasText || !permissions.tracks.isAllowed ? permissions.tracks : .noText, hasActiveText,
          .toggleCaptions
        )
      case .stop: ("Stop", permissions.stop, false, .stop)
      case .custom(let name): (name, .allowed, false, .custom(name))
      }
    return MediaControl(
      kind: kind, label: label, isEnabled: permission.isAllowed,
      explanation: kind == .none ? nil : permission.failure?.line, isOn: isOn,
      isPending: pendingKinds.contains(intent?.controlKind ?? .none), intent: intent)
  }

  private var toggle: (String, Permission, Bool, PresentationIntent?) {
    switch playbackAction {
    case .play, nil: ("Play", permissions.play, false, .togglePlayback)
    case .pause: ("Pause", permissions.pause, false, .togglePlayback)
    case .stop: ("Stop", permissions.stop, false, .togglePlayback)
    }
  }
}

extension Permission {
  static let noText = Permission.refused(
    "the media has no subtitles", "choose media that has some", code: .invalidRequest)
}

extension PresentationIntent {
  /// The kind of the button that shows it as pending; nil when none does.
  var controlKind: MediaControlKind? {
    switch self {
    case .play, .pause, .togglePlayback: .playPauseToggle
    case .skipToNext: .skipNext
    case .skipToPrevious: .skipPrevious
    case .skip(by: let offset): offset < .zero ? .rewind(seconds: 0) : .forward(seconds: 0)
    case .setStreamMuted: .muteToggle
    case .toggleCaptions, .selectTextTrack: .closedCaptions
    case .stop: .stop
    case .custom(let name): .custom(name)
    default: nil
    }
  }
}
