import CastProtocol
import Synchronization

/// What keeps in step with a session beside its own picture. Each is made when it is used first, and lives as long as the session.
final class SessionCompanions: Sendable {
  private struct State {
    var mediaQueue: MediaQueue?
  }
  private let state = Mutex(State())

  /// Nil when nobody has used it.
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

  /// Tells them what happened, in the order of the session's events.
  func take(_ event: SessionEvent) {
    let state = state.withLock { $0 }
    state.mediaQueue?.take(event)
  }

  /// Returns when nothing of them is running any more.
  func end() async {
    let state = state.withLock { $0 }
    await state.mediaQueue?.end()
  }
}
