import Synchronization

/// Weighs what waits in the inbox and was said by others. What is beyond the limit was said too fast to be worth anything; our own
/// timers and the order to stop are never left out for it.
package final class Crowd: Sendable {
  private let limit: Int
  private let waiting = Atomic(0)

  package init(limit: Int) { self.limit = limit }

  /// Whether there is room for something of this weight, which is counted then.
  package func enter(_ weight: Int = 1) -> Bool {
    if waiting.add(weight, ordering: .relaxed).newValue <= limit { return true }
    leave(weight)
    return false
  }

  package func leave(_ weight: Int = 1) { waiting.subtract(weight, ordering: .relaxed) }
}
