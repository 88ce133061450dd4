/// One session with one device, from the first call to the last farewell, without a socket and without a clock.
///
///     idle --start--> opening --opened--> online ----over, or ended by us--------------> ended
///                        '---- refused, no answer, ended ---------------------------------^
///                     online, once active --connection lost--> suspended --opened--> online, recovering --> active again
///                                                                 '---- ended by us, or patience at its end ----> ended
///
///     online:  asking --no application wanted, or none runs and we only observe--> active
///                |--it runs, and is to be launched anew--> restarting --it is gone--> awaiting
///                |--it runs--> joining --first media status, or it plays no media--> active
///                '--it does not--> awaiting --it is up--> joining
///              active --the application says CLOSE--> parting --it still runs--> joining
///              active --stop asked--> stopping
///
/// Rules that hold in every state: everything that arrives is a sign of life; a status is published before the request it answers
/// is completed, so that a caller always sees a world that contains its answer; every request is completed exactly once, at
/// the latest when the session ends; `.ended` is the last event, and all timers die with it.
///
/// What survives a lost connection is kept in `Record`, what dies with it in `Link`. A session that was active once and loses its
/// connection is suspended and calls again, as its policy says (protocol 14.6).
package struct SessionMachine: Sendable {
  package enum Event: Sendable, Equatable {
    case start(SessionTarget)
    /// The device listens elsewhere now: the next attempt goes there.
    case located(DeviceEndpoint)
    case transportOpened
    case transportClosed(TransportCloseReason)
    case received(CastMessage)
    case request(RequestToken, SenderRequest)
    case cancel(RequestToken)
    case timerFired(TimerID)
    /// Gives the connection up until `resume`, such as before the computer sleeps.
    case suspend
    /// Calls a device that is away at once, whatever the policy would wait for.
    case resume
    /// Continues on another device, whose application session plays the media already (protocol 14.7).
    case transfer(to: DeviceEndpoint, name: String, into: ApplicationSessionID?)
    case end(SessionEndAction)
  }

  package enum Action: Sendable, Equatable {
    /// Opens a connection; with a search for the device's present place before it when it was lost before.
    case openTransport(DeviceEndpoint, isRetry: Bool)
    /// Closes the connection, or gives up opening it; nothing more is heard of it.
    case closeTransport
    case send(CastMessage)
    case startTimer(TimerID, after: Duration)
    case cancelTimer(TimerID)
    case complete(RequestToken, Result<Reply, CastError>)
    case publish(SessionEvent)
    case note(ProtocolNote)
  }

  /// What outlives a connection.
  struct Record: Sendable {
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

  enum State: Sendable {
    /// Made, and nothing else.
    case idle
    /// The transport is being opened for the first time. Left when it stands or fails.
    case opening
    /// The connection is lost. Left when the next one stands, when we end it, or when patience ends.
    case suspended(Waiting)
    /// The transport stands.
    case online(Link)
    /// Nothing happens any more.
    case ended
  }

  var state = State.idle
  var record: Record?
  /// Up to when the device was certainly there; also of a session that is over. Nil before it was ever connected.
  package private(set) var seenUntil: Tick?
  /// What the event being handled has led to so far.
  var actions: [Action] = []

  package init() {}

  /// Whether `.ended` was published.
  package var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Whether an application is joined and requests to it are accepted.
  package var isInApplication: Bool {
    if case .online(let link) = state, case .active(_?) = link.phase { true } else { false }
  }

  /// The number a caller's request went out under; nil when it was refused at once, or is over.
  package func requestID(of token: RequestToken) -> RequestID? { record?.requests.id(of: token) }

  /// The machine's one door: takes what happened and returns what to do about it, in order.
  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    defer { actions = [] }
    switch state {
    case .idle: handleIdle(event)
    case .opening: handleOpening(event, at: now)
    case .suspended(let waiting): state = handleSuspended(event, waiting, at: now)
    case .online(let link):
      // The state gives up its copy, so that the link is changed in place and not copied with every message.
      state = .opening
      state = handleOnline(event, link, at: now)
    case .ended: handleEnded(event)
    }
    return actions
  }
}

// MARK: - States without a connection

extension SessionMachine {
  private mutating func handleIdle(_ event: Event) {
    switch event {
    case .start(let target):
      begin(target)
    case .request(let token, _): actions.append(.complete(token, .failure(.notStarted)))
    case .end:
      actions.append(.publish(.ended(nil)))
      state = .ended
    case .cancel, .suspend, .resume, .located: break
    case .transportOpened, .transportClosed, .received, .timerFired, .transfer: noteOutOfPlace(event)
    }
  }

  private mutating func begin(_ target: SessionTarget) {
    var record = Record(
      target: target, requests: RequestTable(first: target.firstRequestID),
      jitter: Jitter(seed: target.jitterSeed))
    if let previous = target.resumes {
      record.recovery = Recovery(applicationSessionID: previous)
    }
    self.record = record
    actions += [.publish(.connecting), .openTransport(target.endpoint, isRetry: false)]
    if let limit = target.startTimeout { actions.append(.startTimer(.start, after: limit)) }
    state = .opening
  }

  private mutating func handleOpening(_ event: Event, at now: Tick) {
    switch event {
    case .transportOpened: state = goOnline(at: now)
    case .transportClosed(let reason): state = lose(nil, because: closeError(reason), at: now)
    case .located(let endpoint): record?.target.endpoint = endpoint
    case .timerFired(.start): state = finish(nil, because: startTimeoutError, closing: true)
    case .end: state = finish(nil, because: nil, closing: true)
    case .request(let token, _): actions.append(.complete(token, .failure(.notConnectedYet)))
    case .cancel, .suspend, .resume: break
    case .start, .received, .transfer, .timerFired(.launch), .timerFired(.heartbeat), .timerFired(.request),
      .timerFired(.reconnect):
      noteOutOfPlace(event)
    }
  }

  private mutating func handleEnded(_ event: Event) {
    switch event {
    case .request(let token, _): actions.append(.complete(token, .failure(.sessionOver)))
    case .start: noteOutOfPlace(event)
    // Stragglers: what was on its way when the session ended.
    case .transportOpened, .transportClosed, .received, .cancel, .timerFired, .end, .located, .suspend,
      .resume,
      .transfer:
      break
    }
  }

  /// The transport stands: says hello to the platform and asks what runs (protocol 14.1).
  mutating func goOnline(at now: Tick) -> State {
    var link = Link(heartbeat: HeartbeatMachine(at: now), phase: .asking(RequestID(0)))
    connect(.strong, to: .receiver)
    link.phase = .asking(askReceiver(.getStatus, expecting: .receiverStatus, at: now))
    actions.append(.startTimer(.heartbeat, after: HeartbeatMachine.pingAfter))
    return .online(link)
  }
}

// MARK: - With a connection

extension SessionMachine {
  private mutating func handleOnline(_ event: Event, _ link: Link, at now: Tick) -> State {
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
      if let id = record?.requests.id(of: token) { close(id, with: .failure(.cancelledByCaller)) }
      return .online(link)
    case .timerFired(let timer): return timerFired(timer, link, at: now)
    case .end(let action): return end(action, link, at: now)
    case .transportClosed(let reason): return lose(link, because: closeError(reason), at: now)
    case .suspend:
      guard record?.target.reconnection != nil, link.phase.isActive else { return .online(link) }
      sayGoodbye(link)
      return lose(link, because: .suspendedByCaller, closing: true, isByCaller: true, at: now)
    case .transfer(let endpoint, let name, let session):
      return transfer(to: endpoint, name: name, into: session, link, at: now)
    case .located(let endpoint):
      record?.target.endpoint = endpoint
      return .online(link)
    case .resume: return .online(link)
    case .start, .transportOpened:
      noteOutOfPlace(event)
      return .online(link)
    }
  }

  private mutating func timerFired(_ timer: TimerID, _ link: Link, at now: Tick) -> State {
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

  private mutating func lookAtSilence(_ link: Link, at now: Tick) -> State {
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
  private mutating func receive(_ message: CastMessage, _ link: Link, at now: Tick) -> State {
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
    message.destination == .broadcast || message.destination == record?.target.senderID
  }

  mutating func noteOutOfPlace(_ event: Event) {
    let name = String(String(describing: event).prefix { $0 != "(" })
    actions.append(.note(.outOfPlace(name)))
  }
}

extension SessionMachine.Phase {
  var isActive: Bool {
    if case .active = self { true } else { false }
  }
}
