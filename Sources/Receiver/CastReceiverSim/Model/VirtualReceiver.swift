package import CastProtocol

/// A receiver in memory on virtual time: it keeps the model's timers and answers its downloads, without any
/// waiting.
package struct VirtualReceiver: Sendable {
  /// Something the receiver sent or closed.
  package struct Output: Sendable, Equatable {
    package var tick: Tick
    package var connection: SimConnectionID
    /// Nil: the receiver closed the connection.
    package var message: CastMessage?
    /// Whether the connection was reset instead of closed.
    package var isReset = false
  }

  /// How a download ends, and how long it takes.
  package typealias Fetching = @Sendable (_ url: String, _ contentType: String?) -> (FetchResult, Duration)

  private struct Pending: Sendable {
    var tick: Tick
    var order: Int
  }

  /// The same for media that are not always there.
  package typealias TimedFetching =
    @Sendable (_ url: String, _ contentType: String?, _ now: Tick) -> (FetchResult, Duration)

  package private(set) var model: ReceiverModel
  package private(set) var now = Tick.zero
  /// How often the device has moved: an address from before a move reaches nothing.
  package private(set) var place = 0
  private let fetching: TimedFetching
  private var timers: [SimTimerID: Pending] = [:]
  private var fetches: [SimFetchID: (at: Pending, result: FetchResult)] = [:]
  private var order = 0
  private var outputs: [Output] = []

  package init(configuration: ReceiverConfiguration, fetching: @escaping Fetching) {
    model = ReceiverModel(configuration: configuration)
    self.fetching = { url, contentType, _ in fetching(url, contentType) }
  }

  package init(configuration: ReceiverConfiguration, timedFetching: @escaping TimedFetching) {
    model = ReceiverModel(configuration: configuration)
    fetching = timedFetching
  }

  /// When the next timer or download is due; nil when there is none.
  package var nextTick: Tick? {
    var earliest: Tick?
    for timer in timers.values { earliest = min(earliest ?? timer.tick, timer.tick) }
    for fetch in fetches.values { earliest = min(earliest ?? fetch.at.tick, fetch.at.tick) }
    return earliest
  }

  /// Everything sent since the last call.
  package mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  /// Handles an event now.
  package mutating func handle(_ event: ReceiverModel.Event) {
    for action in model.handle(event, at: now) {
      switch action {
      case .send(let message, let connection):
        outputs.append(Output(tick: now, connection: connection, message: message))
      case .close(let connection): outputs.append(Output(tick: now, connection: connection, message: nil))
      case .reset(let connection):
        outputs.append(Output(tick: now, connection: connection, message: nil, isReset: true))
      case .relocate: place += 1
      case .door, .freeze, .unheard: break
      case .fetch(let fetch, let url, let contentType):
        let (result, delay) = fetching(url, contentType, now)
        fetches[fetch] = (pending(after: delay), result)
      case .cancelFetch(let fetch): fetches[fetch] = nil
      case .startTimer(let timer, let delay): timers[timer] = pending(after: delay)
      case .cancelTimer(let timer): timers[timer] = nil
      }
    }
  }

  /// Does what a person, the network or another sender would do to the device, now.
  package mutating func control(_ control: SimControl) throws(SimControlError) {
    handle(.control(control))
    if let refusal = model.refusal { throw refusal }
  }

  /// Transfers the session to another receiver, as the cloud does, and ends it here (protocol 14.7). Both must be at the same time.
  package mutating func transfer(to other: inout VirtualReceiver) throws(SimControlError) {
    try other.control(.resume(model.storedSession(at: now)))
    try control(.exit)
  }

  /// Sends a JSON message to the receiver now.
  package mutating func send(
    _ body: JSONValue, _ namespace: Namespace, from source: EndpointID, to destination: EndpointID,
    over connection: SimConnectionID
  ) {
    let message = CastMessage(source: source, destination: destination, namespace: namespace, json: body)
    handle(.received(message, from: connection))
  }

  /// Advances the time; timers and downloads complete in order.
  package mutating func advance(to tick: Tick) {
    while let (at, event) = next(), at <= tick {
      now = max(now, at)
      switch event {
      case .timerFired(let timer): timers[timer] = nil
      case .fetched(let fetch, _): fetches[fetch] = nil
      case .connectionOpened, .connectionClosed, .received, .control: break
      }
      handle(event)
    }
    now = max(now, tick)
  }

  /// Advances the time.
  package mutating func advance(by duration: Duration) { advance(to: now + duration) }

  private mutating func pending(after delay: Duration) -> Pending {
    order += 1
    return Pending(tick: now + delay, order: order)
  }

  private func next() -> (Tick, ReceiverModel.Event)? {
    let due =
      timers.map { ($0.value, ReceiverModel.Event.timerFired($0.key)) }
      + fetches.map { ($0.value.at, .fetched($0.key, $0.value.result)) }
    return due.min { ($0.0.tick, $0.0.order) < ($1.0.tick, $1.0.order) }.map { ($0.0.tick, $0.1) }
  }
}
