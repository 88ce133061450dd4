import CastProtocol

/// Items that cannot be played to their end: they break off, stall, or fail silently (protocol 21.22, 21.23, 21.25).
extension MediaApplication {
  /// What a fault does to an item that is fetched.
  enum Fate: Equatable {
    case neverAnswered
    case silence
    case flaw(MediaFlaw)
  }

  /// What the faults do to an address that is about to be fetched; counts the occurrences.
  mutating func fate(of url: String) -> Fate? {
    var found: Fate?
    for (index, fault) in configuration.faults.enumerated() {
      guard let fate = Self.fate(fault, of: url), faultCounts.strikes(fault, at: index) else { continue }
      found = found ?? fate
    }
    return found
  }

  private static func fate(_ fault: Fault, of url: String) -> Fate? {
    guard var part = fault.value?[...], !part.isEmpty else { return nil }
    let place = fault.after?.seconds
    let fate: Fate
    switch fault.kind {
    case .neverAnswers: fate = .neverAnswered
    case .silentLoad: fate = .silence
    case .decodeError: fate = .flaw(.breaks(at: place ?? 0.1, code: 102))
    case .earlyEnd: fate = .flaw(.ends(at: place ?? 1))
    case .networkError: fate = .flaw(.breaks(at: place ?? 0.1, code: 103))
    case .stall:
      let slashes = part.ranges(of: "//").last
      let time = slashes.flatMap { Duration(parsing: part[$0.upperBound...]) }
      if let slashes, time != nil { part = part[..<slashes.lowerBound] }
      fate = .flaw(.stalls(at: place ?? 0, for: time))
    case .dropConnection, .swallowReply, .delayReplies, .launchError, .duplicateBroadcasts, .emptyStatus,
      .renumberSession, .closeAfterConnect, .responseType, .webTransport, .refuseLargeQueue,
      .noQueueRequests, .dropCustomData, .silent, .mediaNull, .binaryText, .halfFrames, .killApplication,
      .refuseControl, .earlyQueueFetch, .stopError, .ignoreInvalidLoad, .earlyConnect, .hush,
      .repeatStatuses, .backwardTime, .strayStatus, .partialStatus, .refuse, .noTLS:
      return nil
    }
    return url.contains(part) ? fate : nil
  }

  /// When the item that plays meets its flaw, or its stall ends.
  func nextFlaw(_ session: MediaSession) -> Tick? {
    if let stall = session.stall { return stall.ends }
    switch session.flaw {
    case .breaks(let place, _), .stalls(let place, _), .ends(let place):
      // A seek past the flaw avoids it.
      return place < session.clock.base ? nil : session.clock.reaches(place)
    case nil: return nil
    }
  }

  mutating func meetFlaw(at now: Tick) {
    guard var playing = session else { return }
    if playing.stall != nil {
      playing.stall = nil
      if !playing.isPaused { playing.clock.run(from: now) }
      session = playing
      return broadcastStatus(.sparse, at: now)
    }
    switch playing.flaw {
    case .stalls(_, let duration):
      playing.clock.halt(at: now)
      playing.flaw = nil
      playing.stall = Stall(ends: duration.map { now + $0 })
      session = playing
      // The status that was due for the item's start is dropped (recording `next_while_buffering`).
      statusDue = nil
      broadcastStatus(.sparse, at: now)
    case .breaks(_, let code): breakOff(code, at: now)
    case .ends:
      playing.flaw = nil
      session = playing
      itemEnded(at: now)
    case nil: break
    }
  }

  /// The item that plays fails in the middle: the first ERROR names it, a second one the next item; only the status is right
  /// (protocol 21.22; recording `decode_error`).
  private mutating func breakOff(_ code: Int, at now: Tick) {
    guard let failing = session else { return }
    let time = failing.timeline.shown(failing.position(at: now))
    tellError(code, of: failing.currentItemID)
    guard case .item(let next) = failing.queue.afterFailure, next != failing.queue.index else {
      return endSession(reason: "ERROR", time: time, at: now)
    }
    if configuration.media.errorsNameNextItem { tellError(code, of: failing.queue.items[next].id) }
    change(to: next, reason: "ERROR", time: time, at: now)
  }

  /// The item that loads fails without a message: only a GET_STATUS shows it (protocol 21.25).
  mutating func dieInSilence(at now: Tick) {
    guard let item = session?.queue.current else { return }
    transition = nil
    session?.currentItemID = item.id
    session?.preloadedItemID = nil
    session?.media = item.body["media"]?.object ?? [:]
    session?.clock = PlaybackClock(standingAt: 0, rate: playbackRate)
    session?.isPaused = true
    session?.flaw = nil
    session?.stall = nil
    deadItem = item.id
    inactiveSince = now
  }

  /// The status of an item that failed silently; nil when none did.
  var deadEntry: [String: JSONValue]? {
    guard deadItem != nil, let session else { return nil }
    var entry = endEntry(session, reason: "ERROR", time: 0)
    entry["media"] = .object(session.media)
    entry["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    return entry
  }

  mutating func tellError(_ code: Int?, of item: Int) {
    emit(
      .broadcast(
        .members([
          "type": "ERROR", "itemId": .integer(Int64(item)), "detailedErrorCode": JSONValue(code),
        ])))
  }
}
