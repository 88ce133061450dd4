import CastProtocol
import CastqPlaylists
import CastqText

/// What the receiver reports, and what it means for the window and for history.
extension FeederMachine {
  /// - Parameters:
  ///   - seenUntil: up to when the receiver was certainly connected before this status; nil is now.
  ///   - isCertain: it was asked whether that is so.
  mutating func observe(
    _ status: MediaStatus?, seenUntil: Tick? = nil, isCertain: Bool = false, _ actions: inout [Action],
    at now: Tick, wall: WallTime
  ) {
    if let epoch = newerEpoch(in: status) {
      return supersede(by: epoch, &actions, at: now, wall: wall)
    }
    if adoption != nil {
      return reconsider(status, isCertain: isCertain, &actions, at: now, wall: wall)
    }
    if case .relieving(let relief) = phase { return relieve(relief, status, &actions) }
    guard phase.isLoading || phase.isFeeding else { return }
    heard(at: now)
    let status = status.map(completed)
    if let status {
      guard status.mediaSessionID != receiver.foreign else { return }
      if held.session == nil {
        guard phase.isFeeding || isOfOurLoad(status) else { return }
        beginSession(status)
      }
      bind(status)
      if status.mediaSessionID != held.session, !isRenumbered(status) {
        if !isCertain, !isReplaced { return ask(about: status, &actions, at: now, wall: wall) }
        if status.playerState != .idle, isOfOlderEpoch(status) {
          replaceOlder(status, &actions, at: now, wall: wall)
        } else if status.playerState != .idle {
          takenOver(by: status, &actions, at: now, wall: wall)
        } else if status.isEnded, phase.isFeeding {
          // Another sender's load replaced ours and failed: the screen is dark, and no further status will come.
          let ending = PlayEnding(.guest, "its load failed")
          record(ledger.lost(ending, evidence: .inferred, at: now, wall: wall), &actions)
          windowGone(status, &actions)
        }
        return
      }
    } else if phase.isLoading {
      return  // about the session before ours
    } else if !isCertain, isDoubtful(at: now) {
      return ask(about: nil, &actions, at: now, wall: wall)
    }
    if let status, !isCertain, isStale(status) {
      return ask(about: status, &actions, at: now, wall: wall)
    }
    held.doubts.doubt = nil
    let before = window.current?.turn
    if let id = status?.loadingItemID ?? status?.currentItemID, let item = window.item(id) {
      window.moveTo(item.turn)
    }
    let shown = window
    let place = status?.currentItemID.flatMap { shown.item($0) }?.place
    // Of what an earlier process has sent, the item alone says so: rows do not know what a person had paused.
    let startsPaused = place?.startsPaused == true || status?.currentQueueItem?.autoplay == false
    record(
      ledger.observe(
        status, turn: { shown.item($0)?.turn }, startsPaused: startsPaused,
        limit: limitOnScreen, isUnasked: !receiver.isAsked,
        seenUntil: seenUntil, at: now, wall: wall), &actions)
    let onScreen = window.current
    held.observePlayer(status, of: onScreen?.turn == ledger.current ? onScreen : nil)
    if let before, before != window.current?.turn, before != ledger.current {
      record(ledger.passedOver(before, at: now, wall: wall), &actions)  // tells nothing when its end is known
    }
    failItemsBehind(status, &actions, at: now, wall: wall)
    learnLead(at: now)
    timeEntry(status, &actions, at: now, wall: wall)
    watchLoad(status, &actions, at: now)
    watchStillness(status, &actions, at: now, wall: wall)
    pace(status, &actions)
    actions.append(.startTimer(.status, after: statusPause(at: now)))
    guard status.map(\.isEnded) ?? true else {
      load?.endedBy = nil
      return
    }
    guard phase.isLoading else { return windowGone(status, &actions) }
    load?.endedBy = status
    actions.append(.startTimer(.status, after: configuration.lateAnswer))
  }

  /// How long the play on the screen may last; nil is to its end.
  private var limitOnScreen: MediaTime? { ledger.current.flatMap { window.item($0)?.limit } }

  /// A status without an item is about the same one as before (protocol 6.5); after an empty status the sender does not know it.
  private func completed(_ status: MediaStatus) -> MediaStatus {
    guard status.currentItemID == nil, status.loadingItemID == nil, status.mediaSessionID == held.session
    else {
      return status
    }
    var status = status
    status.currentItemID = window.current?.itemID
    return status
  }

  /// Receivers are silent while an item plays (protocol 21.1): how long it may be until one is asked where it is.
  func statusPause(at now: Tick) -> Duration {
    let isOpen = isReceiverLoading || window.current.map { ledger.hasError($0.turn) } ?? false
    if phase.isFeeding, isOpen, !receiver.isAsked { return configuration.loadQuestion }
    guard let due = ledger.earlyReport, due > now else { return configuration.statusInterval }
    return min(due - now, configuration.statusInterval)
  }

  /// The first status of a load numbers its items: they were sent as one block, and receivers count upward (protocol 7.3).
  /// Tags and the list of ids correct this when a receiver counts differently.
  private mutating func beginSession(_ status: MediaStatus) {
    held.session = status.mediaSessionID
    load?.awaited = []
    guard let first = status.currentItemID else { return }
    for (offset, item) in window.items.enumerated() where item.itemID == nil {
      window.bind(item.turn, to: MediaQueueItemID(first.rawValue + offset))
    }
  }

  /// Whether a status can be of the load in flight: statuses of another sender's media, and late ones of an abandoned load, may
  /// precede it. Tags decide, also those of turns that are no longer ours; without tags, the address. Without media it may be ours
  /// if it shows nothing.
  private func isOfOurLoad(_ status: MediaStatus) -> Bool {
    let turns = status.queueItems.compactMap { turn(of: $0) }
    // A box with an older epoch plays the same addresses.
    if isOfOlderEpoch(status) { return false }
    if !turns.isEmpty { return turns.contains { window.item($0) != nil } }
    if let media = status.mediaInformation ?? status.loadingMedia {
      return load?.awaited.contains(media.contentID) == true
    }
    return status.playerState != .playing && status.playerState != .paused
  }

  /// Tags tell the truth about which item is which.
  private mutating func bind(_ status: MediaStatus) {
    for item in status.queueItems { bind(item) }
  }

  mutating func bind(_ item: MediaQueueItem) {
    guard let id = item.itemID, let turn = turn(of: item) else { return }
    window.bind(turn, to: id)
  }

  /// The turn in the tag of an item; nil when the tag is not of this queue, or of another box's epoch: that box numbers turns by itself.
  func turn(of item: MediaQueueItem) -> EntryTurn? {
    guard let tag = ownTag(of: item), configuration.epoch == nil || tag.epoch == configuration.epoch else {
      return nil
    }
    return tag.turn
  }

  /// Some receivers change the media session on an item change (protocol 18, quirk 1): it is still our queue when any item
  /// around the current one carries our tag. The current one alone may be a stranger's, put in between.
  private mutating func isRenumbered(_ status: MediaStatus) -> Bool {
    let isOurs = status.queueItems.contains { turn(of: $0).flatMap { window.item($0) } != nil }
    if isOurs { held.session = status.mediaSessionID }
    return isOurs
  }

  private mutating func takenOver(
    by status: MediaStatus, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    // After our last entry nothing is lost.
    if ledger.current == nil, window.ahead.isEmpty, held.hasReachedEnd, !receiver.rows.isStale {
      return windowGone(status, &actions)
    }
    let title = status.mediaInformation?.label ?? "something else"
    record(
      ledger.lost(PlayEnding(.guest), by: title, evidence: .reported, at: now, wall: wall), &actions)
    dropWindow(&actions)
    end(.takenOver(title), &actions)
  }

  /// Whether our own media session has reported the end of what it showed. Otherwise a status of another session alone does not
  /// count: it has to be confirmed by the answer to a question.
  private var isReplaced: Bool {
    guard phase.isFeeding, let current = window.current else { return false }
    return ledger.hasEnded(current.turn)
  }

  mutating func windowGone(_ status: MediaStatus?, _ actions: inout [Action]) {
    // Whatever we meant ourselves when we ended it is not somebody else's stop.
    let wasOurs = ledger.lastIntent != nil || receiver.pending != nil || held.stall.isEnding
    receiver.foreign = status?.mediaSessionID ?? held.session
    receiver.load = .none
    dropWindow(&actions)
    if receiver.pending == .halt {
      end(.halted, &actions)
    } else if status?.idleReason == .cancelled, !wasOurs {
      end(.stoppedElsewhere, &actions)
    }
  }

  /// The receiver names an item in an error. The statuses that follow decide what it means; without any, the receiver is asked.
  mutating func reportError(
    of id: MediaQueueItemID, _ reason: PlayReason, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    adoption?.failed.insert(id)
    guard phase.isLoading || phase.isFeeding, let item = window.item(id) else { return }
    // An ad that fails is not the entry's failure: the receiver continues after the ad (protocol 6.6).
    if let code = reason.detailedCode, Self.adErrors.contains(code) { return ledger.adFailed() }
    // The error of an ad clip may name the film (protocol 21.22).
    if ledger.current == item.turn { ledger.adFailed() }
    if item.wasUnserved, !ledger.hasStarted(item.turn) { return loadAgain(&actions, at: now, wall: wall) }
    ledger.reportError(item.turn, reason)
    if held.doubts.doubt == nil { actions.append(.startTimer(.status, after: configuration.loadQuestion)) }
  }

  /// What stands before the item on the screen, was named in an error and had no other end, has failed (protocol 21.6).
  private mutating func failItemsBehind(
    _ status: MediaStatus?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let status, status.playerState != .idle, !status.isLoadingItem else { return }
    for item in window.behind where ledger.hasError(item.turn) && item.turn != ledger.current {
      record(ledger.passedOver(item.turn, at: now, wall: wall), &actions)
    }
  }

  /// BREAK_CLIP_LOADING_ERROR and BREAK_SEEK_INTERCEPTOR_ERROR.
  private static let adErrors: Set = [901, 902]

  mutating func apply(_ change: QueueChange) {
    switch change {
    case .insert(let ids, _):
      guard case .insert(let turns)? = edit, turns.count == ids.count else { return }
      for (turn, id) in zip(turns, ids) where window.item(turn)?.itemID == nil { window.bind(turn, to: id) }
    case .remove(let ids):
      let gone = Set(ids)
      let isOurs = if case .remove? = edit { true } else { false }
      let current = window.current?.turn
      window.remove { $0.itemID.map(gone.contains) == true && $0.turn != current }
      if !isOurs { receiver.rows.expire() }
    case .update(let ids):
      window.reorder(as: ids)
      receiver.rows.expire()
    case .other: break
    }
  }

  // MARK: - Entries that end by the clock

  /// Arms the clock of an entry that may play only so long, and of a picture, which never ends by itself (protocol 21.7).
  private mutating func timeEntry(
    _ status: MediaStatus?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let turn = ledger.current, let item = window.item(turn), let shown = ledger.shown(at: now) else {
      return timeOverdue(status, &actions)
    }
    held.clock.overdue = nil
    refresh(item, &actions)
    let isPlaying = status?.playerState == .playing
    // The time an ad takes is not the entry's (protocol 9).
    let isInAd = status?.adBreakStatus != nil
    var rests: [Double] = item.place.closes.map { [$0 - wall] } ?? []
    if let limit = item.limit ?? (item.isImage ? configuration.imageDuration : nil),
      isPlaying || item.isImage,
      !isInAd
    {
      rests.append(limit.seconds - shown - (item.isImage ? lead.seconds : 0))
    }
    if var rest = rests.min() {
      // The next one was asked for: asked twice, the receiver would pass over one.
      if let requested = held.clock.requestedNext(after: turn) {
        rest = max(rest, ItemClock.patience - (now - requested).seconds)
      }
      actions.append(.startTimer(.entryEnd, after: .bounded(seconds: rest)))
    } else {
      actions.append(.cancelTimer(.entryEnd))
    }
  }

  /// Speed is no part of a queue item and sticks to later items (protocol 21.12): each entry's own is set when it starts.
  private mutating func pace(_ status: MediaStatus?, _ actions: inout [Action]) {
    guard let status, status.playerState == .playing, status.adBreakStatus == nil, let turn = ledger.current,
      turn != held.clock.paced, let item = window.item(turn), !item.isImage
    else { return }
    held.clock.paced = turn
    if abs(status.playbackRate - item.place.rate) > 0.01 { actions.append(.setPlaybackRate(item.place.rate)) }
  }

  mutating func fire(
    _ timer: FeederTimer, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    switch timer {
    case .status:
      statusDue(&actions, at: now, wall: wall)
      tellPage(.watch, &actions, at: now, wall: wall)
    case .edit:
      receiver.pausesEdits = false
      receiver.rows.expire()
    case .load: loadOverdue(&actions, at: now, wall: wall)
    case .stall: stalled(&actions, at: now, wall: wall)
    case .refresh:
      refreshPicture(&actions)
      tellPage(.refresh, &actions, at: now, wall: wall)
    case .window: receiver.rows.expire()
    case .page: tellPage(.answerDue, &actions, at: now, wall: wall)
    case .entryEnd:
      if case .relieving = phase { return endRelief(&actions) }
      if case .page = phase { return tellPage(.timeOver, &actions, at: now, wall: wall) }
      guard let turn = ledger.current, let item = window.item(turn) else { return endOverdue(&actions) }
      if let requested = held.clock.requestedNext(after: turn), hearing.isSilent(since: requested) {
        // It may have gone on long ago: asked again, it would pass over one.
        askStatus(&actions)
        return actions.append(.startTimer(.entryEnd, after: .bounded(seconds: ItemClock.patience)))
      }
      ledger.intend(.endReached, at: now)
      held.clock.requestNext(after: item, at: now)
      actions.append(window.ahead.isEmpty ? .stopMedia : .next)
    case .pause:
      guard phase.isPausing || setbacks.isFallingBack else { return }
      // What stands in for the list stays on the screen; what the list has is tried behind it. Behind a page,
      // and before anything is displayed, it cannot be: the list is loaded next, without another pause.
      if phase.isFeeding { setbacks.tryBehind() }
      setbacks.isFallingBack = false
      if phase.isPausing { rest() }
      receiver.rows.expire()
    }
  }

  // MARK: - Facts

  /// Writes facts down with what they mean for their entries.
  mutating func record(
    _ facts: [PlaybackFact], of item: FeedWindow.Item? = nil, retrying: Retrying = .byRule,
    _ actions: inout [Action]
  ) {
    guard !facts.isEmpty else { return }
    var recorded: [RecordedFact] = []
    for fact in facts {
      var effect: EntryEffect?
      switch fact {
      case .started(let turn, _):
        effect = EntryEffect(state: .playing)
        past.resume = nil
        interrupted[turn.entry] = nil
        if window.item(turn)?.isFallback == true {
          setbacks.standInDisplayed(listIsBehind: receiver.application == .media)
        } else {
          setbacks.displayed()
        }
      case .ended(let turn, let play):
        effect = self.effect(of: play, on: item ?? window.item(turn), retrying)
      case .progressed, .adEnded: break
      }
      recorded.append(RecordedFact(fact: fact, effect: effect))
    }
    actions.append(.record(recorded))
  }

  private mutating func effect(
    of play: EndedPlay, on item: FeedWindow.Item?, _ retrying: Retrying
  ) -> EntryEffect {
    let nextRound = item.map { $0.place.round + 1 }
    switch play.outcome {
    case .finished:
      setbacks.finished(unseen: play.showedLittle && item?.isImage == false)
      return EntryEffect(state: .finished, round: nextRound)
    case .skipped: return EntryEffect(state: .skipped, round: nextRound)
    // It was passed over unobserved: it is not shown again for that.
    case .unknown where play.evidence == .unobserved:
      return EntryEffect(state: .interrupted, round: nextRound)
    case .interrupted, .cancelled, .unknown:
      receiver.rows.expire()
      return EntryEffect(state: .pending)
    case .failed:
      receiver.rows.expire()
      setbacks.playFailed()
      let attempts = (item?.attempts ?? 0) + 1
      guard attempts >= attemptLimit(item?.place.onError, retrying) else {
        return EntryEffect(state: .pending, countsAttempt: true)
      }
      if item?.place.onError ?? configuration.onError == .stop {
        setbacks.fatal = play.reason ?? PlayReason()
      }
      if item?.isFallback != true { setbacks.entryFailed() }
      return EntryEffect(state: .failed, round: nextRound, countsAttempt: true)
    }
  }
}
