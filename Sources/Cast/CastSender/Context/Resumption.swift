import CastProtocol
import Synchronization

/// One attempt to resume the session of an earlier process. All callers wait for the same attempt; when the last one leaves, it is
/// aborted.
final class Resumption: Sendable {
  typealias Outcome = Result<Session?, CastError>

  private enum Stage {
    case running
    case aborted
    case ended(Outcome)
  }

  private struct State {
    var stage = Stage.running
    var work: Task<Void, Never>?
    var lastWaiter = 0
    /// The callers that wait for the outcome; nil for one that does not wait yet, or never will.
    var waiters: [Int: CheckedContinuation<Outcome, Never>?] = [:]

    mutating func addWaiter() -> Int {
      lastWaiter += 1
      waiters.updateValue(nil, forKey: lastWaiter)
      return lastWaiter
    }

    mutating func abort() {
      guard case .running = stage else { return }
      stage = .aborted
      work?.cancel()
    }
  }
  private let state = Mutex(State())

  /// Whether it was aborted, and has not ended yet.
  var isAborted: Bool {
    state.withLock { if case .aborted = $0.stage { true } else { false } }
  }

  /// Starts the work, which must call `finish(_:)`.
  /// - Returns: the number of the first waiter, until `leave(_:)`.
  func begin(_ work: @escaping @Sendable () async -> Void) -> Int {
    state.withLock { state in
      state.work = Task { await work() }
      return state.addWaiter()
    }
  }

  /// Adds a waiter, until `leave(_:)`.
  /// - Returns: its number; nil when the attempt was aborted.
  func join() -> Int? {
    state.withLock { state in
      if case .aborted = state.stage { return nil }
      return state.addWaiter()
    }
  }

  /// The outcome; `cancelled` if the calling task is cancelled first.
  func outcome(for waiter: Int) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if case .ended(let outcome) = state.stage { return outcome }
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

  /// Removes a waiter. The last one aborts the attempt instead, and gets its outcome.
  func leave(_ waiter: Int) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.waiters.keys.contains(waiter) else { return nil }
      guard state.waiters.count > 1 else {
        state.abort()
        return nil
      }
      return state.waiters.removeValue(forKey: waiter) ?? nil
    }
    continuation?.resume(returning: .failure(.cancelledByCaller))
  }

  /// Aborts the attempt for all waiters, and returns when it has ended.
  func abort() async {
    state.withLock { $0.abort() }
    await end()
  }

  /// Returns when the attempt has ended.
  func end() async { await state.withLock(\.work)?.value }

  /// Ends the attempt, and resumes all waiters.
  func finish(_ outcome: Outcome) {
    let waiters = state.withLock { state in
      state.stage = .ended(outcome)
      defer { state.waiters = [:] }
      return state.waiters.values.compactMap { $0 }
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }
}
