import Glibc
import Synchronization

/// Lets the last lines out when the program crashes: they say why.
///
/// The thread that crashed waits for the writers, a moment at most, and then crashes as it would have.
enum CrashDrain {
  /// Writers at work.
  static let writers = Atomic(0)

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Handles the signals of a crash that nobody else handles: not those of a sanitizer or of Swift's backtraces.
  static func install() {
    _ = writers.load(ordering: .relaxed)
    for number in signals {
      var before = sigaction()
      guard sigaction(number, nil, &before) == 0, before.__sigaction_handler.sa_handler == nil else {
        continue
      }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        CrashDrain.wait()
        // The handler is gone by now: this is the end, with the signal that was meant.
        raise(number)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// Half a second at most; only with what a handler of signals may call.
  private static func wait() {
    var moment = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    for _ in 0..<500 where writers.load(ordering: .acquiring) > 0 { nanosleep(&moment, nil) }
  }
}
