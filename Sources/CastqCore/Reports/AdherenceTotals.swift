/// A stretch of time in which a rule was to be on a screen.
package struct PlannedStretch: Sendable, Hashable {
  package let rule: String
  package let device: String
  /// What tells occurrences of a rule apart on a device.
  package let occurrence: String
  package let range: Range<WallTime>

  package init(rule: String, device: String, occurrence: String, range: Range<WallTime>) {
    self.rule = rule
    self.device = device
    self.occurrence = occurrence
    self.range = range
  }
}

/// Compares what rules were to show with what was shown by them, by rule, device, day or hour.
package struct AdherenceTotals: Sendable {
  package struct Sum: Sendable, Hashable {
    /// Occurrences, counted where each began.
    package var occurrences = 0
    package var planned = 0.0
    /// Seconds on the screen, pauses taken out.
    package var shown = 0.0

    /// Seconds that are missing.
    package var missing: Double { max(planned - shown, 0) }
    /// What was shown of what was planned, 0 to 1 and above; nil when nothing was planned.
    package var part: Double? { planned > 0 ? shown / planned : nil }
  }

  package private(set) var sums: [String: Sum] = [:]
  package private(set) var total = Sum()
  private var seen: Set<[String]> = []
  private let grouping: ReportGrouping
  private let period: Range<WallTime>

  package init(_ grouping: ReportGrouping, period: Range<WallTime>) {
    self.grouping = grouping
    self.period = period
  }

  /// Adds stretches in the order of their starts.
  package mutating func add(_ planned: PlannedStretch) {
    let range = planned.range.common(period)
    guard !range.isEmpty else { return }
    if seen.insert([planned.rule, planned.device, planned.occurrence]).inserted {
      let row = grouping.row(at: range.lowerBound, device: planned.device, rule: planned.rule)
      sums[row, default: Sum()].occurrences += 1
      total.occurrences += 1
    }
    for piece in grouping.rows(of: range, device: planned.device, rule: planned.rule) {
      let seconds = piece.range.upperBound - piece.range.lowerBound
      sums[piece.label, default: Sum()].planned += seconds
      total.planned += seconds
    }
  }

  /// Adds a play, if a window or an announcement of a rule showed it.
  package mutating func add(_ play: ReportPlay) {
    guard let rule = play.rule else { return }
    switch play.kind {
    case .rule, .announcement: break
    case .base, .share, nil: return
    }
    // A film at double speed is on the screen for half of its length.
    let seconds = min(play.played, play.screen.upperBound - play.screen.lowerBound)
    for piece in grouping.rows(of: play.screen.common(period), device: play.device, rule: rule) {
      let shown = play.share(of: piece.range, seconds: seconds)
      sums[piece.label, default: Sum()].shown += shown
      total.shown += shown
    }
  }
}
