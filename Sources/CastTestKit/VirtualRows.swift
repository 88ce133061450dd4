import CastProtocol
package import CastqCore

/// The rows of one device in memory, for feeders on virtual time. The play order is that of `QueueSnapshot`, which the product
/// uses while the database fails and which is proven against SQL; what is added is what a user edits, and the history.
package struct VirtualRows: Sendable {
  package typealias Row = QueueSnapshot.Row

  private var list: QueueSnapshot
  private var standIns: QueueSnapshot
  private var history = VirtualHistory()
  private var lastID: Int64 = 0

  package init() {
    list = QueueSnapshot(settings: Self.settings(.off), rows: [], isWhole: true)
    standIns = QueueSnapshot(settings: Self.settings(.all), rows: [], isWhole: true, isFallback: true)
  }

  private static func settings(_ mode: QueueRepeat) -> QueueSettings {
    QueueSettings(queue: "virtual", repeatMode: mode)
  }

  // MARK: - The user

  /// In the user's order; removed rows are gone.
  package var rows: [Row] {
    get { list.rows }
    set { list = QueueSnapshot(settings: list.settings, rows: newValue, isWhole: true) }
  }

  package var settings: QueueSettings {
    get { list.settings }
    set { list = QueueSnapshot(settings: newValue, rows: list.rows, isWhole: true) }
  }

  package var repeatMode: QueueRepeat {
    get { settings.repeatMode }
    set { settings.repeatMode = newValue }
  }

  /// What is shown while nothing of the list can be.
  package var fallback: [EntryDraft] {
    get { standIns.rows.map(\.draft) }
    set {
      let rows = newValue.enumerated().map { Row(id: EntryID(Int64(1000 + $0)), draft: $1) }
      standIns = QueueSnapshot(
        settings: standIns.settings, rows: rows, isWhole: true, isFallback: true)
    }
  }

  @discardableResult
  package mutating func append(_ draft: EntryDraft) -> EntryID {
    lastID += 1
    rows.append(Row(id: EntryID(lastID), draft: draft, round: settings.round))
    return EntryID(lastID)
  }

  package mutating func append(_ drafts: [EntryDraft]) {
    rows += drafts.map { draft in
      lastID += 1
      return Row(id: EntryID(lastID), draft: draft, round: settings.round)
    }
  }

  package mutating func remove(_ id: EntryID) { rows.removeAll { $0.id == id } }

  package mutating func move(_ id: EntryID, to index: Int) {
    guard let from = rows.firstIndex(where: { $0.id == id }) else { return }
    let row = rows.remove(at: from)
    rows.insert(row, at: min(max(index, 0), rows.count))
  }

  // MARK: - The feeder

  package mutating func upcoming(limit: Int, besides: UpcomingPlace?, at now: WallTime) -> UpcomingList {
    UpcomingList(list.upcoming(limit: limit, besides: besides, at: now) ?? [], until: list.change(after: now))
  }

  package mutating func upcomingFallback(limit: Int, besides: UpcomingPlace?) -> [UpcomingEntry] {
    let own = besides.flatMap { place in standIns.rows.contains { $0.id == place.entry } ? place : nil }
    return standIns.upcoming(limit: limit, besides: own) ?? []
  }

  package mutating func write(_ write: FeederWrite) {
    var write = write
    if case .record(let facts) = write { write = .record(history.record(facts)) }
    list.apply(write)
    standIns.apply(write)
  }

  /// What a new feeder does after one that was killed: open plays are closed as nobody saw their end, but for those that it takes
  /// up. Where the last one was cut.
  package mutating func recover(keeping kept: [EntryTurn]) -> ResumePoint? {
    let point =
      history.close(keeping: kept)
      ?? history.lastCut.flatMap { cut in
        rows.first { $0.id == cut.entry }?.state == .pending ? cut : nil
      }
    write(.recover(keeping: kept))
    return point
  }

  /// Those of the turns whose entries are in the list, and which are not over.
  package func held(_ turns: [EntryTurn]) -> [HeldTurn] {
    let open = turns.filter { !history.hasEnded($0) }
    return (list.held(open) + standIns.held(open)).map { held in
      var held = held
      held.play = history.unfinished[held.turn]
      return held
    }
  }

  /// Every fact that was new, in the order it was recorded.
  package var facts: [PlaybackFact] { history.facts }

  /// Takes out what was recorded since the last time, so that a run of days keeps nothing.
  package mutating func takeFacts() -> [PlaybackFact] { history.takeFacts() }
}

extension QueueSnapshot.Row {
  /// An entry that nobody has played.
  package init(id: EntryID, draft: EntryDraft, round: Int = 0) {
    self.init(
      place: UpcomingEntry(entry: id, turn: 0, round: round, attempts: 0, draft: draft), state: .pending)
  }

  package var id: EntryID { place.entry }
  package var draft: EntryDraft { place.draft }
  package var turn: Int { place.turn }
  package var round: Int { place.round }
  package var attempts: Int { place.attempts }
}
