import Synchronization

/// Who listens. Listeners are held weakly, each for as long as its owner keeps it; they may come and go while others are told.
final class ListenerSet<Listener: Sendable>: Sendable {
  private struct Entry {
    let identity: ObjectIdentifier
    let listener: @Sendable () -> Listener?
  }
  private let entries = Mutex<[Entry]>([])

  /// Adds a listener; one that is there already is not added again.
  /// - Parameter listener: returns the listener while it lives; must hold it weakly.
  func add(_ identity: ObjectIdentifier, _ listener: @escaping @Sendable () -> Listener?) {
    entries.withLock { entries in
      entries.removeAll { $0.listener() == nil }
      guard !entries.contains(where: { $0.identity == identity }) else { return }
      entries.append(Entry(identity: identity, listener: listener))
    }
  }

  func remove(_ identity: ObjectIdentifier) {
    entries.withLock { $0.removeAll { $0.identity == identity } }
  }

  /// Tells those who listen now, in the order in which they came. Who is removed meanwhile is told no more.
  func tell(_ body: (Listener) -> Void) {
    let present = entries.withLock { $0 }
    for entry in present {
      guard entries.withLock({ $0.contains { $0.identity == entry.identity } }) else { continue }
      if let listener = entry.listener() { body(listener) }
    }
  }
}
