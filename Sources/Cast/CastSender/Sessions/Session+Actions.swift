package import CastProtocol
import Logging
import Synchronization

// Carries out the machine's actions in order, without waiting.

extension Session {
  /// Submits a request after all earlier ones, and returns a handle to its outcome.
  package nonisolated func submit(_ request: SenderRequest) -> Request<Reply> { submit(request) { $0 } }

  /// - Parameter read: extracts the value from the reply.
  nonisolated func submit<Value>(
    _ request: SenderRequest, read: @escaping @Sendable (Reply) -> Value?
  ) -> Request<Value> {
    submit(request) { token in
      Request(name: request.name, read: read) { [inbox] in inbox.yield(.cancelled(token)) }
    }
  }

  /// Submits a request whose outcome is reported in the order of the session's events, before any later event.
  nonisolated func submit(
    _ request: SenderRequest, whenDone: @escaping @Sendable (Result<Reply, CastError>) -> Void
  ) {
    submit(request) { _ in RequestHook(whenDone) }
  }

  @discardableResult
  private nonisolated func submit<Pending: PendingRequest>(
    _ request: SenderRequest, pending makePending: (RequestToken) -> Pending
  ) -> Pending {
    let (token, isStarted) = front.withLock { front in
      front.lastToken += 1
      return (RequestToken(front.lastToken), front.isStarted)
    }
    let pending = makePending(token)
    if !isStarted {
      pending.end(.failure(.notStarted))
    } else if case .terminated = inbox.yield(.request(token, request, pending)) {
      pending.end(.failure(.sessionOver))
    }
    return pending
  }

  /// Sends one request and returns its reply.
  package nonisolated func perform(_ request: SenderRequest) async throws(CastError) -> Reply {
    try await submit(request).value
  }

  /// The machine's input for the start.
  var target: SessionTarget {
    var target = SessionTarget(
      endpoint: device.endpoint, deviceName: device.friendlyName, purpose: options.purpose,
      senderID: EndpointID("sender-\(Int.random(in: 1...999_999))"),
      firstRequestID: Int.random(in: 1...999_999))
    target.launchTimeout = options.launchTimeout
    target.startTimeout = options.startTimeout
    target.requestTimeout = options.requestTimeout
    target.loadTimeout = options.loadTimeout
    target.launch = options.launch
    target.requiredNamespaces = options.requiredNamespaces
    target.messageLimit = options.messageLimit.map { max($0, 1) }
    target.reconnection = options.reconnection
    target.recovery = options.recovery
    target.resumes = previous
    target.jitterSeed = .random(in: 0...(.max))
    return target
  }

  /// Processes inputs until the session has ended, then waits for all work that it started.
  func run() async {
    var taken = 0
    for await input in inputs {
      taken += 1
      // A peer that never pauses must not keep callers from the actor.
      if taken.isMultiple(of: 32) { await Task.yield() }
      receive(input)
    }
    let sleeper = timers.end()
    opening?.cancel()
    await opening?.value
    await connection?.close()
    connection = nil
    await farewell?.value
    await sleeper?.value
    await companions.end()
  }

  /// Handles one input. Not inlined: what it needs on its way would be part of the task's frame for the life of the session.
  @inline(never)
  private func receive(_ input: Input) {
    switch input {
    case .request(let token, let request, let pending): accept(request, token, pending)
    case .located(let device): adopt(device)
    case .opened(attempt, let connection):
      self.connection = connection
      // Its task has nothing left to do, and keeps what it needed for as long as it is kept.
      opening = nil
      if let host = connection.peerHost {
        front.withLock { $0.picture.connection = SessionConnection(host: host, number: attempt) }
      }
      handle(.transportOpened(after: connection.sentEarly))
      connection.deliverHeld()
    case .opened(_, let connection): close(connection)
    case .transport(attempt, .message(let message), let arrival):
      logger.traceFrame("received", message)
      handle(.received(message), at: arrival)
      connection?.consumed()
    case .transport(attempt, .closed(let reason), let arrival):
      if let connection { close(connection) }
      connection = nil
      handle(.transportClosed(reason), at: arrival)
    case .transport: break
    case .command(let event): handle(event)
    case .timersDue: for timer in timers.takeDue() { handle(.timerFired(timer)) }
    case .cancelled(let token): handle(.cancel(token))
    case .startCancelled: if startWaiter != nil { handle(.end(.leave)) }
    }
  }

  /// Passes one event to the machine and carries out its actions. After the last event the inbox accepts no more; the machine
  /// refuses inputs that are still queued.
  /// - Parameter arrival: when the event occurred; nil is now. Time never goes back for the machine.
  func handle(_ event: SessionMachine.Event, at arrival: Tick? = nil) {
    moment = max(moment, arrival ?? time.now())
    let actions = machine.handle(event, at: moment)
    let presence = machine.presence
    front.withLock { $0.presence = presence }
    for action in actions { carryOut(action) }
    if machine.isEnded { inbox.finish() }
  }

  /// Requests reach the machine in the order of the calls.
  private func accept(_ request: SenderRequest, _ token: RequestToken, _ pending: any PendingRequest) {
    // Messages have no reply, so nothing else bounds their number.
    if case .message(let message) = request, connection?.isWritable == false {
      pending.end(.failure(.channelIsFull(message.namespace)))
      return
    }
    self.pending[token] = pending
    handle(.request(token, request))
    if let id = machine.requestID(of: token) { pending.wasSent(id) }
  }

  /// Listeners learn of the end before it is complete.
  func setEnding() {
    guard state == .starting || state == .active || state == .suspended else { return }
    change { $0.state = .ending }
  }

  private func carryOut(_ action: SessionMachine.Action) {
    switch action {
    case .openTransport(let endpoint, let isRetry, let early): call(endpoint, isRetry: isRetry, early)
    case .closeTransport: hangUp()
    case .send(let message):
      logger.traceFrame("sending", message)
      connection?.send(message)
    case .startTimer(let timer, let wait): timers.start(timer, after: wait, since: moment)
    case .cancelTimer(let timer): timers.cancel(timer)
    case .complete(let token, let result): pending.removeValue(forKey: token)?.end(result)
    case .publish(let event): publish(event)
    case .note(let note): logger.debug("protocol note", metadata: ["cast.note": "\(note)"])
    }
  }

  /// Updates the session's snapshot, then notifies channels, listeners and subscribers, then resumes the caller of `start()`.
  func publish(_ event: SessionEvent) {
    log.logEvent(event, at: moment)
    let old = picture
    let new = front.withLock { front in
      front.picture.apply(event, at: moment)
      return front.picture
    }
    notifyChannels(event, new)
    // Before the listeners, which may read the companions.
    companions.handle(event)
    mediaListeners.notify { $0.dispatchEvent(event, previous: old.mediaStatus, from: remoteMediaClient) }
    listeners.notify { $0.dispatchEvent(event, from: old, to: new, of: self) }
    subscribers.publish(StampedSessionEvent(event, heardAt: moment, seenUntil: machine.seenUntil))
    switch event {
    case .active(let application), .resumed(let application, _): resumeStart(.success(application))
    case .ended(let error):
      resumeStart(.failure(error ?? CastError(.cancelled, "the session was ended before it became active")))
    case .connecting, .launching, .waitingForConsent, .suspended, .retrying, .resuming, .foreignAction,
      .receiverStatus,
      .mediaStatus, .queueItemIDs, .queueItems, .queueChange, .queueItemError, .queueItemFailed,
      .channelMessage, .multizone, .credentialsWanted:
      break
    }
  }

  /// Applies a change of the snapshot that has no event.
  private func change(_ body: (inout SessionPicture) -> Void) {
    let old = picture
    let new = front.withLock { front in
      body(&front.picture)
      return front.picture
    }
    if new.state != old.state { listeners.notify { $0.session(self, didChange: new.state) } }
  }

  private func notifyChannels(_ event: SessionEvent, _ new: SessionPicture) {
    switch event {
    case .active, .resumed, .receiverStatus:
      channels.applicationChanged(to: new.state == .active ? new.application : nil, because: nil)
    case .suspended(.connectionLost(let error)): channels.applicationChanged(to: nil, because: error)
    case .suspended(.byCaller), .suspended(.transfer): channels.applicationChanged(to: nil, because: nil)
    case .ended(let error): channels.applicationChanged(to: nil, because: error)
    case .channelMessage(let message):
      if !channels.deliver(message) {
        logger.speaking(for: .castChannel).debug(
          "message without a channel", metadata: ["cast.namespace": "\(message.namespace)"])
      }
    case .connecting, .launching, .waitingForConsent, .retrying, .resuming, .foreignAction, .mediaStatus,
      .queueItemIDs,
      .queueItems, .queueChange, .queueItemError, .queueItemFailed, .multizone, .credentialsWanted:
      break
    }
  }

  private func resumeStart(_ result: Result<ApplicationMetadata?, CastError>) {
    startWaiter?.resume(returning: result)
    startWaiter = nil
  }
}

extension CastError {
  fileprivate static func channelIsFull(_ namespace: String) -> CastError {
    CastError(
      .sendBufferFull,
      "nothing was sent over \(namespace): the device has not read earlier messages; wait, and send less"
    )
  }
}
