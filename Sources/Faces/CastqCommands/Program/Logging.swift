import CastSender
import CastqOperations
import CastqOutput
import CastqText

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
  /// levels. Of an item that failed the runner says which entry it was. What a service says never waits for who reads it, and its end waits for a moment only.
  static func beginService(verbosity: Int, isQuiet: Bool) throws(Failure) {
    StandardStream.begin(patience: .seconds(2), report: StandardErrorLog.dropped)
    guard verbosity == 0, !isQuiet, Environment.value("CASTQ_LOG") == nil else { return }
    do throws(CastLoggerFilter.TextError) {
      CastLogger.shared.filter = try CastLoggerFilter("warning,RemoteMediaClient=error,DaemonService=info")
    } catch {
      throw Failure("bug", "\(error)", exit: .bug)
    }
    CastLogger.shared.delegate = StandardErrorLog.shared
  }

  /// What a command says from now on does not wait for who reads it: it feeds a device meanwhile. At its end, each word is read that is
  /// not dropped by then.
  static func beginFeeding() { StandardStream.begin(patience: nil, report: StandardErrorLog.dropped) }
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
    Console.say(Self.line(level, className, message))
  }

  /// The line that stands for those that were not read in time.
  @Sendable static func dropped(_ count: Int) -> String {
    line(
      .warning, "Log",
      "\(count) \(count == 1 ? "line was" : "lines were") dropped here, for nothing read them")
  }

  private static func line(_ level: CastLogLevel, _ className: String, _ message: String) -> String {
    let words = "\(level.word) \(className): \(message)"
    return JournalStream.isStandardError
      ? "\(JournalStream.prefix(level))\(words)" : "\(RFC3339.text(WallTime.now)) \(words)"
  }
}
