import CastProtocol
import CastqText

/// Losing the receiver, stopping, leaving: what is known is kept.
extension FeederMachine {
  mutating func lose(
    _ note: String, lastHeard: Tick, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    if case .relieving = phase { receiver.pending = nil }
    if !phase.isIdle {
      let loss = loss ?? unobserved(PlayEnding(.deviceLost, note), since: lastHeard, at: now, wall: wall)
      var held = held
      held.receiver = receiver
      phase = .absent(Absence(loss: loss, show: page.map { .page($0, receiver) } ?? .media(held)))
    }
    edit = nil
    receiver.load = .none
    receiver.reading = nil
    receiver.pausesEdits = false
    // The next session tries the list at once.
    if setbacks.isExhausted { setbacks.isFallingBack = false }
    forgetClocks()
    actions += FeederTimer.allCases.map { .cancelTimer($0) }
    guard receiver.pending == .halt else { return }
    settleLoss(&actions, at: now, wall: wall)
    end(.halted, &actions)
  }

  /// The receiver is not asked, or has not answered: what was open counts up to when it was certainly there.
  /// - Parameter heard: when it was heard last, if that was earlier than its session and its answers say.
  func unobserved(
    _ ending: PlayEnding, since heard: Tick? = nil, at now: Tick, wall: WallTime
  ) -> Loss {
    let seen = lastSeen(heard, at: now, wall: wall)
    return Loss(since: seen.tick, wall: seen.wall, ending: ending)
  }

  /// When the receiver was certainly there last, by both clocks.
  func lastSeen(_ heard: Tick? = nil, at now: Tick, wall: WallTime) -> (tick: Tick, wall: WallTime) {
    let known = min(receiver.seenUntil ?? now, held.doubts.silences > 0 ? hearing.known(at: now) : now)
    let seen = min(heard ?? known, known)
    return (seen, wall.adding(seconds: (seen - now).seconds))
  }

  mutating func stop(_ ending: PlayEnding, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    let isShowing = phase.isCasting || adoption != nil
    // castq does not wait for the receiver to confirm: the end is ours, the position follows from the last status.
    var loss = loss ?? unobserved(ending, at: now, wall: wall)
    // Its session was lost to another sender.
    if ending.cause == .guest { loss.ending = ending }
    settle(loss, &actions)
    clearScreen(isShowing, &actions, at: now)
    end(receiver.pending == .halt ? .halted : .stopped, &actions)
  }

  /// Clears the screen of our media, unless the receiver is stuck in a load: a stop does not get through then.
  mutating func clearScreen(_ isShowing: Bool, _ actions: inout [Action], at now: Tick) {
    guard !isLoadStuck(at: now) else { return }
    receiver.load = .none
    if isShowing { actions.append(.stopMedia) }
  }

  /// What is known is recorded, so that the next feeder can adopt it.
  mutating func leave(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    receiver.load = .none
    if loss == nil {
      let seen = lastSeen(at: now, wall: wall)
      record(ledger.interim(at: seen.tick, wall: seen.wall), &actions)
    }
    end(.stopped, &actions)
  }

  mutating func end(_ end: RunEnd, _ actions: inout [Action]) {
    finish(with: .ended(end), clearing: end.clearsScreen, &actions)
  }

  /// The last action of this feeder.
  mutating func finish(with last: Action, clearing: Bool, _ actions: inout [Action]) {
    if isBusyForUs, clearing { actions.append(.stopApplication) }
    phase = .ended
    actions += FeederTimer.allCases.map { .cancelTimer($0) }
    actions.append(last)
  }

  /// The receiver no longer holds anything of ours: what belonged to it is forgotten.
  mutating func dropWindow(_ actions: inout [Action]) {
    let lost = window.items.map(\.turn).filter { !ledger.hasEnded($0) }
    if !lost.isEmpty { actions.append(.release(lost)) }
    // A load that was not answered keeps the receiver busy, whatever it says of it.
    if phase.isLoading, case .buffering(let turn, let since) = receiver.load {
      receiver.load = .item(turn, since: since)
    }
    rest()
    receiver.rows.expire()
    let timers: [FeederTimer] = [.entryEnd, .status, .load, .stall, .refresh, .page]
    actions += timers.map { .cancelTimer($0) }
    forgetClocks()
  }

  /// Nothing of ours is on the receiver.
  mutating func rest() { phase = .resting(receiver) }

  /// The timers of an item are gone, and what they were for.
  mutating func forgetClocks() {
    held.forgetClocks()
    receiver.isAsked = false
  }
}
