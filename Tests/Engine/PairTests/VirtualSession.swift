import CastProtocol
import CastReceiverSim

/// One session and one simulated receiver in memory, on virtual time, with everything that the session sent.
struct VirtualSession {
  private(set) var machine = SessionMachine()
  private(set) var sent: [CastMessage] = []
  private(set) var outcomes: [RequestToken: Result<Reply, CastError>] = [:]
  private(set) var events: [SessionEvent] = []
  private var receiver: VirtualReceiver
  private var timers: [TimerID: Tick] = [:]
  private var isConnected = false
  private let connection = SimConnectionID(1)

  init(_ configuration: ReceiverConfiguration = ReceiverConfiguration()) {
    receiver = VirtualReceiver(configuration: configuration, fetching: FeedFixture.fetching)
  }

  var now: Tick { receiver.now }

  /// Something happens to the session, and whatever follows from it without time passing.
  mutating func tell(_ event: SessionMachine.Event) {
    for action in machine.handle(event, at: now) { carryOut(action) }
    deliver()
  }

  /// Lets time pass.
  mutating func run(for duration: Duration) {
    let end = now + duration
    while let next = ([receiver.nextTick].compactMap { $0 } + timers.values).min(), next <= end {
      receiver.advance(to: max(next, now))
      deliver()
      for (timer, at) in timers.sorted(by: { $0.value < $1.value }) where at <= now {
        timers[timer] = nil
        tell(.timerFired(timer))
      }
    }
    receiver.advance(to: end)
    deliver()
  }

  private mutating func deliver() {
    for output in receiver.takeOutputs() where isConnected {
      if let message = output.message {
        tell(.received(message))
      } else {
        isConnected = false
        tell(.transportClosed(.closedByPeer))
      }
    }
  }

  private mutating func carryOut(_ action: SessionMachine.Action) {
    switch action {
    case .openTransport:
      isConnected = true
      receiver.handle(.connectionOpened(connection))
      tell(.transportOpened())
    case .closeTransport:
      isConnected = false
      receiver.handle(.connectionClosed(connection))
    case .send(let message):
      sent.append(message)
      if isConnected { receiver.handle(.received(message, from: connection)) }
    case .startTimer(let timer, let delay): timers[timer] = now + delay
    case .cancelTimer(let timer): timers[timer] = nil
    case .complete(let token, let result): outcomes[token] = result
    case .publish(let event): events.append(event)
    case .note: break
    }
  }
}
