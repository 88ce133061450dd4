import Synchronization

/// Sequences that all tell the same, each for a reader of its own.
final class UpdateStreams<Element: Sendable>: Sendable {
  private struct State {
    var next = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    var isFinished = false
  }
  private let state = Mutex(State())
  private let buffering: AsyncStream<Element>.Continuation.BufferingPolicy
  /// Whether a reader has to be told everything or nothing more.
  private let endsWhenFull: Bool

  /// - Parameter limit: what is kept for a slow reader before its sequence ends; nil keeps only the newest for it.
  init(limit: Int?) {
    buffering = limit.map { .bufferingOldest($0) } ?? .bufferingNewest(1)
    endsWhenFull = limit != nil
  }

  /// A sequence of what is told from now on; one that is over already when nothing will be told any more.
  /// - Parameter first: told to this reader alone, before anything else; nil is nothing.
  func add(first: Element? = nil) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
    if let first { continuation.yield(first) }
    let id = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.continuations[state.next] = continuation
      return state.next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
    }
    return stream
  }

  func yield(_ element: Element) {
    for continuation in state.withLock({ Array($0.continuations.values) }) {
      if case .dropped = continuation.yield(element), endsWhenFull { continuation.finish() }
    }
  }

  func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
