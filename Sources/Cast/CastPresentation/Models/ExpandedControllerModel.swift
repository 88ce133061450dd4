public import CastProtocol

/// The full controller (Google's design checklist, "Expanded controller"): everything but the volume of the device and connecting.
public struct ExpandedControllerModel: Sendable, Hashable {
  /// Whether it is open. It closes by itself when nothing is cast any more.
  public let isOpen: Bool
  /// Title; while an ad plays, the clip's, if it has one. Nil when there is none.
  public let title: String?
  /// Second line; nil when there is none.
  public let subtitle: String?
  /// What the receiver does, in words for a person: `Casting to Kitchen`, `Loading…`.
  public let status: String
  /// Image; nil when there is none. `MediaController.ad` has the poster of an ad.
  public let artwork: Artwork?
  /// The button in the middle: play, pause or stop.
  public let playbackControl: MediaControl
  /// Up to four buttons beside it, from left to right.
  public let controls: [MediaControl]
  /// Elapsed time in seconds, at the left of the seek bar; nil for a live stream, and when unknown.
  public let elapsed: MediaTime?
  /// Length in seconds, at its right; nil for a live stream, and when unknown.
  public let total: MediaTime?
  /// Whether the seek bar is shown: the position in a length or a range is known.
  public let showsSeekBar: Bool
  /// Whether the seek bar may be moved.
  public let isSeekBarEnabled: Bool
  /// The ad that plays; nil for the content.
  public let ad: AdModel?
  /// What plays next; nil when that is unknown, far off, or was hidden.
  public let upNext: UpNextModel?

  /// Maximum number of configurable buttons.
  public static let controlLimit = 4

  init(
    _ facts: PresentationFacts, _ options: PresentationOptions, _ media: MediaController,
    upNext: UpNextModel?,
    isOpen: Bool
  ) {
    self.isOpen = isOpen && media.hasMedia
    title = media.ad?.title ?? media.title
    subtitle = media.subtitle
    status = Self.status(facts, media)
    artwork = facts.artwork(for: .expandedController)
    playbackControl = media.control(.playPauseToggle)
    controls = options.expandedControllerButtons.prefix(Self.controlLimit).map { media.control($0) }
    elapsed = media.isLive ? nil : media.streamPosition
    total = media.streamDuration
    showsSeekBar = media.progress != nil && media.ad == nil
    isSeekBarEnabled = media.canSeek && media.progress != nil
    ad = media.ad
    self.upNext = upNext
  }

  private static func status(_ facts: PresentationFacts, _ media: MediaController) -> String {
    guard let session = facts.openSession else { return "Not casting" }
    if let name = facts.movingTo { return "Moving to \(name)…" }
    switch session.phase {
    case .moving: return "Moving to \(session.deviceName)…"
    case .connecting(let step): return ConnectingProgress(session, step).text
    case .suspended: return "Connection to \(session.deviceName) lost, reconnecting…"
    case .ended: return "Not casting"
    case .connected: break
    }
    if let ad = media.ad {
      let place = ad.clipNumber.flatMap { number in ad.clipCount.map { " \(number) of \($0)" } } ?? ""
      return "Ad\(place) on \(session.deviceName)"
    }
    switch media.playbackState {
    case .loading: return "Loading…"
    case .buffering: return "Buffering…"
    case .ended(.error): return "The media could not be played"
    case .none, .playing, .paused, .ended: return "Casting to \(session.deviceName)"
    }
  }
}

/// What plays next, shown before the end of the current item (Google's design checklist, "Autoplay"): wait, play now, or stop.
public struct UpNextModel: Sendable, Hashable {
  /// What plays next.
  public let item: UpNextItem
  /// Seconds until it plays, rounded up.
  public let secondsLeft: Int

  /// Hides this, and waits.
  public var waitIntent: PresentationIntent { .waitForNext }
  /// Plays it now.
  public var playNowIntent: PresentationIntent { .skipToNext }
  /// Stops what plays.
  public var stopIntent: PresentationIntent { .stop }

  /// Nil when the next item or the end is unknown, or the end is far off.
  init?(_ facts: PresentationFacts, _ options: PresentationOptions, _ media: MediaController) {
    guard media.ad == nil, !media.isLive, media.playbackState == .playing || media.playbackState == .paused,
      let item = facts.upNext ?? UpNextItem(facts.media), let end = media.streamDuration,
      let position = media.streamPosition, media.playbackRate > 0
    else { return nil }
    let left = max((end.seconds - position.seconds) / media.playbackRate, 0)
    guard left <= options.upNextLead.seconds else { return nil }
    self.item = item
    secondsLeft = Int(bounded: left.rounded(.up))
  }
}

extension UpNextItem {
  /// The item after the current one in the receiver's window; nil when none is known, and when the current one
  /// is repeated (protocol 7.4).
  init?(_ media: MediaStatus?) {
    guard media?.queueRepeatMode != .single, let item = media?.nextQueueItem ?? media?.preloadedQueueItem
    else { return nil }
    let metadata = item.mediaInformation?.metadata
    self.init(
      title: metadata?.presentedTitle, subtitle: metadata?.presentedSubtitle, image: metadata?.images.first)
  }
}
