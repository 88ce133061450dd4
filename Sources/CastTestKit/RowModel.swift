import CastProtocol
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
  /// Begun and not over, as far as it was told.
  private var unfinished: [EntryTurn: UnfinishedPlay] = [:]
  private var started: Set<EntryTurn> = []
  private var ended: Set<EntryTurn> = []
  /// The newest play that is over.
  private var newest: (turn: EntryTurn, play: EndedPlay)?
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

  /// When the answer changes by itself: a time window opens or closes.
  package func change(after now: WallTime) -> WallTime? {
    rows.filter { repeatMode != .off || $0.round <= round }
      .compactMap { $0.draft.window.change(after: now) }.min()
  }

  package mutating func upcoming(limit: Int, besides: UpcomingPlace?, at now: WallTime) -> [UpcomingEntry] {
    for index in rows.indices
    where rows[index].state == .pending && rows[index].round <= round
      && rows[index].draft.window.isOver(at: now)
    {
      rows[index].state = .skipped
      rows[index].round = round + 1
    }
    guard rows.contains(where: { $0.draft.window.isOpen(at: now) }) else { return [] }
    while done < rows.count, rows[done].round > round { done += 1 }
    if repeatMode != .off, done == rows.count,
      let due = rows.filter({ $0.draft.window.isOpen(at: now) }).map(\.round).min()
    {
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
      let open = rows[done...].first { $0.draft.window.isOpen(at: now) }
      guard let row = current?.draft.window.isOpen(at: now) == true ? current : open else { return [] }
      let first = besides.map { $0.round + 1 } ?? round
      return (0..<limit).map {
        UpcomingEntry(
          entry: row.id, turn: row.turn, round: first + $0, attempts: row.attempts, draft: row.draft)
      }
    }
    while !rows.isEmpty {
      for row in rows[(next == round ? done : 0)...] {
        guard row.round <= next, row.draft.window.isOpen(at: now),
          !(besides?.entry == row.id && besides?.round == next)
        else { continue }
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

  /// What a new feeder does after one that was killed: open plays are closed as nobody saw their end, but for those that it takes
  /// up. Where the last one was cut.
  package mutating func recover(keeping kept: [EntryTurn]) -> ResumePoint? {
    var point = unfinished.isEmpty ? lastCut : nil
    for (turn, play) in unfinished.sorted(by: { $0.value.startedAt < $1.value.startedAt })
    where !kept.contains(turn) {
      end(turn, play)
      point = ResumePoint(entry: turn.entry, position: play.position)
    }
    for index in rows.indices where rows[index].state.isOnReceiver {
      let turn = EntryTurn(entry: rows[index].id, turn: rows[index].turn)
      if !kept.contains(turn) { rows[index].state = .pending }
    }
    return point
  }

  /// Where the newest play was cut, when its entry waits since.
  private var lastCut: ResumePoint? {
    guard let newest, [.interrupted, .cancelled].contains(newest.play.outcome),
      let position = newest.play.position, position > .zero,
      places[newest.turn.entry].map({ rows[$0].state }) == .pending
    else { return nil }
    return ResumePoint(entry: newest.turn.entry, position: position)
  }

  private mutating func end(_ turn: EntryTurn, _ play: UnfinishedPlay) {
    unfinished[turn] = nil
    ended.insert(turn)
    facts.append(
      .ended(
        turn,
        EndedPlay(
          at: play.observedAt, position: play.position, played: play.played, duration: play.duration,
          outcome: .interrupted, evidence: .unobserved)))
  }

  /// Those of the turns whose entries are in the list, and which are not over.
  package func held(_ turns: [EntryTurn]) -> [HeldTurn] {
    var rounds: [EntryID: Int] = [:]
    return turns.sorted { ($0.entry, $0.turn) < ($1.entry, $1.turn) }.compactMap { turn in
      guard let row = places[turn.entry].map({ rows[$0] }), row.turn >= turn.turn, !ended.contains(turn)
      else {
        return nil
      }
      let round = rounds[turn.entry] ?? row.round
      rounds[turn.entry] = repeatMode == .all ? round + 1 : round
      return HeldTurn(
        turn: turn,
        place: UpcomingEntry(
          entry: row.id, turn: row.turn, round: round, attempts: row.attempts, draft: row.draft),
        play: unfinished[turn])
    }
  }

  /// Takes out what has been told since the last time, so that a run of days keeps nothing.
  package mutating func takeFacts() -> [PlaybackFact] {
    defer { facts = [] }
    return facts
  }

  private mutating func isNew(_ fact: PlaybackFact) -> Bool {
    switch fact {
    case .started(let turn, let play):
      guard started.insert(turn).inserted else { return false }
      unfinished[turn] = UnfinishedPlay(
        startedAt: play.at, observedAt: play.at, position: play.position, played: 0, duration: play.duration)
      return true
    case .ended(let turn, let play):
      unfinished[turn] = nil
      if play.position != nil { newest = (turn, play) }
      return ended.insert(turn).inserted
    case .progressed(let turn, let play):
      guard unfinished[turn] != nil else { return false }
      unfinished[turn]?.observedAt = play.at
      unfinished[turn]?.position = play.position
      unfinished[turn]?.played = play.played
      return true
    case .adEnded: return true
    }
  }

  private mutating func change(_ id: EntryID, _ body: (inout Row) -> Void) {
    guard let index = places[id] else { return }
    body(&rows[index])
  }
}
