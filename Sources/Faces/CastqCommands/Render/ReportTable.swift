import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqText

extension ReportDocument.Column {
  /// The column of the table. What a reader asks for first stays longest on a narrow terminal: titles, counts and time, what ended well and
  /// what failed.
  fileprivate func column(_ alignment: Table.Alignment) -> Table.Column {
    switch key {
    case "title": .init(title, .flexible, least: 20)
    case "media": .init(title, .address, least: 14, leaves: 4)
    case "device", "rule", "cause": .init(title, .flexible, least: 14)
    case "reported", "inferred", "unobserved": .init(title, alignment, leaves: 0)
    case "playing", "cancelled", "skipped", "unknown": .init(title, alignment, leaves: 1)
    case "interrupted", "occurrences": .init(title, alignment, leaves: 5)
    case "p95_s", "median_s": .init(title, alignment, leaves: 2)
    default: .init(title, alignment)
    }
  }
}

/// A report as a table with bars.
extension ReportDocument {
  /// - Parameter terminal: it has bars; nil without a terminal.
  func lines(on terminal: OutputTerminal?) -> [String] {
    let isDrawn = terminal != nil && !bars.isEmpty
    // Counts that are nothing but zeros make a table wide.
    let shown = columns.indices.filter { column in !rows.allSatisfy { Self.isZero($0[column]) } }
    var table = Table(
      shown.map { columns[$0].column(alignment($0)) } + (isDrawn ? [.init("", .left, leaves: 3)] : []))
    let longest = bars.max() ?? 0
    for (index, row) in rows.enumerated() {
      let bar = Self.bar(bars.indices.contains(index) ? bars[index] : 0, of: longest)
      let drawn = terminal?.isUnicode == false ? ASCIIText.of(bar) : bar
      table.add(shown.map { text(row[$0]) } + (isDrawn ? [drawn] : []))
    }
    if let total, rows.count > 1 {
      // The title stays where the address leaves.
      let label = terminal == nil ? nil : columns.firstIndex { $0.key == "title" }
      table.add(shown.map { $0 == label ? text(total[0]) : label != nil && $0 == 0 ? "" : text(total[$0]) })
    }
    let lines = table.lines(on: terminal)
    return lines.isEmpty || !dependsOnZone ? lines : lines + [period.zone.legend]
  }

  /// Whether the clocks of another zone would have other rows, or other times in them.
  private var dependsOnZone: Bool {
    by == nil || by == .day || by == .hour || period.since != nil || period.until != nil
  }

  private static func isZero(_ cell: Cell) -> Bool { if case .count(0) = cell { true } else { false } }

  private func alignment(_ column: Int) -> Table.Alignment {
    switch rows.first?[column] {
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
