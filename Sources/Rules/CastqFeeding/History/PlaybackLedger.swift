package import CastProtocol
package import CastqPlaylists
import CastqSchedule
package import CastqText

/// Turns a receiver's reports into facts. It never guesses silently: `finished` needs a report of the receiver, or a next item that
/// began when the end was near. A repeated status yields no new fact.
///
///     nothing ──(bound item shown)──> open ──(frame)──> started ──(IDLE + reason, failure, loss)──> ended
package struct PlaybackLedger: Sendable {
  /// The purpose of the feeder's own command, which distinguishes its INTERRUPTED from another sender's.
  package enum Intent: Sendable, Hashable {
    /// Skips the current entry.
    case skip
    /// The entry's time limit is reached: it counts as played.
    case endReached
    /// Another list replaces the entry's list.
    case replace
    /// A person stops the device.
    case stop
  }

  /// Seconds between two progress facts while nothing else happens.
  package static let progressInterval = ScheduleMachine.progressInterval

  var open: OpenPlay?
  private(set) var intent: Intent?
  /// When the feeder's command was sent; nil when unknown.
  private var intendedAt: Tick?
  /// While a delayed status is handled: the last time at which the receiver was known to be connected. Nil otherwise.
  private(set) var silentSince: Tick?
  /// When the last play ended; nil when the receiver was unobserved then, or has been since. A `Tick`, because wall clocks are set.
  var lastEnd: Tick?
  /// Up to when the receiver was observed, while it is not known what it showed since; nil where that is known.
  var unobservedSince: Tick?
  /// The turns that ended last; a second message about the same end yields no new fact.
  private var endedTurns: [EntryTurn] = []
  /// Items that the receiver named in an error. An error alone does not fail an item; see `ItemErrors`.
  private var errors = ItemErrors()

  package init() {}

  /// The purpose of the feeder's last command, kept beyond the play it ended.
  package private(set) var lastIntent: Intent?

  /// Whether the end of this turn has been recorded, among the last few hundred turns.
  package func hasEnded(_ turn: EntryTurn) -> Bool { endedTurns.contains(turn) }

  /// Whether this turn has shown a frame, or has ended.
  package func hasStarted(_ turn: EntryTurn) -> Bool {
    hasEnded(turn) || open.map { $0.turn == turn && $0.startedAt != nil } ?? false
  }

  /// Marks the ad on the screen as failed; the content continues (protocol 6.6).
  package mutating func adFailed() { open?.failAd() }

  /// Whether the end of the play is so near that the next item can only follow it.
  package func isNearEnd(at now: Tick) -> Bool { open?.isNearEnd(at: now) ?? false }

  /// Whether a status of the play reports a position before the last reported one.
  package func isSetBack(_ status: MediaStatus) -> Bool { open?.isSetBack(status) ?? false }

  /// Whether a command that ends the play has been sent.
  package var isEndIntended: Bool { intent != nil }

  /// When early progress is due after the start of a play; nil afterwards, and before the first frame.
  package var earlyReport: Tick? { open.flatMap { $0.startedAt == nil ? nil : $0.earlyReport } }

  /// Records the purpose of the feeder's next command, before it is sent at that moment; nil when it was not carried out.
  package mutating func intend(_ intent: Intent?, at now: Tick? = nil) {
    self.intent = intent
    intendedAt = now
    lastIntent = intent
  }

  /// A shorter silence does not indicate that a status was delayed.
  private static let shortestSilence = Duration.seconds(1)

  /// Handles one merged status. `turn` returns the entry behind an item, nil for an item of another sender.
  /// - Parameters:
  ///   - startsPaused: whether the current item was sent without autoplay: its first frame is reported by PAUSED.
  ///   - limit: how long the open play may last; nil is to its end.
  ///   - isUnasked: the receiver sent it by itself.
  ///   - seenUntil: the last time at which the receiver was known to be connected before this status. A delayed
  ///     status does not say when its change happened. Nil means now.
  package mutating func observe(
    _ status: MediaStatus?, turn: (MediaQueueItemID) -> EntryTurn?, startsPaused: Bool = false,
    limit: MediaTime? = nil, isUnasked: Bool = false, seenUntil: Tick? = nil, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    silentSince = seenUntil.flatMap { now - $0 >= Self.shortestSilence ? $0 : nil }
    defer { silentSince = nil }
    guard let status else { return vanished(at: now, wall: wall) }
    let shown = status.currentItemID.flatMap(turn)
    switch status.playerState {
    case .playing, .paused, .buffering:
      return observeShown(
        shown, status, startsPaused: startsPaused, isUnasked: isUnasked, at: now, wall: wall)
    case .idle: return observeIdle(shown, status, turn: turn, limit: limit, at: now, wall: wall)
    case .loading:
      unobservedSince = nil
      return []
    case .unknown: return []
    }
  }

  /// Records an error that names an item (protocol 21.22); it becomes the reason if the item turns out to have failed.
  package mutating func reportError(_ turn: EntryTurn, _ reason: PlayReason) {
    guard !endedTurns.contains(turn) else { return }
    errors.insert(reason, for: turn)
  }

  /// Whether the receiver named this turn in an error that no status has confirmed or refuted since.
  package func hasError(_ turn: EntryTurn) -> Bool { errors[turn] != nil }

  /// A load failed.
  package mutating func failed(_ turn: EntryTurn, reason: PlayReason, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    end(turn, .failed, .reported, .failed, reason: reason, played: nil, at: now, wall: wall)
  }

  /// The play stalls, or displays nothing, without a report of the receiver.
  package mutating func stalled(_ turn: EntryTurn, reason: PlayReason, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    end(turn, .failed, .inferred, .stalled, reason: reason, played: nil, at: now, wall: wall)
  }

  /// The entry never reached the receiver, so it cannot be played.
  package mutating func unplayable(_ turn: EntryTurn, note: String, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    end(
      turn, .failed, .inferred, .unplayable, reason: PlayReason(note: note), played: nil, at: now, wall: wall)
  }

  /// The receiver moved to another item without reporting the end of this one, which never showed a frame.
  package mutating func passedOver(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    if intent == .skip { return skipped(turn, at: now, wall: wall) }
    let error = errors[turn]
    let reason = error ?? PlayReason(note: "the receiver skipped it without a report")
    return end(
      turn, .failed, .inferred, error == nil ? .unreported : .failed, reason: reason, played: nil, at: now,
      wall: wall)
  }

  /// The entry was skipped before it showed a frame.
  package mutating func skipped(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    let reason = PlayReason(note: "skipped before its first frame")
    return end(turn, .skipped, .inferred, .skipped, reason: reason, played: nil, at: now, wall: wall)
  }

  /// The play is interrupted: the receiver was lost, another sender took over, or castq ends the play.
  /// - Parameter name: the title that took the screen; nil without one.
  package mutating func lost(
    _ ending: PlayEnding, by name: String? = nil, evidence: PlayEvidence, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    guard let open else { return [] }
    defer { lastEnd = nil }
    if let facts = timeWasOver(open, known: now, at: now, wall: wall) { return facts }
    return end(
      open.turn, .interrupted, evidence, ending.cause, by: name,
      reason: ending.note.map { PlayReason(note: $0) },
      played: nil, at: now, wall: wall)
  }

  // MARK: - Unobserved plays

  /// The present progress of the play, to be stored before the ledger stops observing.
  package func interim(at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open, open.startedAt != nil else { return [] }
    return [
      .progressed(
        open.turn,
        ProgressedPlay(
          at: wall, position: open.expectedPosition(at: now), played: open.expectedPlayed(at: now),
          duration: open.duration))
    ]
  }

  /// The play is unobserved until the next status: only time that positions prove counts as shown.
  /// - Parameter since: up to when the receiver was observed; nil is up to the last status.
  package mutating func markUnobserved(since: Tick? = nil) {
    open?.markUnobserved(since: since)
    if open != nil { unobservedSince = nil } else if let since { unobservedSince = since }
    lastEnd = nil
  }

  /// Resumes a play that another process began.
  package mutating func reopen(_ turn: EntryTurn, _ play: UnfinishedPlay, at now: Tick, wall: WallTime) {
    guard open == nil, !endedTurns.contains(turn) else { return }
    open = OpenPlay(turn: turn, play, at: now, wall: wall)
  }

  /// Seconds until the play ends at its own speed; nil when unknown, or when it has no end.
  package func rest(at now: Tick) -> Double? { open?.rest(at: now) }

  /// The receiver's queue held the entry before the item that plays now, and its play was unobserved.
  package mutating func unseen(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    let reason = PlayReason(note: "its turn passed while the receiver was unobserved")
    return end(turn, .unknown, .unobserved, .unobserved, reason: reason, played: nil, at: now, wall: wall)
  }

  // MARK: - Statuses

  private mutating func observeShown(
    _ shown: EntryTurn?, _ status: MediaStatus, startsPaused: Bool, isUnasked: Bool, at now: Tick,
    wall: WallTime
  ) -> [PlaybackFact] {
    var facts: [PlaybackFact] = []
    if let open, open.turn != shown { facts += passed(open, at: now, wall: wall) }
    guard let shown, !endedTurns.contains(shown) else { return facts }
    if status.playerState != .buffering { errors.remove(shown) }
    var play = open.flatMap { $0.turn == shown ? $0 : nil } ?? OpenPlay(turn: shown, at: now)
    if let since = unobservedSince {
      play.beginUnseen(status, since: since, at: now)
      unobservedSince = nil
    }
    let wasStarted = play.startedAt != nil
    let before = play
    let ad = play.update(status, seen: silentSince ?? now, isUnasked: isUnasked, at: now, wall: wall)
    let showsStill = (play.isPicture || startsPaused) && status.playerState == .paused
    if !wasStarted, status.playerState == .playing || showsStill {
      play.start(at: now, wall: wall)
      facts.append(started(play, at: now, wall: wall))
    } else if wasStarted, now >= before.reportDue || play.duration != before.duration {
      play.report(at: now)
      facts.append(.progressed(shown, progress(of: play, wall: play.moment(at: now, wall: wall))))
    }
    if let ad, play.startedAt != nil { facts.append(.adEnded(shown, ad)) }
    open = play
    return facts
  }

  mutating func started(_ play: OpenPlay, at now: Tick, wall: WallTime) -> PlaybackFact {
    lastIntent = nil
    let gap = lastEnd.map { (now - $0).seconds }.flatMap { (0...60).contains($0) ? $0 : nil }
    return .started(
      play.turn, StartedPlay(at: wall, position: play.position, duration: play.duration, gapBefore: gap))
  }

  private func progress(of play: OpenPlay, wall: WallTime) -> ProgressedPlay {
    ProgressedPlay(at: wall, position: play.position, played: play.played, duration: play.duration)
  }

  private mutating func observeIdle(
    _ shown: EntryTurn?, _ status: MediaStatus, turn: (MediaQueueItemID) -> EntryTurn?, limit: MediaTime?,
    at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    guard let reason = status.idleReason else { return [] }
    if status.beginsCurrentItem {
      // The interrupted item was another one (protocol 21.23).
      guard let open, open.turn != shown else { return [] }
      return passed(open, at: now, wall: wall)
    }
    // The same item reloaded is the same play.
    if let open, reason == .interrupted, status.loadingItemID.flatMap(turn) == open.turn { return [] }
    if reason == .finished, let open, let shown, shown != open.turn, !endedTurns.contains(shown) {
      let facts = passed(open, at: now, wall: wall)
      self.open = nil
      return facts
        + end(shown, .finished, .reported, .completed, reason: nil, played: nil, at: now, wall: wall)
    }
    // A new load's IDLE carries the reason of the session it ended: it is about the open play, whatever item it names.
    guard let ended = open?.turn ?? shown else { return [] }
    let words = PlayReason(idleReason: reason.word)
    if reason != .finished { open?.close(at: status.streamPosition, at: now) }
    switch reason {
    case .finished: return finished(ended, limit: limit, at: now, wall: wall)
    case .error:
      let failed = shown ?? ended
      return end(
        failed, .failed, .reported, .failed, reason: errors[failed] ?? words, played: nil, at: now, wall: wall
      )
    case .cancelled:
      return endByCommand(ended, .cancelled, .deviceStopped, words, at: now, wall: wall)
    case .interrupted:
      let isOurs = status.loadingItemID.flatMap(turn) != nil
      return endByCommand(
        ended, isOurs ? .skipped : .interrupted, isOurs ? .skipped : .guest, words, at: now, wall: wall)
    case .unknown:
      return end(ended, .unknown, .reported, .unreported, reason: words, played: nil, at: now, wall: wall)
    }
  }

  /// The receiver reports that a command ended the play; the sender of the command decides the outcome.
  mutating func endByCommand(
    _ turn: EntryTurn, _ stranger: PlayOutcome, _ strangerCause: PlayCause, _ words: PlayReason, at now: Tick,
    wall: WallTime
  ) -> [PlaybackFact] {
    var reason = words
    var (outcome, cause) = (stranger, strangerCause)
    switch intent {
    case .skip: (outcome, cause) = (.skipped, .skipped)
    case .stop: cause = .stopped
    case .endReached:
      // The command was sent while the receiver was silent: whether it ended the play is unknown.
      if let silentSince, let intendedAt, intendedAt - silentSince > Self.certainty {
        reason.note = "its time ended while the receiver was unobserved"
        return end(turn, .unknown, .unobserved, .unobserved, reason: reason, played: nil, at: now, wall: wall)
      }
      (outcome, cause) = (.finished, .timeLimit)
    case .replace:
      (outcome, cause) = (.interrupted, .replaced)
    case nil: break
    }
    return end(turn, outcome, .reported, cause, reason: reason, played: nil, at: now, wall: wall)
  }

  /// A shorter silence does not make a play unobserved.
  private static let certainty = Duration.milliseconds(1500)

  /// The entry was ended at its time limit without a report: it was shown at least until then. Nil when no such command was sent,
  /// or the receiver was silent.
  /// - Parameter known: the last time at which the receiver was known to be connected.
  mutating func timeWasOver(
    _ open: OpenPlay, known: Tick, at now: Tick, wall: WallTime
  ) -> [PlaybackFact]? {
    guard open.startedAt != nil, intent == .endReached, let intendedAt,
      intendedAt - known <= Self.certainty
    else { return nil }
    return end(
      open.turn, .finished, .inferred, .timeLimit, reason: nil,
      played: open.expectedPlayed(at: min(intendedAt, known)), at: now, wall: wall)
  }

  /// Another item is on the screen, and the end of this one was not reported.
  private mutating func passed(_ open: OpenPlay, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard open.startedAt != nil else {
      self.open = nil
      return []
    }
    return endUnsaid(
      open, isSkipped: intent == .skip, known: now,
      note: "the next item began without a report of this one's end", at: now, wall: wall)
  }

  /// The media session is gone without an idle reason (protocol 6.5: `status: []`).
  private mutating func vanished(at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open else { return [] }
    return endUnsaid(
      open, isSkipped: false, known: silentSince ?? now, note: "the receiver no longer knows of it", at: now,
      wall: wall)
  }

  /// The play ended without a report of the receiver.
  /// - Parameter known: the time at which the play must have been near its end to count as finished.
  private mutating func endUnsaid(
    _ open: OpenPlay, isSkipped: Bool, known: Tick, note: String, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    if let facts = timeWasOver(open, known: silentSince ?? now, at: now, wall: wall) { return facts }
    if let error = errors[open.turn], !isSkipped {
      return end(open.turn, .failed, .inferred, .failed, reason: error, played: nil, at: now, wall: wall)
    }
    let isFinished = open.isNearEnd(at: known) && !isSkipped
    return end(
      open.turn, isSkipped ? .skipped : isFinished ? .finished : .interrupted, .inferred,
      isSkipped ? .skipped : .unreported, reason: PlayReason(note: note),
      played: isFinished && silentSince == nil ? open.playedToEnd(at: now) : nil, at: now, wall: wall)
  }

  mutating func end(
    _ turn: EntryTurn, _ outcome: PlayOutcome, _ evidence: PlayEvidence, _ cause: PlayCause,
    by name: String? = nil,
    reason: PlayReason?, played: Double?, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    guard !endedTurns.contains(turn) else { return [] }
    endedTurns.append(turn)
    errors.remove(turn)
    if endedTurns.count > 256 { endedTurns.removeFirst() }
    var play = open.flatMap { $0.turn == turn ? $0 : nil }
    var (outcome, reason) = (outcome, reason)
    if play?.isContentOver == true, outcome != .finished {
      // What was cut followed the content: the entry is not played again for an ad.
      let words = [reason?.note, "an ad after it was cut short"].compactMap { $0 }.joined(separator: "; ")
      reason = reason ?? PlayReason()
      reason?.note = words
      outcome = .finished
    }
    let ad = play?.endAd(
      outcome == .finished && cause == .completed && reason == nil ? .passed : .cut, at: now)
    // The time of a delayed change is unknown: only what is known to have been shown counts.
    let known = silentSince ?? now
    if play != nil {
      open = nil
      lastEnd = silentSince == nil ? now : nil
      intent = nil
    }
    let isFinished = cause == .completed && reason?.note == nil && play?.isAtEnd(at: known) == true
    let (at, jump) =
      play.map { ($0.moment(at: now, wall: wall), $0.clockJump(at: now, wall: wall)) } ?? (wall, nil)
    if let jump {
      let note = [reason?.note, jump].compactMap { $0 }.joined(separator: "; ")
      reason = reason ?? PlayReason()
      reason?.note = note
    }
    let position =
      isFinished ? play?.duration ?? play?.expectedPosition(at: known) : play?.expectedPosition(at: known)
    let hasStarted = play?.startedAt != nil
    let ads = !hasStarted ? [] : [ad].compactMap { $0 }.map { PlaybackFact.adEnded(turn, $0) }
    return ads + [
      .ended(
        turn,
        EndedPlay(
          at: at, startedAt: play?.startedAt, position: hasStarted ? position : nil,
          played: play?.recorded(played ?? play?.expectedPlayed(at: known) ?? 0, until: at) ?? 0,
          duration: play?.duration, outcome: outcome, evidence: evidence, reason: reason, cause: cause,
          causedBy: name, rate: play?.recordedRate,
          unobserved: hasStarted ? play?.unobserved(at: now, seen: known) : nil))
    ]
  }
}
