import Logging

/// Where the program's own words go: nowhere unless asked for, then to stderr.
enum Logging {
  /// `-v` shows what a session goes through, `-vv` every frame.
  static func make(_ options: GlobalOptions) -> Logger {
    guard options.verbose > 0 else {
      return Logger(label: "castq", factory: { _ in SwiftLogNoOpLogHandler() })
    }
    var logger = Logger(label: "castq", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = options.verbose > 1 ? .trace : .debug
    return logger
  }
}
