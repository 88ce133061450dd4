import Synchronization

/// Weighs what others put into an inbox that has no bound itself: the datagrams of discovery, the events of a session. Our own timers
/// and commands are not weighed, so that none of them is lost.
package final class Crowd: Sendable {
  private let limit: Int
  private let waiting = Atomic(0)

  package init(limit: Int) { self.limit = limit }

  /// Adds the weight if it fits.
  /// - Returns: false when it does not; nothing is added then.
  package func enter(_ weight: Int = 1) -> Bool {
    if waiting.add(weight, ordering: .relaxed).newValue <= limit { return true }
    leave(weight)
    return false
  }

  package func leave(_ weight: Int = 1) { waiting.subtract(weight, ordering: .relaxed) }
}
