import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// The rows of one device in memory, for feeders on virtual time. The play order is that of `QueueSnapshot`, which the product
/// uses while the database fails and which is proven against SQL; what is added is what a user edits, and the history.
package struct VirtualRows: FeederStore {
  package typealias Row = QueueSnapshot.Row

  private var list: QueueSnapshot
  /// The lists of programmes.
  private var programmes: [ProgrammeKey: (queue: QueueID, list: QueueSnapshot)] = [:]
  /// What stands in for them, by their queues.
  private var fillers: [QueueID: QueueSnapshot] = [:]
  /// What was decided, in its order.
  package private(set) var decisions: [ScheduleDecision] = []
  package private(set) var credits: [RuleID: ShareCredit] = [:]
  /// When the device did not answer, as a report of outages has it.
  package private(set) var absences: [CastqFeeding.Outage] = []
  private var standIns: QueueSnapshot
  private var history = VirtualHistory()
  private var lastID: Int64 = 0
  /// Whether nothing can be read or written, as with a full disk or a file that another process holds.
  package var isFailing = false
  /// Since when a person has stopped the list; nil while it is not stopped.
  package var stoppedAt: WallTime?
  /// The list of the configuration that is the queue, and what is wrong with it.
  private(set) var configured: ConfiguredList?
  var problems: [ListProblem] = []
  /// Whether castq serves every address, so that nobody does while no feeder runs.
  package var areFiles = false

  /// Rules that start at moments of their own have places of their own.
  private struct ProgrammeKey: Hashable {
    let name: String
    let isForStarts: Bool

    var other: ProgrammeKey { ProgrammeKey(name: name, isForStarts: !isForStarts) }
  }
  /// Programmes that rules with a time have shown.
  private var shownByTime: Set<String> = []

  /// What the product calls an outage.
  package struct Outage: FeederStoreFailure {
    package var isOutage: Bool { true }
    package var isOfOneRow: Bool { false }
    package var failure: CastqText.Failure {
      CastqText.Failure("database", "the disk is full", exit: .inputOutput)
    }
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

  /// Takes over a list of the configuration: what is there already keeps its number and its place.
  mutating func adopt(_ list: Playlist, as configured: ConfiguredList) {
    var old = rows
    self.configured = configured
    rows = list.drafts.map { draft in
      guard let place = old.firstIndex(where: { $0.draft.media.contentID == draft.media.contentID }) else {
        lastID += 1
        return Row(id: EntryID(lastID), draft: draft, round: settings.round)
      }
      return old.remove(at: place)
    }
    repeatMode = configured.repeatMode
  }

  package mutating func remove(_ id: EntryID) { rows.removeAll { $0.id == id } }

  package mutating func move(_ id: EntryID, to index: Int) {
    guard let from = rows.firstIndex(where: { $0.id == id }) else { return }
    let row = rows.remove(at: from)
    rows.insert(row, at: min(max(index, 0), rows.count))
  }

  // MARK: - Programmes

  /// Gives a programme a list, in place of the one that it has.
  package mutating func setProgramme(_ name: String, _ drafts: [EntryDraft]) {
    let keys = [false, true].map { ProgrammeKey(name: name, isForStarts: $0) }.filter {
      programmes[$0] != nil
    }
    for key in keys.isEmpty ? [ProgrammeKey(name: name, isForStarts: false)] : keys { setList(key, drafts) }
  }

  /// Gives a programme that has a list what is shown while nothing of it can be.
  package mutating func setFiller(of name: String, _ drafts: [EntryDraft]) {
    guard let queue = programmes[ProgrammeKey(name: name, isForStarts: false)]?.queue else { return }
    let rows = drafts.map { draft in
      lastID += 1
      var row = Row(id: EntryID(lastID), draft: draft)
      row.place.queue = queue
      return row
    }
    fillers[queue] = QueueSnapshot(
      settings: Self.settings(.all), rows: rows, isWhole: true, isFallback: true)
  }

  private mutating func setList(_ key: ProgrammeKey, _ drafts: [EntryDraft]) {
    let lowest = programmes.values.map(\.queue.number).min() ?? 0
    let queue = programmes[key]?.queue ?? QueueID(lowest - 1)
    let rows = drafts.map { draft in
      lastID += 1
      var row = Row(id: EntryID(lastID), draft: draft)
      row.place.queue = queue
      return row
    }
    programmes[key] = (queue, QueueSnapshot(settings: Self.settings(.all), rows: rows, isWhole: true))
  }

  /// The list of a programme. A copy is made when both kinds of rules show it, so that what one kind shows has the numbers that the
  /// test gave.
  private mutating func programme(_ key: ProgrammeKey) -> (queue: QueueID, list: QueueSnapshot)? {
    defer { if !key.isForStarts { shownByTime.insert(key.name) } }
    if programmes[key] == nil, let known = programmes[key.other] {
      if key.isForStarts, !shownByTime.contains(key.name) {
        programmes[key] = programmes.removeValue(forKey: key.other)
      } else {
        setList(key, known.list.rows.map(\.draft))
      }
    }
    return programmes[key]
  }

  /// The last one but those of shares, which the winner stays beneath.
  package var lastDecision: ScheduleDecision? { decisions.last { $0.kind != .share } }

  package var base: QueueID { .first }

  /// Whether any list has the entry.
  func holds(_ entry: EntryID) -> Bool { lists.contains { $0.rows.contains { $0.id == entry } } }

  private var lists: [QueueSnapshot] { [list] + programmes.values.map(\.list) + fillers.values }

  package mutating func choose(_ choice: ListChoice, at now: WallTime) throws(Outage) -> ListAnswer {
    try requireWorking()
    guard let name = choice.programme else {
      list.begin(choice)
      return .list(choice.list(in: base))
    }
    let key = ProgrammeKey(name: name, isForStarts: choice.isForStarts)
    guard let (queue, known) = programme(key), !known.rows.isEmpty else {
      return .nothing("its list has not been read yet")
    }
    programmes[key]?.list.begin(choice)
    return .list(choice.list(in: queue))
  }

  package func find(_ choice: ListChoice) throws(Outage) -> ListAnswer {
    try requireWorking()
    guard let name = choice.programme else { return .list(choice.list(in: base)) }
    let key = ProgrammeKey(name: name, isForStarts: choice.isForStarts)
    guard let (queue, known) = programmes[key] ?? programmes[key.other], !known.rows.isEmpty else {
      return .nothing("its list has not been read yet")
    }
    return .list(choice.list(in: queue))
  }

  package mutating func lengths(
    of programmes: [RuleID: String], at now: WallTime
  ) throws(Outage) -> [RuleID: Int64] {
    try requireWorking()
    return programmes.compactMapValues { name in
      guard var list = programme(ProgrammeKey(name: name, isForStarts: false))?.list else { return nil }
      return list.upcoming(limit: 1, besides: nil, at: now)?.first?.draft.expectedLength(history: nil)
    }
  }

  package func cut(of queue: QueueID) throws(Outage) -> ResumePoint? {
    try requireWorking()
    let list = looping(queue, false)
    let due = Set(list.rows.filter { !$0.state.isEnded && $0.state != .playing }.map(\.id))
    return history.lastCut(of: Set(list.rows.map(\.id))).flatMap { due.contains($0.entry) ? $0 : nil }
  }

  // MARK: - The feeder

  private func requireWorking() throws(Outage) { if isFailing { throw Outage() } }

  /// A list, the base repeating when the run loops.
  private func looping(_ queue: QueueID, _ isLooping: Bool) -> QueueSnapshot {
    if queue != base { return programmes.values.first { $0.queue == queue }?.list ?? list }
    guard isLooping, settings.repeatMode != .all else { return list }
    var settings = settings
    settings.repeatMode = .all
    return QueueSnapshot(settings: settings, rows: list.rows, isWhole: true)
  }

  private mutating func keep(_ list: QueueSnapshot, as queue: QueueID) {
    guard queue != base else {
      // A new round is stored; the repeat mode of a looping run is not.
      var settings = list.settings
      settings.repeatMode = repeatMode
      return self.list = QueueSnapshot(settings: settings, rows: list.rows, isWhole: true)
    }
    for (key, programme) in programmes where programme.queue == queue { programmes[key] = (queue, list) }
  }

  package mutating func upcoming(
    of queue: QueueID, limit: Int, besides: UpcomingPlace?, at now: WallTime, isLooping: Bool,
    remembering memory: Int?
  ) throws(Outage) -> (list: UpcomingList, copies: QueueSnapshots?) {
    try requireWorking()
    var list = looping(queue, isLooping)
    let places = list.upcoming(limit: limit, besides: besides, at: now) ?? []
    keep(list, as: queue)
    return (
      UpcomingList(places, until: list.change(after: now)), memory.map { _ in copies(queue, isLooping) }
    )
  }

  package mutating func upcomingFallback(
    of queue: QueueID, limit: Int, besides: UpcomingPlace?, isLooping: Bool, remembering memory: Int?
  ) throws(Outage) -> (places: [UpcomingEntry], copies: QueueSnapshots?) {
    try requireWorking()
    var list = fallback(of: queue)
    let own = besides.flatMap { place in list.rows.contains { $0.id == place.entry } ? place : nil }
    let places = list.upcoming(limit: limit, besides: own) ?? []
    if queue == base { standIns = list } else { fillers[queue] = list }
    return (places, memory.map { _ in copies(queue, isLooping) })
  }

  package func copies(of queue: QueueID, limit: Int, isLooping: Bool) throws(Outage) -> QueueSnapshots {
    try requireWorking()
    return copies(queue, isLooping)
  }

  private static let none = QueueSnapshot(settings: settings(.all), rows: [], isWhole: true, isFallback: true)

  private func copies(_ queue: QueueID, _ isLooping: Bool) -> QueueSnapshots {
    QueueSnapshots(main: looping(queue, isLooping), fallback: fallback(of: queue))
  }

  private func fallback(of queue: QueueID) -> QueueSnapshot {
    queue == base ? standIns : fillers[queue] ?? Self.none
  }

  package mutating func perform(_ write: FeederWrite) throws(Outage) {
    try requireWorking()
    var write = write
    switch write {
    case .record(let facts): write = .record(history.record(facts))
    case .decide(let decision): decisions.append(decision)
    case .amend(let standing): amend(standing)
    case .keepCredits(let credits): self.credits = credits
    case .choose(let choice, _, let wall): _ = try choose(choice, at: wall)
    case .start: stoppedAt = nil
    case .stop(let wall): stoppedAt = stoppedAt ?? wall
    case .offer, .markQueued, .release, .describe, .moveList, .recover: break
    case .seen: break
    case .beginOutage(let since, let cause):
      guard absences.last.map({ $0.endedAt != nil }) ?? true else { break }
      absences.append(
        .init(id: Int64(absences.count), device: "virtual", beganAt: since, endedAt: nil, cause: cause))
    case .endOutage(let wall, let hasAnswered):
      guard let open = absences.last, open.endedAt == nil else { break }
      absences[absences.count - 1] = .init(
        id: open.id, device: open.device, beganAt: open.beganAt, endedAt: max(open.beganAt, wall),
        cause: open.cause, hasAnswered: hasAnswered)
    }
    list.apply(write)
    for key in programmes.keys { programmes[key]?.list.apply(write) }
    for queue in fillers.keys { fillers[queue]?.apply(write) }
    standIns.apply(write)
  }

  private mutating func amend(_ standing: ScheduleDecision.Standing) {
    guard var last = decisions.popLast() else { return }
    last.standing = standing
    decisions.append(last)
  }

  /// Recovers from a killed feeder: closes open plays as unobserved, except those that are adopted. Returns the resume position of
  /// the last one; nil for none.
  package mutating func recover(keeping kept: [EntryTurn]) throws(Outage) -> ResumePoint? {
    try requireWorking()
    let point =
      history.close(keeping: kept)
      ?? history.lastCut.flatMap { cut in
        lists.flatMap(\.rows).first { $0.id == cut.entry }?.state == .pending ? cut : nil
      }
    try perform(.recover(keeping: kept))
    return point
  }

  /// The turns whose entries are in the list, and which have not ended.
  package func held(_ turns: [EntryTurn], isLooping: Bool) throws(Outage) -> [HeldTurn] {
    try requireWorking()
    let open = turns.filter { !history.hasEnded($0) }
    let known = looping(base, isLooping).held(open) + programmes.values.flatMap { $0.list.held(open) }
    let filled = fillers.values.flatMap { $0.held(open) }
    return (known + filled + standIns.held(open)).map { held in
      var held = held
      held.play = history.unfinished[held.turn]
      if areFiles { held.serving = .again }
      return held
    }
  }

  package func commitProgress() throws(Outage) { try requireWorking() }

  /// None is lost before ten thousand writes are pending.
  package func closeLostPlays() throws(Outage) { try requireWorking() }

  package func probe(_ queue: QueueID, isLooping: Bool) throws(Outage) { try requireWorking() }

  package var refusesWrites: Bool { false }

  /// Every fact that was new, in the order it was recorded.
  package var facts: [PlaybackFact] { history.facts }

  /// What history has of plays that have not ended.
  var unfinishedSeconds: Double { history.unfinished.values.reduce(0) { $0 + $1.played } }

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
