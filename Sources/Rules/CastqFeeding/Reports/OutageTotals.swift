package import CastqPlaylists
package import CastqText

/// A time in which a device that was fed did not answer.
package struct Outage: Sendable, Hashable {
  package let id: Int64
  /// Its name on that day.
  package let device: String
  /// The number of the device; nil when it is removed.
  package let deviceID: DeviceID?
  /// When it was heard last.
  package let beganAt: WallTime
  /// When it answered again; nil while it does not.
  package let endedAt: WallTime?
  package let cause: String
  /// Whether it ended with an answer of the device. Otherwise castq stopped calling it, and did not see the screen afterwards.
  package let hasAnswered: Bool

  package init(
    id: Int64, device: String, deviceID: DeviceID? = nil, beganAt: WallTime, endedAt: WallTime?,
    cause: String, hasAnswered: Bool = true
  ) {
    self.id = id
    self.device = device
    self.deviceID = deviceID
    self.beganAt = beganAt
    self.endedAt = endedAt
    self.cause = cause
    self.hasAnswered = hasAnswered
  }

  /// The time of it up to now.
  package func range(now: WallTime) -> Range<WallTime> { beganAt..<max(beganAt, endedAt ?? now) }
}

extension Timeline {
  /// Outages as they follow each other on one screen: of two that overlap, because a clock was set back, the one that began last.
  static func absences(_ outages: [Outage], now: WallTime) -> [(range: Range<WallTime>, outage: Outage)] {
    var list: [(range: Range<WallTime>, outage: Outage)] = []
    for outage in outages.sorted(by: { ($0.beganAt, $0.id) < ($1.beganAt, $1.id) }) {
      var range = outage.range(now: now)
      if let last = list.last, last.range.upperBound > range.lowerBound {
        list[list.count - 1].range = last.range.lowerBound..<range.lowerBound
        range = range.lowerBound..<max(range.upperBound, last.range.upperBound)
      }
      list.append((range, outage))
    }
    return list.filter { !$0.range.isEmpty }
  }
}

/// Counts outages where they began, and sums up their seconds as timelines have them, by device, day or hour.
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

  package init(_ outages: [Outage], _ grouping: ReportGrouping, period: Range<WallTime>, now: WallTime) {
    self.grouping = grouping
    self.period = period
    // One that was renamed has its last name.
    let screens = Dictionary(grouping: outages, by: \.screenIdentity).values.map { outages in
      (name: outages.max { ($0.beganAt, $0.id) < ($1.beganAt, $1.id) }?.device ?? "", outages)
    }
    for (name, outages) in screens.sorted(by: { $0.name < $1.name }) {
      for outage in outages where period.contains(outage.beganAt) {
        sums[grouping.row(at: outage.beganAt, device: name), default: Sum()].outages += 1
        total.outages += 1
      }
      for (range, _) in Timeline.absences(outages, now: now) { add(range.common(period), name) }
    }
  }

  private mutating func add(_ range: Range<WallTime>, _ device: String) {
    total.longest = max(total.longest, range.upperBound - range.lowerBound)
    for piece in grouping.rows(of: range, device: device) {
      let seconds = piece.range.upperBound - piece.range.lowerBound
      var sum = sums[piece.label] ?? Sum()
      sum.seconds += seconds
      sum.longest = max(sum.longest, seconds)
      sums[piece.label] = sum
      total.seconds += seconds
    }
  }
}
