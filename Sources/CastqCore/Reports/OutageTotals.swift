/// A time in which a device that was fed did not answer.
package struct Outage: Sendable, Hashable {
  package let id: Int64
  /// Its name on that day.
  package let device: String
  /// When it was heard last.
  package let beganAt: WallTime
  /// When it answered again; nil while it does not.
  package let endedAt: WallTime?
  package let cause: String

  package init(id: Int64, device: String, beganAt: WallTime, endedAt: WallTime?, cause: String) {
    self.id = id
    self.device = device
    self.beganAt = beganAt
    self.endedAt = endedAt
    self.cause = cause
  }

  /// The time of it up to now.
  package func range(now: WallTime) -> Range<WallTime> { beganAt..<max(beganAt, endedAt ?? now) }
}

/// Counts outages where they began, and sums up their seconds, by device, day or hour.
package struct OutageTotals: Sendable {
  package struct Sum: Sendable, Hashable {
    package var outages = 0
    package var seconds = 0.0
    /// The longest part of one outage in it.
    package var longest = 0.0
  }

  package private(set) var sums: [String: Sum] = [:]
  package private(set) var total = Sum()
  private let grouping: ReportGrouping
  private let period: Range<WallTime>
  private let now: WallTime

  package init(_ grouping: ReportGrouping, period: Range<WallTime>, now: WallTime) {
    self.grouping = grouping
    self.period = period
    self.now = now
  }

  package mutating func add(_ outage: Outage) {
    if period.contains(outage.beganAt) {
      sums[grouping.row(at: outage.beganAt, device: outage.device), default: Sum()].outages += 1
      total.outages += 1
    }
    let range = outage.range(now: now).common(period)
    total.longest = max(total.longest, range.upperBound - range.lowerBound)
    for piece in grouping.rows(of: range, device: outage.device) {
      let seconds = piece.range.upperBound - piece.range.lowerBound
      var sum = sums[piece.label] ?? Sum()
      sum.seconds += seconds
      sum.longest = max(sum.longest, seconds)
      sums[piece.label] = sum
      total.seconds += seconds
    }
  }
}
