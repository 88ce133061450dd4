import CastProtocol
import CastqPlaylists
import CastqText

/// What the receiver is loading. While it loads, everything but a LOAD waits unanswered (protocol 21.2, 21.26).
enum ReceiverLoad: Sendable, Hashable {
  /// Nothing: requests get through.
  case none
  /// An item of ours, since then.
  case item(EntryTurn, since: Tick)
  /// An item of ours that is loaded, buffers, and has displayed nothing yet: requests get through as soon as its load is answered.
  case buffering(EntryTurn, since: Tick)
  /// A load that is not waited for: of an item that has exceeded its time, or an unknown one that keeps a receiver from answering.
  /// Its entry is not loaded next if there is another one. A load that is not ours is not ended.
  case unwanted(EntryID?, isOurs: Bool)

  /// The item that has displayed nothing yet, and since when it loads.
  var item: (turn: EntryTurn, since: Tick)? {
    switch self {
    case .item(let turn, let since), .buffering(let turn, let since): (turn, since)
    case .none, .unwanted: nil
    }
  }
}

/// Items that are being loaded must display something within a limit.
///
///     loading ──first frame──> playing
///        └──its time is over, skipped, replaced──> unwanted ──LOAD with the rest of the list──> loading
///                                                      └──nothing is left──> the application is ended
///
/// A media address that never answers keeps the framework loading for as long as its connection stands. QUEUE_UPDATE, QUEUE_LOAD
/// and STOP do not get through then; a plain LOAD does, at once, and can carry the rest of the list (protocol 21.14, 21.26).
extension FeederMachine {
  /// Whether edits have to wait.
  var isReceiverLoading: Bool { receiver.load != .none }

  /// Whether a load has kept the receiver busy for so long that requests are not expected to get through.
  func isLoadStuck(at now: Tick) -> Bool {
    switch receiver.load {
    case .none: false
    case .item(_, let since): now - since >= configuration.loadQuestion
    case .buffering(_, let since): phase.isLoading && now - since >= configuration.loadQuestion
    case .unwanted: true
    }
  }

  /// Whether it is busy with a load of ours that only the end of its application can stop.
  var isBusyForUs: Bool {
    switch receiver.load {
    case .none: false
    case .item: true
    case .buffering: phase.isLoading
    case .unwanted(_, let isOurs): isOurs
    }
  }

  mutating func watchLoad(_ status: MediaStatus?, _ actions: inout [Action], at now: Tick) {
    guard let current = window.current else {
      if !phase.isLoading { endLoad(&actions) }
      return
    }
    let isShown = ledger.current == current.turn && ledger.shown(at: now) != nil
    let isLoading = status?.isLoadingItem == true || (status?.playerState == .buffering && !isShown)
    guard isLoading, !ledger.hasEnded(current.turn) else {
      // Old receivers report a plain IDLE before anything plays (protocol 6.4).
      if phase.isLoading, status?.playerState == .idle, status?.idleReason == nil { return }
      return endLoad(&actions)
    }
    if receiver.load.item?.turn != current.turn { beginLoad(of: current.turn, &actions, at: now) }
    guard let since = receiver.load.item?.since else { return }
    receiver.load =
      status?.isLoadingItem == true
      ? .item(current.turn, since: since) : .buffering(current.turn, since: since)
  }

  mutating func beginLoad(of turn: EntryTurn, _ actions: inout [Action], at now: Tick) {
    receiver.load = .item(turn, since: now)
    actions.append(.startTimer(.load, after: configuration.loadLimit))
  }

  private mutating func endLoad(_ actions: inout [Action]) {
    guard receiver.load != .none else { return }
    receiver.load = .none
    actions.append(.cancelTimer(.load))
  }

  /// The item has displayed nothing within its limit: it has failed, and the next one is loaded. It is not retried in this round
  /// unless its own rule asks for that.
  mutating func loadOverdue(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let turn = receiver.load.item?.turn, phase.isLoading || phase.isFeeding else { return }
    // The command did not get through; the load that replaces this one does.
    if receiver.pending != nil { return abandonLoad(of: nil, &actions) }
    let reason = PlayReason(
      note: "it displayed nothing for \(Int(bounded: configuration.loadLimit.seconds)) s")
    record(ledger.stalled(turn, reason: reason, at: now, wall: wall), retrying: .whereAsked, &actions)
    abandonLoad(of: turn.entry, &actions)
  }

  /// Stops waiting for what is being loaded: the next load interrupts it.
  mutating func abandonLoad(of entry: EntryID?, _ actions: inout [Action]) {
    edit = nil
    receiver.foreign = held.session
    dropWindow(&actions)
    receiver.load = .unwanted(entry, isOurs: true)
    if receiver.pending == .halt { end(.halted, &actions) }
  }

  /// The places, with another entry before the one that has just exceeded its limit.
  func postponed(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    guard case .unwanted(let entry?, _) = receiver.load, places.first?.entry == entry,
      let other = places.firstIndex(where: { $0.entry != entry })
    else { return places }
    var places = places
    places.insert(places.remove(at: other), at: 0)
    return places
  }
}
