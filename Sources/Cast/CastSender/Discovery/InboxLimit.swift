import Synchronization

/// Bounds the external inputs of an unbounded inbox: the datagrams of discovery, the events of a session. Internal timers and
/// commands are not counted, so that none of them is lost.
package final class InboxLimit: Sendable {
  private let limit: Int
  private let waiting = Atomic(0)

  package init(limit: Int) { self.limit = limit }

  /// Adds the weight if it fits.
  /// - Returns: false if it does not fit; nothing is added then.
  package func admit(_ weight: Int = 1) -> Bool {
    if waiting.add(weight, ordering: .relaxed).newValue <= limit { return true }
    release(weight)
    return false
  }

  package func release(_ weight: Int = 1) { waiting.subtract(weight, ordering: .relaxed) }
}
