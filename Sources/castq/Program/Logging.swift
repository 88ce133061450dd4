import CastSender
import CastqCore
import Logging

/// Where the program's own words go: nowhere unless asked for, then to stderr, a record a line.
enum Logging {
  /// Puts the shared logger in order, once per process, before anything is done.
  ///
  /// `-v` shows what a session goes through, `-vv` every frame, and both win over the level that `CASTQ_LOG` has for everything;
  /// its levels for classes stay. `-q` silences them all.
  /// - Throws: what is wrong with `CASTQ_LOG`, in words that can stand alone.
  static func begin(verbosity: Int, isQuiet: Bool, variable: String?) throws(CastLoggerFilter.TextError) {
    var filter = try variable.map(CastLoggerFilter.init) ?? CastLoggerFilter(minimumLevel: .none)
    guard !isQuiet else { return }
    if verbosity > 0 { filter.minimumLevel = verbosity > 1 ? .verbose : .debug }
    guard verbosity > 0 || variable != nil else { return }
    CastLogger.shared.filter = filter
    CastLogger.shared.delegate = StandardErrorLog.shared
  }

  /// The same for a service, which says what a person would tell a colleague unless something else was asked for.
  static func beginService(verbosity: Int, isQuiet: Bool) throws(Failure) {
    guard verbosity == 0, !isQuiet, Environment.value("CASTQ_LOG") == nil else { return }
    do throws(CastLoggerFilter.TextError) {
      CastLogger.shared.filter = try CastLoggerFilter("warning,DaemonService=info")
    } catch {
      throw Failure("bug", "\(error)", exit: .bug)
    }
    CastLogger.shared.delegate = StandardErrorLog.shared
  }

  /// What sessions of this program say goes through the shared logger.
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
    // A progress line is drawn again at its next change.
    if Console.talksToTerminal { Console.redraw("") }
    Console.say("\(RFC3339.text(WallTime.now)) \(level.word) \(className): \(message)")
  }
}
