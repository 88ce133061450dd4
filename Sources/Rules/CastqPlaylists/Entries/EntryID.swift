/// Number of one row in a queue; stable for the life of the database, never reused.
package struct EntryID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let rawValue: Int64
  package init(_ rawValue: Int64) { self.rawValue = rawValue }
  package var description: String { "e\(rawValue)" }
  package static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
}

/// One offering of an entry to a receiver. An entry that loops, is retried or is offered again after its window was lost has a new
/// turn each time, so that each play in history has its own identity.
package struct EntryTurn: Sendable, Hashable, CustomStringConvertible {
  package var entry: EntryID
  /// Counts the offerings of this entry, from 1, for the life of the row.
  package var turn: Int

  package init(entry: EntryID, turn: Int) {
    self.entry = entry
    self.turn = turn
  }

  package var description: String { "\(entry).\(turn)" }
}

/// Number of a device in the database; each device has one queue.
package struct DeviceID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let rawValue: Int64
  package init(_ rawValue: Int64) { self.rawValue = rawValue }
  package var description: String { "d\(rawValue)" }

  /// In the order of discovery.
  package static func < (left: DeviceID, right: DeviceID) -> Bool { left.rawValue < right.rawValue }
}
