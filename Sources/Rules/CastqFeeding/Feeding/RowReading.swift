import CastqPlaylists

/// Whether the receiver's window agrees with the rows, as far as known, and the reading that finds out.
struct RowReading: Sendable, Hashable {
  /// What was current when the reading began; nil while none is open.
  private var begun: EntryTurn??
  private var state = State.stale

  private enum State: Sendable, Hashable {
    /// Rows or window have changed since the last reading.
    case stale
    case read
    /// What comes first is a page whose link is being looked for, or a file that is being read.
    case awaitingFirst
  }

  var isStale: Bool { state == .stale }
  var isAwaitingFirst: Bool { state == .awaitingFirst }
  var isOpen: Bool { begun != nil }

  mutating func begin(at current: EntryTurn?) {
    begun = .some(current)
    state = .read
  }

  /// - Returns: what was current when it began: a reading that was overtaken has to be repeated. Nil when none was open.
  mutating func finish() -> EntryTurn?? {
    defer { begun = nil }
    return begun
  }

  /// What is being read is not needed any more.
  mutating func abandon() { begun = nil }

  /// The last reading no longer holds.
  mutating func expire() { state = .stale }

  /// Nothing is read until a link is there, or the rows change, or should be read again.
  mutating func awaitFirst() { if state == .read { state = .awaitingFirst } }
}
