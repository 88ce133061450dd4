// The ways a session ends: by the caller, the application, the device, or silence (protocol 14.1, 14.4).

extension RunningSession {
  /// Ends the session for the caller.
  mutating func end(_ action: SessionEndAction, _ link: Link, at now: Tick) -> Connection? {
    var link = link
    switch (action, link.phase) {
    // Leaving does not wait, and whoever waits for the stop must not believe that it was confirmed.
    case (.leave, .stopping(let application, _)):
      return finish(link, because: leftBeforeStopError(application))
    case (.leave, _): return finish(link, because: nil)
    case (.stopApplication, .joining(let application, _)),
      (.stopApplication, .active(let application?)):
      return stop(application, link, at: now)
    case (.stopApplication, .active(nil)):
      guard let application = receiverStatus?.application else { return finish(link, because: nil) }
      return stop(application, link, at: now)
    case (.stopApplication, .asking), (.stopApplication, .parting): return finish(link, because: nil)
    case (.stopApplication, .restarting(let application, let request)):
      link.phase = .stopping(application, request)
      return .online(link)
    case (.stopApplication, .awaiting):
      guard let application = receiverStatus?.applications.first(where: { isTarget($0) }) else {
        return finish(link, because: nil)
      }
      link.phase = .active(nil)
      return stop(application, link, at: now)
    case (.stopApplication, .stopping): return .online(link)
    }
  }

  private func isTarget(_ application: ApplicationMetadata) -> Bool {
    target.wants(application)
  }

  /// Asks the device to stop the application; open requests to it will get no reply.
  private mutating func stop(_ application: ApplicationMetadata, _ link: Link, at now: Tick) -> Connection? {
    // An id that fills a message by itself cannot be sent back.
    guard application.sessionID.rawValue.utf8.count <= 1024 else {
      return finish(link, because: stopTimeoutError(application))
    }
    var link = link
    failAll(.endedByCaller)
    let request = ReceiverRequest.stop(application.sessionID)
    link.phase = .stopping(application, askReceiver(request, expecting: .stop, at: now))
    return .online(link)
  }

  /// The application closed the connection. The device's status shows whether it still runs, and what replaced it (protocol 3.2).
  mutating func applicationHungUp(_ link: Link, at now: Tick) -> Connection? {
    var link = link
    link.transport = nil
    switch link.phase {
    case .joining(let application, let request):
      forget(request)
      link.phase = .parting(application, askReceiver(.getStatus, expecting: .receiverStatus, at: now))
    case .active(let application?):
      failAll(.applicationHungUp(application.displayName), where: \.isForMedia)
      media.reset()
      link.phase = .parting(application, askReceiver(.getStatus, expecting: .receiverStatus, at: now))
    // A stopped application closes the connection before the device reports its end: the status is decisive.
    case .stopping: break
    case .asking, .restarting, .awaiting, .active(nil), .parting: break
    }
    return .online(link)
  }

  /// Ends the session. With a link it sends CLOSE first; `closing` closes a transport that is no longer used.
  mutating func finish(_ link: Link?, because reason: CastError?, closing: Bool = false) -> Connection? {
    if let link { sayGoodbye(link) }
    if link != nil || closing { actions.append(.closeTransport) }
    actions.append(.publish(.ended(reason)))
    failAll(reason ?? .endedByCaller, cancellingTimers: false)
    return nil
  }

  /// Closes the virtual connections (protocol 14.1, leave).
  mutating func sayGoodbye(_ link: Link) {
    if let transport = link.transport {
      send(.close(reasonCode: ConnectionMessage.closedBySelf), to: transport)
    }
    send(.close(reasonCode: ConnectionMessage.closedBySelf), to: .receiver)
  }

  /// Completes all matching requests with an error.
  mutating func failAll(
    _ error: CastError, cancellingTimers: Bool = true,
    where matches: (RequestTable.Entry) -> Bool = { _ in true }
  ) {
    for entry in requests.closeAll(where: matches) {
      if let token = entry.token {
        actions.append(.complete(token, .failure(error.during(entry.name))))
      }
      if cancellingTimers { actions.append(.cancelTimer(.request(entry.id))) }
    }
  }
}

extension RequestTable.Entry {
  /// Whether only the application can reply to it.
  var isForMedia: Bool {
    switch expectation {
    case .mediaStatus, .wholeMediaStatus, .load, .queueItemIDs, .queueItems, .sessionState: true
    case .receiverStatus, .launch, .stop, .appAvailability, .multizoneStatus, .castingGroups,
      .deviceInformation, .setupInformation:
      false
    }
  }
}
