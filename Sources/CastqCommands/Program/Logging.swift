import CastSender
import CastqCore
import Logging

/// Sets up logging: off by default, else to stderr, one record a line.
enum Logging {
  /// Configures the shared logger, once per process, before anything else.
  ///
  /// `-v` logs session steps, `-vv` every frame. Both override the general level of `CASTQ_LOG`, but not its levels for classes.
  /// `-q` turns all logging off.
  /// - Throws: if `CASTQ_LOG` is invalid.
  static func begin(verbosity: Int, isQuiet: Bool, variable: String?) throws(CastLoggerFilter.TextError) {
    var filter = try variable.map(CastLoggerFilter.init) ?? CastLoggerFilter(minimumLevel: .none)
    guard !isQuiet else { return }
    if verbosity > 0 { filter.minimumLevel = verbosity > 1 ? .verbose : .debug }
    guard verbosity > 0 || variable != nil else { return }
    CastLogger.shared.filter = filter
    CastLogger.shared.delegate = StandardErrorLog.shared
  }

  /// Configures the logger for a service: warnings, and the daemon's own records from info, unless options or `CASTQ_LOG` set
  /// levels.
  static func beginService(verbosity: Int, isQuiet: Bool) throws(Failure) {
    guard verbosity == 0, !isQuiet, Environment.value("CASTQ_LOG") == nil else { return }
    do throws(CastLoggerFilter.TextError) {
      CastLogger.shared.filter = try CastLoggerFilter("warning,DaemonService=info")
    } catch {
      throw Failure("bug", "\(error)", exit: .bug)
    }
    CastLogger.shared.delegate = StandardErrorLog.shared
  }

  /// The logger for sessions.
  static func make(_ options: GlobalOptions) -> Logger { CastLogger.shared.logger(for: "Session") }
}

/// Writes records to stderr.
private final class StandardErrorLog: CastLoggerDelegate {
  /// The shared logger holds it weakly.
  static let shared = StandardErrorLog()

  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String
  ) {
    // The progress line reappears at its next change.
    if Console.talksToTerminal { Console.redraw("") }
    let words = "\(level.word) \(className): \(message)"
    Console.say(
      JournalStream.isStandardError
        ? "\(JournalStream.prefix(level))\(words)" : "\(RFC3339.text(WallTime.now)) \(words)")
  }
}
