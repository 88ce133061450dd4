import CastProtocol

/// Edits that the receiver has refused: how long it is left alone, and which entries it may be for.
///
/// A refusal alone says nothing of an entry: it is the entry's fault only when the receiver takes another one after it.
struct RefusedEdits: Sendable, Hashable {
  /// Refusals in a row.
  private(set) var count = 0
  /// Nothing is asked of the receiver until the pause is over.
  private(set) var isPausing = false
  /// Entries that were refused although nothing else was in the message, and why.
  private(set) var suspects: [EntryID: Suspicion] = [:]
  /// Entries that were refused while others are taken.
  private(set) var convicted: [EntryID: PlayReason] = [:]

  /// The receiver has taken a load of ours.
  private(set) var hasTakenLoad = false

  struct Suspicion: Sendable, Hashable {
    var reason: PlayReason
    /// Not even a load of it was taken.
    var isOfLoad: Bool
  }

  /// More entries than this in a row are not at fault: the receiver is.
  static let mostSuspects = 3

  /// How long the receiver is left alone after one more refusal.
  mutating func pause() -> Duration {
    isPausing = true
    count += 1
    return .seconds(Int64(min(1 << min(count - 1, 6), 60)))
  }

  mutating func endPause() { isPausing = false }

  /// This entry was refused by itself.
  mutating func suspect(_ entry: EntryID, _ reason: PlayReason, isOfLoad: Bool) {
    suspects[entry] = Suspicion(reason: reason, isOfLoad: isOfLoad)
    // Nobody is at fault where everybody is refused.
    if suspects.count > Self.mostSuspects { suspects = [:] }
  }

  /// The receiver has taken these entries: what it refused before is refused for its own sake. A load that is taken says nothing of
  /// insertions. True when an entry was found to be at fault.
  mutating func accept(_ entries: Set<EntryID>, isLoad: Bool) -> Bool {
    count = 0
    hasTakenLoad = hasTakenLoad || isLoad
    let guilty = suspects.filter { !entries.contains($0.key) && ($0.value.isOfLoad || !isLoad) }
    for (entry, suspicion) in guilty { convicted[entry] = suspicion.reason }
    suspects = [:]
    return !guilty.isEmpty
  }

  /// Nothing else is left to try, and others were taken before.
  mutating func convict(_ entry: EntryID, _ reason: PlayReason) {
    suspects[entry] = nil
    convicted[entry] = reason
  }

  /// Lists may have been mended.
  mutating func forgetEntries() {
    suspects = [:]
    convicted = [:]
  }
}

extension FeederMachine {
  /// The receiver did not do what was asked: it is asked how things stand, and left alone for a while.
  mutating func backOff(_ actions: inout [Action]) {
    askStatus(&actions)
    actions.append(.startTimer(.edit, after: refusals.pause()))
  }

  /// The receiver has taken these turns.
  mutating func accepted(_ turns: [EntryTurn], isLoad: Bool) {
    // The size of the message was not what it refused.
    guard refusals.accept(Set(turns.map(\.entry)), isLoad: isLoad) else { return }
    messageLimit = configuration.itemsPerMessage
    isStale = true
  }

  mutating func insertFailed(_ turns: [EntryTurn], _ failure: EditFailure, _ actions: inout [Action]) {
    switch failure.kind {
    case .sessionEnded: return forget(turns, &actions)
    case .timeout where canFetchItemIDs: return  // it may have happened: the list of ids will tell
    case .refused where turns.count > 1:
      messageLimit = max(min(messageLimit, turns.count) / 2, 1)
      return forget(turns, &actions)
    case .refused: if let turn = turns.first { refusals.suspect(turn.entry, failure.reason, isOfLoad: false) }
    case .timeout, .noMediaSession, .invalidState, .loadFailed, .cancelled: break
    }
    forget(turns, &actions)
    backOff(&actions)
  }

  mutating func removeFinished(_ turns: [EntryTurn], _ outcome: EditOutcome, _ actions: inout [Action]) {
    // Unknown ids get no answer (protocol 21.8): whatever the outcome, the items are not there any more.
    guard case .failed(let failure) = outcome, failure.kind.isRefusal,
      refusals.count < RefusedEdits.mostSuspects
    else { return forget(turns, &actions) }
    isStale = true
    backOff(&actions)
  }

  /// What a load was refused for is found out like an insertion: by smaller messages, then by another entry.
  mutating func loadRefused(_ turns: [EntryTurn], _ failure: EditFailure, _ actions: inout [Action]) {
    dropWindow(&actions)
    guard turns.count == 1, let turn = turns.first else {
      messageLimit = max(min(messageLimit, turns.count) / 2, 1)
      fruitlessLoads = max(fruitlessLoads - 1, 0)
      return
    }
    let isRepeated = refusals.suspects[turn.entry]?.isOfLoad == true
    refusals.suspect(turn.entry, failure.reason, isOfLoad: true)
    guard isRepeated || refusals.suspects.isEmpty else { return }
    guard refusals.hasTakenLoad, isRepeated else { return end(.refused(failure.reason), &actions) }
    refusals.convict(turn.entry, failure.reason)
  }

  /// What to try: entries that were refused wait until another one was taken, where there is one.
  func unsuspected(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    let others = places.filter { refusals.suspects[$0.entry] == nil }
    return others.isEmpty ? places : others
  }
}
