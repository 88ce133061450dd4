import CastProtocol
package import CastqCore

/// The rows of one device in memory, for feeders on virtual time. The play order is that of `QueueSnapshot`, which the product
/// uses while the database fails and which is proven against SQL; what is added is what a user edits, and the history.
package struct VirtualRows: FeederStore {
  package typealias Row = QueueSnapshot.Row

  private var list: QueueSnapshot
  private var standIns: QueueSnapshot
  private var history = VirtualHistory()
  private var lastID: Int64 = 0
  /// Whether nothing can be read or written, as with a full disk or a file that another process holds.
  package var isFailing = false
  /// Whether castq serves every address, so that nobody does while no feeder runs.
  package var areFiles = false

  /// What the product calls an outage.
  package struct Outage: FeederStoreFailure {
    package var isOutage: Bool { true }
    package var isOfOneRow: Bool { false }
    package var failure: ControlFailure { ControlFailure("database", "the disk is full", exit: .inputOutput) }
    package static var unknownRows: Outage { Outage() }
  }

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

  /// The entries shown while none of the list can be.
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

  private func requireWorking() throws(Outage) { if isFailing { throw Outage() } }

  /// The list, repeating when the run loops.
  private func looping(_ isLooping: Bool) -> QueueSnapshot {
    guard isLooping, settings.repeatMode != .all else { return list }
    var settings = settings
    settings.repeatMode = .all
    return QueueSnapshot(settings: settings, rows: list.rows, isWhole: true)
  }

  package mutating func upcoming(
    limit: Int, besides: UpcomingPlace?, at now: WallTime, isLooping: Bool, remembering memory: Int?
  ) throws(Outage) -> (list: UpcomingList, copies: QueueSnapshots?) {
    try requireWorking()
    var list = looping(isLooping)
    let places = list.upcoming(limit: limit, besides: besides, at: now) ?? []
    // A new round is stored; the repeat mode of a looping run is not.
    var settings = list.settings
    settings.repeatMode = repeatMode
    self.list = QueueSnapshot(settings: settings, rows: list.rows, isWhole: true)
    return (UpcomingList(places, until: list.change(after: now)), memory.map { _ in copies(isLooping) })
  }

  package mutating func upcomingFallback(
    limit: Int, besides: UpcomingPlace?, isLooping: Bool, remembering memory: Int?
  ) throws(Outage) -> (places: [UpcomingEntry], copies: QueueSnapshots?) {
    try requireWorking()
    let own = besides.flatMap { place in standIns.rows.contains { $0.id == place.entry } ? place : nil }
    let places = standIns.upcoming(limit: limit, besides: own) ?? []
    return (places, memory.map { _ in copies(isLooping) })
  }

  package func copies(limit: Int, isLooping: Bool) throws(Outage) -> QueueSnapshots {
    try requireWorking()
    return copies(isLooping)
  }

  private func copies(_ isLooping: Bool) -> QueueSnapshots {
    QueueSnapshots(main: looping(isLooping), fallback: standIns)
  }

  package mutating func perform(_ write: FeederWrite) throws(Outage) {
    try requireWorking()
    var write = write
    if case .record(let facts) = write { write = .record(history.record(facts)) }
    list.apply(write)
    standIns.apply(write)
  }

  /// Recovers from a killed feeder: closes open plays as unobserved, except those that are adopted. Returns the resume position of
  /// the last one; nil for none.
  package mutating func recover(keeping kept: [EntryTurn]) throws(Outage) -> ResumePoint? {
    try requireWorking()
    let point =
      history.close(keeping: kept)
      ?? history.lastCut.flatMap { cut in
        rows.first { $0.id == cut.entry }?.state == .pending ? cut : nil
      }
    try perform(.recover(keeping: kept))
    return point
  }

  /// The turns whose entries are in the list, and which have not ended.
  package func held(_ turns: [EntryTurn], isLooping: Bool) throws(Outage) -> [HeldTurn] {
    try requireWorking()
    let open = turns.filter { !history.hasEnded($0) }
    return (looping(isLooping).held(open) + standIns.held(open)).map { held in
      var held = held
      held.play = history.unfinished[held.turn]
      if areFiles { held.serving = .again }
      return held
    }
  }

  package func commitProgress() throws(Outage) { try requireWorking() }

  /// None is lost before ten thousand writes are pending.
  package func closeLostPlays() throws(Outage) { try requireWorking() }

  package func probe(isLooping: Bool) throws(Outage) { try requireWorking() }

  package var refusesWrites: Bool { false }

  /// Every fact that was new, in the order it was recorded.
  package var facts: [PlaybackFact] { history.facts }

  /// Removes and returns the facts recorded since the last call, so that a run of days keeps none.
  package mutating func takeFacts() -> [PlaybackFact] { history.takeFacts() }
}

extension QueueSnapshot.Row {
  /// An entry that was never played.
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
