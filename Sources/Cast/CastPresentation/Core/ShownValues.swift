import CastProtocol

/// Values as they are shown: a request that is younger than the optimism counts as done, an older one as pending.
struct ShownValues: Sendable, Hashable {
  var isPaused: Bool
  var rate: Double
  var position: MediaTime?
  /// The position that a pending seek leads to; nil without one.
  var pendingPosition: MediaTime?
  var streamLevel: Double?
  var isStreamMuted: Bool
  var deviceLevel: Double?
  var isDeviceMuted: Bool

  init(_ facts: PresentationFacts, _ options: PresentationOptions, at now: Tick) {
    let media = facts.media
    isPaused = media?.playerState == .paused
    rate = media?.playbackRate ?? 1
    position = facts.position(at: now)
    pendingPosition = nil
    streamLevel = media?.volume?.level
    isStreamMuted = media?.volume?.isMuted ?? false
    deviceLevel = facts.receiver?.volume?.level
    isDeviceMuted = facts.receiver?.volume?.isMuted ?? false
    for pending in facts.pending {
      if case .seek(to: let target) = pending.command { pendingPosition = target }
      guard now - pending.since < options.optimism else { continue }
      apply(pending.command)
    }
    deviceLevel = facts.requestedVolume.shownLevel(at: now, device: deviceLevel)
    isDeviceMuted = facts.requestedVolume.isShownMuted(at: now, device: isDeviceMuted)
  }

  private mutating func apply(_ command: PresentationCommand) {
    switch command {
    case .play: isPaused = false
    case .pause: isPaused = true
    case .seek(to: let target): position = target
    case .setPlaybackRate(let value): rate = value
    case .setStreamVolume(let level): streamLevel = level
    case .setStreamMuted(let isMuted): isStreamMuted = isMuted
    case .setDeviceVolume(let level, let unmuting):
      deviceLevel = level
      if unmuting { isDeviceMuted = false }
    case .setDeviceMuted(let isMuted): isDeviceMuted = isMuted
    default: break
    }
  }
}
