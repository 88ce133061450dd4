// Messages of the application about media: statuses, queues, errors (protocol 6, 7).

extension RunningSession {
  /// A message of the media namespace.
  mutating func receiveMedia(_ json: JSONValue, isOurs: Bool, _ link: Link, at now: Tick) -> Connection {
    let reply = MediaReply.decode(json)
    let id = isOurs ? reply.requestID : nil
    switch reply.content {
    case .status(let updates):
      applyStatus(updates, answering: id, link, at: now)
      return afterFirstStatus(id, link, at: now)
    case .queueItemIDs(let ids, let sequenceNumber):
      actions.append(.publish(.queueItemIDs(ids, sequenceNumber: sequenceNumber)))
      if let id {
        answer(
          id, "QUEUE_ITEM_IDS", with: .queueItemIDs(MediaQueueIDs(ids, sequenceNumber: sequenceNumber)))
      }
    case .queueItems(let items, let sequenceNumber):
      actions.append(.publish(.queueItems(items, sequenceNumber: sequenceNumber)))
      if let id { answer(id, "QUEUE_ITEMS", with: .queueItems(items)) }
    case .queueChange(let change): actions.append(.publish(.queueChange(change)))
    case .failure(let failure):
      mediaFailed(failure, reply.requestID, isOurs: isOurs)
      askForMedia(link, at: now)
      return afterFirstStatus(id, link, at: now)
    case .refreshCredentials(let wish): actions.append(.publish(.credentialsWanted(wish)))
    case .sessionState(let state):
      if let id { answer(id, "SESSION_STATE", with: .sessionState(state)) }
    case .unknown(let type, _): actions.append(.note(.unreadable(.media, type)))
    }
    return .online(link)
  }

  /// Merges a status, publishes it, and only then completes the requests that wait for it.
  private mutating func applyStatus(
    _ updates: [MediaStatusUpdate], answering id: RequestID?, _ link: Link, at now: Tick
  ) {
    var old = media.status
    let isKnown = media.isKnown
    let asked = id.flatMap { requests[$0] }
    let outcome = media.apply(updates, isWhole: asked?.expectation == .wholeMediaStatus)
    for session in outcome.stale { actions.append(.note(.staleMediaSession(session))) }
    for status in outcome.published {
      actions.append(.publish(.mediaStatus(status)))
      if isKnown {
        let deeds = watch.changes(from: old, to: status, at: now)
        actions += deeds.map { .publish(.foreignAction($0)) }
      }
      old = status
    }
    publish(outcome.failed)
    askForMedia(link, besides: id, at: now)
    settleLoads(updates, answering: asked)
    guard let id else { return }
    switch asked?.expectation {
    case .load?: break
    // A request of the machine itself is answered by any status with its number.
    case .mediaStatus? where asked?.token == nil, .wholeMediaStatus? where asked?.token == nil: forget(id)
    case .mediaStatus?, .wholeMediaStatus?, .receiverStatus?, .launch?, .stop?, .queueItemIDs?, .queueItems?,
      .sessionState?, .appAvailability?, .multizoneStatus?, .castingGroups?, .deviceInformation?,
      .setupInformation?, nil:
      answer(id, "MEDIA_STATUS", with: .mediaStatus(media.status))
    }
  }

  /// Requests the status when the media is unknown. One request at a time: an application that reports ever
  /// new media sessions must not open one for each. Called again when that request has ended.
  /// - Parameter answered: the number of a request that ends with this event.
  mutating func askForMedia(_ link: Link, besides answered: RequestID? = nil, at now: Tick) {
    guard let transport = link.transport, !requests.hasOwnMediaStatus(besides: answered),
      media.takeMediaQuestion()
    else { return }
    _ = askMedia(.getStatus(), to: transport, at: now)
  }

  /// A load completes when the media session it started plays, or is idle with a reason (protocol 6.4; 21, points 6 and 17).
  private mutating func settleLoads(_ updates: [MediaStatusUpdate], answering asked: RequestTable.Entry?) {
    for update in updates {
      if let asked, asked.expectation == .load {
        settle(asked, update)
      } else if let entry = requests.load(of: update.mediaSessionID) {
        settle(entry, update)
      }
    }
  }

  private mutating func settle(_ entry: RequestTable.Entry, _ update: MediaStatusUpdate) {
    let json = update.json
    let isLoading =
      json["extendedStatus"]?["playerState"]?.string == "LOADING" || json.itemID("loadingItemId") != nil
    let state = MediaPlayerState(json["playerState"])
    guard let state, state != .loading, !isLoading else {
      requests.setLoadingSession(update.mediaSessionID, of: entry.id)
      return
    }
    guard let status = media.status, status.mediaSessionID == update.mediaSessionID else { return }
    guard state == .idle else { return close(entry.id, with: .success(.mediaStatus(status))) }
    switch MediaPlayerIdleReason(json["idleReason"]) {
    case .error?: close(entry.id, with: .failure(.loadFailed(status)))
    case .cancelled?, .interrupted?: close(entry.id, with: .failure(.loadSuperseded(status)))
    // Old receivers reply to a load with a plain IDLE before anything plays (protocol 6.4); only a broadcast of that kind is not an
    // outcome, because the load may not have started.
    case nil where entry.loadingSession != nil: break
    case .finished?, .unknown?, nil: close(entry.id, with: .success(.mediaStatus(status)))
    }
  }

  /// A refusal, or an error that names an item of the queue.
  private mutating func mediaFailed(_ failure: MediaFailure, _ id: RequestID?, isOurs: Bool) {
    if let id {
      guard isOurs else { return }
      guard let entry = requests[id] else { return noteLate(id, failure.kind.rawValue) }
      close(id, with: .failure(refusal(failure, of: entry)))
    } else if let itemID = failure.itemID {
      let error = itemError(failure, itemID)
      actions.append(.publish(.queueItemError(itemID, error)))
      publish(media.complain(of: itemID, error))
    } else {
      actions.append(.note(.unreadable(.media, "\(failure.kind.rawValue) without request or item")))
    }
  }

  private mutating func publish(_ failures: [ItemFailures.Failure]) {
    actions += failures.map { .publish(.queueItemFailed($0.id, $0.error)) }
  }

  /// The joining phase ends with the reply to its request, whatever its contents.
  private mutating func afterFirstStatus(_ id: RequestID?, _ link: Link, at now: Tick) -> Connection {
    guard case .joining(let application, let request) = link.phase, id == request else {
      return .online(link)
    }
    forget(request)
    return activate(application, link, at: now)
  }
}
