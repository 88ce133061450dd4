import CastProtocol

/// Playing ad breaks between and around the content (protocol 9; recording `breaks`).
extension MediaApplication {
  /// Starts the break before the content: one BUFFERING status for all, then the answer to the load.
  mutating func beginPreRoll(_ found: AdBreaks.Break, _ number: Int, at now: Tick) {
    guard let start = session?.clock.position(at: now) else { return }
    if configuration.ads.dropsAfterPreRoll, var playing = session {
      AdBreaks.dropAfterPreRoll(in: &playing.media)
      session = playing
    }
    prepareBreak(found, id: found.id, returnsTo: start)
    if var entry = activeEntry([.media, .queueData], at: now) {
      entry["playerState"] = "BUFFERING"
      entry["activeTrackIds"] = nil
      broadcastEntry(entry, at: now)
    }
    broadcastStatus(.full, number, at: now)
    statusDue = now + MediaStatusText.spacing
    fetchClip(at: now)
  }

  mutating func beginBreak(_ found: AdBreaks.Break, id: String, returnsTo: Double, at now: Tick) {
    prepareBreak(found, id: id, returnsTo: returnsTo)
    broadcastStatus(.media, at: now)
    fetchClip(at: now)
  }

  private mutating func prepareBreak(_ found: AdBreaks.Break, id: String, returnsTo: Double) {
    guard var playing = session else { return }
    AdBreaks.markWatched(found.place, in: &playing.media)
    playing.breakRun = BreakRun(
      id: id, clipIDs: found.clipIDs, isPaused: playing.isPaused, returnsTo: returnsTo,
      isPostRoll: found.position < 0)
    session = playing
  }

  private mutating func fetchClip(at now: Tick) {
    guard let playing = session, var run = playing.breakRun else { return }
    if askForClip(run, playing, at: now) { return }
    guard let clip = AdBreaks.clip(run.clipID, in: session?.media ?? [:]),
      let url = clip["contentUrl"]?.string ?? clip["contentId"]?.string
    else {
      // A clip that is not described cannot be shown, and is passed over.
      run.clipDuration = 0
      run.clock.run(from: now)
      session?.breakRun = run
      return
    }
    let fetch = nextFetch()
    session?.breakRun?.fetch = fetch
    emit(.fetch(fetch, url: url, contentType: clip["contentType"]?.string))
  }

  /// Fetches the document that describes the clip; false when none is needed, or it is inline (protocol 9).
  private mutating func askForClip(_ run: BreakRun, _ playing: MediaSession, at now: Tick) -> Bool {
    guard let clip = AdBreaks.clip(run.clipID, in: playing.media), clip["contentUrl"]?.string == nil,
      clip["contentId"]?.string == nil, let request = clip["vastAdsRequest"]
    else { return false }
    if let text = request["adsResponse"]?.string {
      if let document = VASTDocument(text), var media = session?.media {
        AdBreaks.complete(run.clipID, with: document, in: &media)
        session?.media = media
      }
      return false
    }
    guard let url = request["adTagUrl"]?.string else { return false }
    let fetch = nextFetch()
    session?.breakRun?.fetch = fetch
    session?.breakRun?.isAskingForClip = true
    emit(.fetch(fetch, url: url, contentType: MediaFacts.documentType))
    return true
  }

  /// Completes the clip when its document has arrived or failed.
  private mutating func clipDescribed(_ result: FetchResult, at now: Tick) {
    guard let run = session?.breakRun else { return }
    session?.breakRun?.isAskingForClip = false
    session?.breakRun?.fetch = nil
    guard case .loaded(let facts) = result, let document = facts.text.flatMap({ VASTDocument($0) }),
      var media = session?.media
    else {
      reportFailedClip()
      session?.breakRun?.clipDuration = 0
      session?.breakRun?.clock.run(from: now)
      return
    }
    AdBreaks.complete(run.clipID, with: document, in: &media)
    session?.media = media
    fetchClip(at: now)
  }

  /// Reports a clip that cannot be played (protocol 6.6, 21.22).
  private mutating func reportFailedClip() {
    switch configuration.ads.failedClips {
    case .film: if let film = session?.currentItemID { tellError(104, of: film) }
    case .clip: emit(.broadcast(["type": "ERROR", "detailedErrorCode": 901]))
    case .silent: break
    }
  }

  mutating func clipArrived(_ result: FetchResult, at now: Tick) {
    if session?.breakRun?.isAskingForClip == true { return clipDescribed(result, at: now) }
    guard let playing = session, var run = playing.breakRun else { return }
    run.fetch = nil
    let clip = AdBreaks.clip(run.clipID, in: playing.media)
    guard case .loaded(let facts) = result else {
      reportFailedClip()
      run.clipDuration = 0
      run.clock.run(from: now)
      session?.breakRun = run
      return
    }
    let hint = clip?["duration"]?.double.flatMap { $0 > 0 && $0 < 1_000_000_000 ? $0 : nil }
    run.clipDuration = max(0, facts.duration ?? hint ?? configuration.unknownDuration)
    if !run.isPaused { run.clock.run(from: now + configuration.startLatency) }
    session?.breakRun = run
    broadcastStatus(.media, at: now)
  }

  /// Continues after a clip: with the next one, or with the content.
  mutating func clipEnded(at now: Tick) {
    guard var run = session?.breakRun else { return }
    if let fetch = run.fetch { emit(.cancelFetch(fetch)) }
    guard run.clip + 1 < run.clipIDs.count else { return endBreak(run, at: now) }
    run.elapsed += run.clipDuration ?? 0
    run.clip += 1
    run.clock = PlaybackClock()
    run.clipDuration = nil
    run.fetch = nil
    run.isAskingForClip = false
    run.announcedSkip = false
    session?.breakRun = run
    broadcastStatus(.sparse, at: now)
    fetchClip(at: now)
  }

  private mutating func endBreak(_ run: BreakRun, at now: Tick) {
    session?.breakRun = nil
    session?.clock = PlaybackClock(standingAt: run.returnsTo, rate: playbackRate)
    session?.isPaused = run.isPaused
    if !run.isPaused, !run.isPostRoll { session?.clock.run(from: now + configuration.startLatency) }
    broadcastStatus(.sparse, at: now)
    if run.isPostRoll { finish(at: now) }
  }

  /// SKIP_AD: only inside a clip that may be skipped by now (protocol 9).
  mutating func skipAd(_ number: Int, from requester: Requester, at now: Tick) {
    if skipEmbedded(number, at: now) { return }
    guard let run = session?.breakRun, let skip = skippableFrom(run), run.clipTime(at: now) >= skip,
      run.clipDuration != nil
    else {
      if configuration.media.refusesByPlayerState {
        return refuse(nil, number, as: "INVALID_PLAYER_STATE", to: requester)
      }
      return refuse("INVALID_COMMAND", number, as: "ERROR", to: requester)
    }
    broadcastStatus(.sparse, number, at: now)
    clipEnded(at: now)
  }

  /// The next break in the content, and when it is reached.
  func nextBreak(_ session: MediaSession) -> (Tick, AdBreaks.Break)? {
    let end = session.duration ?? .infinity
    let next = pendingBreaks(session.media)
      .map { (place: session.timeline.place(of: $0.position), found: $0) }
      .filter { $0.place > session.clock.base && $0.place < end }
      .min { $0.place < $1.place }
    guard let next, let moment = session.clock.reaches(next.place) else { return nil }
    return (moment, next.found)
  }

  /// Whether a medium has text tracks; one with breaks of its own has none (protocol 21.24).
  func showsTracks(_ media: [String: JSONValue]) -> Bool {
    guard configuration.ads.breaksHideTracks, configuration.ads.playsBreaks else { return true }
    return AdBreaks.pending(in: media, watchedToo: true).isEmpty
  }

  /// The breaks that were not shown yet.
  func pendingBreaks(_ media: [String: JSONValue]) -> [AdBreaks.Break] {
    guard configuration.ads.playsBreaks else { return [] }
    return AdBreaks.pending(in: media, watchedToo: configuration.ads.playsWatchedBreaks)
  }
}
