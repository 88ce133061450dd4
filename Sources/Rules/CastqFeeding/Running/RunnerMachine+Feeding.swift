import CastProtocol
import CastqPlaylists
import CastqText

/// Does what the feeder wants.
extension RunnerMachine {
  mutating func feed(_ event: FeederMachine.Event) {
    guard end == nil else { return }
    var lost: CastError?
    let wasDead = feeder.isDead
    let seen = session.flatMap { moment.seenUntil ?? $0.seenUntil }
    for action in feeder.handle(event, at: moment.now, wall: moment.wall, seenUntil: seen) {
      if case .reconnect(let words) = action {
        lost = CastError(.timeout, "\(device.endpoint): \(words)")
      } else {
        perform(action)
      }
    }
    if feeder.isDead, !wasDead { fail("nothing of its list can be played") }
    // The feeder hears of it when all it wanted has been done.
    if let lost, let session {
      report(.unanswered(lost))
      abandon(session.number, lost)
    }
  }

  private mutating func perform(_ action: FeederMachine.Action) {
    switch action {
    // It only ends what is there.
    case .readUpcoming where configuration.clearing != nil, .readFallback where configuration.clearing != nil:
      break
    case .readUpcoming(let limit, let besides): readUpcoming(limit: limit, besides: besides)
    case .readFallback(let limit, let besides): read(.readFallback(limit: limit, besides: besides))
    case .readTurns(let turns): read(.readTurns(turns))
    case .recover(let kept): read(.recover(keeping: kept))
    case .adopted(let turn):
      calls.reset()
      noteBegun(turn)
      reportStart(of: turn)
    case .offer(let turns): write(.offer(turns, at: moment.wall))
    case .markQueued(let turns): write(.markQueued(turns))
    case .release(let turns):
      write(.release(turns))
      for turn in turns { plays.titles[turn] = nil }
    case .record(let facts): record(facts)
    case .moveList(let entry): write(.moveList(to: entry))
    case .open(let application, let anew):
      // Who asked for what comes next has been heard.
      confirmSkip()
      open(application, anew: anew)
    case .tell(let namespace, let text):
      let message = ChannelMessage(namespace: namespace, payload: .text(text))
      request(.message(message), for: .page(commands.takeSkip()))
    // The answer comes as an event; without one, the feeder does not wait for ever.
    case .requestApplication: request(.receiver(.getStatus), for: .nothing)
    case .load(let items, let startTime, let interrupts):
      // Who wanted to pass over what was loading has what was asked for.
      confirmSkip()
      plays.loadedAt = moment.now
      update { $0.load = RunnerSession.Load(before: $0.mediaStatus?.mediaSessionID) }
      edit(
        interrupts
          ? .load(LoadRequest(interruptingWith: items, startTime: startTime))
          : .queueLoad(QueueLoad(items: items, repeatMode: .off, currentTime: startTime)))
      remember(items)
    case .insert(let items, let before):
      edit(.queueInsert(QueueInsert(items: items, insertBefore: before)))
      remember(items)
    case .remove(let ids): edit(.queueRemove(QueueRemove(itemIDs: ids)))
    case .fetchItemIDs: edit(.queueGetItemIDs)
    case .fetchItems(let ids): edit(.queueGetItems(ids))
    case .jump(let id):
      request(
        .media(.queueUpdate(QueueUpdate(currentItemID: id))), for: .command(commands.takeSkip(), isJump: true)
      )
    case .next:
      request(.media(.queueUpdate(QueueUpdate(jump: 1))), for: .command(commands.takeSkip(), isJump: false))
    case .setPlaybackRate(let rate):
      request(.media(.setPlaybackRate(.rate(rate))), for: .command(commands.takeSkip(), isJump: false))
    case .requestStatus: ask()
    // Only its application as a whole can be stopped.
    case .stopMedia where application.kind == .pages: stopApplication()
    case .stopMedia: stopMedia()
    case .stopApplication: stopApplication()
    case .startTimer(let timer, let delay): actions.append(.startTimer(.feeder(timer), after: delay))
    case .cancelTimer(let timer): actions.append(.cancelTimer(.feeder(timer)))
    case .waits(let until, let failed):
      opening.failedBefore += failed
      wait(until: until)
      listIsOver(UpcomingList([], until: ownOpening(of: until)))
    case .ended(let end): self.end = end.adding(failed: opening.failedBefore)
    case .reconnect: break
    }
  }

  private mutating func stopApplication() {
    confirmSkip()
    exit.action = .stopApplication
  }

  // MARK: - Rows

  private mutating func read(_ action: Action) {
    requests.beginRead()
    actions.append(action)
  }

  private mutating func write(_ write: FeederWrite) { actions.append(.write(write)) }

  /// The feeder's places; the files of those that are left stay reachable.
  mutating func receive(_ list: UpcomingList) {
    let list = prepared(list)
    for place in list.places where place.problem != nil || place.link.isFailure {
      // It gets its turn without ever being sent.
      let turn = EntryTurn(entry: place.entry, turn: place.turn + 1)
      plays.titles[turn] = place.draft.media.label
    }
    actions.append(.keepMedia(feeder.heldEntries.union(list.places.map(\.entry))))
    if list.places.isEmpty, feeder.isBare, schedule != nil {
      listIsOver(list)
      // Another list may be on the air now: what was read does not end the run.
      if schedule?.now.queue == nil { feed(.rowsChanged) }
    }
    feed(.upcoming(list.places, until: scheduled(list).until))
  }

  /// Writes facts. What is decided because an entry begins is written before the entry: its play is one of the new list.
  private mutating func record(_ facts: [RecordedFact]) {
    var batch: [RecordedFact] = []
    for fact in facts {
      if case .started(let turn, _) = fact.fact, isFirst(turn) {
        if !batch.isEmpty { write(.record(batch)) }
        batch = []
        begins(turn)
      }
      batch.append(fact)
      if case .started(let turn, _) = fact.fact { noteBegun(turn) }
      // What ended while nobody saw it does not continue.
      if case .ended(_, let play) = fact.fact, play.outcome == .finished { schedule?.passesShares = false }
    }
    write(.record(batch))
    for fact in facts { publish(fact) }
  }

  /// Something of the list on the air is on the screen.
  private mutating func noteBegun(_ turn: EntryTurn) {
    if let queue = feeder.queue(of: turn), queue == schedule?.now.queue { schedule?.now.hasBegun = true }
  }

  // MARK: - Reports

  private mutating func remember(_ items: [MediaQueueItem]) {
    for item in items {
      guard let tag = EntryTag(customData: item.customData) else { continue }
      plays.titles[tag.turn] = item.mediaInformation?.label
    }
  }

  private func title(of turn: EntryTurn) -> String { plays.titles[turn] ?? "\(turn.entry)" }

  private mutating func reportStart(of turn: EntryTurn) {
    let isPaused = session?.mediaStatus?.playerState == .paused && feeder.window.item(turn)?.isImage == false
    report(.started(turn, title: title(of: turn), isPaused: isPaused))
  }

  private mutating func publish(_ recorded: RecordedFact) {
    let turn = recorded.fact.turn
    switch recorded.fact {
    case .started(_, let play):
      calls.reset()
      reportStart(of: turn)
      report(.measured(load: plays.loadedAt.map { moment.now - $0 }, gap: play.gapBefore))
      plays.loadedAt = nil
    case .ended(_, let play):
      report(.ended(turn, title: title(of: turn), play, recorded.effect?.state ?? .pending))
      if play.outcome == .failed { explain(turn) }
      plays.titles[turn] = nil
    case .progressed, .adEnded: break
    }
  }
}
