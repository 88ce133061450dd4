/// Turns a screen into the shortest ECMA-48 that changes the one before into it.
///
/// After a character whose width terminals may see differently, the cursor is set by its column, so that no title can shift what stands
/// behind it; nothing is ever written into the last column of the last row with a line that could scroll.
package struct ScreenWriter: Sendable {
  /// Whether the terminal has announced that it draws what stands between two marks at once (private mode 2026).
  package var isSynchronised = false
  private let palette: TerminalPalette
  private var shown: Screen?

  package init(_ palette: TerminalPalette = TerminalPalette()) { self.palette = palette }

  /// Forgets what is shown: the next screen is drawn as a whole, as after another program has used the terminal.
  package mutating func invalidate() { shown = nil }

  /// The bytes that make the terminal show this screen; empty when it does so already.
  package mutating func update(to screen: Screen) -> String {
    defer { shown = screen }
    var pen = Pen()
    if shown?.columns != screen.columns || shown?.rows != screen.rows {
      shown = Screen(columns: screen.columns, rows: screen.rows)
      shown?.cursor = nil
      pen.output = "\u{1B}[?25l\u{1B}[0m\u{1B}[2J"
    }
    for row in 0..<screen.rows { draw(row, of: screen, with: &pen) }
    if pen.style != nil, pen.style != .plain { pen.output += CellStyle.plain.sequence() }
    pen.output += cursor(from: pen.output.isEmpty ? shown : nil, to: screen)
    guard isSynchronised, !pen.output.isEmpty else { return pen.output }
    return "\u{1B}[?2026h\(pen.output)\u{1B}[?2026l"
  }

  private func cursor(from old: Screen?, to screen: Screen) -> String {
    guard let place = screen.cursor else { return old?.cursor == nil ? "" : "\u{1B}[?25l" }
    if let before = old?.cursor, before == place { return "" }
    return "\u{1B}[\(place.row + 1);\(place.column + 1)H\u{1B}[?25h"
  }

  private struct Pen {
    var output = ""
    /// Row and column of the cursor where that is certain.
    var row: Int?
    var column: Int?
    var style: CellStyle?
  }

  private func draw(_ row: Int, of screen: Screen, with pen: inout Pen) {
    let new = Array(screen.row(row))
    let old = Array(shown?.row(row) ?? [])
    guard new != old else { return }
    // Blanks at the end of a line are cleared at once.
    let end = 1 + (new.lastIndex { $0 != .blank } ?? -1)
    var column = 0
    while column < new.count {
      let cell = new[column]
      if column >= end {
        guard old[column...].contains(where: { $0 != .blank }) else { return }
        move(to: row, column, with: &pen)
        select(.plain, with: &pen)
        pen.output += "\u{1B}[K"
        return
      }
      if cell != old[column]
        || (cell.width == 2 && column + 1 < new.count && new[column + 1] != old[column + 1])
      {
        if cell.width > 0 { write(cell, row, column, of: screen, with: &pen) }
      }
      column += max(cell.width, 1)
    }
  }

  private func write(_ cell: Screen.Cell, _ row: Int, _ column: Int, of screen: Screen, with pen: inout Pen) {
    move(to: row, column, with: &pen)
    select(cell.style, with: &pen)
    if Grapheme.isContested(cell.text) {
      // A terminal on which it is narrower would keep a part of what was there.
      pen.output += String(repeating: " ", count: cell.width)
      pen.column = nil
      move(to: row, column, with: &pen)
    }
    pen.output += cell.text
    let next = column + cell.width
    // At the right edge terminals differ in where the cursor is.
    let isCertain = cell.text.utf8.count == 1 && next < screen.columns
    (pen.row, pen.column) = (row, isCertain ? next : nil)
  }

  private func move(to row: Int, _ column: Int, with pen: inout Pen) {
    if pen.row == row, pen.column == column { return }
    pen.output += pen.row == row ? "\u{1B}[\(column + 1)G" : "\u{1B}[\(row + 1);\(column + 1)H"
    (pen.row, pen.column) = (row, column)
  }

  private func select(_ style: CellStyle, with pen: inout Pen) {
    guard pen.style != style else { return }
    pen.output += style.sequence(palette)
    pen.style = style
  }
}
