import CastProtocol
import Synchronization

/// What a subscription does when its reader is slower than the session.
public enum EventBuffering: Sendable, Hashable {
  /// Keeps every event, for histories.
  case lossless
  /// Keeps only the newest event, for screens: a hint to read the session's properties again.
  case latest
}

/// Who listens to a session. Listeners only ever get into buffers: a slow one delays nobody.
final class EventSubscribers: Sendable {
  /// Events that a lossless subscription keeps at most; statuses come forty a second at worst (protocol 21.15).
  static let limit = 4096

  private struct Subscription {
    var continuation: AsyncStream<SessionEvent>.Continuation
    var buffering: EventBuffering
  }

  private struct State {
    var next = 0
    var subscriptions: [Int: Subscription] = [:]
    /// The last event, once it has happened.
    var end: SessionEvent?
  }
  private let state = Mutex(State())

  /// A new subscription; after the end it only tells the end.
  func add(_ buffering: EventBuffering) -> AsyncStream<SessionEvent> {
    let policy: AsyncStream<SessionEvent>.Continuation.BufferingPolicy =
      switch buffering {
      case .lossless: .bufferingOldest(Self.limit)
      case .latest: .bufferingNewest(1)
      }
    let (stream, continuation) = AsyncStream.makeStream(of: SessionEvent.self, bufferingPolicy: policy)
    let (id, end) = state.withLock { state in
      state.next += 1
      if state.end == nil {
        state.subscriptions[state.next] = Subscription(continuation: continuation, buffering: buffering)
      }
      return (state.next, state.end)
    }
    if let end {
      continuation.yield(end)
      continuation.finish()
    } else {
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.subscriptions.removeValue(forKey: id) }
      }
    }
    return stream
  }

  /// Tells everybody. Who has no room for an event that must not be lost is told no more: a gap must not go unnoticed.
  func yield(_ event: SessionEvent) {
    let isEnd = if case .ended = event { true } else { false }
    let subscriptions = state.withLock { state in
      if isEnd { state.end = event }
      return state.subscriptions
    }
    for subscription in subscriptions.values {
      let result = subscription.continuation.yield(event)
      if case .dropped = result, subscription.buffering == .lossless { subscription.continuation.finish() }
      if isEnd { subscription.continuation.finish() }
    }
  }
}
