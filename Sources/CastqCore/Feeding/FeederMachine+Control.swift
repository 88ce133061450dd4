import CastProtocol

/// What a person asks for while the list plays.
extension FeederMachine {
  mutating func skip(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    switch phase {
    case .idle, .adopting, .resting, .pausing, .ended: return
    case .loading:
      if page != nil { return endPage(.skipped, &actions, at: now, wall: wall) }
      // While it loads, a receiver listens to nothing but a stop (protocol 21.2).
      guard case .load(let turns)? = edit,
        let turn = ledger.current ?? turns.first(where: { !ledger.hasEnded($0) })
      else { return }
      if ledger.current == nil { record(ledger.skipped(turn, at: now, wall: wall), &actions) }
      startOver(.restart(nil), meaning: .skip, &actions)
    case .feeding:
      if page != nil { return endPage(.skipped, &actions, at: now, wall: wall) }
      guard let current = window.current, !ledger.hasEnded(current.turn) else { return }
      ledger.intend(.skip)
      actions.append(window.ahead.isEmpty ? .stopMedia : .next)
    }
  }

  /// Goes to an item that waits on the receiver in this round; everything else is loaded anew, so that an entry that is
  /// shown again gets a turn of its own: each play in history has one identity.
  mutating func restart(
    from entry: EntryID?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    resume = nil
    fruitlessLoads = 0
    hasPaused = false
    if entry == nil { failedEntries = 0 }
    switch phase {
    case .ended: return
    case .idle: wish = .restart(entry)
    case .adopting:
      wish = .restart(entry)
      startAfresh(adoption?.status, &actions, at: now, wall: wall)
    case .resting, .pausing:
      if phase == .pausing { actions.append(.cancelTimer(.pause)) }
      phase = .resting
      wish = .restart(entry)
    case .feeding where page != nil, .loading where page != nil:
      wish = .restart(entry)
      endPage(entry == nil ? .replaced : .skipped, &actions, at: now, wall: wall)
    case .feeding:
      let round = window.current?.place.round
      let held = window.ahead.first { item in
        item.turn.entry == entry && item.itemID != nil && item.place.round == round
          && item.turn.entry != window.current?.turn.entry
      }
      guard let entry, let id = held?.itemID else {
        return startOver(.restart(entry), meaning: entry == nil ? .replace : .skip, &actions)
      }
      actions.append(.moveList(to: entry))
      ledger.intend(.skip)
      actions.append(.jump(to: id))
    case .loading: startOver(.restart(entry), meaning: entry == nil ? .replace : .skip, &actions)
    }
  }

  mutating func halt(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    switch phase {
    case .ended: return
    case .idle, .adopting, .resting, .pausing:
      if phase == .adopting { actions.append(.stopMedia) }
      settleAbsence(&actions, at: now, wall: wall)
      end(.halted, &actions)
    case .loading where page != nil, .feeding where page != nil:
      endPage(.halted, &actions, at: now, wall: wall)
      actions.append(.stopMedia)
      end(.halted, &actions)
    case .loading, .feeding: startOver(.halt, meaning: nil, &actions)
    }
  }

  /// The receiver did not do what was asked last: what that was to mean is void.
  mutating func takeBack() {
    ledger.intend(nil)
    if wish != .halt { wish = nil }
  }

  /// Ends what is there; the receiver's word for that is waited for, so that history rests on it.
  private mutating func startOver(
    _ wish: FeederWish, meaning intent: PlaybackLedger.Intent?, _ actions: inout [Action]
  ) {
    self.wish = wish
    if let intent { ledger.intend(intent) }
    actions.append(.stopMedia)
  }

  /// Nothing of ours is on the receiver: what was wished for can be done before rows are read.
  mutating func takeUpWish(_ actions: inout [Action]) {
    guard case .restart(let entry)? = wish else { return }
    wish = nil
    isStale = true
    hasReadAll = false
    settled = nil
    fruitlessLoads = 0
    hasPaused = false
    if let entry { actions.append(.moveList(to: entry)) }
  }
}
