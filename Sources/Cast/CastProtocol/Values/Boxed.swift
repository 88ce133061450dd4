/// A large value behind one reference, for a value that is copied far more often than it is changed.
///
/// A status, an event and a queue entry contain `MediaInformation`, which has 520 bytes and twenty references. Events pass through
/// several enums, streams and task frames on their way, and each of these has the size of its largest case. A copy of a box
/// costs one retain; a change makes a new box.
package struct Boxed<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  /// A box with this value.
  package init(_ value: Value) { storage = Storage(value) }

  /// The value.
  package var value: Value { storage.value }
}

extension Boxed: Equatable where Value: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage || left.storage.value == right.storage.value
  }
}

extension Boxed: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
