package import CastqText

/// Counts plays, and sums up the seconds that were shown, by media, device, day, hour or rule.
///
/// A play counts where it started, or where it failed. Its seconds belong to the days and hours on which they were shown.
package struct PlayTotals: Sendable {
  package struct Sum: Sendable, Hashable {
    package var plays = 0
    package var seconds = 0.0
    package var outcomes: [PlayOutcome: Int] = [:]
    package var evidence: [PlayEvidence: Int] = [:]
    /// Of them, those that still play.
    package var open = 0
    /// The newest title of the media; nil unless media are counted.
    package var title: String?
  }

  package private(set) var sums: [String: Sum] = [:]
  package private(set) var total = Sum()
  private let grouping: ReportGrouping
  private let period: Range<WallTime>

  package init(_ grouping: ReportGrouping, period: Range<WallTime>) {
    self.grouping = grouping
    self.period = period
  }

  package mutating func add(_ play: ReportPlay) {
    if period.contains(play.moment) {
      let row = grouping.row(
        at: play.moment, device: play.device, media: play.url, rule: play.rule ?? "")
      sums[row, default: Sum()].count(play)
      total.count(play)
      // Seconds without a length on the screen: a clock was set back meanwhile.
      if play.screen.isEmpty { add(play.played, to: row) }
    }
    for piece in grouping.rows(
      of: play.screen.common(period), device: play.device, media: play.url, rule: play.rule ?? "")
    {
      add(play.share(of: piece.range, seconds: play.played), to: piece.label)
    }
    if grouping.key == .media { sums[play.url]?.title = play.title }
  }

  private mutating func add(_ seconds: Double, to row: String) {
    guard seconds > 0 else { return }
    sums[row, default: Sum()].seconds += seconds
    total.seconds += seconds
  }
}

extension PlayTotals.Sum {
  fileprivate mutating func count(_ play: ReportPlay) {
    plays += 1
    if let outcome = play.outcome { outcomes[outcome, default: 0] += 1 } else { open += 1 }
    if let evidence = play.evidence { self.evidence[evidence, default: 0] += 1 }
  }
}
