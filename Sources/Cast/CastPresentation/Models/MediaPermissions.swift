import CastProtocol

/// What may be done with the media now, and why not. The application's supported commands are the source (protocol 6.7); before it
/// has reported them everything may be tried.
struct MediaPermissions: Sendable, Hashable {
  var play: Permission
  var pause: Permission
  var stop: Permission
  var seek: Permission
  var seekToLiveEdge: Permission
  var skipToNext: Permission
  var skipToPrevious: Permission
  var skipAd: Permission
  var playbackRate: Permission
  var queueRepeat: Permission
  var shuffle: Permission
  var tracks: Permission
  var streamVolume: Permission
  var streamMute: Permission

  init(_ facts: PresentationFacts, _ options: PresentationOptions, at now: Tick) {
    let base = Self.base(facts, options)
    guard base.isAllowed, let media = facts.media else {
      play = base
      (pause, stop, seek, seekToLiveEdge) = (base, base, base, base)
      (skipToNext, skipToPrevious, skipAd, playbackRate) = (base, base, base, base)
      (queueRepeat, shuffle, tracks, streamVolume, streamMute) = (base, base, base, base, base)
      return
    }
    func supports(_ command: MediaCommand) -> Bool {
      media.supportedMediaCommands.isEmpty || media.isMediaCommandSupported(command)
    }
    func command(_ command: MediaCommand, _ deed: String) -> Permission {
      supports(command) ? .allowed : .unsupported(deed)
    }
    let content: Permission =
      facts.adBreak == nil
      ? .allowed : .refused("an ad is playing", "wait for its end", code: .invalidMediaPlayerState)
    (play, stop) = (.allowed, .allowed)
    pause =
      supports(.pause)
      ? .allowed
      : facts.isLive
        ? .refused("a live stream cannot be paused", "stop it instead", code: .unsupportedFeature)
        : .unsupported("pause")
    seek =
      !content.isAllowed
      ? content
      : facts.isLive && media.liveSeekableRange == nil
        ? .refused("a live stream without a seekable range has one position", "", code: .unsupportedFeature)
        : command(.seek, "seek")
    seekToLiveEdge =
      facts.isLive
      ? seek : .refused("only a live stream has a live edge", "", code: .unsupportedFeature)
    let repeats = media.queueRepeatMode == .all || media.queueRepeatMode == .allAndShuffle
    skipToNext =
      media.isMediaCommandSupported(.queueNext) || media.queueHasNextItem || facts.upNext != nil || repeats
      ? .allowed : .refused("nothing follows in the queue", "add something to it", code: .invalidRequest)
    skipToPrevious =
      media.isMediaCommandSupported(.queuePrevious) || media.queueHasPreviousItem || repeats
      ? .allowed
      : .refused("nothing precedes in the queue", "seek to the start instead", code: .invalidRequest)
    skipAd = Self.skipAd(facts, media, at: now)
    playbackRate =
      !content.isAllowed
      ? content
      : facts.isLive
        ? .refused("a live stream has one speed", "", code: .unsupportedFeature)
        : command(.setPlaybackRate, "change the speed")
    queueRepeat =
      media.supportedMediaCommands.isEmpty || !media.supportedMediaCommands.isDisjoint(with: .queueRepeat)
        || !media.queueItems.isEmpty
      ? .allowed : .unsupported("repeat")
    shuffle =
      supports(.queueShuffle) || media.queueData?.shuffle != nil ? .allowed : .unsupported("shuffle")
    tracks = command(.editTracks, "change tracks")
    streamVolume = command(.setVolume, "change the volume of the stream")
    streamMute = command(.toggleMute, "mute the stream")
  }

  /// What every media control needs.
  private static func base(_ facts: PresentationFacts, _ options: PresentationOptions) -> Permission {
    guard let session = facts.openSession else { return .notConnected }
    guard session.phase == .connected else { return .suspended(session) }
    guard facts.media != nil else {
      return .refused("nothing is loaded", "load media first", code: .noMediaSession)
    }
    if options.disablesControlsWhilePending, facts.pending.contains(where: \.intent.concernsMedia) {
      return .refused("a request is on its way", "wait for its outcome", code: .duplicateRequest)
    }
    return .allowed
  }

  private static func skipAd(_ facts: PresentationFacts, _ media: MediaStatus, at now: Tick) -> Permission {
    guard let ad = AdModel(facts, skip: nil, at: now) else {
      return .refused("no ad is playing", "", code: .invalidMediaPlayerState)
    }
    if media.isMediaCommandSupported(.skipAd) || ad.secondsUntilSkippable == 0 { return .allowed }
    return .refused(
      "the ad cannot be skipped\(ad.secondsUntilSkippable == nil ? "" : " yet")",
      ad.secondsUntilSkippable.map { "wait \($0) s" } ?? "wait for its end", code: .invalidMediaPlayerState)
  }
}

extension Permission {
  fileprivate static func unsupported(_ deed: String) -> Permission {
    .refused("the application cannot \(deed)", "use an application that can", code: .unsupportedFeature)
  }
}

extension PresentationIntent {
  /// Whether it is a request to the application.
  var concernsMedia: Bool {
    switch self {
    case .play, .pause, .togglePlayback, .stop, .seek, .skip, .seekToLiveEdge, .skipToNext, .skipToPrevious,
      .skipAd,
      .setPlaybackRate, .setRepeatMode, .cycleRepeatMode, .setShuffled, .setStreamMuted, .setStreamVolume,
      .selectAudioTrack, .selectTextTrack, .toggleCaptions, .setTextTrackStyle:
      true
    default: false
    }
  }
}
