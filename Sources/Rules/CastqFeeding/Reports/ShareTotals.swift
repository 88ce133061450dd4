package import CastqText

/// A stretch of time in which a share was due a part of each hour on a screen.
package struct ShareStretch: Sendable, Hashable {
  package let rule: String
  package let device: String
  package let secondsPerHour: Int
  package let range: Range<WallTime>

  package init(rule: String, device: String, secondsPerHour: Int, range: Range<WallTime>) {
    self.rule = rule
    self.device = device
    self.secondsPerHour = secondsPerHour
    self.range = range
  }
}

/// Compares the seconds of each share with what it was due. Dark time earns nothing: due is a part of the time on the screen.
package struct ShareTotals: Sendable {
  package struct Row: Sendable, Hashable {
    /// The day, the hour or the device; empty when rules alone are asked for.
    package let group: String
    package let rule: String
  }

  package struct Sum: Sendable, Hashable {
    package var plays = 0
    package var shown = 0.0
    /// Nil when the rule is not known any more.
    package var due: Double?
  }

  package private(set) var sums: [Row: Sum] = [:]
  private let grouping: ReportGrouping
  private let period: Range<WallTime>
  /// By device, in the order of their starts.
  private var stretches: [String: [ShareStretch]] = [:]

  package init(_ grouping: ReportGrouping, period: Range<WallTime>, stretches: [ShareStretch]) {
    self.grouping = grouping
    self.period = period
    for stretch in stretches.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      self.stretches[stretch.device, default: []].append(stretch)
    }
  }

  package mutating func add(_ play: ReportPlay) {
    let screen = play.screen.common(period)
    let seconds = min(play.played, play.screen.upperBound - play.screen.lowerBound)
    if play.kind == .share, let rule = play.rule {
      if period.contains(play.moment) {
        sums[row(rule, group: grouping.row(at: play.moment, device: play.device)), default: Sum()].plays += 1
      }
      for piece in grouping.rows(of: screen, device: play.device) {
        sums[row(rule, group: piece.label), default: Sum()].shown += play.share(
          of: piece.range, seconds: seconds)
      }
    }
    for stretch in stretches[play.device] ?? [] {
      guard stretch.range.lowerBound < screen.upperBound else { break }
      for piece in grouping.rows(of: stretch.range.common(screen), device: play.device) {
        let row = row(stretch.rule, group: piece.label)
        let onAir = play.share(of: piece.range, seconds: seconds)
        var sum = sums[row] ?? Sum()
        sum.due = (sum.due ?? 0) + onAir * Double(stretch.secondsPerHour) / 3600
        sums[row] = sum
      }
    }
  }

  private func row(_ rule: String, group: String) -> Row { Row(group: group, rule: rule) }
}
