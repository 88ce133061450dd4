import CastqOperations
import Glibc

/// Terminal colours for states and outcomes; off without a terminal and with `NO_COLOR`.
enum Ink: String {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case faint = "2"
  case cyan = "36"
  case magenta = "35"
  case blue = "34"

  /// What tells the programmes of a plan apart.
  static let programmes: [Ink] = [.cyan, .good, .magenta, .warning, .blue]

  /// Whether stdout shows colours.
  static let isOnStdout = Console.isTerminal && Environment.value("NO_COLOR") == nil

  /// The text in this colour.
  func on(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

  /// The colour of an entry's state or a play's outcome; nil for none.
  init?(state word: String) {
    switch word {
    case "playing", "PLAYING", "SHOWING": self = .good
    case "failed": self = .bad
    case "interrupted", "unknown", "PAUSED", "BUFFERING": self = .warning
    case "cancelled", "skipped": self = .faint
    default: return nil
    }
  }
}
