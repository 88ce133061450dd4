import CastqOperations
import CastqOutput
import Glibc

/// Colours are off without a terminal and with `NO_COLOR`.
extension Ink {
  /// What tells the programmes of a plan apart.
  static let programmes: [Ink] = [.cyan, .good, .magenta, .warning, .blue]

  /// Whether stdout shows colours.
  static let isOnStdout = Console.isTerminal && Environment.value("NO_COLOR") == nil

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
