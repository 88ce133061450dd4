/// A moment of the calendar in UTC, for history rows and schedules; never for a time-out, a retry or a position.
package struct WallTime: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

  /// The moment this many seconds later; whole milliseconds.
  package func adding(seconds: Double) -> WallTime {
    WallTime(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
  }

  /// Seconds from the right moment to the left one.
  package static func - (left: WallTime, right: WallTime) -> Double {
    Double(left.milliseconds - right.milliseconds) / 1000
  }
}
