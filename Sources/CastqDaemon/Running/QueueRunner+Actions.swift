import CastSender
import CastqCore
import CastqMediaServer
import CastqStore
import Logging

/// Carries out what the feeder machine wants.
extension QueueRunner {
  /// Hands an event to the machine and carries out its actions, and whatever follows from them at once.
  /// A ticket goes to the first action that asks the receiver for something, and stays when there is none.
  func feed(
    _ event: FeederMachine.Event, for ticket: ControlTicket? = nil, in group: inout DiscardingTaskGroup
  ) {
    self.ticket = ticket
    var events = [event]
    while !events.isEmpty, outcome == nil {
      let late = max(time.now() - moment, .zero)
      let wall = WallTime(milliseconds: time.wallMilliseconds()).adding(seconds: -late.seconds)
      let actions = feeder.handle(events.removeFirst(), at: moment, wall: wall)
      do throws(StoreError) {
        for action in actions { try perform(action, at: wall, followUp: &events, in: &group) }
      } catch {
        outcome = .failed(ControlFailure(error))
      }
    }
  }

  private func perform(
    _ action: FeederMachine.Action, at wall: WallTime, followUp: inout [FeederMachine.Event],
    in group: inout DiscardingTaskGroup
  ) throws(StoreError) {
    switch action {
    case .readUpcoming(let limit, let besides):
      let list = try read(in: &group) { (rows, now) throws(StoreError) in
        try rows.upcoming(limit: limit, besides: besides, at: now, wall: wall)
      }
      followUp.append(.upcoming(resolve(list.places), until: list.until))
    case .readFallback(let limit, let besides):
      let places = try read(in: &group) { (rows, now) throws(StoreError) in
        try rows.upcomingFallback(limit: limit, besides: besides, at: now)
      }
      followUp.append(.upcoming(resolve(places)))
    case .readTurns(let turns):
      let known = try read(in: &group) { (rows, now) throws(StoreError) in try rows.held(turns, at: now) }
      let held = known.map { turn in
        var turn = turn
        turn.isOrphaned = MediaResolver.serves(turn.place.draft) && !publishAgain(turn.place)
        remember(turn.place.draft.media, as: turn.turn)
        return turn
      }
      followUp.append(.heldTurns(held))
    case .recover(let kept):
      let point = try read(in: &group) { (rows, now) throws(StoreError) in
        try rows.recover(keeping: kept, at: now)
      }
      followUp.append(.recovered(point))
    case .adopted(let turn):
      forgetFailures()
      report(.started(turn, title: titles[turn] ?? "\(turn.entry)"))
    case .offer(let turns): try write(.offer(turns, at: wall), in: &group)
    case .markQueued(let turns): try write(.markQueued(turns), in: &group)
    case .release(let turns):
      try write(.release(turns), in: &group)
      for turn in turns { titles[turn] = nil }
    case .record(let facts):
      try write(.record(facts), in: &group)
      for fact in facts { tell(fact) }
    case .open(let application, let anew):
      // Whoever asked for what comes next has been heard.
      takeTicket()?.answer(.done)
      open(application, anew: anew, in: &group)
    case .tell(let namespace, let text):
      let ticket = takeTicket()
      let message = ChannelMessage(namespace: namespace, payload: .text(text))
      guard let session = session?.session else { return }
      let request = session.submit(.message(message))
      group.addTask { [logger] in
        do throws(CastError) {
          _ = try await request.value
          ticket?.answer(.done)
        } catch {
          // The feeder waits for the answer, and not for ever.
          logger.debug("the page could not be asked for", metadata: ["cast.error": "\(error)"])
          ticket?.answer(.failed(ControlFailure(error)))
        }
      }
    case .requestApplication:
      // The answer comes as an event; without one, the feeder does not wait for ever.
      _ = session?.session.submit(.receiver(.getStatus))
    case .load(let items, let startTime, let interrupts):
      // Whoever wanted to pass over what was loading has what was asked for.
      takeTicket()?.answer(.done)
      isLoading = true
      sessionBeforeLoad = mediaStatus?.mediaSessionID
      edit(in: &group) { client in
        interrupts
          ? client.load(LoadRequest(interruptingWith: items, startTime: startTime))
          : client.queueLoad(items, options: MediaQueueLoadOptions(repeatMode: .off, playPosition: startTime))
      }
      remember(items)
    case .insert(let items, let before):
      edit(in: &group) { $0.queueInsertItems(items, beforeItemWithID: before) }
      remember(items)
    case .remove(let ids):
      edit(in: &group) { $0.queueRemoveItems(withIDs: ids) }
    case .fetchItemIDs:
      edit(in: &group, outcome: { .itemIDs($0) }) { $0.queueFetchItemIDs() }
    case .fetchItems(let ids):
      edit(in: &group, outcome: { .items($0) }) { $0.queueFetchItems(withIDs: ids) }
    case .moveList(let entry): try write(.moveList(to: entry), in: &group)
    case .jump(let id):
      command("jump", in: &group) { $0.queueJumpToItem(withID: id) }
    case .next:
      command("next", in: &group) { $0.queueNextItem() }
    case .setPlaybackRate(let rate):
      command("rate", in: &group) { $0.setPlaybackRate(rate) }
    case .requestStatus: askStatus(in: &group)
    case .reconnect(let words): if let number = session?.number { send.yield(.sessionUseless(number, words)) }
    case .stopMedia where application == .pages:
      // Nothing but its application can be stopped.
      takeTicket()?.answer(.done)
      endAction = .stopApplication
    case .stopMedia: stopMedia(in: &group)
    case .stopApplication:
      takeTicket()?.answer(.done)
      endAction = .stopApplication
    case .startTimer(let timer, let delay): timers.start(timer, after: delay, since: moment)
    case .cancelTimer(let timer): timers.cancel(timer)
    case .waits(let until, let failed):
      failedBefore += failed
      wait(until: until, in: &group)
    case .ended(let end): outcome = end.adding(failed: failedBefore)
    }
  }

  /// Serves what the receiver fetches from us where it fetches it; false when that is not to be had any more.
  private func publishAgain(_ place: UpcomingEntry) -> Bool {
    guard media.hasLastingAddresses else { return false }
    var links: Set<MediaLink> = []
    let isServed = (try? media.resolve(place.draft, publishing: &links)) != nil
    published.add(links, for: place.entry)
    return isServed
  }

  /// The places with addresses that the device can open, as far as there are.
  private func resolve(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    var upcoming = places
    for index in upcoming.indices {
      var links: Set<MediaLink> = []
      do throws(MediaResolver.Problem) {
        upcoming[index].draft = try media.resolve(upcoming[index].draft, publishing: &links)
      } catch {
        upcoming[index].problem = error.message
        // It gets its turn without ever being sent.
        remember(
          upcoming[index].draft.media,
          as: EntryTurn(entry: upcoming[index].entry, turn: upcoming[index].turn + 1))
      }
      published.add(links, for: upcoming[index].entry)
    }
    media.withdraw(published.keep(feeder.heldEntries.union(upcoming.map(\.entry))))
    return upcoming
  }

  // What is sent is sent here, in the order of the actions; only its outcome is awaited elsewhere.

  /// Sends an edit; its outcome comes back as an event.
  private func edit<Value: Sendable>(
    in group: inout DiscardingTaskGroup, outcome: @escaping @Sendable (Value) -> EditOutcome = { _ in .done },
    _ send: (RemoteMediaClient) -> Request<Value>
  ) {
    guard let session else { return }
    let request = send(session.session.remoteMediaClient)
    group.addTask { [send = self.send, edit = feeder.editNumber, number = session.number] in
      let result: EditOutcome
      do throws(CastError) { result = outcome(try await request.value) } catch {
        result = .failed(EditFailure(error))
      }
      send.yield(.edited(number, edit, result))
    }
  }

  /// Sends a command whose effect comes back as statuses. Only a person who asked for it waits for its outcome.
  private func command(
    _ name: String, in group: inout DiscardingTaskGroup,
    _ send: (RemoteMediaClient) -> Request<MediaStatus?>
  ) {
    let ticket = takeTicket()
    let isJump = name == "jump"
    guard let client = session?.session.remoteMediaClient else { return }
    let request = send(client)
    group.addTask { [logger, send = self.send] in
      do throws(CastError) {
        _ = try await request.value
        ticket?.answer(.done)
      } catch {
        logger.debug("command failed", metadata: ["castq.command": "\(name)", "cast.error": "\(error)"])
        let failure = ControlFailure(error)
        if isJump, !error.isEndOfSession { send.yield(.refused(failure)) }
        guard let ticket else { return }
        ticket.answer(.failed(failure))
        send.yield(.refused(nil))
      }
    }
  }

  /// Asks where playback is. The status comes on its own way; what became of the question is news, too: a receiver that keeps
  /// its statuses to itself says by the answer alone that everything is over.
  private func askStatus(in group: inout DiscardingTaskGroup) {
    guard let session else { return }
    let request = session.session.remoteMediaClient.requestStatus()
    group.addTask { [logger, send, number = session.number] in
      do throws(CastError) {
        let status = try await request.value
        send.yield(.statusAnswered(number, status == nil ? .nothingLoaded : .told))
      } catch {
        logger.debug("command failed", metadata: ["castq.command": "status", "cast.error": "\(error)"])
        if let answer = StatusAnswer(error) { send.yield(.statusAnswered(number, answer)) }
      }
    }
  }

  /// Ends the media session. That of a load under way can be named only when the receiver has told it: what was sent
  /// cannot be called back, and would play on without us.
  private func stopMedia(in group: inout DiscardingTaskGroup) {
    let ticket = takeTicket()
    guard let session = session?.session else { return }
    let events = session.events()
    let (isLoading, before) = (isLoading, sessionBeforeLoad)
    let task = Task { () -> CastError? in
      if isLoading, session.mediaStatus?.mediaSessionID == before {
        for await event in events {
          if case .mediaStatus(let status?) = event, status.mediaSessionID != before { break }
        }
        // The load has failed by itself: what may be there now is none of this stop's.
        if Task.isCancelled { return nil }
      }
      do throws(CastError) {
        _ = try await session.remoteMediaClient.stop().value
        return nil
      } catch {
        return error
      }
    }
    stopping = task
    group.addTask { [logger, send, time, isHalting] in
      // Nothing is left to stop when the receiver knows of nothing, or when what ran there is gone: that is what was wanted,
      // and the end of the session comes on its own way.
      let error = await task.value.flatMap {
        StatusAnswer($0) == .nothingLoaded || $0.isEndOfSession ? nil : $0
      }
      if let error { logger.debug("stop failed", metadata: ["cast.error": "\(error)"]) }
      if isHalting {
        // The status that says so comes on its own way; without it, the end is ours.
        if error == nil { try? await time.sleep(.seconds(1)) }
        send.yield(.stop("stopped by castq, without a word from the receiver"))
      } else if let error {
        ticket?.answer(.failed(ControlFailure(error)))
        send.yield(.refused(ControlFailure(error)))
      }
      ticket?.answer(.done)
    }
  }

  // MARK: - Reports

  private func remember(_ items: [MediaQueueItem]) {
    for item in items {
      guard let tag = EntryTag(customData: item.customData) else { continue }
      remember(item.mediaInformation, as: tag.turn)
    }
  }

  private func remember(_ media: MediaInformation?, as turn: EntryTurn) {
    titles[turn] = media?.label
  }

  private func tell(_ recorded: RecordedFact) {
    let turn = recorded.fact.turn
    let title = titles[turn] ?? "\(turn.entry)"
    switch recorded.fact {
    case .started:
      forgetFailures()
      report(.started(turn, title: title))
    case .ended(_, let play):
      report(.ended(turn, title: title, play, recorded.effect?.state ?? .pending))
      look(into: turn, play)
      titles[turn] = nil
    case .progressed, .adEnded: break
    }
  }
}
