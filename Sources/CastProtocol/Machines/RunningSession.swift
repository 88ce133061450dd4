/// A session that was started and is not over, with what outlives a connection.
///
/// Each step is given the connection it is about and returns where the connection stands afterwards; nil when the session is over.
struct RunningSession: Sendable {
  typealias Event = SessionMachine.Event
  typealias Action = SessionMachine.Action

  var target: SessionTarget
  var requests: RequestTable
  var media = MediaMachine()
  var receiverStatus: ReceiverStatus?
  /// What is needed to take up again what was lost; nil while nothing is.
  var recovery: Recovery?
  /// When it became active last; nil before the first time.
  var activeSince: Tick?
  /// Attempts of the last recovery: one that did not hold is no fresh start.
  var lastAttempts = 0
  var jitter: Jitter
  /// What people, and other senders, do with what is ours.
  var watch = ForeignActionWatch()
  /// Up to when the device was certainly there; nil before it was ever connected.
  private(set) var seenUntil: Tick?
  /// What the event being handled has led to so far.
  var actions: [Action] = []

  enum Connection: Sendable {
    /// The transport is being opened for the first time. Left when it stands or fails.
    case opening
    /// The connection is lost. Left when the next one stands, when we end it, or when patience ends.
    case suspended(Waiting)
    /// The transport stands.
    case online(Link)
  }

  /// What dies with a connection.
  struct Link: Sendable {
    var heartbeat: HeartbeatMachine
    var phase: Phase
    /// Whether the application was stopped to be launched anew.
    var hasRestarted = false
    /// The application that was launched, as it was seen while it started; nil before.
    var starting: ApplicationMetadata?
    /// How often an application has hung up on us and been called again.
    var rejoins = 0
    /// The application our virtual connection leads to; nil when none is open.
    var transport: EndpointID?
  }

  enum Phase: Sendable {
    /// The first status of the device is on its way. Left by any status, or by the end of patience.
    case asking(RequestID)
    /// The application runs and is to be launched anew: STOP was sent. Left when the device no longer shows it.
    case restarting(ApplicationMetadata, RequestID)
    /// The application is starting, launched by us when there is a request. Left when it is ready, refused, or late.
    case awaiting(launch: RequestID?, isRetry: Bool)
    /// The virtual connection to the application was opened; its first media status is on its way.
    case joining(ApplicationMetadata, RequestID)
    /// Requests are welcome. Nil without an application: only the device can be asked.
    case active(ApplicationMetadata?)
    /// The application has hung up; the device is asked what runs now. Left by its answer.
    case parting(ApplicationMetadata, RequestID)
    /// STOP was sent. Left when the device no longer shows the application.
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
    actions += [.publish(.connecting), .openTransport(target.endpoint, isRetry: false)]
    if let limit = target.startTimeout { actions.append(.startTimer(.start, after: limit)) }
    return .opening
  }

  mutating func handle(_ event: Event, _ connection: Connection, at now: Tick) -> Connection? {
    switch connection {
    case .opening: handleOpening(event, at: now)
    case .suspended(let waiting): handleSuspended(event, waiting, at: now)
    case .online(let link): handleOnline(event, link, at: now)
    }
  }

  /// What the event has led to; nothing is left of it.
  mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }
}

// MARK: - The first connection

extension RunningSession {
  private mutating func handleOpening(_ event: Event, at now: Tick) -> Connection? {
    switch event {
    case .transportOpened: return goOnline(at: now)
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

  /// The transport stands: says hello to the platform and asks what runs (protocol 14.1).
  mutating func goOnline(at now: Tick) -> Connection {
    connect(.strong, to: .receiver)
    let request = askReceiver(.getStatus, expecting: .receiverStatus, at: now)
    actions.append(.startTimer(.heartbeat, after: HeartbeatMachine.pingAfter))
    return .online(Link(heartbeat: HeartbeatMachine(at: now), phase: .asking(request)))
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
      return fail(link, because: launchTimeoutError, at: now)
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

  /// One message, by who sends it and under which namespace.
  private mutating func receive(_ message: CastMessage, _ link: Link, at now: Tick) -> Connection? {
    // What an application says under a namespace of its own is none of ours to read.
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

  private static func read(_ payload: CastMessage.Payload) -> Result<JSONValue, JSONError> {
    switch payload {
    case .binary: .failure(JSONError(offset: 0, reason: "binary payload"))
    case .string(let text):
      Result { () throws(JSONError) in try JSONValue(parsing: text) }
    }
  }

  /// Whether the number in a message can be one of ours: many receivers answer to everybody (protocol 3.3), but what is
  /// addressed to another sender is not for us.
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
