import CastProtocol

/// A moment of the calendar in UTC, for history rows and schedules; never for time-outs, retries or positions.
package struct WallTime: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z, within the years 0 to 9999.
  package let milliseconds: Int64

  /// The years 0 to 9999, the range of dates on the wire and in files.
  private static let earliestMilliseconds: Int64 = -62_167_219_200_000
  private static let latestMilliseconds: Int64 = 253_402_300_799_999

  /// The last moment of the calendar.
  package static let latest = WallTime(milliseconds: latestMilliseconds)

  /// The moment of a clock, a row or a file, clamped to the calendar.
  package init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.earliestMilliseconds), Self.latestMilliseconds)
  }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

  /// The moment this many seconds later; whole milliseconds.
  package func adding(seconds: Double) -> WallTime {
    WallTime(milliseconds: milliseconds.adding(bounded: Int64(bounded: (seconds * 1000).rounded())))
  }

  /// Seconds from the right moment to the left one.
  package static func - (left: WallTime, right: WallTime) -> Double {
    Double(left.milliseconds - right.milliseconds) / 1000
  }
}
