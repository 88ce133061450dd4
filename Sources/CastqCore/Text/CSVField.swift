/// Cells and rows of comma-separated values (RFC 4180) that a spreadsheet cannot take for a formula.
package enum CSVField {
  /// What begins a formula in one spreadsheet or another, the full-width forms of East Asian input included.
  private static let starters: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  /// One cell of text, sanitised for terminals. Text that would start a formula is preceded by an apostrophe; numbers go
  /// into rows as they are, not through here.
  package static func text(_ value: String) -> String {
    var cell = TerminalText.sanitized(value)
    let first = value.unicodeScalars.first
    let firstVisible = cell.unicodeScalars.first { $0 != " " }
    if first == "\t" || first == "\r" || firstVisible.map(starters.contains) == true { cell = "'" + cell }
    let needsQuotes = cell.utf8.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D].contains($0) }
    guard needsQuotes || cell.utf8.first == 0x20 || cell.utf8.last == 0x20 else { return cell }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in cell.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
