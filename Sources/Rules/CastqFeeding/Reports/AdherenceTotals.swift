package import CastqText

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
  /// What was on the screens, by devices. Outages are left out: what the receiver showed in them counts as far as it proved that later.
  private var screens: [String: TimelineSweep] = [:]
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

  /// Adds plays by their beginnings.
  package mutating func add(_ play: ReportPlay) {
    // In place: a copy for each play would be slow.
    var screen =
      screens.removeValue(forKey: play.device)
      ?? TimelineSweep(TimelineFacts(madeAt: .latest, now: .latest), in: period)
    screen.add(play.onTimeline)
    for stretch in screen.takeFinished() { add(stretch, play.device) }
    screens[play.device] = screen
  }

  /// Adds what is left when all plays have been added.
  package mutating func finish() {
    for (device, var screen) in screens.sorted(by: { $0.key < $1.key }) {
      for stretch in screen.finish() { add(stretch, device) }
    }
    screens = [:]
  }

  /// Adds what a window or an announcement of a rule showed.
  private mutating func add(_ stretch: Timeline.Stretch, _ device: String) {
    guard let play = stretch.play, play.key.kind == .rule || play.key.kind == .announcement,
      let rule = play.key.rule, let start = play.startedAt, let end = play.endedAt, start < end
    else { return }
    // A film at double speed is on the screen for half of its length; pauses are spread over it.
    let part = min(play.played / (end - start), 1)
    for piece in grouping.rows(of: stretch.range, device: device, rule: rule) {
      let shown = part * (piece.range.upperBound - piece.range.lowerBound)
      sums[piece.label, default: Sum()].shown += shown
      total.shown += shown
    }
  }
}
