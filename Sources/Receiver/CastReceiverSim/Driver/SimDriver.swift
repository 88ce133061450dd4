import CastProtocol
import NIOCore

/// Runs one receiver model on one event loop, with its sockets, timers and downloads.
///
/// Confined to its event loop.
final class SimDriver {
  /// More connections than this at once are refused.
  private static let connectionLimit = 256

  private let loop: any EventLoop
  private var model: ReceiverModel
  private let configuration: ReceiverConfiguration
  /// Speed of the model's time; 1 is real time.
  private let speed: Double
  private let log: SimLog?
  private let logStart: NIODeadline
  private let started = NIODeadline.now()
  private var connectionCount = 0
  private var channels: [SimConnectionID: any Channel] = [:]
  private var timers: [SimTimerID: Scheduled<Void>] = [:]
  private var fetches: [SimFetchID: MediaFetch] = [:]
  private var isStopped = false
  private var appearance: ReceiverAppearance
  private var onAppearance: (ReceiverAppearance) -> Void = { _ in }
  /// The outermost handler of every connection, TLS handshakes included.
  private var gates: [ObjectIdentifier: SocketGate] = [:]
  private var isFrozen = false
  /// The receiver's port; nil until it first listens.
  var listener: SimListener?
  private var waiting: [Waiting] = []

  /// A caller that waits for a control to complete.
  private struct Waiting {
    let isDone: (ReceiverModel) -> Bool
    let promise: EventLoopPromise<Void>
  }

  init(
    configuration: ReceiverConfiguration, authenticator: SimAuthenticator?, loop: any EventLoop,
    speed: Double,
    log: SimLog?, logStart: NIODeadline
  ) {
    self.configuration = configuration
    self.loop = loop
    self.speed = speed
    self.log = log
    self.logStart = logStart
    model = ReceiverModel(configuration: configuration, authenticator: authenticator)
    appearance = model.appearance
  }

  private var now: Tick {
    let elapsed = Double((NIODeadline.now() - started).nanoseconds) * 1e-9
    return Tick(.bounded(seconds: elapsed * speed))
  }

  /// Registers a connection after its TLS handshake; nil when there are too many.
  func opened(_ channel: any Channel) -> SimConnectionID? {
    guard !isStopped, channels.count < Self.connectionLimit else { return nil }
    connectionCount += 1
    let connection = SimConnectionID(connectionCount)
    channels[connection] = channel
    handle(.connectionOpened(connection))
    return connection
  }

  func closed(_ connection: SimConnectionID) {
    guard channels.removeValue(forKey: connection) != nil else { return }
    handle(.connectionClosed(connection))
  }

  func received(_ message: CastMessage, from connection: SimConnectionID) {
    note(message, isIncoming: true, connection)
    handle(.received(message, from: connection))
  }

  /// Registers a connection before its TLS handshake.
  func arrived(_ gate: SocketGate, on channel: any Channel) {
    // Accepted while the port was being closed.
    guard !isStopped else { return gate.abort() }
    gates[ObjectIdentifier(channel)] = gate
    if isFrozen { gate.setFrozen(true) }
  }

  func left(_ channel: any Channel) { gates[ObjectIdentifier(channel)] = nil }

  /// Applies a control. The future completes when it has taken effect, and fails with `SimControlError`.
  func control(_ control: SimControl) -> EventLoopFuture<Void> {
    handle(.control(control))
    if let refusal = model.refusal { return loop.makeFailedFuture(refusal) }
    guard let listener else { return loop.makeSucceededVoidFuture() }
    let driver = NIOLoopBound(self, eventLoop: loop)
    return listener.work.flatMap {
      control.beginning == nil
        ? driver.value.loop.makeSucceededVoidFuture() : driver.value.wait { !$0.isBusy }
    }.flatMapThrowing { try driver.value.model.checkEffect(of: control) }
  }

  /// Completes when the receiver is on, on the network, and listens.
  func untilUp() -> EventLoopFuture<Void> {
    let driver = NIOLoopBound(self, eventLoop: loop)
    return wait { $0.door == .open }.flatMap {
      driver.value.listener?.work ?? driver.value.loop.makeSucceededVoidFuture()
    }
  }

  var report: JSONValue { model.report(at: now) }

  /// The setup page; nil when the device is unreachable.
  var setupInformation: JSONValue? { model.door == .open ? model.setupInformation(at: now) : nil }

  func storedSession() throws -> StoredSession { try model.storedSession(at: now) }

  private func wait(_ isDone: @escaping (ReceiverModel) -> Bool) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    waiting.append(Waiting(isDone: isDone, promise: promise))
    settle()
    return promise.futureResult
  }

  private func settle() {
    guard !waiting.isEmpty else { return }
    let done = waiting.filter { $0.isDone(model) || isStopped }
    waiting.removeAll { $0.isDone(model) || isStopped }
    for waiting in done { waiting.promise.succeed() }
  }

  /// Closes all connections; the future completes when the port is free.
  func stop() -> EventLoopFuture<Void> {
    isStopped = true
    settle()
    listener?.close()
    for timer in timers.values { timer.cancel() }
    for fetch in fetches.values { fetch.cancel() }
    let known = Set(channels.values.map { ObjectIdentifier($0) })
    for channel in channels.values { channel.close(promise: nil) }
    // Connections before the end of their handshake are closed, too.
    for (channel, gate) in gates where !known.contains(channel) { gate.abort() }
    timers = [:]
    fetches = [:]
    channels = [:]
    gates = [:]
    // The listener and the driver retain each other.
    defer { listener = nil }
    return listener?.work ?? loop.makeSucceededVoidFuture()
  }

  private func note(_ message: CastMessage, isIncoming: Bool, _ connection: SimConnectionID) {
    guard let log else { return }
    let seconds = Double((NIODeadline.now() - logStart).nanoseconds) * 1e-9
    log.note(
      message, isIncoming: isIncoming, receiver: appearance.friendlyName, connection: connection,
      at: seconds)
  }

  private func handle(_ event: ReceiverModel.Event) {
    guard !isStopped else { return }
    for action in model.handle(event, at: now) { perform(action) }
    settle()
    let current = model.appearance
    guard current != appearance else { return }
    appearance = current
    onAppearance(current)
  }

  /// Reports the appearance of the receiver now, and each change.
  func watch(_ onChange: @escaping (ReceiverAppearance) -> Void) {
    onAppearance = onChange
    onChange(appearance)
  }

  private func perform(_ action: ReceiverModel.Action) {
    switch action {
    case .send(let message, let connection): send(message, to: connection)
    case .unheard(let message): note(message, isIncoming: false, SimConnectionID(0))
    case .close(let connection):
      channels.removeValue(forKey: connection)?.close(promise: nil)
    case .reset(let connection):
      if let channel = channels.removeValue(forKey: connection) { gates[ObjectIdentifier(channel)]?.abort() }
    case .door(let door):
      listener?.change(to: door)
      // Connections in their handshake are lost with the others.
      if door == .closed, !isFrozen { for gate in gates.values { gate.abort() } }
    case .freeze(let isFrozen):
      self.isFrozen = isFrozen
      for gate in gates.values { gate.setFrozen(isFrozen) }
    case .relocate(let port): listener?.move(to: port)
    case .fetch(let fetch, let url, let contentType):
      start(fetch, url: url, wantsDocument: contentType == MediaFacts.documentType)
    case .cancelFetch(let fetch): fetches.removeValue(forKey: fetch)?.cancel()
    case .startTimer(let timer, let delay): start(timer, after: delay)
    case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    }
  }

  private func send(_ message: CastMessage, to connection: SimConnectionID) {
    guard let channel = channels[connection] else { return }
    note(message, isIncoming: false, connection)
    // Output for a peer that does not read must not accumulate.
    guard channel.isWritable else { return channel.close(promise: nil) }
    channel.writeAndFlush(message, promise: nil)
  }

  private func start(_ timer: SimTimerID, after delay: Duration) {
    timers[timer]?.cancel()
    let seconds = min(delay.seconds / (timer.runsInRealTime ? 1 : speed), 1_000_000)
    let driver = NIOLoopBound(self, eventLoop: loop)
    timers[timer] = loop.scheduleTask(in: .nanoseconds(Int64(bounded: seconds * 1e9))) {
      driver.value.timers[timer] = nil
      driver.value.handle(.timerFired(timer))
    }
  }

  private func start(_ fetch: SimFetchID, url: String, wantsDocument: Bool) {
    let driver = NIOLoopBound(self, eventLoop: loop)
    let patience = configuration.media.fetchPatience.map { time in
      TimeAmount.nanoseconds(Int64(bounded: min(time.seconds / speed, 1_000_000) * 1e9))
    }
    let download = MediaFetch(
      loop: loop, audioOnly: configuration.isAudioOnly, patience: patience, wantsDocument: wantsDocument,
      refusesJunk: configuration.media.refusesJunk
    ) { result in
      guard driver.value.fetches.removeValue(forKey: fetch) != nil else { return }
      driver.value.handle(.fetched(fetch, result))
    }
    fetches[fetch] = download
    download.start(url: url)
  }
}
