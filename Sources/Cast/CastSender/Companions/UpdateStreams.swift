import Synchronization

/// Broadcasts elements to any number of sequences, one per reader.
package final class UpdateStreams<Element: Sendable>: Sendable {
  private struct State {
    var next = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    var isFinished = false
  }
  private let state = Mutex(State())
  private let buffering: AsyncStream<Element>.Continuation.BufferingPolicy
  /// Whether a sequence ends when its buffer is full, instead of dropping elements.
  private let endsWhenFull: Bool

  /// - Parameter newest: how many elements a slow reader gets at most: those that came last.
  init(newest: Int = 1) {
    buffering = .bufferingNewest(newest)
    endsWhenFull = false
  }

  /// - Parameter limit: size of a reader's buffer, after which its sequence ends.
  package init(limit: Int) {
    buffering = .bufferingOldest(limit)
    endsWhenFull = true
  }

  /// A sequence of all elements from now on; an ended one after `finish()`.
  /// - Parameter first: an element for this reader alone, before all others; nil is none.
  package func add(first: Element? = nil) -> AsyncStream<Element> {
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

  package func yield(_ element: Element) {
    for continuation in state.withLock({ Array($0.continuations.values) }) {
      if case .dropped = continuation.yield(element), endsWhenFull { continuation.finish() }
    }
  }

  package func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
