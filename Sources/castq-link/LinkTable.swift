import CastqCore

/// A table on a terminal.
enum LinkTable {
  /// The lines of a table, each column as wide as its widest cell.
  /// - Parameters:
  ///   - cells: rows of as many cells each, the titles first.
  ///   - left: so many columns, the first ones, begin at their left edge; numbers end at their right one.
  static func lines(_ cells: [[String]], left: Int) -> [String] {
    guard let titles = cells.first else { return [] }
    let widths = titles.indices.map { column in cells.map { DisplayWidth.columns($0[column]) }.max() ?? 0 }
    return cells.map { row in
      let line = zip(row, widths).enumerated().map { index, cell in
        let padding = String(repeating: " ", count: max(cell.1 - DisplayWidth.columns(cell.0), 0))
        return index < left ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
