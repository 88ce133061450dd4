import CastProtocol
import Synchronization

/// Objects that follow a session's events. Each is created on first use, and lives as long as the session.
final class SessionCompanions: Sendable {
  private struct State {
    var mediaQueue: MediaQueue?
  }
  private let state = Mutex(State())

  /// Nil if it was never used.
  var knownMediaQueue: MediaQueue? { state.withLock(\.mediaQueue) }

  func mediaQueue(of session: Session) -> MediaQueue {
    let (queue, isNew) = state.withLock { state in
      if let queue = state.mediaQueue { return (queue, false) }
      let queue = MediaQueue(session: session)
      state.mediaQueue = queue
      return (queue, true)
    }
    if isNew { queue.attach(to: session) }
    return queue
  }

  /// Passes an event to them, in the order of the session's events.
  func handle(_ event: SessionEvent) {
    let state = state.withLock { $0 }
    state.mediaQueue?.handle(event)
  }

  /// Returns when all of their tasks have ended.
  func end() async {
    let state = state.withLock { $0 }
    await state.mediaQueue?.end()
  }
}
