package import CastqCore

/// A list of entries in memory that keeps the same rules as the database, for feeders on virtual time.
package struct RowModel: Sendable {
  package struct Row: Sendable {
    package var id: EntryID
    package var draft: EntryDraft
    package var state: EntryState = .pending
    package var turn = 0
    package var round = 0
    package var attempts = 0
  }

  /// In the user's order; removed rows are gone.
  package private(set) var rows: [Row] = []
  package var repeatMode: QueueRepeat = .off
  package private(set) var round = 0
  /// Every fact that was new, in the order it was told.
  package private(set) var facts: [PlaybackFact] = []
  private var started: Set<EntryTurn> = []
  private var ended: Set<EntryTurn> = []
  private var lastID: Int64 = 0

  package init() {}

  // MARK: - The user

  @discardableResult
  package mutating func append(_ draft: EntryDraft) -> EntryID {
    lastID += 1
    rows.append(Row(id: EntryID(lastID), draft: draft, round: round))
    return EntryID(lastID)
  }

  package mutating func remove(_ id: EntryID) { rows.removeAll { $0.id == id } }

  package mutating func move(_ id: EntryID, to index: Int) {
    guard let from = rows.firstIndex(where: { $0.id == id }) else { return }
    let row = rows.remove(at: from)
    rows.insert(row, at: min(max(index, 0), rows.count))
  }

  // MARK: - The feeder

  package mutating func upcoming(limit: Int, besides: UpcomingPlace?) -> [UpcomingEntry] {
    if repeatMode != .off, let due = rows.map(\.round).min(), due > round {
      round = due
      for index in rows.indices {
        rows[index].attempts = 0
        if rows[index].state.isEnded { rows[index].state = .pending }
      }
    }
    var places: [UpcomingEntry] = []
    var next = round
    while places.count < limit {
      let due = rows.filter { $0.round <= next && !(besides?.entry == $0.id && besides?.round == next) }
      places += due.map {
        UpcomingEntry(entry: $0.id, turn: $0.turn, round: next, attempts: $0.attempts, draft: $0.draft)
      }
      if repeatMode == .off || (due.isEmpty && rows.isEmpty) { break }
      next += 1
    }
    return Array(places.prefix(limit))
  }

  package mutating func offer(_ turns: [OfferedTurn]) {
    for offered in turns {
      change(offered.turn.entry) { row in
        row.turn = max(row.turn, offered.turn.turn)
        if row.state != .queued, row.state != .playing { row.state = .offered }
      }
    }
  }

  package mutating func markQueued(_ turns: [EntryTurn]) {
    for turn in turns {
      change(turn.entry) { if $0.turn == turn.turn, $0.state == .offered { $0.state = .queued } }
    }
  }

  package mutating func release(_ turns: [EntryTurn]) {
    for turn in turns {
      change(turn.entry) { if $0.turn == turn.turn, $0.state.isOnReceiver { $0.state = .pending } }
    }
  }

  package mutating func record(_ recorded: [RecordedFact]) {
    for fact in recorded where isNew(fact.fact) {
      facts.append(fact.fact)
      guard let effect = fact.effect else { continue }
      change(fact.fact.turn.entry) { row in
        let isOvertaken = row.turn != fact.fact.turn.turn && row.state != .pending && effect.state != .playing
        row.state = isOvertaken ? .queued : effect.state
        row.round = max(row.round, effect.round ?? row.round)
        row.attempts += effect.countsAttempt ? 1 : 0
      }
    }
  }

  /// What a new feeder does after one that was killed: open plays are closed as nobody saw their end.
  package mutating func recover(at now: WallTime) {
    for turn in started.subtracting(ended).sorted(by: { ($0.entry, $0.turn) < ($1.entry, $1.turn) }) {
      ended.insert(turn)
      facts.append(
        .ended(
          turn,
          EndedPlay(
            at: now, position: nil, played: 0, duration: nil, outcome: .interrupted, evidence: .unobserved)))
    }
    for index in rows.indices where rows[index].state.isOnReceiver { rows[index].state = .pending }
  }

  private mutating func isNew(_ fact: PlaybackFact) -> Bool {
    switch fact {
    case .started(let turn, _): started.insert(turn).inserted
    case .ended(let turn, _): ended.insert(turn).inserted
    case .progressed(let turn, _): started.contains(turn) && !ended.contains(turn)
    case .adEnded: true
    }
  }

  private mutating func change(_ id: EntryID, _ body: (inout Row) -> Void) {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    body(&rows[index])
  }
}
