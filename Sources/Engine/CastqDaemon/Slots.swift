import Synchronization

/// How many may work at a time; others wait for their turn, in the order in which they came.
package final class Slots: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>
  private struct State {
    var free: Int
    var waiting: [Waiter] = []
  }
  private let state: Mutex<State>

  package init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Whether one more would not wait.
  var hasFree: Bool { state.withLock { $0.free > 0 } }

  /// Waits for a slot, also when the task is cancelled. Each call is followed by one of `leave`.
  package func enter(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { (continuation: Waiter) in
      let isFree = state.withLock { state -> Bool in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  package func leave() {
    let next = state.withLock { state -> Waiter? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
