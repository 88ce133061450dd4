import CastProtocol
import CastqPlaylists
import CastqText

/// Whether an entry that has failed may come again in this round.
enum Retrying: Sendable, Hashable {
  /// As often as its rule allows, or the default.
  case byRule
  /// Only if a rule asks for another attempt.
  case whereAsked
  /// It cannot be sent at all: another attempt would fail alike.
  case never
}

/// Media that cannot be played costs seconds, never the loop.
extension FeederMachine {
  /// How many plays of one entry may fail in one round.
  /// - Parameter policy: the rule of the entry or its list; nil is the rule of the device.
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

  /// An entry failed without which the list must not continue.
  mutating func stopForGood(
    _ reason: PlayReason, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    setbacks.fatal = nil
    guard !phase.isEnded else { return }
    let isShowing = phase.isCasting
    settle(unobserved(PlayEnding(.listStopped), at: now, wall: wall), &actions)
    clearScreen(isShowing, &actions, at: now)
    end(.entryFailed(reason), &actions)
  }

  // MARK: - Standing still

  mutating func watchStillness(
    _ status: MediaStatus?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    let item = phase.isFeeding ? window.current.flatMap { ledger.hasEnded($0.turn) ? nil : $0 } : nil
    switch held.stall.observe(
      status, of: item, isLoading: isReceiverLoading, at: now, limit: configuration.stallLimit)
    {
    case .none: break
    case .startTimer: actions.append(.startTimer(.stall, after: configuration.stallLimit))
    case .cancelTimer: actions.append(.cancelTimer(.stall))
    case .stalled: stalled(&actions, at: now, wall: wall)
    }
  }

  /// The item is dead: the next one is requested, and when even that does not help, the list is reloaded.
  mutating func stalled(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    held.stall.stalled()
    guard phase.isFeeding, let current = window.current else { return }
    if ledger.hasEnded(current.turn) {
      if held.stall.isEnding { abandonLoad(of: current.turn.entry, &actions) }
      return
    }
    let reason = PlayReason(note: "it stood still for \(Int(bounded: configuration.stallLimit.seconds)) s")
    record(ledger.stalled(current.turn, reason: reason, at: now, wall: wall), &actions)
    held.stall.end()
    actions.append(.startTimer(.stall, after: configuration.nextLimit))
    actions.append(window.ahead.isEmpty ? .stopMedia : .next)
  }

  // MARK: - The fallback list

  /// Nothing of the fallback list is on the receiver any more. One of which nothing was displayed waits until
  /// the pause of the list is over, and the list is tried first then; after a load that exceeded its limit there
  /// is no storm, and no need to wait.
  mutating func continueFallback(_ actions: inout [Action]) {
    beginPause()
    guard setbacks.isStandInDue || isReceiverLoading else { return setbacks.exhaustStandIn() }
    readFallback(&actions)
  }

  /// While nothing of the list can be displayed, the fallback list is.
  /// - Parameter isOpen: whether it has entries whose links are being looked for; they may be sent soon.
  mutating func fallBack(
    _ places: [UpcomingEntry], isOpen: Bool, isAll: Bool, _ actions: inout [Action], at now: Tick,
    wall: WallTime
  ) {
    guard let kind = places.first?.application else {
      if isOpen { setbacks.isFallingBack = false } else { setbacks.exhaustStandIn() }
      return
    }
    if kind != receiver.application { return open(kind, &actions) }
    setbacks.beginStandIn()
    load(places, isAll: isAll, &actions, at: now, wall: wall)
  }
}
