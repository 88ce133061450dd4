import CastProtocol
import Synchronization

/// Holds the events of a connection until the device is authenticated and the session knows the connection, and releases them in
/// order. While it waits it carries out an `EarlyLaunch`.
final class AuthenticationGate: Sendable {
  /// The result of waiting for an answer.
  enum Outcome: Sendable {
    case answer(CastMessage.Payload)
    /// Another message came first (protocol 2.1).
    case otherNamespace(Namespace)
    case closed(TransportCloseReason)
    case silence
    case cancelled
  }

  private enum Phase { case waiting, ready, draining, open, shut }

  private struct State {
    var phase = Phase.waiting
    var held: [TransportEvent] = []
    /// Messages that the session never sees, and so never acknowledges.
    var swallowed = 0
    var early: EarlyLaunch?
    /// Sends over the connection, whose events arrive here: it must not stay.
    var send: (@Sendable (CastMessage) -> Void)?
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  private let state = Mutex(State())
  private let keepsOthers: Bool
  private let deliver: @Sendable (TransportEvent) -> Void

  /// - Parameter keepsOthers: whether messages before the answer are held; otherwise they end the wait.
  init(keepsOthers: Bool, deliver: @escaping @Sendable (TransportEvent) -> Void) {
    self.keepsOthers = keepsOthers
    self.deliver = deliver
  }

  /// Receives the events of the connection.
  func take(_ event: TransportEvent) {
    let (passes, waiter) = state.withLock { state in
      switch state.phase {
      case .open: return (true, nil as Wake?)
      case .shut: return (false, nil)
      case .waiting: return (false, hold(event, &state))
      case .ready, .draining:
        state.held.append(event)
        return (false, nil)
      }
    }
    waiter?()
    if passes { deliver(event) }
  }

  private typealias Wake = @Sendable () -> Void

  private func hold(_ event: TransportEvent, _ state: inout State) -> Wake? {
    switch event {
    case .message(let message) where message.namespace == .deviceAuth:
      state.swallowed += 1
      return settle(.answer(message.payload), &state)
    case .message(let message):
      state.held.append(event)
      guard keepsOthers else { return settle(.otherNamespace(message.namespace), &state) }
      guard let send = state.send, let launch = state.early?.handle(message) else { return nil }
      return { send(launch) }
    case .closed(let reason):
      state.held.append(event)
      return settle(.closed(reason), &state)
    }
  }

  /// The first outcome counts.
  private func settle(_ outcome: Outcome, _ state: inout State) -> Wake? {
    guard state.outcome == nil else { return nil }
    state.outcome = outcome
    guard let waiter = state.waiter else { return nil }
    state.waiter = nil
    return { waiter.resume(returning: outcome) }
  }

  /// Sends the beginning of it, and its LAUNCH once it is time.
  func begin(_ early: EarlyLaunch, send: @escaping @Sendable (CastMessage) -> Void) {
    var early = early
    for message in early.begin() { send(message) }
    let launch = state.withLock { state in
      // The first status may be there already.
      let launches = state.held.compactMap { event in
        if case .message(let message) = event { early.handle(message) } else { nil }
      }
      (state.early, state.send) = (early, send)
      return launches.first
    }
    if let launch { send(launch) }
  }

  /// Ends the wait, if it has not ended.
  func end(_ outcome: Outcome) {
    let wake = state.withLock { settle(outcome, &$0) }
    wake?()
  }

  /// Waits for the answer or another outcome.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Makes the connection available to the session, and sends nothing more by itself.
  /// - Returns: the number of messages that the session never sees, and what was sent early.
  func makeReady() -> (swallowed: Int, sent: EarlyLaunch.Sent) {
    state.withLock { state in
      state.phase = .ready
      state.send = nil
      return (state.swallowed, state.early?.sent ?? .nothing)
    }
  }

  /// Drops all further events.
  func shut() {
    state.withLock { state in
      state.phase = .shut
      state.held = []
      state.send = nil
    }
  }

  /// Releases all events, held ones first. Calling it again does nothing.
  func release() {
    let begins = state.withLock { state in
      guard state.phase == .ready else { return false }
      state.phase = .draining
      return true
    }
    guard begins else { return }
    // Without the lock: a receiver of an event may send, and so call back.
    while let batch = takeBatch() {
      for event in batch { deliver(event) }
    }
  }

  /// Nil when nothing is left; events are then delivered directly.
  private func takeBatch() -> [TransportEvent]? {
    state.withLock { state in
      guard state.phase == .draining, !state.held.isEmpty else {
        if state.phase == .draining { state.phase = .open }
        return nil
      }
      defer { state.held = [] }
      return state.held
    }
  }
}
