import CastProtocol

/// Requests about playback, as opposed to the queue (protocol 6.3).
extension MediaApplication {
  mutating func playbackRequest(
    _ type: String, _ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick
  ) {
    switch type {
    case "PLAY", "PAUSE", "SEEK":
      // A picture has no time (protocol 21.7).
      if session?.isImage == true { return refuse("NOT_SUPPORTED", number, as: "ERROR", to: requester) }
      if type == "SEEK" { return seek(body, number, from: requester, at: now) }
      let buffers = setPaused(type == "PAUSE", at: now)
      confirm(number, at: now)
      if buffers { statusDue = now + .milliseconds(500) }
    case "STOP":
      endSession(reason: "CANCELLED", number, at: now)
      // Stops, and reports an error all the same (protocol 18, quirk 4).
      if has(.stopError) { refuse("INVALID_MEDIA_SESSION_ID", number, to: requester) }
    case "SET_VOLUME": setVolume(body["volume"], number, from: requester, at: now)
    case "SET_PLAYBACK_RATE": setRate(body, number, from: requester, at: now)
    case "EDIT_TRACKS_INFO": editTracks(body, number, from: requester, at: now)
    case "SKIP_AD": skipAd(number, from: requester, at: now)
    case "EDIT_AUDIO_TRACKS": editAudioTracks(body, number, from: requester, at: now)
    case "USER_ACTION": userAction(body, number, from: requester, at: now)
    case "PRELOAD": preload(body, number, from: requester, at: now)
    case "STORE_SESSION": storeSession(number, from: requester, at: now)
    default: refuse("INVALID_COMMAND", number, to: requester)
    }
  }

  /// Pauses or plays; true when the item has to start its decoder first. Its PLAYING status then follows half
  /// a second later (recording `basic`).
  private mutating func setPaused(_ paused: Bool, at now: Tick) -> Bool {
    guard var playing = session else { return false }
    defer { session = playing }
    if var run = playing.breakRun {
      if paused {
        run.clock.halt(at: now)
      } else if run.isPaused, run.clipDuration != nil {
        run.clock.run(from: now)
      }
      run.isPaused = paused
      playing.breakRun = run
      return false
    }
    guard playing.isPaused != paused else { return false }
    playing.isPaused = paused
    if paused {
      playing.clock.halt(at: now)
      inactiveSince = now
      return false
    }
    catchUp(&playing, at: now)
    let starts = !playing.hasRun
    playing.isBuffering = starts
    playing.hasRun = true
    if playing.stall == nil { playing.clock.run(from: now + (starts ? configuration.startLatency : .zero)) }
    return starts
  }

  private mutating func seek(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard var playing = session else { return }
    if let run = playing.breakRun, !configuration.ads.defersSeeks || run.isPostRoll {
      return refuse("APP_ERROR", number, to: requester)
    }
    // In content time, which excludes collapsed breaks.
    let from = playing.timeline.shown(playing.breakRun?.returnsTo ?? playing.position(at: now))
    var target: Double
    if let relative = body["relativeTime"]?.double {
      target = from + relative
    } else if let wanted = body["currentTime"]?.double {
      target = wanted
    } else if let live = playing.live {
      target = live.edge(at: now)  // protocol 6.3
    } else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    target =
      playing.live?.nearest(target, at: now)
      ?? max(0, min(target, playing.timeline.shown(playing.duration ?? from)))
    if playing.breakRun != nil {
      session?.breakRun?.returnsTo = playing.timeline.place(of: target)
      return confirm(number, at: now)
    }
    switch body["resumeState"]?.string {
    case "PLAYBACK_START": playing.isPaused = false
    case "PLAYBACK_PAUSE":
      if !playing.isPaused { inactiveSince = now }
      playing.isPaused = true
    default: break
    }
    playing.clock = PlaybackClock(standingAt: playing.timeline.place(of: target), rate: playbackRate)
    if !playing.isPaused {
      playing.hasRun = true
      playing.clock.run(from: now + .milliseconds(10))
    }
    playing.isBuffering = false
    playing.stall = nil
    session = playing
    confirm(number, at: now)
    // A seek past a break plays the break first, then continues at the target (protocol 21.12).
    let passed = pendingBreaks(playing.media).filter { $0.position > from && $0.position <= target }
    if let passed = passed.max(by: { $0.position < $1.position }) {
      session?.clock.halt(at: now)
      let id = "seek-\(now.sinceStart.components.seconds * 1000)"
      beginBreak(passed, id: id, returnsTo: playing.timeline.place(of: target), at: now)
    }
  }

  private mutating func setVolume(
    _ volume: JSONValue?, _ number: Int, from requester: Requester, at now: Tick
  ) {
    guard let volume, volume["level"]?.double != nil || volume["muted"]?.bool != nil else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    if let level = volume["level"]?.double {
      guard (0...1).contains(level) else { return refuse("INVALID_PARAMS", number, to: requester) }
      volumeLevel = level
    }
    if let muted = volume["muted"]?.bool { isMuted = muted }
    broadcastStatus(.sparse, number, at: now)
  }

  private mutating func setRate(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    let wanted =
      body["playbackRate"]?.double ?? body["relativePlaybackRate"]?.double.map { $0 * playbackRate }
    guard let wanted, (0.5...2).contains(wanted) else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    playbackRate = wanted
    session?.clock.setRate(wanted, at: now)
    broadcastStatus(.sparse, number, at: now)
  }

  private mutating func editTracks(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick)
  {
    guard let playing = session else { return }
    let tracks = playing.media["tracks"]?.array ?? []
    let outcome = TrackSelection.evaluate(
      body, tracks: tracks, active: playing.activeTrackIDs, earlier: playing.earlierTextTracks)
    switch outcome {
    case .refused(let reason): refuse(reason, number, to: requester)
    case .change(let active, let style):
      let texts = TrackSelection.texts(of: playing.activeTrackIDs, in: tracks)
      if !texts.isEmpty { session?.earlierTextTracks = texts }
      let shown = showsTracks(playing.media) ? active : []
      session?.activeTrackIDs = shown
      if let style {
        let joined = joined(style, to: playing.media["textTrackStyle"])
        session?.media["textTrackStyle"] = joined
      }
      broadcastStatus(style == nil ? .sparse : .media, number, at: now)
    }
  }

  private func joined(_ style: JSONValue, to earlier: JSONValue?) -> JSONValue {
    guard configuration.media.mergesTextStyle, let members = earlier?.object else { return style }
    return style.keeping(members)
  }
}
