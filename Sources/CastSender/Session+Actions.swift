package import CastProtocol
import Logging

// Carrying out what the machine decides: in order, without waiting for anything.

extension Session {
  /// Sends one request and returns its answer.
  package func perform(_ request: SenderRequest) async throws(CastError) -> Reply {
    lastToken += 1
    let token = RequestToken(lastToken)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters[token] = continuation
        handle(.request(token, request))
      }
    } onCancel: {
      // Taken up only after the request above was: the actor is ours until it waits.
      inbox.yield(.cancelled(token))
    }
    return try result.get()
  }

  /// What the machine has to know to begin.
  var target: SessionTarget {
    var target = SessionTarget(
      endpoint: device.endpoint, deviceName: device.friendlyName, purpose: options.purpose,
      senderID: EndpointID("sender-\(Int.random(in: 1...999_999))"),
      firstRequestID: Int.random(in: 1...999_999))
    target.launchTimeout = options.launchTimeout
    target.startTimeout = options.startTimeout
    target.requestTimeout = options.requestTimeout
    target.loadTimeout = options.loadTimeout
    target.language = options.language
    return target
  }

  /// Takes inputs until the session is over, then waits for everything that it has begun.
  func run() async {
    var taken = 0
    for await input in inputs {
      taken += 1
      // A peer that never pauses must not keep callers from the actor.
      if taken.isMultiple(of: 32) { await Task.yield() }
      switch input {
      case .opened(let connection):
        self.connection = connection
        handle(.transportOpened)
      case .transport(.message(let message)):
        logger.trace(
          "received",
          metadata: ["cast.namespace": "\(message.namespace)", "cast.source": "\(message.source)"])
        handle(.received(message))
        connection?.consumed()
      case .transport(.closed(let reason)): handle(.transportClosed(reason))
      case .timersDue: for timer in timers.takeDue() { handle(.timerFired(timer)) }
      case .cancelled(let token): handle(.cancel(token))
      case .startCancelled: if startWaiter != nil { handle(.end(.leave)) }
      }
    }
    let sleeper = timers.end()
    opening?.cancel()
    await opening?.value
    await connection?.close()
    connection = nil
    await sleeper?.value
  }

  /// Hands one event to the machine and does what it says. After the last event the inbox takes nothing more; what is still in
  /// it is handed to the machine, which knows that it is too late for it.
  func handle(_ event: SessionMachine.Event) {
    for action in machine.handle(event, at: time.now()) { carryOut(action) }
    if machine.isEnded { inbox.finish() }
  }

  private func carryOut(_ action: SessionMachine.Action) {
    switch action {
    case .openTransport(let endpoint): call(endpoint)
    // The end of the loop closes the connection and waits for it; until then nothing is sent any more.
    case .closeTransport: opening?.cancel()
    case .send(let message):
      logger.trace(
        "sending",
        metadata: ["cast.namespace": "\(message.namespace)", "cast.destination": "\(message.destination)"])
      connection?.send(message)
    case .startTimer(let timer, let wait): timers.start(timer, after: wait)
    case .cancelTimer(let timer): timers.cancel(timer)
    case .complete(let token, let result): waiters.removeValue(forKey: token)?.resume(returning: result)
    case .publish(let event): publish(event)
    case .note(let note): logger.debug("protocol note", metadata: ["cast.note": "\(note)"])
    }
  }

  private func call(_ endpoint: DeviceEndpoint) {
    let name = device.friendlyName ?? endpoint.description
    opening = Task { [transport, options, inbox] in
      do throws(CastError) {
        let connection = try await transport.open(endpoint, name: name, timeout: options.connectTimeout) {
          inbox.yield(.transport($0))
        }
        // Nobody takes it any more when the session has ended meanwhile.
        if case .terminated = inbox.yield(.opened(connection)) { await connection.close() }
      } catch {
        inbox.yield(.transport(.closed(.failed(error))))
      }
    }
  }

  /// Keeps the session's own picture, then tells the subscribers, then whoever waits for the start.
  private func publish(_ event: SessionEvent) {
    switch event {
    case .receiverStatus(let status):
      receiverStatus = status
      application = application.flatMap { joined in
        status.applications.first { $0.sessionID == joined.sessionID } ?? joined
      }
    case .mediaStatus(let status): mediaStatus = status
    case .active(let joined): application = joined
    case .ended(let error):
      ending = Ending(error: error)
      application = nil
      mediaStatus = nil
      logger.debug("session ended", metadata: ["cast.device": "\(device.endpoint)"])
    case .connecting, .launching, .waitingForConsent, .queueItemIDs, .queueItems, .queueChange,
      .queueItemFailed:
      break
    }
    subscribers.yield(event)
    switch event {
    case .active(let application): resumeStart(.success(application))
    case .ended(let error):
      resumeStart(.failure(error ?? CastError(.cancelled, "the session was ended before it was active")))
    case .connecting, .launching, .waitingForConsent, .receiverStatus, .mediaStatus, .queueItemIDs,
      .queueItems, .queueChange, .queueItemFailed:
      break
    }
  }

  private func resumeStart(_ result: Result<ApplicationMetadata?, CastError>) {
    startWaiter?.resume(returning: result)
    startWaiter = nil
  }
}
