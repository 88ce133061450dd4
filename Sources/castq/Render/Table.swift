import CastqCore

/// Columns of text, as wide as they need to be; no line ends in spaces.
struct Table {
  enum Alignment {
    case left, right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; cells come from playlists and receivers, so control characters are taken out.
  mutating func add(_ cells: [String]) { rows.append(cells.map { TerminalText.sanitized($0) }) }

  /// The lines, titles first; nothing when there is no row.
  var lines: [String] {
    guard !rows.isEmpty else { return [] }
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: max(widths[column] - cell.count, 0))
        let isLast = column == cells.count - 1
        switch columns[column].alignment {
        case .right: line += padding + cell
        case .left: line += isLast ? cell : cell + padding
        }
        if !isLast { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
