import CastProtocol

/// Where an item that says it plays stands, and since when.
struct Stillness: Sendable, Hashable {
  var turn: EntryTurn
  var position: MediaTime
  var since: Tick
}

/// Whether an entry that has failed may come again in this round.
enum Retrying: Sendable, Hashable {
  /// As often as its rule allows, or the default.
  case byRule
  /// Only if a rule asks for another attempt.
  case whereAsked
  /// It cannot be sent at all: another attempt would fail alike.
  case never
}

/// What cannot be played costs seconds, never the loop.
extension FeederMachine {
  /// How many plays of one entry may fail in one round.
  /// - Parameter policy: what the entry or its list says; nil is what is said of the device.
  func attemptLimit(_ policy: EntryErrorPolicy?, _ retrying: Retrying) -> Int {
    switch retrying {
    case .never: 1
    case .whereAsked: explicitLimit(policy) ?? 1
    case .byRule: explicitLimit(policy) ?? configuration.attempts
    }
  }

  /// Nil without a rule.
  private func explicitLimit(_ policy: EntryErrorPolicy?) -> Int? {
    switch policy ?? configuration.onError {
    case .skip, .stop: 1
    case .retry(let count): count + 1
    case nil: nil
    }
  }

  /// An entry failed that says the list must not go on without it.
  mutating func stopForGood(
    _ reason: PlayReason, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    fatalFailure = nil
    guard phase != .ended else { return }
    let isShowing = phase == .loading || phase == .feeding
    absence = Absence(since: now, wall: wall, note: "the list stops at an entry that failed")
    settleAbsence(&actions, at: now, wall: wall)
    clearScreen(isShowing, &actions, at: now)
    end(.entryFailed(reason), &actions)
  }

  // MARK: - Standing still

  /// A receiver that buffers for ever, or says that it plays and does not move, says nothing of it.
  mutating func watchStillness(
    _ status: MediaStatus?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard phase == .feeding, let status, let current = window.current,
      !ledger.hasEnded(current.turn)
    else {
      return timeStall(false, &actions)
    }
    switch status.playerState {
    // Before its first frame it has the time of a load, and that clock alone.
    case .buffering where !isReceiverLoading:
      if !isStallTimed || stillness?.turn != current.turn {
        isStallTimed = false
        timeStall(true, &actions)
      }
      stillness = Stillness(turn: current.turn, position: .zero, since: now)
    case .playing where status.adBreakStatus == nil && !current.isImage && status.playbackRate > 0:
      timeStall(false, &actions)
      isEndingStall = false
      guard let position = status.streamPosition else { return stillness = nil }
      guard let before = stillness, before.turn == current.turn,
        abs(before.position.seconds - position.seconds) < 0.1
      else {
        return stillness = Stillness(turn: current.turn, position: position, since: now)
      }
      if now - before.since >= configuration.stallLimit { stalled(&actions, at: now, wall: wall) }
    case .buffering, .playing, .paused, .idle, .loading, .unknown:
      timeStall(false, &actions)
      isEndingStall = false
      stillness = nil
    }
  }

  private mutating func timeStall(_ isWanted: Bool, _ actions: inout [Action]) {
    guard isWanted != isStallTimed else { return }
    isStallTimed = isWanted
    actions.append(
      isWanted ? .startTimer(.stall, after: configuration.stallLimit) : .cancelTimer(.stall))
  }

  /// The item is dead: the next one is asked for, and when even that does not help, all is loaded anew.
  mutating func stalled(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    stillness = nil
    isStallTimed = false
    guard phase == .feeding, let current = window.current else { return }
    if ledger.hasEnded(current.turn) {
      if isEndingStall { abandonLoad(of: current.turn.entry, &actions) }
      return
    }
    let reason = PlayReason(note: "it stood still for \(Int(bounded: configuration.stallLimit.seconds)) s")
    record(ledger.stalled(current.turn, reason: reason, at: now, wall: wall), &actions)
    isEndingStall = true
    isStallTimed = true
    actions.append(.startTimer(.stall, after: configuration.nextLimit))
    actions.append(window.ahead.isEmpty ? .stopMedia : .next)
  }

  // MARK: - What stands in for the list

  /// While nothing of the list can be shown, what was given for that time is.
  mutating func fallBack(
    _ places: [UpcomingEntry], _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let kind = places.first?.application else {
      isFallingBack = false
      return
    }
    if kind != application { return open(kind, &actions) }
    load(places, &actions, at: now, wall: wall)
  }
}
