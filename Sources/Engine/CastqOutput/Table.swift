import CastProtocol
import CastqText

/// A text table with columns as wide as their cells; no line ends in spaces, and on a terminal none is wider than that.
package struct Table {
  package enum Alignment {
    case left, right
    /// Left-aligned, and truncated on a narrow terminal.
    case flexible
    /// Left-aligned, and truncated at its beginning: the end of an address says most.
    case address
  }

  package struct Column {
    let title: String
    let alignment: Alignment
    /// Columns of the terminal that it keeps as long as others can leave.
    let least: Int
    /// When it leaves a terminal that is too narrow for all, the smallest number first; nil stays.
    let leaves: Int?

    package init(_ title: String, _ alignment: Alignment, least: Int = 8, leaves: Int? = nil) {
      (self.title, self.alignment, self.least, self.leaves) = (title, alignment, least, leaves)
    }

    fileprivate var isFlexible: Bool { alignment == .flexible || alignment == .address }
  }

  private let columns: [Column]
  private var rows: [Row] = []

  private struct Row {
    var cells: [String]
    var inks: [Int: Ink]

    func width(_ column: Int) -> Int {
      cells.indices.contains(column) ? DisplayWidth.columns(cells[column]) : 0
    }
  }

  package init(_ columns: [Column]) { self.columns = columns }

  package init(_ columns: [(title: String, alignment: Alignment)]) {
    self.init(columns.map { Column($0.title, $0.alignment) })
  }

  /// Adds a row; control characters are removed and addresses hidden, because cells quote playlists and receivers.
  /// - Parameter inks: colours by column.
  package mutating func add(_ cells: [String], inks: [Int: Ink] = [:]) {
    rows.append(Row(cells: cells.map { TerminalText.sanitized(AddressText.withoutSecrets($0)) }, inks: inks))
  }

  /// The lines, titles first; empty without rows.
  /// - Parameter terminal: nil truncates nothing, leaves nothing out and has no colours. What a terminal has no room for, the last line
  ///   names.
  package func lines(on terminal: OutputTerminal? = nil) -> [String] {
    guard !rows.isEmpty else { return [] }
    let all = [Row(cells: columns.map(\.title), inks: [:])] + rows
    let shown = shown(on: terminal)
    let widths = widths(of: shown, all, on: terminal)
    let lines = all.map { line($0, shown, widths, on: terminal) }
    let leftOut = columns.indices.filter { !shown.contains($0) && !isEmpty($0) }
      .map { columns[$0].title }.filter { !$0.isEmpty }
    guard let terminal, !leftOut.isEmpty else { return lines }
    let words = "no room for \(leftOut.joined(separator: ", "))"
    return lines + [DisplayWidth.fitted(words, columns: terminal.columns, mark: terminal.ellipsis)]
  }

  private func line(_ row: Row, _ shown: [Int], _ widths: [Int], on terminal: OutputTerminal?) -> String {
    var line = ""
    var used = 0
    let last = shown.lastIndex { row.cells.indices.contains($0) && !row.cells[$0].isEmpty } ?? 0
    for (place, column) in shown.enumerated().prefix(last + 1) {
      let cell = row.cells.indices.contains(column) ? row.cells[column] : ""
      // A terminal that is narrower than the least of all columns cuts the line.
      let room = min(widths[place], terminal.map { max($0.columns - used, 0) } ?? .max)
      guard room > 0 || place == 0 else { break }
      let mark = terminal?.ellipsis ?? ""
      let text =
        terminal == nil
        ? cell
        : columns[column].alignment == .address
          ? DisplayWidth.fittedEnd(cell, columns: room, mark: mark)
          : DisplayWidth.fitted(cell, columns: room, mark: mark)
      let padding = String(repeating: " ", count: max(room - DisplayWidth.columns(text), 0))
      let ink = terminal?.isColoured == true && !text.isEmpty ? row.inks[column] : nil
      let inked = ink.map { $0.on(text) } ?? text
      line += columns[column].alignment == .right ? padding + inked : place == last ? inked : inked + padding
      used += room + 2
      if place != last, used < terminal?.columns ?? .max { line += "  " }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  // MARK: - Columns

  /// The columns for which there is room when each flexible one has its least. Those that say nothing leave before any other.
  private func shown(on terminal: OutputTerminal?) -> [Int] {
    var shown = Array(columns.indices)
    guard let terminal else { return shown }
    let all = [Row(cells: columns.map(\.title), inks: [:])] + rows
    let least = columns.indices.map { column in
      let width = all.map { $0.width(column) }.max() ?? 0
      return columns[column].isFlexible ? min(width, columns[column].least) : width
    }
    let empty = Set(columns.indices.filter(isEmpty))
    func rank(_ column: Int) -> Int? {
      empty.contains(column) && columns[column].isFlexible ? .min : columns[column].leaves
    }
    let leaving = columns.indices.filter { rank($0) != nil }.sorted { (rank($0) ?? 0) < (rank($1) ?? 0) }
    for column in leaving
    where shown.reduce(0, { $0 + least[$1] }) + 2 * (shown.count - 1) > terminal.columns {
      shown.removeAll { $0 == column }
    }
    return shown
  }

  private func isEmpty(_ column: Int) -> Bool {
    rows.allSatisfy { row in
      !row.cells.indices.contains(column) || row.cells[column].isEmpty || row.cells[column] == "-"
    }
  }

  /// The width of the widest cell per column; the widest flexible columns shrink to fit, below their least where nothing else helps.
  private func widths(of shown: [Int], _ all: [Row], on terminal: OutputTerminal?) -> [Int] {
    var widths = shown.map { column in all.map { $0.width(column) }.max() ?? 0 }
    guard let terminal else { return widths }
    var excess = widths.reduce(0, +) + 2 * (shown.count - 1) - terminal.columns
    func shrink(_ places: [Int], to least: (Int) -> Int) {
      while excess > 0,
        let widest = places.filter({ widths[$0] > least($0) }).max(by: { widths[$0] < widths[$1] })
      {
        widths[widest] -= 1
        excess -= 1
      }
    }
    let flexible = shown.indices.filter { columns[shown[$0]].isFlexible }
    shrink(flexible) { columns[shown[$0]].least }
    shrink(flexible) { _ in 4 }
    shrink(shown.indices.filter { columns[shown[$0]].alignment != .right }) { _ in 4 }
    return widths
  }
}
