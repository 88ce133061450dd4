import CastqPlaylists

/// A reading of the rows that is under way.
struct OpenReading: Sendable, Hashable {
  /// What was current when it began: one that was overtaken has to be repeated.
  var current: EntryTurn?
}

/// Whether the receiver's window agrees with the rows, as far as known.
struct RowReading: Sendable, Hashable {
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

  /// They are being read.
  mutating func begin() { state = .read }

  /// The last reading no longer holds.
  mutating func expire() { state = .stale }

  /// Nothing is read until a link is there, or the rows change, or should be read again.
  mutating func awaitFirst() { if state == .read { state = .awaitingFirst } }
}
