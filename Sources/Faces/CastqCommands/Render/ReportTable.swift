import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqText

extension ReportDocument.Column {
  /// Whether the table shortens it on a narrow terminal.
  var isFlexible: Bool { ["media", "title", "cause"].contains(key) }
}

/// A report as a table with bars.
extension ReportDocument {
  /// - Parameter width: columns of the terminal, which has bars; nil without a terminal.
  func lines(width: Int?) -> [String] {
    let isDrawn = width != nil && !bars.isEmpty
    // Counts that are nothing but zeros make a table wide.
    let shown = columns.indices.filter { column in !rows.allSatisfy { Self.isZero($0[column]) } }
    var table = Table(
      shown.map { (columns[$0].title, alignment($0)) } + (isDrawn ? [("", .left)] : []))
    let longest = bars.max() ?? 0
    for (index, row) in rows.enumerated() {
      let bar = isDrawn ? [Self.bar(bars.indices.contains(index) ? bars[index] : 0, of: longest)] : []
      table.add(shown.map { text(row[$0]) } + bar)
    }
    if let total, rows.count > 1 { table.add(shown.map { text(total[$0]) }) }
    let lines = table.lines(width: width, isColoured: width != nil && Ink.isOnStdout)
    return lines.isEmpty || !dependsOnZone ? lines : lines + [period.zone.legend]
  }

  /// Whether the clocks of another zone would have other rows, or other times in them.
  private var dependsOnZone: Bool {
    by == nil || by == .day || by == .hour || period.since != nil || period.until != nil
  }

  private static func isZero(_ cell: Cell) -> Bool { if case .count(0) = cell { true } else { false } }

  private func alignment(_ column: Int) -> Table.Alignment {
    if columns[column].isFlexible { return .flexible }
    return switch rows.first?[column] {
    case .text, .time, nil: .left
    case .count, .clock, .exact, .part: .right
    }
  }

  private func text(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text ?? "-"
    case .count(let count): "\(count)"
    case .clock(let seconds): seconds.map { ClockText.format($0.rounded()) } ?? "-"
    case .exact(let seconds): seconds.map { "\(JSONOutput.number($0).text) s" } ?? "-"
    case .part(let part): part.map { "\(Int(bounded: (min($0, 100) * 1000).rounded()) / 10) %" } ?? "-"
    case .time(let time): time.map(period.zone.text) ?? "-"
    }
  }

  /// Up to twenty columns wide, in eighths.
  static func bar(_ value: Double, of longest: Double) -> String {
    guard longest > 0, value > 0, value.isFinite else { return "" }
    let eighths = Int(bounded: (min(value / longest, 1) * 160).rounded())
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return eighths == 0 ? "▏" : String(repeating: "█", count: eighths / 8) + rest
  }
}
