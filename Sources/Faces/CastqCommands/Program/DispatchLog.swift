import Glibc

/// What libdispatch writes into the log of the system.
enum DispatchLog {
  /// Silences it, unless the environment says otherwise. Its workers ask for a priority that ordinary users may not have, and tell
  /// syslog so, some lines for each command.
  ///
  /// A worker asks when it begins: the first thing of a program, on the main thread.
  static func silence() { setenv("LIBDISPATCH_LOG", "NO", 0) }
}
