import CastProtocol
import CastSender

/// A session of a runner. Sessions are numbered, so that an event of one that was replaced is not taken for the new one's.
struct FeedSession {
  let number: Int
  let session: Session
  /// Its events that the runner has not handled yet. The runner's inbox is unbounded, as commands must not be lost; a device that
  /// sends faster than the runner handles must not fill the memory through it.
  let backlog: Crowd
  /// Up to when the device was certainly there, as far as its events were handled; nil before the first one.
  private(set) var seenUntil: Tick?

  /// As many as a lossless subscription to a session keeps.
  static let backlogLimit = 4096

  init(number: Int, session: Session, backlog: Crowd) {
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
