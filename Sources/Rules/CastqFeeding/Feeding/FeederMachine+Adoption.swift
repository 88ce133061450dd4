import CastProtocol
import CastqPlaylists
import CastqText

/// What is known of a receiver that still plays for us, found out step by step: its item ids, their tags, the rows of those.
struct Adoption: Sendable {
  /// Its latest status.
  var status: MediaStatus
  /// Its whole queue, in its order; what the status tells until it has been asked.
  var ids: [MediaQueueItemID]
  /// Whose items they are, as far as known.
  var turns: [MediaQueueItemID: EntryTurn]
  /// Still to be asked for.
  var unread: [MediaQueueItemID] = []
  /// Items that the receiver has named in an error since.
  var failed: Set<MediaQueueItemID> = []
  /// What it held when it was lost.
  var held: Holding
  /// Nil when it was not lost in this run.
  var loss: Loss?

  /// No queue of ours is longer; a stranger's is not read to its end.
  static let longestQueue = 256
}

/// Adopts what a receiver continued to play unobserved, after a lost connection or the death of a process.
///
///     begin ──ours──> ids ──> items of unknown ids ──> rows of their turns ──> feeding
///       └──not ours──> what was open is cut where it was lost, and reloaded from there
extension FeederMachine {
  mutating func begin(
    _ status: MediaStatus?, isSameApplication: Bool, hasAnswered: Bool, _ actions: inout [Action],
    at now: Tick,
    wall: WallTime
  ) {
    let startsOver = if case .idle(_, true) = phase { true } else { false }
    let isBusy = !hasAnswered || status?.isLoadingItem == true
    let load: ReceiverLoad =
      isBusy
      ? .unwanted(nil, isOurs: status.map { isOurs($0, isSameApplication) } ?? false) : .none
    if receiver.application == .pages, isSameApplication, resumePage(&actions, at: now, wall: wall) { return }
    if status == nil, isSameApplication, hasAnswered, receiver.pending == nil, !startsOver {
      settleUnseenEnd(&actions, at: now, wall: wall)
    }
    if let epoch = newerEpoch(in: status) {
      return supersede(by: epoch, &actions, at: now, wall: wall)
    }
    continueOlder(status)
    guard let status, receiver.pending == nil, !startsOver, isOurs(status, isSameApplication) else {
      startAfresh(status, &actions, at: now, wall: wall)
      receiver.load = load
      return awaitOlderEnd(status, &actions)
    }
    var turns: [MediaQueueItemID: EntryTurn] = [:]
    if isSameApplication {
      for item in window.items { if let id = item.itemID { turns[id] = item.turn } }
    }
    var held = held
    held.receiver = receiver
    (held.receiver.load, held.receiver.foreign) = (load, nil)
    phase = .adopting(Adoption(status: status, ids: [], turns: turns, held: held, loss: loss))
    learn(status.queueItems)
    guard edits.canFetchItemIDs else { return identificationFailed(&actions, at: now, wall: wall) }
    edit = .fetchItemIDs
    actions.append(.fetchItemIDs)
  }

  /// Whether the receiver shows items of this queue. Where it keeps no tags, the numbers count, if the application is the one
  /// that gave them.
  private func isOurs(_ status: MediaStatus, _ isSameApplication: Bool) -> Bool {
    guard !status.isEnded else { return false }
    if status.queueItems.contains(where: { turn(of: $0) != nil }) { return true }
    return isSameApplication && held.session == status.mediaSessionID
      && status.currentItemID.flatMap(window.item) != nil
  }

  /// Nothing that is on the receiver is to stay: what it showed of ours was cut when it was lost.
  mutating func startAfresh(
    _ status: MediaStatus?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    settleLoss(&actions, at: now, wall: wall)
    if !past.hasRecovered {
      past.hasRecovered = true
      actions.append(.recover(keeping: []))
    }
    receiver.foreign = status?.mediaSessionID
    // What stands in for the list may be what this application was opened for.
    if setbacks.isFallingBack {
      pauseWithFallback(&actions)
    } else if setbacks.isExhausted, receiver.pending == nil {
      waitOutPause(&actions)
    }
  }

  /// The same application has nothing loaded any more, which does not prove that its list was shown (protocol 21.27). An item that
  /// had time to end is recorded as unobserved and not shown again. The first one that had no time to end, or whose length is
  /// unknown,
  /// and all that follow it are shown again. If not even the item on the screen had time to end, the list was stopped, and resumes
  /// there.
  private mutating func settleUnseenEnd(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let loss, let current = window.current, ledger.current == current.turn,
      let rest = ledger.rest(at: loss.since)
    else { return }
    var time = (now - loss.since).seconds - rest
    guard time >= -Self.lengthTolerance else { return }
    record(ledger.endedUnseen(since: loss.since, at: now, wall: wall), &actions)
    for item in window.ahead {
      guard !item.isImage, let length = item.place.length else { break }
      time -= length.seconds
      guard time >= -Self.lengthTolerance else { break }
      record(ledger.unseen(item.turn, at: now, wall: wall), &actions)
    }
  }

  /// Seconds by which a list may end sooner than the lengths of its media say.
  private static let lengthTolerance = 1.0

  /// Ends what was open when the receiver was lost, at that moment.
  mutating func settleLoss(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    let unreported = PlayEnding(.unreported, "the receiver no longer shows it")
    settle(loss ?? Loss(since: now, wall: wall, ending: unreported), &actions)
  }

  /// Ends what was open at that moment: nothing of ours is on the receiver any more.
  mutating func settle(_ loss: Loss, _ actions: inout [Action]) {
    if let turn = ledger.current, let position = ledger.position(at: loss.since), !ledger.isContentOver {
      past.resume = ResumePoint(entry: turn.entry, position: position)
    }
    record(
      ledger.lost(loss.ending, evidence: .inferred, at: loss.since, wall: loss.wall), &actions)
    dropWindow(&actions)
  }

  /// A status during an adoption. One that is empty, or of another media session, has to be confirmed first: accepting it would
  /// interrupt what still plays.
  mutating func reconsider(
    _ status: MediaStatus?, isCertain: Bool, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let status, status.mediaSessionID == adoption?.status.mediaSessionID else {
      return isCertain
        ? startAfresh(status, &actions, at: now, wall: wall)
        : ask(about: status, &actions, at: now, wall: wall)
    }
    held.doubts.doubt = nil
    if status.isEnded { return startAfresh(status, &actions, at: now, wall: wall) }
    adoption?.status = status
    learn(status.queueItems)
  }

  // MARK: - Finding out

  /// What is known so far; nil when nothing is being adopted.
  var adoption: Adoption? {
    get { if case .adopting(let adoption) = phase { adoption } else { nil } }
    set { if let newValue, adoption != nil { phase = .adopting(newValue) } }
  }

  private mutating func learn(_ items: [MediaQueueItem]) {
    for item in items {
      guard let id = item.itemID, let turn = turn(of: item) else { continue }
      adoption?.turns[id] = turn
    }
  }

  mutating func identify(_ ids: [MediaQueueItemID], _ actions: inout [Action]) {
    guard var found = adoption else { return }
    let place = found.status.currentItemID.flatMap { ids.firstIndex(of: $0) } ?? 0
    let first = max(place - Adoption.longestQueue / 2, 0)
    found.ids = Array(ids.dropFirst(first).prefix(Adoption.longestQueue))
    found.unread = found.ids.filter { found.turns[$0] == nil }
    adoption = found
    readNext(&actions)
  }

  mutating func identified(_ items: [MediaQueueItem], _ actions: inout [Action]) {
    learn(items)
    readNext(&actions)
  }

  private mutating func readNext(_ actions: inout [Action]) {
    guard let found = adoption else { return }
    let asked = Array(found.unread.prefix(configuration.itemsPerMessage))
    guard asked.isEmpty else {
      adoption?.unread.removeFirst(asked.count)
      edit = .fetchItems(asked)
      actions.append(.fetchItems(asked))
      return
    }
    let known = Set(window.items.map(\.turn))
    actions.append(.readTurns(found.ids.compactMap { found.turns[$0] }.filter { !known.contains($0) }))
  }

  /// The receiver does not say what it holds. Statuses name but three of its items: what is known from before has to be the whole
  /// queue, or the list is reloaded at its position.
  mutating func identificationFailed(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let found = adoption else { return }
    let ids = window.items.compactMap(\.itemID)
    guard found.ids.isEmpty, !ids.isEmpty, ids.count == window.items.count,
      ids.allSatisfy({ found.turns[$0] != nil })
    else {
      cutHere("the receiver does not say what else it holds", found, &actions, at: now, wall: wall)
      return startAfresh(found.status, &actions, at: now, wall: wall)
    }
    identify(ids, &actions)
  }

  /// The item on the screen is reloaded at its position: its play ends here.
  private mutating func cutHere(
    _ note: String, _ found: Adoption, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    let shown = found.status.currentItemID.flatMap { found.turns[$0] }
    guard let shown, ledger.current == shown else { return }
    ledger.markUnobserved(since: loss?.since)
    record(ledger.observe(found.status, turn: { found.turns[$0] }, at: now, wall: wall), &actions)
    adoption?.loss = Loss(since: now, wall: wall, ending: PlayEnding(.castqEnded, note))
  }

  // MARK: - Adopting

  /// Everything is known: the window becomes what the receiver holds, and history records what was unobserved.
  mutating func adopt(
    _ held: [HeldTurn], _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let found = adoption else { return }
    let rows = Dictionary(held.map { ($0.turn, $0) }) { first, _ in first }
    var items: [FeedWindow.Item] = []
    for id in found.ids {
      guard let turn = found.turns[id], !items.contains(where: { $0.turn == turn }),
        var item = window.item(turn) ?? rows[turn].flatMap(Self.item)
      else { continue }
      item.itemID = id
      items.append(item)
    }
    let shown = (found.status.loadingItemID ?? found.status.currentItemID).flatMap { found.turns[$0] }
    if ledger.current == nil, let open = held.first(where: { $0.play != nil }), let play = open.play {
      ledger.reopen(open.turn, play, at: now, wall: wall)
    }
    guard let shown, items.contains(where: { $0.turn == shown }), !ledger.hasEnded(shown) else {
      if let shown, rows[shown]?.serving == .gone {
        cutHere(Self.unserved, found, &actions, at: now, wall: wall)
      }
      return startAfresh(found.status, &actions, at: now, wall: wall)
    }
    if items.contains(where: {
      $0.wasUnserved && $0.itemID.map(found.failed.contains) == true && $0.turn != ledger.current
    }) {
      cutHere(Self.unserved, found, &actions, at: now, wall: wall)
      return startAfresh(found.status, &actions, at: now, wall: wall)
    }
    let kept = Set(items.map(\.turn))
    let missing = window.items.map(\.turn).filter {
      !kept.contains($0) && !ledger.hasEnded($0) && $0 != ledger.current
    }
    if !missing.isEmpty { actions.append(.release(missing)) }
    if !past.hasRecovered {
      past.hasRecovered = true
      actions.append(.recover(keeping: items.map(\.turn)))
    }
    settleUnobserved(items, shown, &actions, at: now, wall: wall)
    let orphans = found.ids.filter { id in found.turns[id].map { !kept.contains($0) } ?? false }
    adoptWindow(items, shown, found.status, &actions, at: now, wall: wall)
    if !orphans.isEmpty, edit == nil {
      edit = .remove([])
      actions.append(.remove(orphans))
    }
  }

  private static func item(_ held: HeldTurn) -> FeedWindow.Item? {
    guard held.serving != .gone else { return nil }
    var item = FeedWindow.Item(turn: held.turn, place: held.place, attempts: held.place.attempts)
    item.wasUnserved = held.serving == .again
    return item
  }

  private static let unserved = "the process that served its file was gone"

  /// An item failed before its first frame, whose file was perhaps asked for while nobody served it. That says nothing about the
  /// file: the list is loaded from there, once, because what this feeder sends it serves.
  mutating func loadAgain(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    let session = held.session
    let loss = Loss(since: now, wall: wall, ending: PlayEnding(.castqEnded, Self.unserved))
    settle(loss, &actions)
    receiver.foreign = session
  }

  /// Items before the current one that have no end yet ended unobserved.
  private mutating func settleUnobserved(
    _ items: [FeedWindow.Item], _ shown: EntryTurn, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    window = FeedWindow()
    window.insert(items, before: nil)
    window.moveTo(shown)
    var facts: [PlaybackFact] = []
    if ledger.current != nil, ledger.current != shown {
      facts += ledger.passedUnseen(since: loss?.since, at: now, wall: wall)
    }
    for item in window.behind where !ledger.hasEnded(item.turn) {
      facts += ledger.unseen(item.turn, at: now, wall: wall)
    }
    record(facts, &actions)
    ledger.markUnobserved(since: loss?.since)
  }

  private mutating func adoptWindow(
    _ items: [FeedWindow.Item], _ shown: EntryTurn, _ status: MediaStatus, _ actions: inout [Action],
    at now: Tick, wall: WallTime
  ) {
    held.session = status.mediaSessionID
    held.clock.paced = shown
    held.hasReachedEnd = false
    held.settled = nil
    feed(held)
    setbacks.forgetLoads()
    receiver.rows.expire()
    if setbacks.isFallingBack { timePause(&actions) }
    actions += [.adopted(shown), .markQueued(window.ahead.map(\.turn))]
    observe(status, &actions, at: now, wall: wall)
  }
}
