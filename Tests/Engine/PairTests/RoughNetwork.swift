import CastProtocol
import CastReceiverSim

/// One session and a device behind a network that fails, in virtual time. The device has an address of its own, reboots, moves and
/// falls silent; messages take a few milliseconds, connections fifty.
struct RoughNetwork {
  /// What is on its way to the session, or comes to pass.
  private enum Arrival {
    case session(SessionMachine.Event, connection: Int?)
    case receiver(CastMessage, connection: Int)
  }

  private(set) var machine = SessionMachine()
  /// Everything that was told, and when.
  private(set) var events: [(at: Tick, event: SessionEvent)] = []
  /// How often each request was completed, and how the last time.
  private(set) var completions: [RequestToken: [Result<Reply, CastError>]] = [:]
  private(set) var now = Tick.zero
  private(set) var timers: [TimerID: Tick] = [:]
  /// The newest attempt to connect; nil when none is open or being opened.
  private(set) var connection: Int?
  private(set) var attempts = 0

  private var configuration: ReceiverConfiguration
  private var receiver: VirtualReceiver
  private var address = 1
  private var arrivals: [(at: Tick, order: Int, what: Arrival)] = []
  private var order = 0
  private var tokens = 0
  /// Until then nothing goes through, in either direction.
  private var silentUntil = Tick.zero
  /// Until then nobody answers a call.
  private(set) var downUntil = Tick.zero
  /// Until then calls fail in the TLS handshake.
  private var brokenUntil = Tick.zero

  private static let latency = Duration.milliseconds(5)

  init(_ purpose: SessionPurpose = .play(applicationID: "CC1AD845"), seed: UInt64 = 1) {
    configuration = ReceiverConfiguration()
    configuration.seed = seed
    // An application that nobody gives anything to do closes by itself, which is another story.
    configuration.idleTimeout = .seconds(86_400)
    configuration.applications = [
      .init(appID: "233637DE", displayName: "Another", namespaces: ["urn:x-cast:another"])
    ]
    receiver = VirtualReceiver(configuration: configuration, fetching: FeedFixture.fetching)
    var target = SessionTarget(endpoint: Self.endpoint(1), purpose: purpose)
    target.reconnection = ReconnectPolicy()
    target.jitterSeed = seed
    tell(.start(target))
  }

  static func endpoint(_ address: Int) -> DeviceEndpoint { DeviceEndpoint(host: "192.0.2.\(address)") }

  // MARK: - What tests do

  /// Asks for something and returns its token.
  @discardableResult
  mutating func request(_ request: SenderRequest) -> RequestToken {
    tokens += 1
    let token = RequestToken(tokens)
    tell(.request(token, request))
    return token
  }

  mutating func tell(_ event: SessionMachine.Event) {
    for action in machine.handle(event, at: now) { carryOut(action) }
  }

  /// The connection breaks, and the device stays.
  mutating func reset() { closeConnection(.failed(CastError(.networkError, "reset"))) }

  /// Nothing goes through for a time; nobody is told.
  mutating func silence(for duration: Duration) { silentUntil = max(silentUntil, now + duration) }

  /// The device starts anew and has forgotten everything.
  mutating func reboot(for duration: Duration) {
    reset()
    downUntil = max(downUntil, now + duration)
    configuration.seed &+= 1
    receiver = VirtualReceiver(configuration: configuration, fetching: FeedFixture.fetching)
    receiver.advance(to: now)
  }

  /// The device gets another address.
  mutating func move() {
    address += 1
    reset()
  }

  /// The device is called in vain for a time: its TLS fails.
  mutating func breakHandshakes(for duration: Duration) {
    brokenUntil = max(brokenUntil, now + duration)
    reset()
  }

  /// The device ends the platform connection in good order.
  mutating func hangUp() {
    let close = CastMessage(
      source: .receiver, destination: "sender-1", namespace: .connection, json: ["type": "CLOSE"])
    if let connection { later(Self.latency, .session(.received(close), connection: connection)) }
  }

  mutating func control(_ control: SimControl) {
    receiver.handle(.control(control))
    collect()
  }

  /// Somebody else does something over a connection of his own.
  mutating func stranger(_ body: JSONValue, _ namespace: Namespace = .receiver) {
    let own = SimConnectionID(1_000_000 + order)
    receiver.handle(.connectionOpened(own))
    let transport = receiver.model.applicationTransport
    let destination = namespace == .receiver ? EndpointID.receiver : transport ?? .receiver
    for connected in Set([EndpointID.receiver, destination]) {
      receiver.send(["type": "CONNECT"], .connection, from: "stranger", to: connected, over: own)
    }
    receiver.send(body, namespace, from: "stranger", to: destination, over: own)
    collect()
  }

  /// Lets time pass, with everything that happens on the way.
  mutating func run(for duration: Duration) { run(until: now + duration) { _ in false } }

  /// Lets time pass until something is the case, or the time has come.
  /// - Returns: whether it is the case.
  @discardableResult
  mutating func run(until end: Tick, or isDone: (RoughNetwork) -> Bool) -> Bool {
    while !isDone(self) {
      let next = ([receiver.nextTick] + arrivals.map(\.at) + timers.values.map { $0 }).compactMap { $0 }.min()
      guard let next, next <= end else { break }
      now = max(now, next)
      receiver.advance(to: now)
      collect()
      deliver()
      for (timer, _) in timers.filter({ $0.value <= now }).sorted(by: { $0.value < $1.value }) {
        guard timers.removeValue(forKey: timer) != nil else { continue }
        tell(.timerFired(timer))
      }
    }
    if isDone(self) { return true }
    now = end
    receiver.advance(to: now)
    collect()
    return isDone(self)
  }

  /// Where the session stands by what it has told.
  var isActive: Bool {
    for (_, event) in events.reversed() {
      switch event {
      case .active, .resumed: return true
      case .ended, .suspended, .connecting: return false
      case .launching, .waitingForConsent, .retrying, .resuming, .foreignAction, .receiverStatus,
        .mediaStatus,
        .queueItemIDs, .queueItems, .queueChange, .queueItemError, .queueItemFailed, .channelMessage,
        .multizone, .credentialsWanted:
        continue
      }
    }
    return false
  }

  var end: CastError?? {
    if case .ended(let error)? = events.last?.event { .some(error) } else { nil }
  }

  /// What became of the session, in few words.
  var story: String {
    events.map { at, event in
      let name = "\(event)".prefix { $0 != "(" }
      let error: CastError? =
        switch event {
        case .ended(let error): error
        case .suspended(.connectionLost(let error)), .retrying(let error, _): error
        case .connecting, .launching, .waitingForConsent, .active, .resuming, .resumed, .foreignAction,
          .receiverStatus, .mediaStatus, .queueItemIDs, .queueItems, .queueChange, .queueItemError,
          .queueItemFailed, .channelMessage, .multizone, .credentialsWanted, .suspended(.byCaller),
          .suspended(.transfer):
          nil
        }
      return "\(Int(at.sinceStart.seconds)) \(name) \(error?.message.prefix(80) ?? "")"
    }.suffix(14).joined(separator: "; ")
  }

  /// Everything that is left when a session is over.
  var leftovers: String {
    "\(timers.keys.map(\.description).sorted()) \(connection.map { "connection \($0)" } ?? "")"
  }

  // MARK: - What the network does

  private mutating func carryOut(_ action: SessionMachine.Action) {
    switch action {
    case .openTransport(let endpoint, let isRetry, _): call(endpoint, isRetry: isRetry)
    case .closeTransport:
      if let connection { receiver.handle(.connectionClosed(SimConnectionID(connection))) }
      connection = nil
    case .send(let message):
      if let connection { later(Self.latency, .receiver(message, connection: connection)) }
    case .startTimer(let timer, let delay): timers[timer] = now + delay
    case .cancelTimer(let timer): timers[timer] = nil
    case .complete(let token, let result): completions[token, default: []].append(result)
    case .publish(let event):
      events.append((now, event))
      if case .ended = event { timers = [:] }
    case .note: break
    }
  }

  private mutating func call(_ endpoint: DeviceEndpoint, isRetry: Bool) {
    attempts += 1
    connection = attempts
    var endpoint = endpoint
    if isRetry, endpoint != Self.endpoint(address), now >= silentUntil {
      endpoint = Self.endpoint(address)
      tell(.located(endpoint))
    }
    let refused = CastError(.connectionRefused, "refused")
    let timedOut = CastError(.timeout, "no answer")
    let outcome: (Duration, SessionMachine.Event) =
      if now < silentUntil {
        (.seconds(10), .transportClosed(.failed(timedOut)))
      } else if now < downUntil || endpoint != Self.endpoint(address) {
        (.milliseconds(50), .transportClosed(.failed(refused)))
      } else if now < brokenUntil {
        (.milliseconds(50), .transportClosed(.failed(CastError(.secureTransportError, "broken"))))
      } else {
        (.milliseconds(50), .transportOpened())
      }
    later(outcome.0, .session(outcome.1, connection: attempts))
  }

  private mutating func closeConnection(_ reason: TransportCloseReason) {
    guard let connection else { return }
    receiver.handle(.connectionClosed(SimConnectionID(connection)))
    collect()
    self.connection = nil
    tell(.transportClosed(reason))
  }

  private mutating func later(_ delay: Duration, _ what: Arrival) {
    order += 1
    arrivals.append((now + delay, order, what))
  }

  private mutating func deliver() {
    while let next = arrivals.filter({ $0.at <= now }).min(by: { ($0.at, $0.order) < ($1.at, $1.order) }) {
      arrivals.removeAll { $0.order == next.order }
      switch next.what {
      case .session(let event, let number):
        guard number == connection else { continue }
        switch event {
        case .transportOpened: receiver.handle(.connectionOpened(SimConnectionID(attempts)))
        case .transportClosed: connection = nil
        case .received where now < silentUntil: continue
        case .received, .start, .located, .request, .cancel, .timerFired, .suspend, .resume, .transfer, .end:
          break
        }
        tell(event)
      case .receiver(let message, let number):
        guard number == connection, now >= silentUntil else { continue }
        receiver.handle(.received(message, from: SimConnectionID(number)))
      }
      collect()
    }
  }

  private mutating func collect() {
    for output in receiver.takeOutputs() {
      guard let connection, output.connection == SimConnectionID(connection) else { continue }
      if let message = output.message {
        later(Self.latency, .session(.received(message), connection: connection))
      } else if now >= silentUntil {
        later(Self.latency, .session(.transportClosed(.closedByPeer), connection: connection))
      }
    }
  }
}
