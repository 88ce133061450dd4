import CastProtocol
import Synchronization

/// Between a connection and its session, until it is known who the device is: keeps what arrives, and lets it through in order
/// once the session speaks.
final class AuthenticationGate: Sendable {
  /// What ends the wait for an answer.
  enum Outcome: Sendable {
    case answer(CastMessage.Payload)
    /// Something else came first (protocol 2.1).
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
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  private let state = Mutex(State())
  private let keepsOthers: Bool
  private let deliver: @Sendable (TransportEvent) -> Void

  /// - Parameter keepsOthers: whether messages that come before the answer are kept; otherwise they end the wait.
  init(keepsOthers: Bool, deliver: @escaping @Sendable (TransportEvent) -> Void) {
    self.keepsOthers = keepsOthers
    self.deliver = deliver
  }

  /// Takes what the connection delivers.
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
    if passes { return deliver(event) }
    // Nobody will speak over a connection that has ended: what is held would never come.
    if case .closed = event { release() }
  }

  private typealias Wake = @Sendable () -> Void

  private func hold(_ event: TransportEvent, _ state: inout State) -> Wake? {
    switch event {
    case .message(let message) where message.namespace == .deviceAuth:
      state.swallowed += 1
      return settle(.answer(message.payload), &state)
    case .message(let message):
      state.held.append(event)
      return keepsOthers ? nil : settle(.otherNamespace(message.namespace), &state)
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

  /// Ends the wait, if it has not ended.
  func end(_ outcome: Outcome) {
    let wake = state.withLock { settle(outcome, &$0) }
    wake?()
  }

  /// Waits for the answer, or for what comes in its place.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// The session may have the connection. What is held comes when it first speaks: before, it would come to a session that
  /// does not know its connection yet.
  /// - Returns: how many messages were kept from the session for good.
  func makeReady() -> Int {
    let (swallowed, hasEnded) = state.withLock { state in
      state.phase = .ready
      let hasEnded = state.held.contains { if case .closed = $0 { true } else { false } }
      return (state.swallowed, hasEnded)
    }
    if hasEnded { release() }
    return swallowed
  }

  /// Nothing comes through any more.
  func shut() {
    state.withLock { state in
      state.phase = .shut
      state.held = []
    }
  }

  /// Lets everything through, what is held first. Calling it again does nothing.
  func release() {
    let begins = state.withLock { state in
      guard state.phase == .ready else { return false }
      state.phase = .draining
      return true
    }
    guard begins else { return }
    // Without the lock: whoever takes an event may send something, and so come back here.
    while let batch = takeBatch() {
      for event in batch { deliver(event) }
    }
  }

  /// Nil when nothing is left; from then on events pass by themselves.
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
