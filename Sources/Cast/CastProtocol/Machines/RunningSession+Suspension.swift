// Lost connections, and the session until the next connection (protocol 14.6).

extension RunningSession {
  /// The state to restore after a lost connection. Kept until the session is active again.
  struct Recovery: Sendable {
    /// The joined application; nil when there was none, or when it is known to have stopped.
    var applicationSessionID: ApplicationSessionID?
    /// When the connection was lost; nil while the session of an earlier process is resumed, because no connection was lost in this
    /// one.
    var since: Tick?
    /// Number of failed attempts to reconnect.
    var attempts = 0
    /// The phase as published to subscribers.
    var told = Told.nothing

    enum Told: Sendable {
      case nothing
      /// There is no connection.
      case suspended
      /// The device is reachable again.
      case resuming
    }

    /// The event to publish on success.
    func outcome(_ application: ApplicationMetadata?) -> SessionEvent {
      .resumed(
        application,
        isSameApplicationSession: applicationSessionID == application?.sessionID)
    }
  }

  /// The time without a connection.
  struct Waiting: Sendable {
    /// Whether an attempt is running; otherwise a timer runs, or the session waits for `resume`.
    var isOpening = false
    /// Whether attempts wait for the caller's `resume`.
    var isByCaller = false
  }

  /// A session that lasts this long resets the policy: the next loss is followed by an attempt at once.
  static let stableAfter = Duration.seconds(30)

  /// The connection is lost or unusable. A session that was active, or is to be resumed, reconnects; others end.
  mutating func lose(
    _ link: Link?, because error: CastError, closing: Bool = false, isByCaller: Bool = false, at now: Tick
  ) -> Connection? {
    guard let policy = target.reconnection, isWorthCalling(link) else {
      return finish(nil, because: error, closing: closing)
    }
    if closing { actions.append(.closeTransport) }
    if link != nil { actions += [.cancelTimer(.heartbeat), .cancelTimer(.launch)] }
    var recovery = recovery ?? freshRecovery(link, at: now)
    let since = recovery.since ?? now
    recovery.since = since
    let wait = policy.wait(
      beforeAttempt: recovery.attempts, random: jitter.next(), elapsed: now - since)
    if recovery.told != .suspended {
      recovery.told = .suspended
      actions.append(.publish(.suspended(isByCaller ? .byCaller : .connectionLost(error))))
    } else if let wait {
      actions.append(.publish(.retrying(error, after: wait)))
    }
    failAll(error) { $0.repeatable == nil }
    recovery.attempts += 1
    self.recovery = recovery
    if isByCaller { return .suspended(Waiting(isByCaller: true)) }
    guard let wait else { return finish(nil, because: givenUpError(error, after: now - since)) }
    actions.append(.startTimer(.reconnect, after: wait))
    return .suspended(Waiting())
  }

  /// An error over an intact connection. The first start fails with it; a recovery retries, because a device may report errors
  /// while it starts, unless a person has refused.
  mutating func fail(_ link: Link, because error: CastError, at now: Tick) -> Connection? {
    guard recovery != nil, error.code != .notAllowed else { return finish(link, because: error) }
    sayGoodbye(link)
    return lose(link, because: error, closing: true, at: now)
  }

  private func isWorthCalling(_ link: Link?) -> Bool {
    if case .stopping? = link?.phase { return false }
    return activeSince != nil || recovery != nil
  }

  private func freshRecovery(_ link: Link?, at now: Tick) -> Recovery {
    var recovery = Recovery(applicationSessionID: link?.phase.application?.sessionID, since: now)
    // A session that was lost again at once continues with the waits of the last recovery.
    if let since = activeSince, now - since < Self.stableAfter {
      recovery.attempts = lastAttempts
    }
    return recovery
  }

  mutating func handleSuspended(_ event: Event, _ waiting: Waiting, at now: Tick) -> Connection? {
    var waiting = waiting
    switch event {
    case .timerFired(.reconnect) where !waiting.isOpening && !waiting.isByCaller: return call(waiting)
    case .resume:
      guard !waiting.isOpening else { break }
      actions.append(.cancelTimer(.reconnect))
      return call(waiting)
    case .located(let endpoint): target.endpoint = endpoint
    case .transportOpened(let sent) where waiting.isOpening: return goOnline(after: sent, at: now)
    case .transportClosed(let reason) where waiting.isOpening:
      return lose(nil, because: closeError(reason), at: now)
    case .suspend:
      if waiting.isOpening { actions.append(.closeTransport) }
      actions.append(.cancelTimer(.reconnect))
      waiting.isOpening = false
      waiting.isByCaller = true
    case .timerFired(.request(let id)):
      guard let entry = requests.close(id), let token = entry.token else { break }
      actions.append(.complete(token, .failure(timeoutError(entry).during(entry.name))))
    case .request(let token, _): actions.append(.complete(token, .failure(.awayNow)))
    case .cancel(let token):
      if let id = requests.id(of: token) { close(id, with: .failure(.cancelledByCaller)) }
    case .end(let action):
      let error = action == .stopApplication ? notStoppedError() : nil
      return finish(nil, because: error, closing: waiting.isOpening)
    case .timerFired(.start):
      return finish(nil, because: startTimeoutError, closing: waiting.isOpening)
    // Events that were in flight when the connection was lost.
    case .transportOpened, .transportClosed, .received, .timerFired: break
    case .start, .transfer: noteOutOfPlace(event)
    }
    return .suspended(waiting)
  }

  private mutating func call(_ waiting: Waiting) -> Connection {
    var waiting = waiting
    waiting.isOpening = true
    waiting.isByCaller = false
    actions.append(.openTransport(target.endpoint, isRetry: true, early: nil))
    return .suspended(waiting)
  }

  /// Handles the device's first status after a reconnection: the known application runs, was relaunched, does not run, or was
  /// replaced.
  mutating func decide(
    _ status: ReceiverStatus, _ recovery: Recovery, _ link: Link, at now: Tick
  ) -> Connection? {
    if recovery.told != .resuming {
      var resuming = recovery
      resuming.told = .resuming
      self.recovery = resuming
      actions.append(.publish(.resuming))
    }
    let same = status.applications.first { $0.sessionID == recovery.applicationSessionID }
    if let same, isReady(same) { return join(same, link, at: now) }
    if let application = status.applications.first(where: isReady) { return join(application, link, at: now) }
    if status.applications.contains(where: isWanted) { return wait(link) }
    switch (target.purpose, target.recovery) {
    case (.device, _), (.observe, _): return activate(nil, link, at: now)
    case (.play(let id), .relaunch) where status.application == nil:
      return startLaunch(of: id, link, at: now)
    case (.play, _), (.join, _), (.joinSession, _): return finish(link, because: notRunningAnyMore(status))
    }
  }

  /// Repeats queries that were not answered before the connection was lost, each once.
  mutating func repeatRequests(_ link: Link, at now: Tick) {
    for entry in requests.closeAll(where: { $0.repeatable != nil }) {
      actions.append(.cancelTimer(.request(entry.id)))
      guard let token = entry.token, let request = entry.repeatable else { continue }
      issue(request, for: token, link, isRepeat: true, at: now)
    }
  }

  /// Leaves this device for another one, whose application session plays the media already (protocol 14.7).
  mutating func transfer(
    to endpoint: DeviceEndpoint, name: String, into session: ApplicationSessionID?, _ link: Link, at now: Tick
  ) -> Connection? {
    guard case .active(let application?) = link.phase else {
      noteOutOfPlace(.transfer(to: endpoint, name: name, into: session))
      return .online(link)
    }
    actions.append(.publish(.suspended(.transfer)))
    // The old device need not confirm the stop any more.
    _ = askReceiver(.stop(application.sessionID), expecting: .stop, at: now)
    sayGoodbye(link)
    actions += [.closeTransport, .cancelTimer(.heartbeat)]
    failAll(.suspendedByCaller) { $0.repeatable == nil }
    target.endpoint = endpoint
    target.deviceName = name
    // The other device has an application session of its own.
    if case .joinSession(let id, _) = target.purpose {
      target.purpose =
        session.map { SessionPurpose.joinSession(applicationID: id, sessionID: $0.rawValue) }
        ?? .join(applicationID: id)
    }
    var recovery = Recovery(applicationSessionID: session, since: now)
    recovery.told = .suspended
    self.recovery = recovery
    return call(Waiting())
  }
}

extension RunningSession.Phase {
  /// The application that is joined, or being joined; nil for none.
  var application: ApplicationMetadata? {
    switch self {
    case .joining(let application, _), .parting(let application, _), .stopping(let application, _),
      .restarting(let application, _):
      application
    case .active(let application): application
    case .asking, .awaiting: nil
    }
  }
}

extension SenderRequest {
  /// The request itself if repeating it has no further effect; nil otherwise.
  var ifRepeatable: SenderRequest? {
    switch self {
    case .receiver(.getStatus), .receiver(.getAppAvailability), .receiver(.setVolume), .platform,
      .media(.getStatus, _), .media(.queueGetItemIDs, _), .media(.queueGetItems, _),
      .media(.queueGetItemRange, _), .media(.setVolume, _), .media(.editTracksInfo, _), .media(.pause, _):
      self
    case .receiver, .media, .message: nil
    }
  }
}
