/// Terminal colours for states and outcomes.
package enum Ink: String {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case faint = "2"
  case cyan = "36"
  case magenta = "35"
  case blue = "34"

  /// The text in this colour.
  package func on(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
