import CastProtocol
import CastqPlaylists
import CastqText

/// Steps that change the receiver's queue, and what their outcomes mean.
extension FeederMachine {
  /// Loads the first places, or waits a while when the last loads showed nothing: a list in which everything is dead must
  /// not become a storm.
  mutating func loadOrPause(
    _ wanted: [UpcomingEntry], isAll: Bool, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    // After a load that exceeded its limit there is no storm, and no need for a pause.
    let isOverdue =
      if case .unwanted = receiver.load { setbacks.fruitlessLoads < configuration.loadAttempts } else {
        false
      }
    if !isOverdue, pause(&actions) { return }
    setbacks.beginLoad()
    actions.append(.cancelTimer(.pause))
    load(wanted, isAll: isAll, &actions, at: now, wall: wall)
  }

  /// Loads what there is of the first one's kind.
  /// - Parameter isAll: whether nothing follows in the list.
  mutating func load(
    _ wanted: [UpcomingEntry], isAll: Bool, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    if let page = wanted.first, page.application == .pages {
      return loadPage(page, &actions, at: now, wall: wall)
    }
    let wanted = Array(wanted.prefix { $0.application == .media })
    let interrupts = isReceiverLoading
    let (offered, items) = prepare(wanted, &actions)
    var held = Holding(receiver: receiver)
    held.hasReachedEnd = isAll
    held.window.insert(offered, before: nil)
    let awaited = Set(items.compactMap { $0.mediaInformation?.contentID })
    phase = .loading(Load(held: held, awaited: awaited))
    edit = .load(offered.map(\.turn))
    let startTime = offered.first.flatMap { first in
      past.resume.flatMap { $0.entry == first.turn.entry ? $0.position : nil } ?? first.place.startTime
    }
    actions.append(.load(items, startTime: startTime, interrupts: interrupts))
    if let first = offered.first { beginLoad(of: first.turn, &actions, at: now) }
    actions.append(.startTimer(.status, after: configuration.statusInterval))
  }

  /// Waits when the last loads showed nothing and the pause has not been made yet. True when it waits.
  mutating func pause(_ actions: inout [Action]) -> Bool {
    guard setbacks.isPauseDue, configuration.longestPause > .zero else { return false }
    setbacks.paused()
    pauseWithFallback(&actions)
    return true
  }

  /// The screen need not be dark while the list is.
  mutating func pauseWithFallback(_ actions: inout [Action]) {
    beginPause()
    timePause(&actions)
    readFallback(&actions)
  }

  mutating func readFallback(_ actions: inout [Action]) {
    setbacks.isFallingBack = true
    beginReading(at: nil)
    actions.append(.readFallback(limit: configuration.itemsAhead, besides: nil))
  }

  /// The list is tried when the pause is over: what stands in for it could not be displayed either. Or the
  /// session has gone, or is about to: it says so itself, and until then everything would be refused at once.
  mutating func waitOutPause(_ actions: inout [Action]) {
    beginPause()
    timePause(&actions)
  }

  mutating func beginPause() { phase = .pausing(receiver) }

  func timePause(_ actions: inout [Action]) {
    actions.append(.startTimer(.pause, after: min(setbacks.pause, configuration.longestPause)))
  }

  mutating func perform(_ step: WindowEdit, _ actions: inout [Action]) {
    switch step {
    case .remove(let turns): remove(turns, &actions)
    case .insert(let places, let before):
      let (offered, items) = prepare(places, &actions)
      // The item with the link before is still to go.
      if offered.count < places.count || places.contains(where: { $0.link != .direct }) {
        receiver.rows.expire()
      }
      window.insert(offered, before: before)
      edit = .insert(offered.map(\.turn))
      actions.append(.insert(items, before: before))
    }
  }

  /// Gives each place a new turn and cuts the block to what one message may carry.
  func prepare(
    _ places: [UpcomingEntry], _ actions: inout [Action]
  ) -> (offered: [FeedWindow.Item], items: [MediaQueueItem]) {
    var turns: [EntryID: Int] = [:]
    for item in window.items { turns[item.turn.entry] = max(turns[item.turn.entry] ?? 0, item.turn.turn) }
    var offered: [FeedWindow.Item] = []
    var items: [MediaQueueItem] = []
    var entries: Set<EntryID> = []
    let isAlone = places.allSatisfy { $0.entry == places.first?.entry }
    let most =
      isAlone && setbacks.isUnproven ? min(edits.messageLimit, Setbacks.unprovenTurns) : edits.messageLimit
    let sizes = places.prefix(most).map { $0.bytes ?? 0 }
    for place in places.prefix(FeedWindow.fit(sizes, bytes: configuration.bytesPerMessage)) {
      if !entries.insert(place.entry).inserted, setbacks.isTryingList { break }
      let number = max(turns[place.entry] ?? 0, place.turn) + 1
      turns[place.entry] = number
      let turn = EntryTurn(entry: place.entry, turn: number)
      offered.append(
        FeedWindow.Item(
          turn: turn, place: place, attempts: place.attempts, isFallback: setbacks.isFallingBack))
      items.append(
        place.item(
          queue: configuration.queue, epoch: configuration.epoch, turn: turn,
          defaultPreload: configuration.preloadTime))
    }
    actions.append(.offer(offered.map { OfferedTurn(turn: $0.turn, round: $0.place.round) }))
    return (offered, items)
  }

  private mutating func remove(_ turns: [EntryTurn], _ actions: inout [Action]) {
    let ids = turns.compactMap { window.item($0)?.itemID }
    guard !ids.isEmpty else { return }
    edit = .remove(turns)
    actions.append(.remove(ids))
  }

  /// Keeps the window in order: learns missing numbers, takes out what has played or was passed by. True when it did something.
  mutating func tidy(_ actions: inout [Action]) -> Bool {
    if edits.canFetchItemIDs, window.items.contains(where: { $0.itemID == nil }) {
      edit = .fetchItemIDs
      actions.append(.fetchItemIDs)
      return true
    }
    let behind = window.behind
    let passedBy = behind.filter { !ledger.hasEnded($0.turn) }
    let played = behind.count > configuration.itemsBehind ? behind.dropLast(1).map(\.turn) : []
    let gone = passedBy.isEmpty ? played : passedBy.map(\.turn)
    guard !gone.isEmpty else { return false }
    remove(gone, &actions)
    if edit == nil {  // none of them has a number: the receiver never had them
      forget(gone, &actions)
      return false
    }
    return true
  }

  mutating func finishEdit(_ outcome: EditOutcome, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let finished = edit else { return }
    edit = nil
    if !outcome.isSilence { heard(at: now) }
    switch (finished, outcome) {
    case (.load(let turns), .failed(let failure)): loadFailed(turns, failure, &actions, at: now, wall: wall)
    case (.load(let turns), _):
      accepted(turns, isLoad: true)
      let last = load?.endedBy
      feed(held)
      actions.append(.startTimer(.status, after: statusPause(at: now)))
      actions.append(.markQueued(turns.filter { !ledger.hasEnded($0) }))
      if let last { return windowGone(last, &actions) }
      // No status was recognized as ours before the answer: ask for the present one, which is.
      if held.session == nil { askStatus(&actions) }
    case (.insert(let turns), .failed(let failure)): insertFailed(turns, failure, &actions)
    case (.insert(let turns), _):
      accepted(turns, isLoad: false)
      actions.append(.markQueued(turns.filter { !ledger.hasEnded($0) }))
    case (.remove(let turns), _): removeFinished(turns, outcome, &actions)
    case (.fetchItemIDs, .itemIDs(let ids)) where adoption != nil: identify(ids, &actions)
    case (.fetchItems, .items(let items)) where adoption != nil: identified(items, &actions)
    case (.fetchItemIDs, _) where adoption != nil, (.fetchItems, _) where adoption != nil:
      identificationFailed(&actions, at: now, wall: wall)
    // What was asked to take a queue up came to nothing with it.
    case (.fetchItemIDs, _) where phase.isResting, (.fetchItems, _) where phase.isResting: break
    case (.fetchItemIDs, .itemIDs(let ids)): match(ids, &actions)
    case (.fetchItems, .items(let items)):
      items.forEach { bind($0) }
      forgetUnbound(&actions)
    case (.fetchItemIDs, _), (.fetchItems, _):
      edits.canFetchItemIDs = false
    }
  }

  /// The receiver has what was loaded, or has kept it.
  mutating func feed(_ held: Holding) {
    var held = held
    held.receiver = receiver
    phase = .feeding(held)
  }

  mutating func forget(_ turns: [EntryTurn], _ actions: inout [Action]) {
    let gone = Set(turns)
    let current = window.current?.turn
    // The receiver may report the removal before it answers: the window has dropped them by then, the rows have not.
    let waiting = turns.filter { !ledger.hasEnded($0) && $0 != current }
    if !waiting.isEmpty { actions.append(.release(waiting)) }
    window.remove { gone.contains($0.turn) && $0.turn != current }
    receiver.rows.expire()
  }

  /// Numbers of ours that the receiver does not list are gone; new numbers are matched to what was just sent.
  private mutating func match(_ ids: [MediaQueueItemID], _ actions: inout [Action]) {
    let known = Set(window.items.compactMap(\.itemID))
    let unbound = window.items.filter { $0.itemID == nil }.map(\.turn)
    let new = ids.filter { !known.contains($0) }
    if new.count == unbound.count {
      for (turn, id) in zip(unbound, new) { window.bind(turn, to: id) }
      window.reorder(as: ids)
    } else if new.isEmpty {
      forgetUnbound(&actions)
    } else {
      let asked = Array(new.suffix(configuration.itemsPerMessage))
      edit = .fetchItems(asked)
      actions.append(.fetchItems(asked))
    }
  }

  private mutating func forgetUnbound(_ actions: inout [Action]) {
    forget(window.items.filter { $0.itemID == nil }.map(\.turn), &actions)
  }

  private mutating func loadFailed(
    _ turns: [EntryTurn], _ failure: EditFailure, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    receiver.load = failure.kind == .timeout ? .unwanted(nil, isOurs: true) : .none
    switch failure.kind {
    case .loadFailed:
      // Statuses or errors have named the items that failed; where neither did, it was the first.
      for turn in turns where ledger.hasError(turn) {
        record(ledger.passedOver(turn, at: now, wall: wall), &actions)
      }
      if let first = turns.first, !turns.contains(where: ledger.hasEnded) {
        record(ledger.failed(first, reason: failure.reason, at: now, wall: wall), &actions)
      }
      windowGone(nil, &actions)
    case .cancelled:
      let doubt = held.doubts.doubt
      dropWindow(&actions)
      switch receiver.pending {
      case nil: end(.takenOver(doubt?.said?.mediaInformation?.label ?? "another load"), &actions)
      case .halt: end(.halted, &actions)
      case .restart: break  // it was our own stop that cancelled it
      }
    case .refused: loadRefused(turns, failure, &actions)
    case .sessionEnded:
      dropWindow(&actions)
      setbacks.forgiveLoad()
      waitOutPause(&actions)
    case .invalidState, .noMediaSession, .timeout:
      dropWindow(&actions)
      if setbacks.fruitlessLoads >= configuration.loadAttempts {
        end(.refused(failure.reason, isSilent: failure.kind == .timeout), &actions)
      }
    }
  }
}
