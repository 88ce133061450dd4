/// A session between its start and its end, with the state that outlives a connection.
///
/// Each step receives the connection and returns its next state; nil when the session has ended.
struct RunningSession: Sendable {
  typealias Event = SessionMachine.Event
  typealias Action = SessionMachine.Action

  var target: SessionTarget
  var requests: RequestTable
  var media = MediaMachine()
  var receiverStatus: ReceiverStatus?
  /// The state to restore after a lost connection; nil if no connection was lost.
  var recovery: Recovery?
  /// When it last became active; nil before the first time.
  var activeSince: Tick?
  /// Number of attempts of the last recovery: a recovery that does not last does not reset the policy.
  var lastAttempts = 0
  var jitter: Jitter
  /// Detects actions of people and other senders.
  var watch = ForeignActionWatch()
  /// The latest time at which the device was certainly reachable; nil before the first connection.
  private(set) var seenUntil: Tick?
  /// The actions for the current event.
  var actions: [Action] = []

  enum Connection: Sendable {
    /// The first transport is being opened. Left when it is established or fails.
    case opening
    /// The connection is lost. Left when the next one is established, when the caller ends the session, or at the time limit.
    case suspended(Waiting)
    /// The transport is established.
    case online(Link)
  }

  /// The state that ends with a connection.
  struct Link: Sendable {
    var heartbeat: HeartbeatMachine
    var rate: MessageRate
    var phase: Phase
    /// Whether the application was stopped to be relaunched.
    var hasRestarted = false
    /// The launched application, as seen during its start; nil before.
    var starting: ApplicationMetadata?
    /// Number of reconnections after the application closed the connection.
    var rejoins = 0
    /// The application of the virtual connection; nil when none is open.
    var transport: EndpointID?
  }

  enum Phase: Sendable {
    /// The device's first status was requested. Left by any status, or at the time limit.
    case asking(RequestID)
    /// The application runs and must be relaunched: STOP was sent. Left when the device no longer displays it.
    case restarting(ApplicationMetadata, RequestID)
    /// The application is starting, launched by this session if there is a request. Left when it is ready, refused, or late.
    case awaiting(launch: RequestID?, isRetry: Bool)
    /// The virtual connection to the application is open; its first media status was requested.
    case joining(ApplicationMetadata, RequestID)
    /// Requests are accepted. Nil without an application: only the device accepts requests.
    case active(ApplicationMetadata?)
    /// The application closed the connection; the device's status was requested. Left by its reply.
    case parting(ApplicationMetadata, RequestID)
    /// STOP was sent. Left when the device no longer displays the application.
    case stopping(ApplicationMetadata, RequestID)
  }

  init(_ target: SessionTarget) {
    self.target = target
    requests = RequestTable(first: target.firstRequestID)
    jitter = Jitter(seed: target.jitterSeed)
    recovery = target.resumes.map { Recovery(applicationSessionID: $0) }
  }

  /// Opens the first connection.
  mutating func begin() -> Connection {
    actions += [
      .publish(.connecting), .openTransport(target.endpoint, isRetry: false, early: earlyLaunch),
    ]
    if let limit = target.startTimeout { actions.append(.startTimer(.start, after: limit)) }
    return .opening
  }

  /// Nil where nothing may be launched: to join, to observe, to resume.
  private var earlyLaunch: EarlyLaunch? {
    guard recovery == nil, case .play(let id) = target.purpose else { return nil }
    return EarlyLaunch(target, of: id, first: requests.nextID)
  }

  mutating func handle(_ event: Event, _ connection: Connection, at now: Tick) -> Connection? {
    switch connection {
    case .opening: handleOpening(event, at: now)
    case .suspended(let waiting): handleSuspended(event, waiting, at: now)
    case .online(let link): handleOnline(event, link, at: now)
    }
  }

  /// Returns the actions for the event, and clears them.
  mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }
}

// MARK: - The first connection

extension RunningSession {
  private mutating func handleOpening(_ event: Event, at now: Tick) -> Connection? {
    switch event {
    case .transportOpened(let sent): return goOnline(after: sent, at: now)
    case .transportClosed(let reason): return lose(nil, because: closeError(reason), at: now)
    case .located(let endpoint): target.endpoint = endpoint
    case .timerFired(.start): return finish(nil, because: startTimeoutError, closing: true)
    case .end: return finish(nil, because: nil, closing: true)
    case .request(let token, _): actions.append(.complete(token, .failure(.notConnectedYet)))
    case .cancel, .suspend, .resume: break
    case .start, .received, .transfer, .timerFired(.launch), .timerFired(.heartbeat), .timerFired(.request),
      .timerFired(.reconnect):
      noteOutOfPlace(event)
    }
    return .opening
  }

  /// The transport is established: connects to the platform and requests the status (protocol 14.1).
  /// - Parameter sent: the requests that were sent before the device proved its identity.
  mutating func goOnline(after sent: EarlyLaunch.Sent, at now: Tick) -> Connection {
    let request: RequestID
    switch sent {
    case .nothing:
      connect(.strong, to: .receiver)
      request = askReceiver(.getStatus, expecting: .receiverStatus, at: now)
    case .statusRequest, .launch: request = statusRequested(at: now)
    }
    actions.append(.startTimer(.heartbeat, after: HeartbeatMachine.pingAfter))
    let link = Link(
      heartbeat: HeartbeatMachine(at: now), rate: MessageRate(at: now, answers: requests.closed),
      phase: .asking(request))
    return sent == .launch ? continueLaunch(link, at: now) : .online(link)
  }
}

// MARK: - With a connection

extension RunningSession {
  private mutating func handleOnline(_ event: Event, _ link: Link, at now: Tick) -> Connection? {
    var link = link
    if case .received = event { link.heartbeat.heard(at: now) }
    seenUntil = link.heartbeat.seenUntil(at: now)
    switch event {
    case .received(let message):
      if let limit = target.messageLimit, link.rate.heard(at: now, answers: requests.closed, limit: limit) {
        return finish(link, because: floodError(limit))
      }
      return receive(message, link, at: now)
    case .request(let token, let request):
      issue(request, for: token, link, at: now)
      return .online(link)
    case .cancel(let token):
      if let id = requests.id(of: token) { close(id, with: .failure(.cancelledByCaller)) }
      return .online(link)
    case .timerFired(let timer): return timerFired(timer, link, at: now)
    case .end(let action): return end(action, link, at: now)
    case .transportClosed(let reason): return lose(link, because: closeError(reason), at: now)
    case .suspend:
      guard target.reconnection != nil, link.phase.isActive else { return .online(link) }
      sayGoodbye(link)
      return lose(link, because: .suspendedByCaller, closing: true, isByCaller: true, at: now)
    case .transfer(let endpoint, let name, let session):
      return transfer(to: endpoint, name: name, into: session, link, at: now)
    case .located(let endpoint):
      target.endpoint = endpoint
      return .online(link)
    case .resume: return .online(link)
    case .start, .transportOpened:
      noteOutOfPlace(event)
      return .online(link)
    }
  }

  private mutating func timerFired(_ timer: TimerID, _ link: Link, at now: Tick) -> Connection? {
    switch timer {
    case .heartbeat: return lookAtSilence(link, at: now)
    case .request(let id): return requestTimedOut(id, link, at: now)
    case .launch:
      guard case .awaiting = link.phase else { return .online(link) }
      return fail(link, because: lateLaunchError, at: now)
    case .reconnect: return .online(link)
    case .start:
      guard !link.phase.isActive else { return .online(link) }
      return finish(link, because: startTimeoutError)
    }
  }

  private mutating func lookAtSilence(_ link: Link, at now: Tick) -> Connection? {
    var link = link
    switch link.heartbeat.timerFired(at: now) {
    case .look(let wait): actions.append(.startTimer(.heartbeat, after: wait))
    case .ping(let wait):
      actions += [.send(HeartbeatMachine.ping), .startTimer(.heartbeat, after: wait)]
    case .dead:
      return lose(link, because: silenceError(link.heartbeat.silence(at: now)), closing: true, at: now)
    }
    return .online(link)
  }

  /// Handles one message, by its source and namespace.
  private mutating func receive(_ message: CastMessage, _ link: Link, at now: Tick) -> Connection? {
    // Messages on an application's custom namespace are passed on unread.
    guard message.namespace.isReserved else {
      receiveCustom(message, link)
      return .online(link)
    }
    let json: JSONValue
    switch Self.read(message.payload) {
    case .success(let value): json = value
    case .failure(let error):
      actions.append(.note(.unreadable(message.namespace, error.reason)))
      return .online(link)
    }
    switch message.namespace {
    case .heartbeat:
      if HeartbeatMessage.decode(json) == .ping { actions.append(.send(HeartbeatMachine.pong(to: message))) }
    case .connection: return receiveConnection(json, from: message.source, link, at: now)
    case .receiver where message.source == .receiver:
      return receiveReceiver(json, isOurs: isOurs(message), link, at: now)
    case .media where message.source == link.transport:
      return receiveMedia(json, isOurs: isOurs(message), link, at: now)
    case .multizone where message.source == .receiver, .discovery where message.source == .receiver,
      .setup where message.source == .receiver:
      receivePlatform(json, isOurs: isOurs(message))
    case .receiver, .media, .multizone, .discovery, .setup:
      actions.append(.note(.unexpectedSource(message.source, message.namespace)))
    default: actions.append(.note(.unknownNamespace(message.namespace)))
    }
    return .online(link)
  }

  private mutating func receiveCustom(_ message: CastMessage, _ link: Link) {
    if message.source == link.transport {
      let message = ChannelMessage(namespace: message.namespace, payload: message.payload)
      actions.append(.publish(.channelMessage(message)))
    } else {
      actions.append(.note(.unexpectedSource(message.source, message.namespace)))
    }
  }

  static func read(_ payload: CastMessage.Payload) -> Result<JSONValue, JSONError> {
    switch payload {
    case .binary: .failure(JSONError(offset: 0, reason: "binary payload"))
    case .string(let text):
      Result { () throws(JSONError) in try JSONValue(parsing: text) }
    }
  }

  /// Whether a number in a message may be one of this session: many receivers broadcast replies (protocol 3.3), but messages
  /// addressed to another sender are ignored.
  private func isOurs(_ message: CastMessage) -> Bool {
    message.destination == .broadcast || message.destination == target.senderID
  }

  mutating func noteOutOfPlace(_ event: Event) { actions.append(.noteOutOfPlace(event)) }
}

extension RunningSession.Phase {
  var isActive: Bool {
    if case .active = self { true } else { false }
  }
}
