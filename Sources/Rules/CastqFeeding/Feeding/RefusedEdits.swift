import CastProtocol
import CastqPlaylists

/// Edits that the receiver has refused: how long to wait before the next one, and which entries may be the cause.
///
/// A refusal alone does not convict an entry: it is the cause only if the receiver accepts another one afterwards.
struct RefusedEdits: Sendable, Hashable {
  /// Refusals in a row.
  private(set) var count = 0
  /// What is known of the entries that were refused.
  private var verdicts: [EntryID: Verdict] = [:]

  /// The receiver has accepted a load of ours.
  private(set) var hasTakenLoad = false

  private enum Verdict: Sendable, Hashable {
    /// It was refused although nothing else was in the message.
    case suspect(PlayReason, isOfLoad: Bool)
    /// It was refused while others are accepted.
    case convict(PlayReason)
  }

  /// If more entries than this are refused in a row, the receiver is the cause.
  static let mostSuspects = 3

  func isSuspect(_ entry: EntryID) -> Bool {
    if case .suspect? = verdicts[entry] { true } else { false }
  }

  /// Whether an entry was refused in a load, alone.
  func isSuspectOfLoad(_ entry: EntryID) -> Bool {
    if case .suspect(_, isOfLoad: true)? = verdicts[entry] { true } else { false }
  }

  var hasSuspects: Bool { verdicts.keys.contains(where: isSuspect) }

  /// Why an entry is not sent any more; nil for one that may be.
  func conviction(of entry: EntryID) -> PlayReason? {
    if case .convict(let reason)? = verdicts[entry] { reason } else { nil }
  }

  private mutating func forgetSuspects() { verdicts = verdicts.filter { !isSuspect($0.key) } }

  /// Counts another refusal.
  /// - Returns: how long edits pause after it.
  mutating func refuse() -> Duration {
    count += 1
    return .seconds(Int64(min(1 << min(count - 1, 6), 60)))
  }

  /// The entry was refused while it was alone in the message.
  mutating func suspect(_ entry: EntryID, _ reason: PlayReason, isOfLoad: Bool) {
    verdicts[entry] = .suspect(reason, isOfLoad: isOfLoad)
    // Where every entry is refused, none is the cause.
    if verdicts.keys.count(where: isSuspect) > Self.mostSuspects { forgetSuspects() }
  }

  /// The receiver has accepted these entries: those it refused before are convicted. An accepted load proves nothing about
  /// insertions. True when an entry was convicted.
  mutating func accept(_ entries: Set<EntryID>, isLoad: Bool) -> Bool {
    count = 0
    hasTakenLoad = hasTakenLoad || isLoad
    var hasConvicted = false
    for case (let entry, .suspect(let reason, let isOfLoad)) in verdicts
    where !entries.contains(entry) && (isOfLoad || !isLoad) {
      verdicts[entry] = .convict(reason)
      hasConvicted = true
    }
    forgetSuspects()
    return hasConvicted
  }

  /// Nothing else is left to try, and others were accepted before.
  mutating func convict(_ entry: EntryID, _ reason: PlayReason) {
    verdicts[entry] = .convict(reason)
  }

  /// The rows have changed, perhaps those at fault.
  mutating func forgetEntries() {
    verdicts = [:]
  }
}

extension FeederMachine {
  /// The receiver refused an edit: its status is requested, and edits pause.
  mutating func backOff(_ actions: inout [Action]) {
    askStatus(&actions)
    pauseEdits(&actions)
  }

  private mutating func pauseEdits(_ actions: inout [Action]) {
    receiver.pausesEdits = true
    actions.append(.startTimer(.edit, after: edits.refusals.refuse()))
  }

  /// The receiver has accepted these turns.
  mutating func accepted(_ turns: [EntryTurn], isLoad: Bool) {
    // The size of the message was not the cause.
    guard edits.refusals.accept(Set(turns.map(\.entry)), isLoad: isLoad) else { return }
    edits.messageLimit = configuration.itemsPerMessage
    receiver.rows.expire()
  }

  mutating func insertFailed(_ turns: [EntryTurn], _ failure: EditFailure, _ actions: inout [Action]) {
    switch failure.kind {
    case .sessionEnded:
      // The session says itself that it has gone, or is about to; until then everything would be refused at once.
      pauseEdits(&actions)
      return forget(turns, &actions)
    case .timeout where edits.canFetchItemIDs: return  // it may have happened: the list of ids will tell
    case .refused where turns.count > 1:
      edits.messageLimit = max(min(edits.messageLimit, turns.count) / 2, 1)
      return forget(turns, &actions)
    case .refused:
      if let turn = turns.first { edits.refusals.suspect(turn.entry, failure.reason, isOfLoad: false) }
    case .timeout, .noMediaSession, .invalidState, .loadFailed, .cancelled: break
    }
    forget(turns, &actions)
    backOff(&actions)
  }

  mutating func removeFinished(_ turns: [EntryTurn], _ outcome: EditOutcome, _ actions: inout [Action]) {
    // Unknown ids get no answer (protocol 21.8): whatever the outcome, the items are not there any more.
    guard case .failed(let failure) = outcome, failure.kind.isRefusal,
      edits.refusals.count < RefusedEdits.mostSuspects
    else { return forget(turns, &actions) }
    receiver.rows.expire()
    backOff(&actions)
  }

  /// The cause of a refused load is searched as for an insertion: by smaller messages, then by another entry.
  mutating func loadRefused(_ turns: [EntryTurn], _ failure: EditFailure, _ actions: inout [Action]) {
    dropWindow(&actions)
    guard turns.count == 1, let turn = turns.first else {
      edits.messageLimit = max(min(edits.messageLimit, turns.count) / 2, 1)
      setbacks.forgiveLoad()
      return
    }
    let isRepeated = edits.refusals.isSuspectOfLoad(turn.entry)
    edits.refusals.suspect(turn.entry, failure.reason, isOfLoad: true)
    guard isRepeated || !edits.refusals.hasSuspects else { return }
    guard edits.refusals.hasTakenLoad, isRepeated else { return end(.refused(failure.reason), &actions) }
    edits.refusals.convict(turn.entry, failure.reason)
  }

  /// What to try next: refused entries wait until another one is accepted, if there is one.
  func unsuspected(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    let others = places.filter { !edits.refusals.isSuspect($0.entry) }
    return others.isEmpty ? places : others
  }
}
