import CastProtocol
import CastSender
import Synchronization

/// A session of a runner. Sessions are numbered, so that an event of one that was replaced is not taken for the new one's.
struct FeedSession {
  let number: Int
  let session: Session
  let backlog: EventBacklog
  /// Up to when the device was certainly there, as far as its events were handled; nil before the first one.
  private(set) var seenUntil: Tick?

  init(number: Int, session: Session, backlog: EventBacklog) {
    self.number = number
    self.session = session
    self.backlog = backlog
  }

  /// An event left the backlog.
  mutating func received(_ event: StampedSessionEvent) {
    backlog.leave()
    seenUntil = event.seenUntil
  }
}

/// Counts the events of a session that its runner has not handled yet. The runner's inbox is unbounded, as commands must not be
/// lost; a device that sends faster than the runner handles must not fill the memory through it.
final class EventBacklog: Sendable {
  /// As many as a lossless subscription to a session keeps.
  static let limit = 4096
  private let count = Atomic(0)

  /// One more event; false when there is no room for it.
  func enter() -> Bool { count.wrappingAdd(1, ordering: .relaxed).oldValue < Self.limit }

  /// An event was handled.
  func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}
