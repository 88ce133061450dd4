import CastProtocol
import Synchronization

/// How a subscription buffers events when its reader is slower than the session.
public enum EventBuffering: Sendable, Hashable {
  /// Keeps every event, for histories.
  case lossless
  /// Keeps only the newest event, for user interfaces: a hint to read the session's properties again.
  case latest
}

/// The subscriptions of a session. Events only ever enter buffers: a slow reader delays nobody.
final class EventSubscribers: Sendable {
  /// Maximum number of events that a lossless subscription buffers; statuses arrive at most forty times a second (protocol 21.15).
  static let limit = 4096

  /// - Returns: whether it wants the next event, too.
  typealias Receiver = @Sendable (StampedSessionEvent) -> Bool

  private struct State {
    var next = 0
    var receivers: [Int: Receiver] = [:]
    /// The last event, once it has occurred.
    var end: StampedSessionEvent?
  }
  private let state = Mutex(State())

  /// Adds a subscription; after the end it only yields the end. A lossless stream whose buffer is full finishes.
  func add(_ buffering: EventBuffering) -> AsyncStream<SessionEvent> {
    let policy: AsyncStream<SessionEvent>.Continuation.BufferingPolicy =
      switch buffering {
      case .lossless: .bufferingOldest(Self.limit)
      case .latest: .bufferingNewest(1)
      }
    let (stream, continuation) = AsyncStream.makeStream(of: SessionEvent.self, bufferingPolicy: policy)
    let id = add { stamped in
      let isComplete =
        switch continuation.yield(stamped.event) {
        case .dropped: buffering == .latest
        case .terminated: false
        default: true
        }
      if !isComplete || stamped.isLast { continuation.finish() }
      return isComplete
    }
    continuation.onTermination = { [weak self] _ in
      if let id { self?.remove(id) }
    }
    return stream
  }

  /// Calls `receive` with each event from now on; after the end, with the last event only.
  /// - Returns: the number that removes it; nil after the end.
  @discardableResult
  func add(_ receive: @escaping Receiver) -> Int? {
    let (id, end) = state.withLock { state in
      state.next += 1
      if state.end == nil { state.receivers[state.next] = receive }
      return (state.next, state.end)
    }
    guard let end else { return id }
    _ = receive(end)
    return nil
  }

  private func remove(_ id: Int) { state.withLock { _ = $0.receivers.removeValue(forKey: id) } }

  /// Sends an event to all subscriptions.
  func publish(_ event: StampedSessionEvent) {
    let receivers = state.withLock { state in
      if event.isLast { state.end = event }
      return state.receivers
    }
    for (id, receive) in receivers where !receive(event) || event.isLast { remove(id) }
  }
}
