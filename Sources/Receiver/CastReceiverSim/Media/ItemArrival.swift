import CastProtocol

/// What follows the fetch of a medium: it plays, or the queue continues without it.
extension MediaApplication {
  mutating func fetched(_ fetch: SimFetchID, _ result: FetchResult, at now: Tick) {
    if let transition, transition.fetch == fetch {
      arrived(result, transition, at: now)
      releaseHeld(at: now)
    } else if session?.breakRun?.fetch == fetch {
      clipArrived(result, at: now)
    }
  }

  private mutating func arrived(_ result: FetchResult, _ transition: Transition, at now: Tick) {
    guard let item = session?.queue.current else { return }
    if transition.fate == .silence, transition.request == nil { return dieInSilence(at: now) }
    let declared = item.body["media"]?["contentType"]?.string
    // This fetch was for the medium's ads; it plays with them or without.
    if let facts = transition.facts {
      if case .loaded(let document) = result, let text = document.text {
        setBreaks(VMAPDocument.breaks(text, duration: facts.duration))
      }
      guard let item = session?.queue.current else { return }
      return itemArrived(facts, item, transition, at: now)
    }
    switch result {
    case .failed(let failure):
      let delay = configuration.media.manifestFailureDelay
      if MediaFormats.isManifest(declared), delay > .zero {
        self.transition?.failure = (failure, now + delay)
      } else {
        itemFailed(failure, contentType: declared, transition, at: now)
      }
    case .loaded(let facts) where item.body["media"]?["vmapAdsRequest"] != nil:
      askForBreaks(facts, item, transition, at: now)
    case .loaded(let facts):
      let plays = MediaFormats.canPlay(
        declared: declared, served: facts.contentType, audioOnly: configuration.isAudioOnly)
      if plays {
        itemArrived(facts, item, transition, at: now)
      } else {
        itemFailed(.unsupported, contentType: declared, transition, at: now)
      }
    }
  }

  /// Fetches a VMAP document, whose breaks replace those of the medium (protocol 9).
  private mutating func askForBreaks(
    _ facts: MediaFacts, _ item: MediaQueueModel.Item, _ transition: Transition, at now: Tick
  ) {
    let request = item.body["media"]?["vmapAdsRequest"]
    if let text = request?["adsResponse"]?.string {
      setBreaks(VMAPDocument.breaks(text, duration: facts.duration))
      guard let item = session?.queue.current else { return }
      return itemArrived(facts, item, transition, at: now)
    }
    guard let url = request?["adTagUrl"]?.string else {
      return itemArrived(facts, item, transition, at: now)
    }
    var waiting = transition
    waiting.fetch = nextFetch()
    waiting.facts = facts
    self.transition = waiting
    emit(.fetch(waiting.fetch, url: url, contentType: MediaFacts.documentType))
  }

  private mutating func setBreaks(_ found: (breaks: [JSONValue], clips: [JSONValue])) {
    guard let place = session?.queue.index else { return }
    session?.queue.amend(place) { body in
      var media = body["media"]?.object ?? [:]
      media["breaks"] = .array(found.breaks)
      media["breakClips"] = .array(found.clips)
      body["media"] = .object(media)
    }
  }

  private mutating func itemArrived(
    _ facts: MediaFacts, _ item: MediaQueueModel.Item, _ transition: Transition, at now: Tick
  ) {
    guard var arrived = session else { return }
    var media = item.body["media"]?.object ?? [:]
    let isImage = facts.isImage || MediaFormats.isImage(media["contentType"]?.string)
    let duration = self.duration(of: media, facts, isImage: isImage)
    let timeline = timeline(of: media)
    media["duration"] = JSONValue(duration.map(timeline.shown) ?? -1)
    if media["mediaCategory"] == nil {
      media["mediaCategory"] = JSONValue(MediaFormats.category(of: facts.contentType))
    }
    arrived.queue.amend(arrived.queue.index) { $0["media"] = .object(media) }
    // The status shows more of the medium than its item does (recordings).
    for key in ["tracks", "breakClips", "breaks"] where media[key] == nil { media[key] = [] }
    if media["streamType"]?.string == nil || media["streamType"] == "NONE" {
      media["streamType"] = "BUFFERED"
    }
    arrived.media = media
    arrived.currentItemID = item.id
    arrived.duration = duration
    arrived.live =
      duration == nil
      ? LiveStream(origin: configuration.media.liveEdge, since: now, window: configuration.media.liveWindow)
      : nil
    arrived.video =
      media["customData"]?["video"]?.string.flatMap { VideoPicture(parsing: $0) }
      ?? Self.url(of: item.body).flatMap { VideoPicture(markedIn: $0) }
    arrived.growth = growth(of: media, facts, at: now)
    arrived.stall = nil
    arrived.flaw = facts.flaw
    if case .flaw(let flaw) = transition.fate { arrived.flaw = flaw }
    arrived.earlierTextTracks = []
    arrived.timeline = timeline
    arrived.isImage = isImage
    arrived.isPaused = isImage || !transition.autoplay
    arrived.hasRun = !arrived.isPaused
    arrived.isBuffering = false
    arrived.activeTrackIDs = showsTracks(media) ? transition.activeTrackIDs : []
    arrived.preloadedItemID = nil
    arrived.breakRun = nil
    let start = isImage ? 0 : self.start(transition.start, in: arrived, at: now)
    arrived.clock = PlaybackClock(standingAt: start.isFinite ? start : 0, rate: playbackRate)
    arrived.limit = limit(item.body, start: start, duration: duration, isImage: isImage)
    if has(.renumberSession), transition.request == nil {
      sessionCounter += 1
      arrived.id = sessionCounter
    }
    self.transition = nil
    failuresInARow = 0
    session = arrived
    begin(transition, at: now)
  }

  /// Shows the item that has arrived, or the break before it.
  private mutating func begin(_ transition: Transition, at now: Tick) {
    guard let arrived = session else { return }
    let number = transition.request?.number ?? 0
    inactiveSince = now
    if let pre = pendingBreaks(arrived.media).first(where: { $0.position == 0 }), !arrived.isImage {
      return beginPreRoll(pre, number, at: now)
    }
    if !arrived.isPaused || (arrived.isImage && arrived.limit != nil) {
      session?.clock.run(from: now + configuration.startLatency)
    }
    broadcastStatus(.full, number, at: now)
    if !arrived.isImage {
      statusDue = now + (arrived.isPaused ? .milliseconds(500) : MediaStatusText.spacing)
    }
  }

  /// The stream position at which an item starts: the requested time, the beginning, or the live edge.
  private func start(_ wanted: Double?, in session: MediaSession, at now: Tick) -> Double {
    if let live = session.live { return wanted.map { live.nearest($0, at: now) } ?? live.edge(at: now) }
    let start = session.timeline.place(of: wanted ?? 0)
    return max(0, min(start, session.duration ?? start))
  }

  /// How a file's length becomes known over time; nil when it is known at once (protocol 21.15).
  private func growth(of media: [String: JSONValue], _ facts: MediaFacts, at now: Tick) -> Growth? {
    let seconds = configuration.media.growingTime
    guard seconds > 0, facts.duration == nil, !facts.isImage, media["duration"]?.double != -1,
      !MediaFormats.isManifest(media["contentType"]?.string)
    else { return nil }
    return Growth(since: now, lasts: .bounded(seconds: seconds), next: now + Self.growthStep)
  }

  private static let growthStep = Duration.milliseconds(25)

  /// Broadcasts one of the many statuses while the length of a file becomes known.
  mutating func grow(at now: Tick) {
    guard var playing = session, let growth = playing.growth, let whole = playing.duration else { return }
    let share = min(1, (now - growth.since).seconds / max(growth.lasts.seconds, 0.001))
    playing.media["duration"] = MediaStatusText.seconds(whole * share)
    playing.growth?.next = now + Self.growthStep
    if share == 1 { playing.growth = nil }
    session = playing
    broadcastStatus(.full, at: now)
  }

  /// Reports that a manifest is unavailable, after the delay (protocol 21.20).
  mutating func tellFailure(_ transition: Transition, at now: Tick) {
    guard let failure = transition.failure, let item = session?.queue.current else { return }
    let declared = item.body["media"]?["contentType"]?.string
    itemFailed(failure.reason, contentType: declared, transition, at: now)
    releaseHeld(at: now)
  }

  /// Seconds; nil for an endless stream.
  private func duration(of media: [String: JSONValue], _ facts: MediaFacts, isImage: Bool) -> Double? {
    if isImage { return 0 }
    let hint = media["duration"]?.double.flatMap { $0 > 0 && $0 < 1_000_000_000 ? $0 : nil }
    if let known = facts.duration, known.isFinite, known >= 0 { return min(known, 1_000_000_000) }
    if media["streamType"]?.string?.uppercased() == "LIVE" { return nil }
    return hint ?? configuration.unknownDuration
  }

  /// Where `playbackDuration` ends the item, if this receiver honours it (protocol 7.3).
  private func limit(_ item: [String: JSONValue], start: Double, duration: Double?, isImage: Bool) -> Double?
  {
    guard configuration.media.honoursPlaybackDuration, let wanted = item["playbackDuration"]?.double,
      wanted.isFinite
    else {
      return nil
    }
    if isImage { return max(0, wanted) }
    if wanted < 0 { return duration.map { max(start, $0 + wanted) } }
    return wanted > (duration ?? .infinity) - start ? nil : start + wanted
  }

  /// Continues with the next item, or ends when none is left (protocol 21.6).
  private mutating func itemFailed(
    _ failure: FetchFailure, contentType: String?, _ transition: Transition, at now: Tick
  ) {
    guard let failing = session, let item = failing.queue.current else { return }
    let code = Self.detailedCode(failure, contentType: contentType)
    self.transition = nil
    failuresInARow += 1
    session?.currentItemID = item.id
    session?.preloadedItemID = nil
    session?.media = item.body["media"]?.object ?? [:]
    let step = failuresInARow < failing.queue.items.count ? failing.queue.afterFailure : .end
    if case .item(let next) = step {
      tellError(configuration.media.itemErrorsCarryCodes ? code : nil, of: item.id)
      return change(to: next, reason: "ERROR", time: 0, request: transition.request, at: now)
    }
    guard let request = transition.request else { return endSession(reason: "ERROR", at: now) }
    let answer: JSONValue = [
      "type": "LOAD_FAILED", "requestId": .integer(Int64(request.number)), "itemId": .integer(Int64(item.id)),
      "detailedErrorCode": .integer(Int64(code)),
    ]
    if configuration.media.loadFailedComesFirst { emit(.reply(answer, to: request.requester)) }
    endSession(reason: "ERROR", at: now)
    if !configuration.media.loadFailedComesFirst { emit(.reply(answer, to: request.requester)) }
  }

  /// `detailedErrorCode` (protocol 6.6).
  private static func detailedCode(_ failure: FetchFailure, contentType: String?) -> Int {
    if MediaFormats.isManifest(contentType) { return 321 }  // HLS, too (protocol 21.20)
    if MediaFormats.isImage(contentType) { return 903 }
    switch failure {
    case .status, .unsupported: return 104
    case .unreachable, .timedOut, .tooManyRedirects: return 905
    }
  }
}
