import CastSender
import Logging
import Synchronization

// sample: log-sessions
/// Logs warnings to standard error and to files, with every frame of sessions.
func logSessions(to path: String) throws {
  var filter = CastLoggerFilter(minimumLevel: .warning)
  filter.setLevel(.verbose, forClasses: ["Session"])
  CastLogger.shared.filter = filter
  CastLogger.shared.isConsoleLoggingEnabled = true
  try CastLogger.shared.logToFile(CastLogFileOptions(path: path, maximumFileCount: 5))
}
// end sample

// sample: log-delegate
/// Counts warnings and errors.
final class TroubleCounter: CastLoggerDelegate {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }

  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String
  ) {
    if level >= .warning { number.withLock { $0 += 1 } }
  }
}
// end sample

// sample: own-logger
/// A logger of your own that the filter knows as `Signage`.
func signageLogger() -> Logger {
  CastLogger.shared.logger(for: "Signage")
}
// end sample
