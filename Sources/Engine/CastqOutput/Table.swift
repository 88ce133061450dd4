import CastProtocol
import CastqText

/// A text table with columns as wide as their cells; no line ends in spaces.
package struct Table {
  package enum Alignment {
    case left, right
    /// Left-aligned, and truncated on a narrow terminal.
    case flexible
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [Row] = []

  private struct Row {
    var cells: [String]
    var inks: [Int: Ink]
  }

  /// Minimum width of a truncated column.
  private static let least = 8

  package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; control characters are removed and addresses hidden, because cells quote playlists and receivers.
  /// - Parameter inks: colours by column.
  package mutating func add(_ cells: [String], inks: [Int: Ink] = [:]) {
    rows.append(Row(cells: cells.map { TerminalText.sanitized(AddressText.withoutSecrets($0)) }, inks: inks))
  }

  /// The lines, titles first; empty without rows.
  /// - Parameters:
  ///   - width: columns of the terminal; nil truncates nothing.
  ///   - isColoured: whether to apply the colours.
  package func lines(width: Int? = nil, isColoured: Bool = false) -> [String] {
    guard !rows.isEmpty else { return [] }
    let all = [Row(cells: columns.map(\.title), inks: [:])] + rows
    let widths = widths(all, within: width)
    return all.map { row in
      var line = ""
      let last = row.cells.lastIndex { !$0.isEmpty } ?? 0
      for (column, cell) in row.cells.enumerated().prefix(last + 1) {
        let shown =
          columns[column].alignment == .flexible ? DisplayWidth.fitted(cell, columns: widths[column]) : cell
        let padding = String(repeating: " ", count: max(widths[column] - DisplayWidth.columns(shown), 0))
        let ink = isColoured ? row.inks[column] : nil
        let text = ink.map { $0.on(shown) } ?? shown
        switch columns[column].alignment {
        case .right: line += padding + text
        case .left, .flexible: line += column == last ? text : text + padding
        }
        if column != last { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The width of the widest cell per column; the widest flexible columns shrink to fit.
  private func widths(_ all: [Row], within width: Int?) -> [Int] {
    var widths = columns.indices.map { column in
      all.map { $0.cells.indices.contains(column) ? DisplayWidth.columns($0.cells[column]) : 0 }.max() ?? 0
    }
    guard let width else { return widths }
    var excess = widths.reduce(0, +) + 2 * (columns.count - 1) - width
    let flexible = columns.indices.filter { columns[$0].alignment == .flexible }
    while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.least
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
