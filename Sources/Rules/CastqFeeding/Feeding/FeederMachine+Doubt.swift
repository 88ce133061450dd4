import CastProtocol
import CastqText

/// Receivers that report what can hardly be true, or nothing at all.
///
///     a status that can hardly be true ──asked──> the item continues: nothing happened
///                                        └─────> confirmed, or no answer in time: accepted
///     no answer to questions, again and again ──> the session is abandoned, and another one opened
extension FeederMachine {
  // MARK: - Doubt

  /// Whether an empty status is asked about before it is believed: receivers send them spontaneously (protocol 6.5; 18, quirk
  /// 10). At the end of an item it is what was to be expected, and after a command of ours, too.
  func isDoubtful(at now: Tick) -> Bool {
    guard phase.isFeeding, !ledger.isEndIntended, receiver.pending == nil, !held.stall.isEnding,
      let current = window.current,
      !ledger.hasEnded(current.turn)
    else { return false }
    return !ledger.isNearEnd(at: now)
  }

  /// Whether a status tells of an item that is over while another one is on, or of a place that lies back: statuses that come
  /// twice, or late, do. A receiver that returns to an item first reports the end of the current one; a seek is confirmed.
  func isStale(_ status: MediaStatus) -> Bool {
    guard phase.isFeeding, let current = ledger.current, let id = status.currentItemID,
      let told = window.item(id)?.turn
    else { return false }
    return told == current ? ledger.isSetBack(status) : ledger.hasEnded(told)
  }

  /// Asks once; the answer, or the clock, decides.
  mutating func ask(
    about status: MediaStatus?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let before = held.doubts.doubt else {
      held.doubts.doubt = Doubt(since: now, said: status)
      askStatus(&actions)
      return actions.append(.startTimer(.status, after: configuration.doubtLimit))
    }
    held.doubts.doubt?.said = status
    if before.isAnswered { acceptDoubt(&actions, at: now, wall: wall) }
  }

  /// Accepts the status in doubt. What ended by it ended when it was first reported, as far as is known.
  private mutating func acceptDoubt(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    observe(
      held.doubts.doubt?.said, seenUntil: held.doubts.doubt?.since, isCertain: true, &actions, at: now,
      wall: wall
    )
  }

  private func isForeign(_ doubt: Doubt) -> Bool {
    doubt.said.map { $0.mediaSessionID != held.session } ?? false
  }

  // MARK: - Questions

  mutating func askStatus(_ actions: inout [Action]) {
    receiver.isAsked = true
    actions.append(.requestStatus)
  }

  /// It is time to ask where playback is: a silent receiver is asked, whatever is believed to be on the screen.
  mutating func statusDue(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    if let doubt = held.doubts.doubt {
      guard isForeign(doubt) else { return acceptDoubt(&actions, at: now, wall: wall) }
      // That another sender plays was not confirmed.
      held.doubts.doubt = nil
    }
    guard phase.isFeeding || phase.isLoading else { return }
    if load?.endedBy != nil {
      let words = "what was loaded is over, and the load was never answered"
      return abandonSession(words, &actions, at: now, wall: wall)
    }
    // While one question is open, the next one comes sooner, so that silence is noticed.
    let interval = configuration.statusInterval
    actions.append(.startTimer(.status, after: receiver.isAsked ? interval / 2 : interval))
    askStatus(&actions)
  }

  mutating func answered(_ answer: StatusAnswer, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    // A question from before the present window says nothing of it.
    guard receiver.isAsked, phase.isFeeding || phase.isLoading || adoption != nil else { return }
    note(answer, at: now)
    switch answer {
    case .told:
      guard held.doubts.doubt?.isAnswered == false else { return }
      held.doubts.doubt?.isAnswered = true
      askStatus(&actions)
    case .nothingLoaded where !phase.isLoading:
      held.doubts.doubt?.said = nil
      acceptDoubt(&actions, at: now, wall: wall)
    // A receiver that is busy with a load does not answer (protocol 21.2); some old ones say this meanwhile.
    case .nothingLoaded:
      guard held.doubts.emptyAnswers >= Doubts.patience else {
        return actions.append(.startTimer(.status, after: configuration.lateAnswer))
      }
      abandonSession("the receiver knows nothing of what was loaded", &actions, at: now, wall: wall)
    case .silence:
      guard held.doubts.silences >= longestSilence else { return }
      abandonSession("the receiver no longer answers", isSilent: true, &actions, at: now, wall: wall)
    }
  }

  private mutating func note(_ answer: StatusAnswer, at now: Tick) {
    receiver.isAsked = false
    switch answer {
    case .told:
      heard(isAnswer: true, at: now)
      held.doubts.emptyAnswers = 0
    case .nothingLoaded where phase.isLoading: held.doubts.emptyAnswers += 1
    case .nothingLoaded: heard(isAnswer: true, at: now)
    case .silence: held.doubts.silences += 1
    }
  }

  /// The receiver reported something of media.
  mutating func heard(isAnswer: Bool = false, at now: Tick) {
    held.doubts.silences = 0
    hearing.hear(isAnswer: isAnswer, at: now)
  }

  /// What never answers may be like that, and play all the same; what is loading has a reason not to (protocol 21.2).
  private var longestSilence: Int {
    // A receiver that reports a load answers nothing else meanwhile; the load has a limit of its own.
    if isReceiverLoading, held.session != nil { return .max }
    return phase.isLoading || hearing.isAnswering ? Doubts.patience : .max
  }

  /// Another session may work better; it adopts what still plays.
  private mutating func abandonSession(
    _ words: String, isSilent: Bool = false, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    if phase.isLoading, setbacks.fruitlessLoads >= configuration.loadAttempts {
      settleLoss(&actions, at: now, wall: wall)
      return end(.refused(PlayReason(note: words), isSilent: isSilent), &actions)
    }
    lose(words, lastHeard: hearing.last ?? now, &actions, at: now, wall: wall)
    if phase.isIdle { actions.append(.reconnect(words)) }
  }
}
