/// How a cell looks: a colour of the terminal's own sixteen, so that light and dark themes both stay readable.
package struct CellStyle: Sendable, Hashable {
  /// A colour of the terminal's palette.
  package enum Colour: Int, Sendable, Hashable, CaseIterable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36
  }

  /// Nil is the terminal's own colour.
  package var colour: Colour?
  package var isBold: Bool
  package var isFaint: Bool
  package var isReversed: Bool

  package init(_ colour: Colour? = nil, bold: Bool = false, faint: Bool = false, reversed: Bool = false) {
    self.colour = colour
    isBold = bold
    isFaint = faint
    isReversed = reversed
  }

  package static let plain = CellStyle()
  package static let bold = CellStyle(bold: true)
  package static let faint = CellStyle(faint: true)
  package static let reversed = CellStyle(reversed: true)

  /// The same style in reverse, as the selected row of a list has it.
  package var selected: CellStyle {
    var style = self
    style.isReversed = true
    // A row in pieces of several colours is no row.
    (style.isFaint, style.colour) = (false, nil)
    return style
  }

  /// The sequence that selects this style, whatever was selected before (ECMA-48, 8.3.117).
  package func sequence(_ palette: TerminalPalette = TerminalPalette()) -> String {
    var parameters = "0"
    if isBold { parameters += ";1" }
    if isFaint { parameters += ";2" }
    if isReversed { parameters += ";7" }
    if let colour { parameters += ";\(palette.parameter(colour))" }
    return "\u{1B}[\(parameters)m"
  }
}
