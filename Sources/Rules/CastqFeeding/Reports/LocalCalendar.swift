import CastProtocol
package import CastqText

/// Cuts stretches of time at the midnights or the full hours of a zone. A day has the hours that its clocks show: 23 or 25 on nights
/// on which they are changed.
package struct LocalCalendar: Sendable {
  package enum Unit: Sendable, Hashable { case day, hour }

  /// A part of a stretch that lies within one day or hour.
  package struct Piece: Sendable, Hashable {
    /// `2026-10-25`, or `2026-10-25T02:00+01:00`: an hour that occurs twice is two.
    package let label: String
    package let range: Range<WallTime>
  }

  package let unit: Unit
  /// Seconds by which the zone is ahead of UTC at a moment.
  private let utcOffset: @Sendable (WallTime) -> Int

  /// The most parts of one stretch: eleven years of hours. What is behind them belongs to the last one.
  private static let most = 100_000

  package init(_ unit: Unit, utcOffset: @escaping @Sendable (WallTime) -> Int) {
    self.unit = unit
    self.utcOffset = utcOffset
  }

  /// The day or hour of a moment.
  package func label(of moment: WallTime) -> String { label(of: moment, utcOffset(moment)) }

  /// The parts of a stretch, in their order; none for an empty one.
  package func pieces(of range: Range<WallTime>) -> [Piece] {
    var pieces: [Piece] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let offset = utcOffset(start)
      var end = min(boundary(after: start, offset), range.upperBound)
      if end > start, utcOffset(WallTime(milliseconds: end.milliseconds - 1)) != offset {
        end = change(from: offset, between: start, end)
      }
      if end <= start || pieces.count == Self.most - 1 { end = range.upperBound }
      pieces.append(Piece(label: label(of: start, offset), range: start..<end))
      start = end
    }
    return pieces
  }

  private var milliseconds: Int64 {
    switch unit {
    case .day: 86_400_000
    case .hour: 3_600_000
    }
  }

  /// The next midnight or full hour, if the offset stays.
  private func boundary(after moment: WallTime, _ offset: Int) -> WallTime {
    let local = moment.milliseconds + Int64(offset) * 1000
    let (_, remainder) = local.quotientAndRemainder(dividingBy: milliseconds)
    let passed = remainder < 0 ? remainder + milliseconds : remainder
    return WallTime(milliseconds: moment.milliseconds + milliseconds - passed)
  }

  /// The first moment with another offset; offsets change at whole seconds.
  private func change(from offset: Int, between start: WallTime, _ end: WallTime) -> WallTime {
    var (low, high) = (start.milliseconds, end.milliseconds)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if utcOffset(WallTime(milliseconds: middle)) == offset { low = middle } else { high = middle }
    }
    return WallTime(milliseconds: high)
  }

  private func label(of moment: WallTime, _ offset: Int) -> String {
    let local = RFC3339.text(WallTime(milliseconds: moment.milliseconds + Int64(offset) * 1000))
    switch unit {
    case .day: return String(local.prefix(10))
    case .hour:
      let minutes = abs(offset) / 60
      let zone = "\((minutes / 60).digits(2)):\((minutes % 60).digits(2))"
      return "\(local.prefix(13)):00\(offset < 0 ? "-" : "+")\(zone)"
    }
  }
}
