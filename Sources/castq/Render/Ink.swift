import Glibc

/// Colours where they help a person find what went wrong; only on a terminal, and never where `NO_COLOR` says so.
enum Ink: String {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case faint = "2"

  /// Whether stdout shows colours.
  static let isOnStdout = Console.isTerminal && Environment.value("NO_COLOR") == nil

  /// The text in this colour.
  func on(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

  /// How a state of an entry, or the outcome of a play, is shown.
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
