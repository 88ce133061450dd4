package import CastqPlaylists
import CastqSchedule
package import CastqText

/// A device's list as last read, updated by each write of its feeder. It replaces the database while that cannot be read or
/// written, and follows the same rules.
package struct QueueSnapshot: Sendable {
  /// One entry of the list.
  package struct Row: Sendable {
    /// Its `round` is the next one in which the row is due.
    package var place: UpcomingEntry
    package var state: EntryState
    /// The outcome of its last turn that has ended; nil when there is none.
    package var lastEnd: EntryState?

    package init(place: UpcomingEntry, state: EntryState, lastEnd: EntryState? = nil) {
      self.place = place
      self.state = state
      self.lastEnd = lastEnd
    }
  }

  package private(set) var settings: QueueSettings
  /// In the user's order.
  package private(set) var rows: [Row]
  /// Whether these rows are the complete list.
  package let isWhole: Bool
  /// Whether it is the fallback list, which has no round of its own.
  private let isFallback: Bool
  private let index: [EntryID: Int]

  package init(settings: QueueSettings, rows: [Row], isWhole: Bool, isFallback: Bool = false) {
    self.settings = settings
    self.rows = rows
    self.isWhole = isWhole
    self.isFallback = isFallback
    index = Dictionary(
      rows.enumerated().map { ($1.place.entry, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Reading

  /// The next places in play order, without the one on the screen. Nil when the known rows have been played and the list continues
  /// beyond them.
  /// - Parameter now: entries outside of their time windows are left out; nil ignores the windows.
  package mutating func upcoming(
    limit: Int, besides: UpcomingPlace?, at now: WallTime? = nil
  ) -> [UpcomingEntry]? {
    if let now { passOverExpired(at: now) }
    if settings.repeatMode != .off { beginDueRound(at: now) }
    switch settings.repeatMode {
    case .off:
      let due = places(round: settings.round, besides: besides, limit: limit, at: now)
      guard due.isEmpty else { return due }
      guard isWhole else { return nil }
      return beginWaitingRound(at: now)
        ? places(round: settings.round, besides: besides, limit: limit, at: now) : []
    case .one:
      let current = besides.flatMap { besides in
        index[besides.entry].flatMap { isOpen($0, at: now) ? place($0, round: besides.round) : nil }
      }
      let next = current ?? places(round: settings.round, besides: nil, limit: 1, at: now).first
      return next.map { Array(repeating: $0, count: limit) } ?? []
    case .all:
      var round = settings.round
      var next: [UpcomingEntry] = []
      while next.count < limit, rows.indices.contains(where: { isOpen($0, at: now) }) {
        let more = places(round: round, besides: besides, limit: limit - next.count, at: now)
        next += round == settings.round ? more : more.map(\.unfailed)
        round += 1
      }
      return next
    }
  }

  /// What is known of turns that a receiver holds; see `QueueStore.held`. It does not include whether their plays have started.
  package func held(_ turns: [EntryTurn]) -> [HeldTurn] {
    var rounds: [EntryID: Int] = [:]
    return turns.compactMap { turn in
      guard let index = index[turn.entry], rows[index].place.turn >= turn.turn else { return nil }
      let round = rounds[turn.entry] ?? rows[index].place.round
      rounds[turn.entry] = settings.repeatMode == .all ? round + 1 : round
      return HeldTurn(turn: turn, place: place(index, round: round))
    }
  }

  /// When the result changes by itself because a time window opens or closes. Entries that have ended count only when the list
  /// repeats.
  package func change(after now: WallTime) -> WallTime? {
    rows.lazy.filter { settings.repeatMode != .off || $0.place.round <= settings.round }
      .compactMap { $0.place.draft.window.change(after: now) }.min()
  }

  private func isOpen(_ index: Int, at now: WallTime?) -> Bool {
    now.map { rows[index].place.draft.window.isOpen(at: $0) } ?? true
  }

  private func place(_ index: Int, round: Int) -> UpcomingEntry {
    var place = rows[index].place
    place.round = round
    return place
  }

  /// Rows that are due in a round, in its order.
  private func places(
    round: Int, besides: UpcomingPlace?, limit: Int, at now: WallTime?
  ) -> [UpcomingEntry] {
    let due = rows.indices.lazy.filter { index in
      let place = rows[index].place
      return place.round <= round && isOpen(index, at: now)
        && !(besides?.round == round && besides?.entry == place.entry)
    }
    guard settings.isShuffled else { return due.prefix(limit).map { place($0, round: round) } }
    return due.sorted { key($0, round) < key($1, round) }.prefix(limit).map { place($0, round: round) }
  }

  /// SQLite has no unsigned integers, so the database sorts by the signed value.
  private func key(_ index: Int, _ round: Int) -> Int64 {
    Int64(
      bitPattern: ShuffleOrder.key(
        seed: settings.shuffleSeed, round: round, entry: rows[index].place.entry))
  }

  private mutating func passOverExpired(at now: WallTime) {
    for index in rows.indices
    where rows[index].state == .pending && rows[index].place.round <= settings.round
      && rows[index].place.draft.window.isOver(at: now)
    {
      rows[index].state = .skipped
    }
  }

  /// Without a moment, what was passed over because its window had closed has had its turn.
  private func isPassedOver(_ index: Int, at now: WallTime?) -> Bool {
    now == nil && !isFallback && rows[index].state == .skipped && rows[index].place.round <= settings.round
  }

  private mutating func beginDueRound(at now: WallTime?) {
    let due = rows.indices.filter { isOpen($0, at: now) && !isPassedOver($0, at: now) }
      .map { rows[$0].place.round }.min()
    if isFallback { return beginFallbackRound(due ?? settings.round) }
    guard let due, due > settings.round else { return }
    settings.round = due
    for index in rows.indices { renew(index) }
  }

  /// An entry has its turn again, with all its attempts.
  private mutating func renew(_ index: Int) {
    rows[index].place.attempts = 0
    if rows[index].state.isEnded { rows[index].state = .pending }
  }

  /// The fallback list has no round of its own: what ended in an earlier one is due again.
  private mutating func beginFallbackRound(_ round: Int) {
    settings.round = round
    for index in rows.indices where rows[index].state.isEnded && rows[index].place.round <= round {
      renew(index)
    }
  }

  /// A list that no longer repeats may be in the middle of a later round: its waiting entries are due, and
  /// its ended ones stay ended. What only the clock passed over keeps its round, as a clock that is set back
  /// makes it due. False when nothing waits in a later round.
  private mutating func beginWaitingRound(at now: WallTime?) -> Bool {
    let waiting = rows.indices.filter {
      rows[$0].state == .pending && rows[$0].place.round > settings.round && isOpen($0, at: now)
    }.map { rows[$0].place.round }.min()
    guard let waiting else { return false }
    let left = settings.round
    settings.round = waiting
    for index in rows.indices where rows[index].place.round <= waiting && rows[index].state.isEnded {
      let isExpired =
        rows[index].state == .skipped && rows[index].place.round <= left
        && rows[index].place.draft.notAfter != nil && !isOpen(index, at: now)
      if !isExpired { rows[index].place.round = waiting + 1 }
    }
    return true
  }

  /// An entry of a later round is on the screen: the round begins if all other entries have ended.
  private mutating func beginRound(of entry: EntryID) {
    guard !isFallback, let index = index[entry], rows[index].place.round > settings.round else { return }
    beginDueRound(at: nil)
  }

  // MARK: - Writing

  /// Applies the same change as the write makes in the database.
  package mutating func apply(_ write: FeederWrite) {
    switch write {
    case .offer(let turns, _):
      for offered in turns {
        change(offered.turn.entry) { row in
          row.place.turn = max(row.place.turn, offered.turn.turn)
          if row.state != .queued, row.state != .playing { row.state = .offered }
        }
      }
    case .markQueued(let turns):
      for turn in turns {
        change(turn.entry) { if $0.place.turn == turn.turn, $0.state == .offered { $0.state = .queued } }
      }
    case .release(let turns):
      for turn in turns {
        guard let index = index[turn.entry], rows[index].place.turn == turn.turn else { continue }
        releaseRow(index)
      }
    case .record(let facts):
      for recorded in facts {
        if case .ended(let turn, let play) = recorded.fact, let end = play.outcome.end {
          change(turn.entry) { $0.lastEnd = end }
        }
        if let effect = recorded.effect { apply(effect, to: recorded.fact.turn) }
      }
    case .describe(let entry, let description): change(entry) { $0.place.draft.apply(description) }
    case .moveList(let entry): moveList(to: entry)
    case .start, .stop, .choose, .decide, .amend, .keepCredits, .seen, .beginOutage, .endOutage: break
    case .recover(let kept):
      for index in rows.indices {
        let turn = EntryTurn(entry: rows[index].place.entry, turn: rows[index].place.turn)
        if !kept.contains(turn) { releaseRow(index) }
      }
    }
  }

  /// Makes the list ready as a choice says, as `FeederStore.choose` does in rows.
  package mutating func begin(_ choice: ListChoice) {
    if choice.programme != nil { settings.repeatMode = choice.isOnce ? .off : .all }
    guard choice.begins else { return }
    settings.round = max(settings.round, rows.map(\.place.round).max() ?? 0) + 1
    for index in rows.indices {
      rows[index].place.round = settings.round
      renew(index)
    }
  }

  /// The receiver no longer holds an entry: it is pending, unless it was offered for a round that has not begun. Then its state is
  /// the outcome of its last turn.
  private mutating func releaseRow(_ index: Int) {
    guard rows[index].state.isOnReceiver else { return }
    let isEarly = !isFallback && rows[index].place.round > settings.round
    rows[index].state = isEarly ? rows[index].lastEnd ?? .pending : .pending
  }

  /// A later turn of the same entry on the receiver takes precedence over the end of an earlier one.
  private mutating func apply(_ effect: EntryEffect, to turn: EntryTurn) {
    change(turn.entry) { row in
      let isLast = effect.state.isEnded || effect.state == .pending
      if !isLast || row.place.turn == turn.turn || row.state == .pending {
        row.state = effect.state
      } else if row.state.isOnReceiver {
        row.state = .queued
      }
      row.place.round = max(row.place.round, effect.round ?? row.place.round)
      row.place.attempts += effect.countsAttempt ? 1 : 0
    }
    if effect.state == .playing { beginRound(of: turn.entry) }
  }

  private mutating func moveList(to entry: EntryID) {
    guard !isFallback, let there = index[entry] else { return }
    let round = settings.round
    func isBefore(_ index: Int) -> Bool {
      settings.isShuffled ? key(index, round) < key(there, round) : index < there
    }
    for index in rows.indices where rows[index].state != .playing {
      if !isBefore(index) {
        rows[index].place.round = round
        renew(index)
      } else if !rows[index].state.isEnded || rows[index].state == .skipped,
        rows[index].place.round <= round
      {
        rows[index].state = .skipped
        rows[index].place.round = round + 1
      }
    }
  }

  private mutating func change(_ entry: EntryID, _ body: (inout Row) -> Void) {
    guard let index = index[entry] else { return }
    body(&rows[index])
  }
}

extension PlayOutcome {
  /// The state of an entry after a play with this outcome; nil when the outcome does not decide it.
  fileprivate var end: EntryState? {
    switch self {
    case .finished: .finished
    case .failed: .failed
    case .skipped: .skipped
    case .interrupted, .unknown: .interrupted
    case .cancelled: nil
    }
  }
}
