/// The terminal on which lines for people are printed.
package struct OutputTerminal: Sendable, Hashable {
  package var columns: Int
  package var isColoured: Bool
  /// Whether it has the signs of Unicode, by its locale.
  package var isUnicode: Bool

  package init(columns: Int, isColoured: Bool = false, isUnicode: Bool = true) {
    self.columns = columns
    self.isColoured = isColoured
    self.isUnicode = isUnicode
  }

  /// What stands where something was cut.
  var ellipsis: String { isUnicode ? "…" : "..." }
}
