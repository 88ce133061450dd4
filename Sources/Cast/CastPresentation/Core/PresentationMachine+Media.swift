import CastProtocol

// What a person wants of the media.

extension PresentationMachine {
  func mediaCommand(for intent: PresentationIntent, at now: Tick)
    -> Result<PresentationCommand?, PresentationFailure>
  {
    let may = MediaPermissions(facts, options, at: now)
    switch intent {
    case .play: return permitted(may.play) { .play }
    case .pause: return permitted(may.pause) { .pause }
    case .togglePlayback: return toggle(may, at: now)
    case .stop: return permitted(may.stop) { .stop }
    case .seek(to: let position): return seek(to: position, may, at: now)
    case .skip(by: let offset): return seek(by: offset, may, at: now)
    case .seekToLiveEdge: return permitted(may.seekToLiveEdge) { .seekToLiveEdge }
    case .skipToNext: return permitted(may.skipToNext) { .skipToNext }
    case .skipToPrevious: return permitted(may.skipToPrevious) { .skipToPrevious }
    case .skipAd: return permitted(may.skipAd) { .skipAd }
    case .setPlaybackRate(let rate):
      guard rate.isFinite else { return .failure(.notARate) }
      return permitted(may.playbackRate) { .setPlaybackRate(min(max(rate, 0.5), 2)) }
    case .setRepeatMode(let mode): return permitted(may.queueRepeat) { .setRepeatMode(mode) }
    case .cycleRepeatMode: return permitted(may.queueRepeat) { .setRepeatMode(nextRepeatMode) }
    case .setShuffled(let isShuffled): return permitted(may.shuffle) { .setShuffled(isShuffled) }
    case .setStreamMuted(let isMuted): return permitted(may.streamMute) { .setStreamMuted(isMuted) }
    case .setStreamVolume(let level):
      guard level.isFinite else { return .failure(.notAVolume) }
      return permitted(may.streamVolume) { .setStreamVolume(level.clampedToUnit) }
    case .selectAudioTrack(let id): return choose(id, may) { $0.kind == .audio }
    case .selectTextTrack(let id): return choose(id, may, among: \.isPresentedText)
    case .toggleCaptions: return toggleCaptions(may)
    case .setTextTrackStyle(let style): return permitted(may.tracks) { .setTextTrackStyle(style) }
    default: return .success(nil)
    }
  }

  /// What the button shows: play, pause, or stop for a live stream.
  private func toggle(_ may: MediaPermissions, at now: Tick) -> Result<
    PresentationCommand?, PresentationFailure
  > {
    let shown = ShownValues(facts, options, at: now)
    switch MediaController(facts, options, shown: shown, at: now).playbackAction {
    case .pause: return permitted(may.pause) { .pause }
    case .stop: return permitted(may.stop) { .stop }
    case .play, nil: return permitted(may.play) { .play }
    }
  }

  private func seek(to position: MediaTime, _ may: MediaPermissions, at now: Tick)
    -> Result<PresentationCommand?, PresentationFailure>
  {
    guard position.seconds.isFinite else { return .failure(.notAPosition) }
    return permitted(may.seek) { .seek(to: clamped(position, at: now)) }
  }

  /// Offsets count from the newest requested position, so that fast presses add up.
  private func seek(by offset: MediaTime, _ may: MediaPermissions, at now: Tick)
    -> Result<PresentationCommand?, PresentationFailure>
  {
    guard offset.seconds.isFinite else { return .failure(.notAPosition) }
    let requested = facts.pending.reversed().lazy.compactMap { pending -> MediaTime? in
      if case .seek(to: let target) = pending.command { target } else { nil }
    }
    return permitted(may.seek) {
      (requested.first ?? facts.position(at: now)).map { .seek(to: clamped($0 + offset, at: now)) }
        ?? .skip(by: offset)
    }
  }

  /// The nearest position that exists.
  private func clamped(_ position: MediaTime, at now: Tick) -> MediaTime {
    if let range = facts.seekableRange(at: now) {
      return max(range.startTime, min(position, range.endTime))
    }
    guard let end = facts.media?.mediaInformation?.streamDuration else { return max(position, .zero) }
    return max(min(position, end), .zero)
  }

  private var nextRepeatMode: MediaRepeatMode {
    switch facts.media?.queueRepeatMode {
    case .off, .unknown, nil: .all
    case .all, .allAndShuffle: .single
    case .single: .off
    }
  }

  private func choose(
    _ id: Int?, _ may: MediaPermissions, among isKind: (MediaTrack) -> Bool
  ) -> Result<PresentationCommand?, PresentationFailure> {
    if let failure = may.tracks.failure { return .failure(failure) }
    guard let tracks = facts.activeTracks(choosing: id, among: isKind) else { return .failure(.trackIsGone) }
    return .success(.setActiveTracks(tracks))
  }

  private func toggleCaptions(_ may: MediaPermissions) -> Result<PresentationCommand?, PresentationFailure> {
    let texts = (facts.media?.mediaInformation?.mediaTracks ?? []).filter(\.isPresentedText)
    let active = facts.media?.activeTrackIDs ?? []
    if let failure = may.tracks.failure { return .failure(failure) }
    guard let first = texts.first else { return permitted(.noText) { .setActiveTracks(active) } }
    let isShown = texts.contains { active.contains($0.identifier) }
    return choose(isShown ? nil : first.identifier, may, among: \.isPresentedText)
  }
}

extension PresentationFailure {
  private init(_ message: String, _ nextStep: String, _ code: CastError.Code) {
    self.init(message, nextStep: nextStep, code: "\(code)")
  }

  static let nothingLoaded = PresentationFailure("nothing is loaded", "load media first", .noMediaSession)
  static let nothingIsCast = PresentationFailure(
    "nothing is being cast", "choose a device first", .sessionIsNotActive)
  static let deviceIsGone = PresentationFailure(
    "that device is no longer in the list", "choose another one", .hostUnknown)
  static let memberIsGone = PresentationFailure(
    "that speaker is no longer in the group", "choose another one", .invalidRequest)
  static let notConnecting = PresentationFailure("nothing is being connected", "", .invalidState)
  static let notSuspended = PresentationFailure("the connection is not suspended", "", .invalidState)
  static let volumeUnknown = PresentationFailure(
    "the device has not reported its volume yet", "wait until it has", .invalidState)
  static let notAVolume = PresentationFailure("a volume is 0 to 1", "choose another one", .invalidRequest)
  static let notARate = PresentationFailure("a speed is 0.5 to 2", "choose another one", .invalidRequest)
  static let notAPosition = PresentationFailure(
    "a position is a number of seconds", "choose another one", .invalidRequest)
  static let trackIsGone = PresentationFailure(
    "the media has no such track", "choose another one", .invalidRequest)
  static let tooManyPending = PresentationFailure(
    "too many requests are pending", "wait for their outcome", .sendBufferFull)
  static let keysAreNotBound = PresentationFailure(
    "the volume keys do not control the device", "use the slider", .notAllowed)
}
