import Synchronization

/// What a client has not heard yet: kinds of changes, each once, however often it happened.
final class MPDMailbox: Sendable {
  private let waiting = Mutex<Set<MPDSubsystem>>([])
  /// An element when there is something.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func put(_ subsystems: Set<MPDSubsystem>) {
    waiting.withLock { $0.formUnion(subsystems) }
    signal.yield()
  }

  /// Empties it.
  func collect() -> Set<MPDSubsystem> {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
