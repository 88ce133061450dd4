package import CastProtocol
package import CastqPlaylists
package import CastqText

/// Keeps a receiver's queue topped up from rows, and says what became of each entry.
///
/// The receiver's queue is a window, not the queue: it is lost when its last item ends or its application stops, and one
/// message holds 64 KiB. So the machine keeps a few entries ahead, inserts before the last one finishes, takes out what has
/// played, and reloads from rows when the window is gone. Items belong to the receiver, entries to us: they meet by the
/// tag in `customData` alone.
///
///     idle ──begin──> resting ──rows──> loading ──loaded──> feeding ──window gone──> resting ──no rows──> ended
///        ├──an older box's, about to end──> relieving ──its end──> resting
///        └──still ours──> adopting ──what it holds is known──^  │ └──taken over, stopped──> ended
///      absent ──seen again──^   <──────────lost─────────────────┘
///                         resting ──a page──> page ──its end──> resting
///                         resting ──nothing can be loaded──> pausing ──> resting
///
/// What a phase owns dies with it. A receiver that is lost may continue to play: its absence keeps what it held until it is seen again,
/// and only then it is known what became of that.
///
/// One edit is in flight at a time; what comes meanwhile is looked at when its outcome is known.
package struct FeederMachine: Sendable {
  /// What happens to the machine.
  package enum Event: Sendable, Hashable {
    /// A session is active with an application of this kind; the status is what the receiver shows now, nil when it has no
    /// media session. Whether the application has run since the last session decides what its item numbers are worth. A receiver
    /// that has not answered what it shows may be busy with a load (protocol 21.2).
    case begin(
      MediaStatus?, isSameApplication: Bool = false, FeedApplication = .media, hasAnswered: Bool = true)
    /// What the device says of the application of the session; comes again whenever that changes.
    case application(ApplicationMetadata?)
    /// The application for pages sent this.
    case pageSaid(String)
    /// The answer to `.readTurns`: those that are still to be played, or are being played.
    case heldTurns([HeldTurn])
    /// The answer to `.recover`: where the feeder before was cut; nil when it was not.
    case recovered(ResumePoint?)
    /// The answer to `.readUpcoming`: places in play order, fewer than asked for when there are no more; and until when that is
    /// so, nil is for good.
    case upcoming([UpcomingEntry], until: WallTime? = nil)
    /// Somebody else wrote to the database.
    case rowsChanged
    /// The link of a place has been found, has expired, or will not be found.
    case linksChanged
    /// Files of items that are on the receiver are not served where these say any more: this machine has another address.
    case mediaMoved
    /// The receiver was certainly connected up to `seenUntil` before this status: one that the network has delayed does not show
    /// when its change happened. Nil is now.
    case mediaStatus(MediaStatus?, seenUntil: Tick? = nil)
    /// What came of the last `.requestStatus`.
    case statusAnswered(StatusAnswer)
    case queueChange(QueueChange)
    /// The receiver names an item in an error, which is no verdict (protocol 21.22).
    case itemError(MediaQueueItemID, PlayReason)
    /// The edit in flight is over.
    case edited(EditOutcome)
    case timerFired(FeederTimer)
    /// Pass over the entry on the screen, or the one that is being loaded.
    case skip
    /// Start over with what the rows say: from this entry on, or nil from the first one that is due. An entry that resumes begins at its
    /// position if it is the first that is loaded.
    case restart(from: EntryID?, resume: ResumePoint? = nil)
    /// End, with the receiver's own word for it: the end waits until the media is over.
    case halt
    /// The receiver refused the last `.next`, `.jump` or `.stopMedia`.
    case refused
    /// The session is gone; rows stay. The receiver was heard last at that moment, nil is now.
    case lost(String, lastHeard: Tick? = nil)
    /// castq stops: what plays is cut.
    case stop(PlayEnding)
    /// castq ends, and the media continues: another feeder will adopt it.
    case leave
  }

  /// What the machine wants done, in this order.
  package enum Action: Sendable, Hashable {
    /// Read so many places in play order, without the one that is on the screen.
    case readUpcoming(limit: Int, besides: UpcomingPlace?)
    /// Read so many places of what is shown while nothing of the list can be; answered by `.upcoming` as well, empty when
    /// there is no such list.
    case readFallback(limit: Int, besides: UpcomingPlace?)
    /// Say what the rows know of these turns, which the receiver holds.
    case readTurns([EntryTurn])
    /// Close what feeders before have left open, except for these turns: plays whose end was unobserved, and entries that were on
    /// the receiver.
    case recover(keeping: [EntryTurn])
    /// What is on the screen was started by an earlier feeder, and continues.
    case adopted(EntryTurn)
    /// Write down that these turns are about to be sent.
    case offer([OfferedTurn])
    /// The receiver has them.
    case markQueued([EntryTurn])
    /// The receiver does not have them, or not any more: they wait again.
    case release([EntryTurn])
    /// Write down facts and what they mean for their entries, in one transaction.
    case record([RecordedFact])
    /// End the session and begin another with an application of this kind; `anew` when it must be relaunched.
    /// Answered by `.begin`, or `.lost`.
    case open(FeedApplication, anew: Bool)
    /// Say this to the application for pages; its answer comes as `.pageSaid`.
    case tell(namespace: String, String)
    /// Have the device say what runs; answered by `.application`.
    case requestApplication
    /// - Parameter interrupts: the receiver is busy with another load, which only a plain LOAD interrupts (protocol 21.26).
    case load([MediaQueueItem], startTime: MediaTime?, interrupts: Bool = false)
    case insert([MediaQueueItem], before: MediaQueueItemID?)
    case remove([MediaQueueItemID])
    case fetchItemIDs
    case fetchItems([MediaQueueItemID])
    /// The list is at this entry now: what stands before it in this round is passed over, it and what follows are due.
    case moveList(to: EntryID)
    /// Advance to the next item; not an edit, nothing waits for it.
    case next
    /// Go to this item of the receiver's queue; not an edit.
    case jump(to: MediaQueueItemID)
    /// End the media session, or the application for pages; not an edit.
    case stopMedia
    /// End the application when the session ends: what it is loading cannot be stopped otherwise (protocol 21.26).
    case stopApplication
    /// Play at this speed; not an edit.
    case setPlaybackRate(Double)
    /// Ask for a status; not an edit. Answered by `.statusAnswered`.
    case requestStatus
    /// Abandon the session, which is no longer usable, and open another one.
    case reconnect(String)
    case startTimer(FeederTimer, after: Duration)
    case cancelTimer(FeederTimer)
    /// Nothing more will come from this machine.
    case ended(RunEnd)
    /// The feeder has ended: what is left may not be on the screen before that moment; so many have failed.
    case waits(until: WallTime, failed: Int)
  }

  let configuration: FeederConfiguration
  var phase: Phase
  var past: FeederInheritance
  var ledger = PlaybackLedger()
  var edits: FeederEdits
  /// What was heard of the receiver's media.
  var hearing = Hearing.nothing
  /// How much earlier than the end of a picture's time its successor is requested.
  var lead = PictureLead()
  /// How the players of entries were set from which another list took the screen.
  var interrupted: [EntryID: PlayerSetting] = [:]
  /// What failed in a row.
  var setbacks = Setbacks()

  /// - Parameters:
  ///   - resume: an entry that was cut elsewhere, and its position when it is the first that is loaded; nil begins it where
  ///     the rows say it was cut, and every other entry at its beginning.
  ///   - startsOver: what the receiver still plays for this queue is replaced, not adopted.
  package init(
    queue: String, configuration: FeederConfiguration = FeederConfiguration(),
    resume: ResumePoint? = nil, startsOver: Bool = false
  ) {
    var configuration = configuration
    configuration.queue = queue
    self.configuration = configuration
    phase = .idle(Receiver(), startsOver: startsOver)
    past = FeederInheritance(resume: resume)
    edits = FeederEdits(messageLimit: configuration.itemsPerMessage)
  }

  /// The number of the edit in flight, or of the last one.
  package var editNumber: Int { edits.number }

  /// Whether the receiver has reported an item of ours on the screen.
  package var isShowing: Bool { (phase.isFeeding || page?.isShown == true) && ledger.isStarted }

  /// Whether it is known what is on the receiver.
  package var knowsReceiver: Bool {
    switch phase {
    case .idle, .absent, .adopting: false
    case .relieving, .resting, .pausing, .loading, .feeding, .page, .ended: true
    }
  }

  /// Whether no media of somebody else is in the application.
  var hasScreen: Bool { knowsReceiver && receiver.foreign == nil }

  /// The turn on the screen; nil when there is none.
  package var current: EntryTurn? { ledger.current }

  /// The entry on the screen, or the one that is being loaded; nil when there is none.
  package var currentEntry: EntryID? {
    if let current = window.current { return current.turn.entry }
    guard case .load(let turns)? = edit else { return nil }
    return turns.first?.entry
  }

  /// The turn that is on the screen, or is next to be; nil when nothing of ours is on the receiver.
  package var currentTurn: EntryTurn? { window.current?.turn }

  /// The newest turn of an entry that the receiver holds, or is being sent; 0 when there is none.
  func newestTurn(of entry: EntryID) -> Int {
    var turns = window.items.map(\.turn)
    if case .load(let sent)? = edit { turns += sent }
    return turns.filter { $0.entry == entry }.map(\.turn).max() ?? 0
  }

  /// Entries whose items the receiver holds, or is being sent: played ones included, until they are removed.
  package var heldEntries: Set<EntryID> { Set(window.items.map(\.turn.entry)) }

  /// The list of what is on the screen, or being loaded; nil when nothing of ours is.
  package var shownQueue: QueueID? {
    if let current = window.current { return current.place.queue }
    guard case .load(let turns)? = edit else { return nil }
    return turns.first.flatMap { window.item($0)?.place.queue }
  }

  /// The list of a turn that the receiver holds; nil when it holds none.
  package func queue(of turn: EntryTurn) -> QueueID? { window.item(turn)?.place.queue }

  /// Whether nothing of ours is on the receiver, and rows are being read for it.
  var isBare: Bool { phase.isResting && edit == nil }

  /// Whether nothing of the list could be loaded, and nothing stands in for it. A pause alone does not say so:
  /// a session that has hung up is waited for, and so is a link of what stands in for the list.
  var isDead: Bool { phase.isPausing && setbacks.isExhausted }

  /// How many loads in a row have shown nothing, while the list is dead; nil while it is not.
  var deadLoads: Int? { isDead ? setbacks.fruitlessLoads : nil }

  /// The one door.
  /// - Parameter seenUntil: up to when the receiver was certainly there, by its session: what castq ends without
  ///   a report of the receiver was displayed until then. Nil is now.
  package mutating func handle(
    _ event: Event, at now: Tick, wall: WallTime, seenUntil: Tick? = nil
  ) -> [Action] {
    guard !phase.isEnded else { return [] }
    receiver.seenUntil = seenUntil
    var actions: [Action] = []
    switch event {
    case .begin(let status, let isSame, let application, let hasAnswered):
      guard phase.isIdle else { break }
      self.receiver.application = application
      begin(
        status, isSameApplication: isSame, hasAnswered: hasAnswered, &actions, at: now, wall: wall)
    case .application(let application): learn(application, &actions, at: now, wall: wall)
    case .pageSaid(let text): tellPage(.said(text), &actions, at: now, wall: wall)
    case .heldTurns(let held): adopt(held, &actions, at: now, wall: wall)
    case .recovered(let point): past.resume = past.resume ?? point
    case .upcoming(let places, let until): receive(places, until: until, &actions, at: now, wall: wall)
    case .rowsChanged:
      edits.refusals.forgetEntries()
      receiver.rows.expire()
    case .linksChanged:
      receiver.rows.expire()
      // What stands in for the list may have a link now.
      if phase.isPausing, !setbacks.isFallingBack, receiver.reading == nil { readFallback(&actions) }
    case .mediaMoved: window.serveElsewhere()
    case .mediaStatus(let status, let seen):
      observe(status, seenUntil: seen, &actions, at: now, wall: wall)
    case .statusAnswered(let answer): answered(answer, &actions, at: now, wall: wall)
    case .queueChange(let change): apply(change)
    case .itemError(let id, let reason): reportError(of: id, reason, &actions, at: now, wall: wall)
    case .edited(let outcome): finishEdit(outcome, &actions, at: now, wall: wall)
    case .timerFired(let timer): fire(timer, &actions, at: now, wall: wall)
    case .skip: skip(&actions, at: now, wall: wall)
    case .restart(let entry, let resume):
      restart(from: entry, resume: resume, &actions, at: now, wall: wall)
    case .halt: halt(&actions, at: now, wall: wall)
    case .refused: withdrawCommand(&actions, at: now, wall: wall)
    case .lost(let note, let heard): lose(note, lastHeard: heard ?? now, &actions, at: now, wall: wall)
    case .stop(let ending): stop(ending, &actions, at: now, wall: wall)
    case .leave: leave(&actions, at: now, wall: wall)
    }
    if let reason = setbacks.fatal { stopForGood(reason, &actions, at: now, wall: wall) }
    beginNextStep(&actions)
    return actions
  }

  // MARK: - The next step

  /// Looks at what is and at what should be, and takes one step.
  private mutating func beginNextStep(_ actions: inout [Action]) {
    guard edit == nil, receiver.reading == nil else { return }
    switch phase {
    case .idle, .absent, .adopting, .relieving, .pausing, .loading, .page, .ended: return
    case .resting:
      beginRestart(&actions)
      if setbacks.isFallingBack { return continueFallback(&actions) }
      if receiver.rows.isAwaitingFirst { return }
    case .feeding:
      // Between two items the receiver's position is unknown: an edit might land behind it.
      guard held.doubts.doubt == nil, !isReceiverLoading, !receiver.pausesEdits,
        let current = window.current,
        !ledger.hasEnded(current.turn)
      else { return }
      if tidy(&actions) { return }
      // Whether it is displayed decides what follows.
      if current.place.isTrial, !ledger.hasStarted(current.turn) { return }
      // A list in which everything is dead must come to its end on the receiver, where the next load waits a while.
      guard max(setbacks.failedPlays, setbacks.unseenPlays) < configuration.lowWater || current.isFallback
      else { return }
      if setbacks.isTryingList, window.ahead.contains(where: { !$0.isFallback }) { return }
      // More turns of the only entry follow when it has been displayed.
      if setbacks.isUnproven, !current.isFallback,
        window.items.allSatisfy({ $0.turn.entry == current.turn.entry }),
        !window.ahead.isEmpty || setbacks.failedPlays > 0
      {
        return
      }
      let isLow = window.ahead.count < configuration.lowWater && held.settled != current.turn
      guard receiver.rows.isStale || (!held.hasReachedEnd && isLow) else { return }
    }
    beginReading(at: window.current?.turn)
    let (limit, shown) = (configuration.itemsAhead, shownPlace)
    actions.append(
      setbacks.isFallingBack
        ? .readFallback(limit: limit, besides: shown) : .readUpcoming(limit: limit, besides: shown))
  }

  /// What is on the screen, or was until a moment ago: a list that repeats one entry continues with it.
  var shownPlace: UpcomingPlace? {
    window.current.map { UpcomingPlace(entry: $0.turn.entry, round: $0.place.round) } ?? receiver.lastPage
  }

  private mutating func receive(
    _ places: [UpcomingEntry], until: WallTime?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let reading = receiver.reading else { return }
    receiver.reading = nil
    timeWindow(until, &actions, wall: wall)
    guard reading.current == window.current?.turn, edit == nil else { return receiver.rows.expire() }
    let isOpen = places.contains { $0.link.isPending }
    var hasReachedEnd = places.count < configuration.itemsAhead && !isOpen
    var wanted: [UpcomingEntry] = []
    for place in places.prefix(while: { $0.link != .later }) {
      let place = restored(place).measured(
        queue: configuration.queue, epoch: configuration.epoch, ahead: configuration.itemsAhead,
        defaultPreload: configuration.preloadTime)
      guard let problem = problem(of: place) else {
        wanted.append(place)
        continue
      }
      // A list that repeats offers it in every round to come: one of them at a time.
      if place.round == places.first?.round {
        giveUp(place, problem.words, problem.retrying, &actions, at: now, wall: wall)
      }
    }
    let trial = wanted.firstIndex(where: \.isTrial) ?? wanted.endIndex
    let isCut = trial + 1 < wanted.count
    if isCut {
      wanted.removeSubrange((trial + 1)...)
      hasReachedEnd = false
    }
    switch phase {
    case .idle, .absent, .adopting, .relieving, .loading, .page, .ended: break
    case .pausing:
      if setbacks.isFallingBack {
        let ready = postponed(unsuspected(wanted.filter(\.link.isReady)))
        fallBack(ready, isOpen: isOpen, isAll: hasReachedEnd, &actions, at: now, wall: wall)
      }
    case .resting:
      wanted = postponed(unsuspected(wanted.filter { $0.link != .paused }))
      // The order of the list holds: what comes first is waited for, what follows is not.
      if let first = wanted.first, first.awaitsFile || !first.link.isReady {
        return receiver.rows.awaitFirst()
      }
      wanted.removeAll { !$0.link.isReady }
      // What the list has of another kind comes in a window of its own.
      if let kind = wanted.first?.application, kind != receiver.application { return open(kind, &actions) }
      if wanted.isEmpty, !receiver.rows.isStale, !isOpen {
        // Nothing else removes the last page.
        if receiver.application == .pages { actions.append(.stopMedia) }
        guard let until else { return end(.drained(failed: setbacks.failedEntries), &actions) }
        return finish(with: .waits(until: until, failed: setbacks.failedEntries), clearing: true, &actions)
      }
      if wanted.isEmpty {
        if !places.isEmpty { setbacks.countLoad() }
        setbacks.endPause()
        _ = pause(&actions)
        return
      }
      loadOrPause(wanted, isAll: hasReachedEnd, &actions, at: now, wall: wall)
    case .feeding:
      let count = wanted.count
      wanted = Array(wanted.prefix { $0.application == receiver.application })
      wanted.removeAll { edits.refusals.isSuspect($0.entry) }
      held.hasReachedEnd = hasReachedEnd || wanted.count < count
      let step = WindowEdit.next(ahead: window.ahead, wanted: wanted, isComplete: held.hasReachedEnd || isCut)
      if let step { perform(step, &actions) }
      // Nothing to do, or nothing that can be done: items whose numbers the receiver does not tell cannot be taken out.
      if edit == nil { held.settled = window.current?.turn }
    }
  }

  /// What was read is good until a time window opens or closes.
  private func timeWindow(_ until: WallTime?, _ actions: inout [Action], wall: WallTime) {
    guard let until else { return actions.append(.cancelTimer(.window)) }
    actions.append(.startTimer(.window, after: configuration.pause(until: until, at: wall)))
  }

  /// An entry that cannot be sent at all: never sent, yet a turn of its own, so that history says why nothing was shown.
  private mutating func giveUp(
    _ place: UpcomingEntry, _ problem: String, _ retrying: Retrying, _ actions: inout [Action], at now: Tick,
    wall: WallTime
  ) {
    let turn = EntryTurn(entry: place.entry, turn: place.turn + 1)
    actions.append(.offer([OfferedTurn(turn: turn, round: place.round)]))
    let item = FeedWindow.Item(
      turn: turn, place: place, attempts: place.attempts, isFallback: setbacks.isFallingBack)
    record(
      ledger.unplayable(turn, note: problem, at: now, wall: wall), of: item, retrying: retrying, &actions)
    receiver.rows.expire()
  }

  private func problem(of place: UpcomingEntry) -> (words: String, retrying: Retrying)? {
    if let problem = place.problem { return (problem, .never) }
    // The next attempt asks again.
    if case .failed(let reason) = place.link { return (reason.words, .byRule) }
    if let refusal = edits.refusals.conviction(of: place.entry) {
      return ("the receiver refuses it: \(refusal.words)", .never)
    }
    guard let size = place.bytes, size > configuration.bytesPerItem else { return nil }
    let words =
      "\(size) bytes are more than one message can carry (\(configuration.bytesPerItem)); shorten its metadata"
    return (words, .never)
  }
}
