package import CastqText

/// Measures the time without a picture between plays, by the play that follows.
package struct GapTotals: Sendable {
  private var gaps: [String: [Double]] = [:]
  private var titles: [String: String] = [:]
  private let grouping: ReportGrouping
  private let period: Range<WallTime>

  package init(_ grouping: ReportGrouping, period: Range<WallTime>) {
    self.grouping = grouping
    self.period = period
  }

  package mutating func add(_ play: ReportPlay) {
    guard let gap = play.gapBefore, gap.isFinite, gap >= 0, period.contains(play.moment) else { return }
    let row = grouping.row(
      at: play.moment, device: play.device, media: play.url, rule: play.rule ?? "")
    gaps[row, default: []].append(gap)
    if grouping.key == .media { titles[row] = play.title }
  }

  package struct Row: Sendable, Hashable {
    package let count: Int
    package let seconds: Double
    package let median: Double
    package let p95: Double
    package let longest: Double
    package let title: String?
  }

  package var rows: [String: Row] {
    gaps.reduce(into: [:]) { rows, each in
      rows[each.key] = Self.row(each.value, title: titles[each.key])
    }
  }

  /// All of them; nil without any.
  package var total: Row? { gaps.isEmpty ? nil : Self.row(gaps.values.flatMap { $0 }, title: nil) }

  private static func row(_ gaps: [Double], title: String?) -> Row {
    let meter = GapMeter(gaps)
    return Row(
      count: gaps.count, seconds: gaps.reduce(0, +), median: meter.p50 ?? 0, p95: meter.p95 ?? 0,
      longest: gaps.max() ?? 0, title: title)
  }
}
