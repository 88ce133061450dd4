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
  /// Where each row stands, and how many rows at the front are done with this round: lists may be long.
  private var places: [EntryID: Int] = [:]
  private var done = 0

  package init() {}

  // MARK: - The user

  @discardableResult
  package mutating func append(_ draft: EntryDraft) -> EntryID {
    lastID += 1
    places[EntryID(lastID)] = rows.count
    rows.append(Row(id: EntryID(lastID), draft: draft, round: round))
    return EntryID(lastID)
  }

  package mutating func remove(_ id: EntryID) {
    rows.removeAll { $0.id == id }
    reindex()
  }

  package mutating func move(_ id: EntryID, to index: Int) {
    guard let from = rows.firstIndex(where: { $0.id == id }) else { return }
    let row = rows.remove(at: from)
    rows.insert(row, at: min(max(index, 0), rows.count))
    reindex()
  }

  private mutating func reindex() {
    places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, $0) })
    done = 0
  }

  // MARK: - The feeder

  package mutating func upcoming(limit: Int, besides: UpcomingPlace?) -> [UpcomingEntry] {
    while done < rows.count, rows[done].round > round { done += 1 }
    if repeatMode != .off, done == rows.count, let due = rows.map(\.round).min() {
      round = due
      done = 0
      for index in rows.indices {
        rows[index].attempts = 0
        if rows[index].state.isEnded { rows[index].state = .pending }
      }
    }
    var upcoming: [UpcomingEntry] = []
    var next = round
    if repeatMode == .one {
      let current = besides.flatMap { place in rows.first { $0.id == place.entry } }
      guard let row = current ?? rows[done...].first else { return [] }
      let first = besides.map { $0.round + 1 } ?? round
      return (0..<limit).map {
        UpcomingEntry(
          entry: row.id, turn: row.turn, round: first + $0, attempts: row.attempts, draft: row.draft)
      }
    }
    while !rows.isEmpty {
      for row in rows[(next == round ? done : 0)...] {
        guard row.round <= next, !(besides?.entry == row.id && besides?.round == next) else { continue }
        upcoming.append(
          UpcomingEntry(entry: row.id, turn: row.turn, round: next, attempts: row.attempts, draft: row.draft))
        if upcoming.count == limit { return upcoming }
      }
      if repeatMode == .off { break }
      next += 1
    }
    return upcoming
  }

  /// What stands before the entry has had its turn in this round; it and what follows are due.
  package mutating func moveList(to entry: EntryID) {
    guard let place = places[entry] else { return }
    for index in rows.indices where rows[index].state != .playing {
      if index >= place {
        rows[index].round = round
        rows[index].attempts = 0
        if rows[index].state.isEnded { rows[index].state = .pending }
      } else if !rows[index].state.isEnded, rows[index].round <= round {
        rows[index].round = round + 1
        rows[index].state = .skipped
      }
    }
    done = 0
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
        row.state = !isOvertaken ? effect.state : row.state.isOnReceiver ? .queued : row.state
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
    guard let index = places[id] else { return }
    body(&rows[index])
  }
}
