package import CastProtocol

/// Turns what a receiver reports into facts that can be defended. It never guesses silently: `finished`
/// needs a report of the receiver, or that the next item began when the end was near. A repeated status yields no new fact.
///
///     nothing ──(bound item shown)──> open ──(PLAYING)──> started ──(IDLE + reason, failure, loss)──> ended
package struct PlaybackLedger: Sendable {
  /// What the feeder itself asked for, so that the receiver's INTERRUPTED is told from a stranger's.
  package enum Intent: Sendable, Hashable {
    /// Pass over the current entry.
    case skip
    /// The time the entry was given is over: it counts as played.
    case endReached
    /// Another list takes the place of the one it belongs to.
    case replace
  }

  /// Seconds between two progress facts while nothing else happens.
  package static let progressInterval: Duration = .seconds(10)

  private(set) var open: OpenPlay?
  private var intent: Intent?
  /// When our own command was sent; nil when nobody said.
  private var intendedAt: Tick?
  /// Up to when the receiver was certainly there, while a status is taken in that the network kept back; nil otherwise.
  private var silentSince: Tick?
  /// When the last play ended. In ticks: clocks on the wall are set.
  private var lastEnd: Tick?
  /// Turns that have ended lately, so that a second message about the same end tells nothing new.
  private var endedTurns: [EntryTurn] = []
  /// Items that the receiver has named in an error. An error alone does not fail an item; see `ItemErrors`.
  private var errors = ItemErrors()

  package init() {}

  /// What the last of our own commands meant, also after the play it ended.
  package private(set) var lastIntent: Intent?

  /// Whether the end of this turn has been told, as far back as the last few hundred turns.
  package func hasEnded(_ turn: EntryTurn) -> Bool { endedTurns.contains(turn) }

  /// An ad of what is on the screen could not be played; the content goes on (protocol 6.6).
  package mutating func adFailed() { open?.failAd() }

  /// Whether the end of what is on the screen is so near that what comes next can only come after it.
  package func isNearEnd(at now: Tick) -> Bool { open?.isNearEnd(at: now) ?? false }

  /// Whether a status of what is on the screen tells a position that lies before the one told last.
  package func isSetBack(_ status: MediaStatus) -> Bool { open?.isSetBack(status) ?? false }

  /// Whether our own command is on its way whose effect ends what is on the screen.
  package var isEndIntended: Bool { intent != nil }

  /// When progress is to be told soon after the beginning of a play; nil when that is over, or nothing has shown a frame.
  package var earlyReport: Tick? { open.flatMap { $0.startedAt == nil ? nil : $0.earlyReport } }

  /// Says what our own next command means, before it is sent at that moment; nil when it came to nothing.
  package mutating func intend(_ intent: Intent?, at now: Tick? = nil) {
    self.intent = intent
    intendedAt = now
    lastIntent = intent
  }

  /// Shorter silences say nothing of when a status was sent.
  private static let shortestSilence = Duration.seconds(1)

  /// Takes in one merged status. `turn` names the entry behind an item, nil for somebody else's.
  /// - Parameter seenUntil: up to when the receiver was certainly there before it said so: what the network has kept back says
  ///   nothing of when it happened. Nil is now.
  package mutating func observe(
    _ status: MediaStatus?, turn: (MediaQueueItemID) -> EntryTurn?, seenUntil: Tick? = nil, at now: Tick,
    wall: WallTime
  ) -> [PlaybackFact] {
    silentSince = seenUntil.flatMap { now - $0 >= Self.shortestSilence ? $0 : nil }
    defer { silentSince = nil }
    guard let status else { return vanished(at: now, wall: wall) }
    let shown = status.currentItemID.flatMap(turn)
    switch status.playerState {
    case .playing, .paused, .buffering: return observeShown(shown, status, at: now, wall: wall)
    case .idle: return observeIdle(shown, status, turn: turn, at: now, wall: wall)
    case .loading, .unknown: return []
    }
  }

  /// The receiver has named an item in an error (protocol 21.22), which is the reason if the item turns out to have failed.
  package mutating func reportError(_ turn: EntryTurn, _ reason: PlayReason) {
    guard !endedTurns.contains(turn) else { return }
    errors.insert(reason, for: turn)
  }

  /// Whether the receiver has named this turn in an error that no status has confirmed or refuted since.
  package func hasError(_ turn: EntryTurn) -> Bool { errors[turn] != nil }

  /// A load was answered by a failure.
  package mutating func failed(_ turn: EntryTurn, reason: PlayReason, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    end(turn, .failed, .reported, reason: reason, played: nil, at: now, wall: wall)
  }

  /// It does not move, or displays nothing, without a report of the receiver.
  package mutating func stalled(_ turn: EntryTurn, reason: PlayReason, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    end(turn, .failed, .inferred, reason: reason, played: nil, at: now, wall: wall)
  }

  /// The entry never reached the receiver: nothing can be played of it.
  package mutating func unplayable(_ turn: EntryTurn, note: String, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    end(turn, .failed, .inferred, reason: PlayReason(note: note), played: nil, at: now, wall: wall)
  }

  /// The receiver went on to another item and never said what became of this one, which never showed a frame.
  package mutating func passedOver(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    if intent == .skip { return skipped(turn, at: now, wall: wall) }
    let reason = errors[turn] ?? PlayReason(note: "the receiver passed over it without a word")
    return end(turn, .failed, .inferred, reason: reason, played: nil, at: now, wall: wall)
  }

  /// It was passed over on request before it showed a frame.
  package mutating func skipped(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    let reason = PlayReason(note: "passed over before its first frame")
    return end(turn, .skipped, .inferred, reason: reason, played: nil, at: now, wall: wall)
  }

  /// What plays is cut: the receiver is out of sight, somebody took over, or castq ends it.
  package mutating func lost(
    note: String, evidence: PlayEvidence, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    guard let open else { return [] }
    if let facts = timeWasOver(open, known: now, at: now, wall: wall) { return facts }
    return end(
      open.turn, .interrupted, evidence, reason: PlayReason(note: note), played: nil, at: now, wall: wall)
  }

  // MARK: - Web pages

  /// How a page ends: always by us, and nobody confirms it (protocol 15).
  package enum PageEnd: Sendable, Hashable {
    /// It has had its time.
    case timeOver
    /// It is passed over.
    case skipped
    /// Another list takes the place of the one it belongs to.
    case replaced
    /// A person ends everything.
    case halted
  }

  /// The application for pages has said back what it was told to show.
  package mutating func shows(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard !endedTurns.contains(turn) else { return [] }
    var play = OpenPlay(turn: turn, at: now)
    play.stand(at: now, wall: wall)
    open = play
    return [started(play, at: now, wall: wall)]
  }

  /// The page makes way for what comes.
  package mutating func putAway(_ turn: EntryTurn, _ how: PageEnd, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    let (outcome, note): (PlayOutcome, String) =
      switch how {
      case .timeOver: (.finished, "a page: ended at the time the entry was given")
      case .skipped: (.skipped, "a page: passed over")
      case .replaced: (.interrupted, "another list took its place")
      case .halted: (.cancelled, "a page: stopped by castq")
      }
    return end(
      turn, outcome, .inferred, reason: PlayReason(note: note), played: nil, at: now, wall: wall)
  }

  // MARK: - While nobody looks

  /// How far what is on the screen has got, to be written down before nobody looks any more.
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

  /// Nobody has looked since the last status: only what positions prove counts as shown.
  package mutating func lookAway() { open?.lookAway() }

  /// Takes up a play that another process has begun and could not finish.
  package mutating func reopen(_ turn: EntryTurn, _ play: UnfinishedPlay, at now: Tick, wall: WallTime) {
    guard open == nil, !endedTurns.contains(turn) else { return }
    open = OpenPlay(turn: turn, play, at: now, wall: wall)
  }

  /// The receiver was lost with one item on the screen and is found with a later one.
  /// - Parameter since: when it was lost; nil when another process saw the item last.
  package mutating func passedUnseen(since: Tick?, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open else { return [] }
    if let facts = timeWasOver(open, known: since ?? now, at: now, wall: wall) { return facts }
    let note = "the receiver was out of sight when it went on to a later item"
    guard open.startedAt != nil, open.isNearEnd(at: now) else {
      let played = open.startedAt == nil ? nil : since.map { open.expectedPlayed(at: $0) } ?? open.played
      return end(
        open.turn, .unknown, .unobserved, reason: PlayReason(note: note), played: played, at: now, wall: wall)
    }
    return end(
      open.turn, .finished, .inferred, reason: PlayReason(note: note), played: open.playedToEnd(at: now),
      at: now, wall: wall)
  }

  /// The receiver's list ended unobserved, after this had time to end: whether it did is not known (protocol 21.27).
  package mutating func endedUnseen(since: Tick, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open else { return [] }
    let reason = PlayReason(note: "the receiver was out of sight when its list ended")
    return end(
      open.turn, .unknown, .unobserved, reason: reason, played: open.expectedPlayed(at: since), at: now,
      wall: wall)
  }

  /// Seconds until the end of what is on the screen, at its own speed; nil when unknown, or when it has none.
  package func rest(at now: Tick) -> Double? { open?.rest(at: now) }

  /// The receiver had it in its queue before the item that it shows now, and nobody saw what became of it.
  package mutating func unseen(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    let reason = PlayReason(note: "its turn came and went while the receiver was out of sight")
    return end(turn, .unknown, .unobserved, reason: reason, played: nil, at: now, wall: wall)
  }

  // MARK: - Statuses

  private mutating func observeShown(
    _ shown: EntryTurn?, _ status: MediaStatus, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    var facts: [PlaybackFact] = []
    if let open, open.turn != shown { facts += passed(open, at: now, wall: wall) }
    guard let shown, !endedTurns.contains(shown) else { return facts }
    if status.playerState != .buffering { errors.remove(shown) }
    var play = open.flatMap { $0.turn == shown ? $0 : nil } ?? OpenPlay(turn: shown, at: now)
    let wasStarted = play.startedAt != nil
    let before = play
    let ad = play.update(status, seen: silentSince ?? now, at: now, wall: wall)
    if !wasStarted, status.playerState == .playing || (play.isPicture && status.playerState == .paused) {
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

  private mutating func started(_ play: OpenPlay, at now: Tick, wall: WallTime) -> PlaybackFact {
    lastIntent = nil
    let gap = lastEnd.map { (now - $0).seconds }.flatMap { (0...60).contains($0) ? $0 : nil }
    return .started(
      play.turn, StartedPlay(at: wall, position: play.position, duration: play.duration, gapBefore: gap))
  }

  private func progress(of play: OpenPlay, wall: WallTime) -> ProgressedPlay {
    ProgressedPlay(at: wall, position: play.position, played: play.played, duration: play.duration)
  }

  private mutating func observeIdle(
    _ shown: EntryTurn?, _ status: MediaStatus, turn: (MediaQueueItemID) -> EntryTurn?, at now: Tick,
    wall: WallTime
  ) -> [PlaybackFact] {
    guard let reason = status.idleReason else { return [] }
    if status.beginsCurrentItem {
      // Whatever this interrupted was another item (protocol 21.23).
      guard let open, open.turn != shown else { return [] }
      return passed(open, at: now, wall: wall)
    }
    // The same item from its beginning is the same play.
    if let open, reason == .interrupted, status.loadingItemID.flatMap(turn) == open.turn { return [] }
    if reason == .finished, let open, let shown, shown != open.turn, !endedTurns.contains(shown) {
      let facts = passed(open, at: now, wall: wall)
      self.open = nil
      return facts + end(shown, .finished, .reported, reason: nil, played: nil, at: now, wall: wall)
    }
    // A new load's IDLE carries the reason of the session it ended: the open play is meant, whatever item it names.
    guard let ended = open?.turn ?? shown else { return [] }
    let words = PlayReason(idleReason: reason.word)
    if reason != .finished { open?.close(at: status.streamPosition, at: now) }
    switch reason {
    case .finished:
      let played = open?.playedToEnd(at: now)
      return end(ended, .finished, .reported, reason: nil, played: played, at: now, wall: wall)
    case .error:
      let failed = shown ?? ended
      return end(
        failed, .failed, .reported, reason: errors[failed] ?? words, played: nil, at: now, wall: wall)
    case .cancelled:
      return endByCommand(ended, .cancelled, words, at: now, wall: wall)
    case .interrupted:
      let isOurs = status.loadingItemID.flatMap(turn) != nil
      return endByCommand(ended, isOurs ? .skipped : .interrupted, words, at: now, wall: wall)
    case .unknown:
      return end(ended, .unknown, .reported, reason: words, played: nil, at: now, wall: wall)
    }
  }

  /// The receiver says a command ended the play; whose it was decides what that means.
  private mutating func endByCommand(
    _ turn: EntryTurn, _ stranger: PlayOutcome, _ words: PlayReason, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    var reason = words
    var outcome = stranger
    switch intent {
    case .skip: outcome = .skipped
    case .endReached:
      // It was asked for when nobody could hear it: whether the screen changed then, or long before, is not known.
      if let silentSince, let intendedAt, intendedAt - silentSince > Self.certainty {
        reason.note = "its time was over while the receiver was out of sight"
        return end(turn, .unknown, .unobserved, reason: reason, played: nil, at: now, wall: wall)
      }
      outcome = .finished
      reason.note = Self.timeOver
    case .replace:
      outcome = .interrupted
      reason.note = "another list took its place"
    case nil: break
    }
    return end(turn, outcome, .reported, reason: reason, played: nil, at: now, wall: wall)
  }

  /// What was missed for no longer than this has not been missed.
  private static let certainty = Duration.milliseconds(1500)

  /// It was asked to go because its time was over, and nobody said that it went: it stood there at least until then. Nil when it
  /// was not asked, or nobody could hear it.
  /// - Parameter known: up to when the receiver was certainly there.
  private mutating func timeWasOver(
    _ open: OpenPlay, known: Tick, at now: Tick, wall: WallTime
  ) -> [PlaybackFact]? {
    guard open.startedAt != nil, intent == .endReached, let intendedAt,
      intendedAt - known <= Self.certainty
    else { return nil }
    return end(
      open.turn, .finished, .inferred, reason: PlayReason(note: Self.timeOver),
      played: open.expectedPlayed(at: min(intendedAt, known)), at: now, wall: wall)
  }

  private static let timeOver = "ended at the time the entry was given"

  /// Another item is on the screen and nobody said how this one ended.
  private mutating func passed(_ open: OpenPlay, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard open.startedAt != nil else {
      self.open = nil
      return []
    }
    return endUnsaid(
      open, isSkipped: intent == .skip, known: now,
      note: "the next item began without a word about the end of this one", at: now, wall: wall)
  }

  /// The media session is gone without an idle reason (protocol 6.5: `status: []`).
  private mutating func vanished(at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open else { return [] }
    return endUnsaid(
      open, isSkipped: false, known: silentSince ?? now, note: "the receiver no longer knows of it", at: now,
      wall: wall)
  }

  /// The play ended without a report of the receiver.
  /// - Parameter known: the moment at which the play has to have been near its end to count as finished.
  private mutating func endUnsaid(
    _ open: OpenPlay, isSkipped: Bool, known: Tick, note: String, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    if let facts = timeWasOver(open, known: silentSince ?? now, at: now, wall: wall) { return facts }
    if let error = errors[open.turn], !isSkipped {
      return end(open.turn, .failed, .inferred, reason: error, played: nil, at: now, wall: wall)
    }
    let isFinished = open.isNearEnd(at: known) && !isSkipped
    return end(
      open.turn, isSkipped ? .skipped : isFinished ? .finished : .interrupted, .inferred,
      reason: PlayReason(note: note), played: isFinished ? open.playedToEnd(at: now) : nil, at: now,
      wall: wall)
  }

  private mutating func end(
    _ turn: EntryTurn, _ outcome: PlayOutcome, _ evidence: PlayEvidence, reason: PlayReason?, played: Double?,
    at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    guard !endedTurns.contains(turn) else { return [] }
    endedTurns.append(turn)
    errors.remove(turn)
    if endedTurns.count > 256 { endedTurns.removeFirst() }
    var play = open.flatMap { $0.turn == turn ? $0 : nil }
    var (outcome, reason) = (outcome, reason)
    if play?.isContentOver == true, outcome != .finished {
      // Whatever came then came after the content: it is not to be played again for the sake of an ad.
      let words = [reason?.note, "only the ad after it was cut"].compactMap { $0 }.joined(separator: "; ")
      reason = reason ?? PlayReason()
      reason?.note = words
      outcome = .finished
    }
    let ad = play?.endAd(outcome == .finished && reason == nil ? .passed : .cut, at: now)
    // Of what the network kept back nobody knows when it happened: nothing counts that is not known to have been shown.
    let known = silentSince ?? now
    if play != nil {
      open = nil
      lastEnd = silentSince == nil ? now : nil
      intent = nil
    }
    let isFinished = outcome == .finished && reason?.note == nil
    if let unseen = play?.unseenNote, reason?.note == nil {
      reason = reason ?? PlayReason()
      reason?.note = unseen
    }
    let (at, jump) =
      play.map { ($0.moment(at: now, wall: wall), $0.clockJump(at: now, wall: wall)) } ?? (wall, nil)
    if let jump {
      let note = [reason?.note, jump].compactMap { $0 }.joined(separator: "; ")
      reason = reason ?? PlayReason()
      reason?.note = note
    }
    let position =
      isFinished ? play?.duration ?? play?.expectedPosition(at: known) : play?.expectedPosition(at: known)
    let ads = play?.startedAt == nil ? [] : [ad].compactMap { $0 }.map { PlaybackFact.adEnded(turn, $0) }
    return ads + [
      .ended(
        turn,
        EndedPlay(
          at: at, position: play?.startedAt == nil ? nil : position,
          played: play?.startedAt == nil ? 0 : played ?? play?.expectedPlayed(at: known) ?? 0,
          duration: play?.duration, outcome: outcome, evidence: evidence, reason: reason))
    ]
  }
}
