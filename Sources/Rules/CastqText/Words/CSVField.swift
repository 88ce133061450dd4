import CastProtocol

/// Cells and rows of comma-separated values (RFC 4180) that a spreadsheet does not read as a formula.
package enum CSVField {
  /// Characters that begin a formula in some spreadsheet, including the full-width forms of East Asian input.
  private static let starters: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  /// One text cell, sanitised for terminals. A text that would start a formula is preceded by an apostrophe; numbers go into
  /// rows unchanged, without this function.
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

extension CSVField {
  /// A table with the addresses in its cells hidden, each cell by itself.
  package static func withoutSecrets(_ table: String) -> String {
    var result = ""
    var cell = String.UnicodeScalarView()
    var (isQuoted, mayEnd) = (false, false)
    func shown(_ cell: String.UnicodeScalarView) -> String {
      let raw = String(cell)
      guard raw.hasPrefix("\""), raw.hasSuffix("\""), raw.utf8.count > 1 else {
        return AddressText.withoutSecrets(raw)
      }
      let value = String(raw.dropFirst().dropLast()).replacing("\"\"", with: "\"")
      return "\"\(AddressText.withoutSecrets(value).replacing("\"", with: "\"\""))\""
    }
    for scalar in table.unicodeScalars {
      if isQuoted {
        // A quote that is doubled opens the cell again.
        if scalar == "\"" { (isQuoted, mayEnd) = (false, true) }
        cell.append(scalar)
      } else if scalar == "\"", cell.isEmpty || mayEnd {
        (isQuoted, mayEnd) = (true, false)
        cell.append(scalar)
      } else if scalar == "," || scalar == "\n" || scalar == "\r" {
        result += shown(cell)
        result.unicodeScalars.append(scalar)
        cell = String.UnicodeScalarView()
        mayEnd = false
      } else {
        cell.append(scalar)
      }
    }
    return result + shown(cell)
  }
}
