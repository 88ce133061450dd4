/// What a terminal is to show: a value of cells, which draws nothing itself.
package struct Screen: Sendable, Hashable {
  /// One place of the screen.
  package struct Cell: Sendable, Hashable {
    /// Empty for the right half of a wide character.
    package var text: String
    /// Columns: 0 for the right half of a wide character, else 1 or 2.
    package var width: Int
    package var style: CellStyle

    package init(text: String, width: Int, style: CellStyle) {
      self.text = text
      self.width = width
      self.style = style
    }

    package static let blank = Cell(text: " ", width: 1, style: .plain)
  }

  package let columns: Int
  package let rows: Int
  /// Whether the terminal has the characters of Unicode; else all that is written becomes ASCII.
  package let isUnicode: Bool
  package private(set) var cells: [Cell]
  /// Where the cursor stands, row first, from 0; nil hides it.
  package var cursor: (row: Int, column: Int)? {
    get { cursorPlace.map { ($0.row, $0.column) } }
    set { cursorPlace = newValue.map { Place(row: $0.row, column: $0.column) } }
  }
  private var cursorPlace: Place?

  private struct Place: Sendable, Hashable {
    var row: Int
    var column: Int
  }

  /// The largest size that is drawn; a terminal that reports more is drawn in its upper left part.
  package static let sizeLimit = 500

  /// A blank screen of at least one cell.
  package init(columns: Int, rows: Int, isUnicode: Bool = true) {
    self.isUnicode = isUnicode
    self.columns = min(max(columns, 1), Self.sizeLimit)
    self.rows = min(max(rows, 1), Self.sizeLimit)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  /// One row of cells; none for a row outside.
  package func row(_ index: Int) -> ArraySlice<Cell> {
    guard (0..<rows).contains(index) else { return [] }
    return cells[(index * columns)..<((index + 1) * columns)]
  }

  /// Writes text from a place on; what is outside of the screen or the limit is left out.
  ///
  /// - Parameter limit: columns that the text may take; nil is up to the right edge. A text that is longer ends in an ellipsis.
  /// - Returns: the column after the text.
  @discardableResult
  package mutating func put(
    _ text: String, row: Int, column: Int, limit: Int? = nil, style: CellStyle = .plain
  ) -> Int {
    guard (0..<rows).contains(row), column >= 0, column < columns else { return column }
    let room = min(limit ?? .max, columns - column)
    var place = column
    let graphemes = isUnicode ? Grapheme.of(text) : Grapheme.inASCII(text)
    for grapheme in Self.fitted(graphemes, columns: room, ellipsis: isUnicode ? "…" : "...") {
      set(Cell(text: grapheme.text, width: grapheme.width, style: style), row: row, column: place)
      place += grapheme.width
    }
    return place
  }

  /// The cells of a picture that another program has drawn in characters, each row as wide as the picture; what is outside of its size,
  /// and what is no plain character, is left out. Nil when nothing is left.
  package static func picture(_ text: String, columns: Int, rows: Int) -> [[Cell]]? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(max(rows, 0))
    let cells = lines.map { line -> [Cell] in
      let row = Grapheme.of(String(line)).filter { $0.width == 1 }.prefix(max(columns, 0))
      let drawn = row.map { Cell(text: $0.text, width: 1, style: .plain) }
      return drawn + Array(repeating: .blank, count: max(columns - drawn.count, 0))
    }
    return cells.contains { $0.contains { $0 != .blank } } ? cells : nil
  }

  /// Gives a stretch of one row a style, whatever stands there.
  package mutating func restyle(row: Int, from column: Int, to end: Int, _ style: (CellStyle) -> CellStyle) {
    guard (0..<rows).contains(row) else { return }
    for place in max(column, 0)..<max(min(end, columns), max(column, 0)) {
      cells[row * columns + place].style = style(cells[row * columns + place].style)
    }
  }

  private mutating func set(_ cell: Cell, row: Int, column: Int) {
    let start = row * columns
    guard column + cell.width <= columns else { return }
    clearHalves(start, column)
    if cell.width == 2 { clearHalves(start, column + 1) }
    cells[start + column] = cell
    if cell.width == 2 { cells[start + column + 1] = Cell(text: "", width: 0, style: cell.style) }
  }

  /// A wide character of which one half is overwritten becomes blank.
  private mutating func clearHalves(_ start: Int, _ column: Int) {
    if cells[start + column].width == 0, column > 0 { cells[start + column - 1] = .blank }
    if cells[start + column].width == 2, column + 1 < columns { cells[start + column + 1] = .blank }
  }

  private static func fitted(_ graphemes: [Grapheme], columns: Int, ellipsis: String) -> [Grapheme] {
    guard columns > 0 else { return [] }
    let mark = ellipsis.prefix(columns).map { Grapheme(text: String($0), width: 1) }
    var used = 0
    var end = 0
    // The last place at which an ellipsis still fits.
    var cut = 0
    for (index, grapheme) in graphemes.enumerated() {
      if used + grapheme.width > columns {
        return Array(graphemes[..<cut]) + mark
      }
      used += grapheme.width
      end = index + 1
      if used + mark.count <= columns { cut = end }
    }
    return graphemes
  }

  /// The screen as text, a line a row, without blanks at the ends of lines.
  package var text: String {
    (0..<rows).map { index in
      var line = ""
      var end = line.endIndex
      for cell in row(index) {
        line += cell.text
        if cell.text != " " { end = line.endIndex }
      }
      return String(line[..<end])
    }.joined(separator: "\n")
  }
}

extension Screen {
  /// Columns that a text takes on a screen.
  package static func width(_ text: String) -> Int { Grapheme.of(text).reduce(0) { $0 + $1.width } }
}
