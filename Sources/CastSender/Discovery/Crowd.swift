import Synchronization

/// Counts what waits in the inbox and was said by others. What is beyond the limit was said too fast to be worth anything; our own
/// timers and the order to stop are never left out for it.
package final class Crowd: Sendable {
  private let limit: Int
  private let waiting = Atomic(0)

  package init(limit: Int) { self.limit = limit }

  /// Whether there is room for one more, which is counted then.
  package func enter() -> Bool {
    if waiting.add(1, ordering: .relaxed).newValue <= limit { return true }
    leave()
    return false
  }

  package func leave() { waiting.subtract(1, ordering: .relaxed) }
}
