import Synchronization

/// The listeners of an object. Each is held weakly; they may be added and removed during a notification.
final class ListenerSet<Listener: Sendable>: Sendable {
  private struct Entry {
    let identity: ObjectIdentifier
    let listener: @Sendable () -> Listener?
  }
  private let entries = Mutex<[Entry]>([])

  /// Adds a listener, unless it was added already.
  /// - Parameter listener: returns the listener while it lives; must hold it weakly.
  func add(_ identity: ObjectIdentifier, _ listener: @escaping @Sendable () -> Listener?) {
    let living = entries.withLock { entries in
      let found = entries.map { (entry: $0, listener: $0.listener()) }
      entries = found.compactMap { $0.listener == nil ? nil : $0.entry }
      if !entries.contains(where: { $0.identity == identity }) {
        entries.append(Entry(identity: identity, listener: listener))
      }
      return found.compactMap(\.listener)
    }
    // Released without the lock: they may be the last references, and a listener may remove itself at its
    // end.
    withExtendedLifetime(living) {}
  }

  func remove(_ identity: ObjectIdentifier) {
    entries.withLock { $0.removeAll { $0.identity == identity } }
  }

  /// Notifies the current listeners, in the order in which they were added. A listener that is removed meanwhile is not notified.
  func notify(_ body: (Listener) -> Void) {
    let present = entries.withLock { $0 }
    for entry in present {
      guard entries.withLock({ $0.contains { $0.identity == entry.identity } }) else { continue }
      if let listener = entry.listener() { body(listener) }
    }
  }
}
