import CastqDaemon
import Glibc

/// The number of files and sockets that this process may have open.
package enum OpenFiles {
  /// What a feeder of many devices needs at most: two for each connection that fetches a file, and a few for each device.
  private static let wanted: rlim_t = 32_768

  /// Begins a program that serves: raises the limit, and opens early what cannot be done without. Called before anything listens.
  package static func begin() async {
    raiseLimit()
    await EarlyDescriptors.make(for: .ofProcess)
  }

  /// Raises the soft limit, which is 1024 in most shells for the sake of programs that use select(2). Local files need two descriptors for
  /// each connection, so 500 readers would exhaust it. The hard limit stays what it is.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < wanted else {
      return
    }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    // A refusal changes nothing: the server then answers that it is busy.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
