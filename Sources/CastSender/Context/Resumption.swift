import CastProtocol
import Synchronization

/// One attempt to take up the session that an earlier process left. Everybody who asks for it waits for the same attempt; when the
/// last one leaves, it is given up.
final class Resumption: Sendable {
  typealias Outcome = Result<Session?, CastError>

  private enum Stage {
    case running
    case givenUp
    case over(Outcome)
  }

  private struct State {
    var stage = Stage.running
    var work: Task<Void, Never>?
    var lastWaiter = 0
    /// Who waits; nil for those who have not said yet how to be told, or never will.
    var waiters: [Int: CheckedContinuation<Outcome, Never>?] = [:]

    mutating func giveUp() {
      guard case .running = stage else { return }
      stage = .givenUp
      work?.cancel()
    }
  }
  private let state = Mutex(State())

  /// Whether it was given up, and is coming to its end.
  var isGivenUp: Bool {
    state.withLock { if case .givenUp = $0.stage { true } else { false } }
  }

  /// Begins; `finish(_:)` has to be called in the end.
  func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.work = Task { await work() } }
  }

  /// Takes part in it until `leave(_:)`.
  /// - Returns: the number of who waits; nil when the attempt was given up.
  func join() -> Int? {
    state.withLock { state in
      if case .givenUp = state.stage { return nil }
      state.lastWaiter += 1
      state.waiters.updateValue(nil, forKey: state.lastWaiter)
      return state.lastWaiter
    }
  }

  /// What comes of it; `cancelled` when the task that asks is cancelled before.
  func outcome(for waiter: Int) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if case .over(let outcome) = state.stage { return outcome }
          guard state.waiters.keys.contains(waiter) else { return .failure(.cancelledByCaller) }
          state.waiters.updateValue(continuation, forKey: waiter)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      leave(waiter)
    }
  }

  /// Waits no longer. The last one gives the attempt up, and is told when nothing is left of it.
  func leave(_ waiter: Int) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.waiters.keys.contains(waiter) else { return nil }
      guard state.waiters.count > 1 else {
        state.giveUp()
        return nil
      }
      return state.waiters.removeValue(forKey: waiter) ?? nil
    }
    continuation?.resume(returning: .failure(.cancelledByCaller))
  }

  /// Gives it up whoever waits, and returns when nothing is left of it.
  func giveUp() async {
    state.withLock { $0.giveUp() }
    await end()
  }

  /// Returns when it is over.
  func end() async { await state.withLock(\.work)?.value }

  /// It is over: tells everybody who waits.
  func finish(_ outcome: Outcome) {
    let waiters = state.withLock { state in
      state.stage = .over(outcome)
      defer { state.waiters = [:] }
      return state.waiters.values.compactMap { $0 }
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }
}
