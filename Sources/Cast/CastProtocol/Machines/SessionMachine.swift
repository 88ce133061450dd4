/// One session with one device, from the first connection to its end, without sockets and clocks.
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
/// Rules for every state: every received message is a sign of life; a status is published before the request it answers completes,
/// so that a caller always sees a state that includes its reply; every request completes exactly once, at the latest when the
/// session ends; `.ended` is the last event, and all timers end with it.
///
/// `RunningSession` is the session between `start` and its end, with the state that outlives a connection. The state of one
/// connection is in its `Link`. A session that was active once and loses its connection is suspended and reconnects, as its policy
/// defines (protocol 14.6).
package struct SessionMachine: Sendable {
  package enum Event: Sendable, Equatable {
    case start(SessionTarget)
    /// The device has a new endpoint: the next attempt uses it.
    case located(DeviceEndpoint)
    /// The transport is established, and the device has proved what it must prove.
    case transportOpened(after: EarlyLaunch.Sent = .nothing)
    case transportClosed(TransportCloseReason)
    case received(CastMessage)
    case request(RequestToken, SenderRequest)
    case cancel(RequestToken)
    case timerFired(TimerID)
    /// Closes the connection until `resume`, for example before the computer sleeps.
    case suspend
    /// Reconnects at once, without waiting for the next attempt of the policy.
    case resume
    /// Continues on another device, whose application session plays the media already (protocol 14.7).
    case transfer(to: DeviceEndpoint, name: String, into: ApplicationSessionID?)
    case end(SessionEndAction)
  }

  package enum Action: Sendable, Equatable {
    /// Opens a connection, after resolving the device's current endpoint if a connection was lost before. While the device proves
    /// its identity, `early` may be sent; nil sends nothing.
    case openTransport(DeviceEndpoint, isRetry: Bool, early: EarlyLaunch?)
    /// Closes the connection, or aborts opening it; its further events are ignored.
    case closeTransport
    case send(CastMessage)
    case startTimer(TimerID, after: Duration)
    case cancelTimer(TimerID)
    case complete(RequestToken, Result<Reply, CastError>)
    case publish(SessionEvent)
    case note(ProtocolNote)
  }

  enum State: Sendable {
    /// Created, not started.
    case idle
    /// Started. Left when the session ends.
    case running(RunningSession, RunningSession.Connection)
    /// Ended; ignores all events.
    case ended(seenUntil: Tick?)
  }

  var state = State.idle

  package init() {}

  /// Whether `.ended` was published.
  package var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Whether an application is joined and requests to it are accepted.
  package var isInApplication: Bool {
    if case .running(_, .online(let link)) = state, case .active(_?) = link.phase { true } else { false }
  }

  /// The latest time at which the device was certainly reachable; also after the end. Nil before the first connection.
  package var seenUntil: Tick? {
    switch state {
    case .idle: nil
    case .running(let session, _): session.seenUntil
    case .ended(let seenUntil): seenUntil
    }
  }

  /// When the device was reachable, for readers who cannot wait for this machine.
  package var presence: DevicePresence {
    if case .running(_, .online(let link)) = state { return DevicePresence(link.heartbeat) }
    return DevicePresence(endedAt: seenUntil)
  }

  /// The number of a caller's request; nil when it was refused at once, or has completed.
  package func requestID(of token: RequestToken) -> RequestID? {
    switch state {
    case .idle, .ended: nil
    case .running(let session, _): session.requests.id(of: token)
    }
  }

  /// The only entry point: takes an event and returns the resulting actions, in order.
  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    // The session is moved out of the state and back, so that a message modifies it in place without copying it.
    var current = State.idle
    swap(&state, &current)
    switch consume current {
    case .idle: return handleIdle(event)
    case .running(var session, let connection):
      let next = session.handle(event, connection, at: now)
      let actions = session.takeActions()
      if let next { state = .running(session, next) } else { state = .ended(seenUntil: session.seenUntil) }
      return actions
    case .ended(let seenUntil):
      state = .ended(seenUntil: seenUntil)
      return handleEnded(event)
    }
  }
}

// MARK: - Before the start and after the end

extension SessionMachine {
  private mutating func handleIdle(_ event: Event) -> [Action] {
    switch event {
    case .start(let target):
      var session = RunningSession(target)
      let connection = session.begin()
      let actions = session.takeActions()
      state = .running(session, connection)
      return actions
    case .request(let token, _): return [.complete(token, .failure(.notStarted))]
    case .end:
      state = .ended(seenUntil: nil)
      return [.publish(.ended(nil))]
    case .cancel, .suspend, .resume, .located: return []
    case .transportOpened, .transportClosed, .received, .timerFired, .transfer:
      return [.noteOutOfPlace(event)]
    }
  }

  private func handleEnded(_ event: Event) -> [Action] {
    switch event {
    case .request(let token, _): [.complete(token, .failure(.sessionOver))]
    case .start: [.noteOutOfPlace(event)]
    // Events that were in flight when the session ended.
    case .transportOpened, .transportClosed, .received, .cancel, .timerFired, .end, .located, .suspend,
      .resume, .transfer:
      []
    }
  }
}

extension SessionMachine.Action {
  /// The note for an event without a meaning in the current state.
  static func noteOutOfPlace(_ event: SessionMachine.Event) -> Self {
    .note(.outOfPlace(String(String(describing: event).prefix { $0 != "(" })))
  }
}
