import CastProtocol
import CastqPlaylists
import CastqText

/// What a person asks for while the list plays.
extension FeederMachine {
  mutating func skip(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    switch phase {
    case .idle, .absent, .adopting, .relieving, .resting, .pausing, .ended: return
    case .page: endPage(.skipped, &actions, at: now, wall: wall)
    case .loading: skipLoad(&actions, at: now, wall: wall)
    case .feeding:
      if isLoadStuck(at: now) { return skipLoad(&actions, at: now, wall: wall) }
      // What is on the screen is being stopped for another entry.
      guard !restarts, let current = window.current, !ledger.hasEnded(current.turn) else { return }
      ledger.intend(.skip)
      actions.append(window.ahead.isEmpty ? .stopMedia : .next)
    }
  }

  /// Skips the item that is being loaded: the load of the next one interrupts it (protocol 21.26).
  private mutating func skipLoad(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let turn = receiver.load.item?.turn else { return }
    record(ledger.skipped(turn, at: now, wall: wall), &actions)
    abandonLoad(of: turn.entry, &actions)
  }

  /// Goes to an item that waits on the receiver in this round; everything else is reloaded, so that an entry that is
  /// shown again gets a turn of its own: each play in history has one identity.
  mutating func restart(
    from entry: EntryID?, resume: ResumePoint?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    past.resume = resume
    setbacks.forgetLoads()
    if let entry {
      interrupted[entry] = nil
    } else {
      setbacks.forgetEntries()
      keepPlayer(of: ledger.current)
    }
    switch phase {
    case .ended: return
    case .idle, .absent: receiver.pending = .restart(entry)
    case .adopting(let adoption):
      receiver.pending = .restart(entry)
      startAfresh(adoption.status, &actions, at: now, wall: wall)
    case .relieving:
      endRelief(&actions)
      receiver.pending = .restart(entry)
    case .resting, .pausing:
      if phase.isPausing { actions.append(.cancelTimer(.pause)) }
      rest()
      receiver.pending = .restart(entry)
    case .page:
      receiver.pending = .restart(entry)
      endPage(entry == nil ? .replaced : .skipped, &actions, at: now, wall: wall)
    // A load interrupts another one however young that is; a stop might wait behind it for ever.
    case .feeding where isReceiverLoading, .loading:
      receiver.pending = .restart(entry)
      abandonLoad(of: nil, &actions)
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
    }
  }

  mutating func halt(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    switch phase {
    case .ended: return
    case .idle, .absent, .adopting, .relieving, .resting, .pausing:
      if adoption != nil { actions.append(.stopMedia) }
      endHalted(&actions, at: now, wall: wall)
    case .page:
      endPage(.halted, &actions, at: now, wall: wall)
      actions.append(.stopMedia)
      end(.halted, &actions)
    case .loading, .feeding:
      // What has loaded for longer than a moment may never let a stop through (protocol 21.26).
      if isLoadStuck(at: now) { return endHalted(&actions, at: now, wall: wall) }
      startOver(.halt, meaning: .stop, &actions)
      // A load may let no stop through: then the application is ended.
      if isReceiverLoading { actions.append(.startTimer(.load, after: configuration.loadQuestion)) }
    }
  }

  /// Ends without confirmation by the receiver: what was open counts up to when that was certainly there.
  private mutating func endHalted(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    settle(loss ?? unobserved(PlayEnding(.stopped), at: now, wall: wall), &actions)
    end(.halted, &actions)
  }

  /// The receiver refused the last command, which therefore means nothing; unless the receiver was busy with a load, and the
  /// command did not get through.
  mutating func withdrawCommand(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    ledger.intend(nil)
    if phase.isLoading || phase.isFeeding, isLoadStuck(at: now) {
      switch receiver.pending {
      case .halt: return halt(&actions, at: now, wall: wall)
      case .restart: return abandonLoad(of: nil, &actions)
      case nil: return
      }
    }
    if receiver.pending != .halt { receiver.pending = nil }
  }

  /// Ends what is there; the receiver's word for that is waited for, so that history rests on it.
  private mutating func startOver(
    _ command: PendingCommand, meaning intent: PlaybackLedger.Intent, _ actions: inout [Action]
  ) {
    receiver.pending = command
    ledger.intend(intent)
    actions.append(.stopMedia)
  }

  /// Whether the list is about to go on from an entry that was asked for.
  var restarts: Bool { if case .restart? = receiver.pending { true } else { false } }

  /// Nothing of ours is on the receiver: a pending restart is carried out before rows are read.
  mutating func beginRestart(_ actions: inout [Action]) {
    guard case .restart(let entry)? = receiver.pending else { return }
    receiver.pending = nil
    receiver.rows.expire()
    setbacks.forgetLoads()
    // What stood in for the list is not what was asked for.
    setbacks.isFallingBack = false
    if let entry { actions.append(.moveList(to: entry)) }
  }
}
