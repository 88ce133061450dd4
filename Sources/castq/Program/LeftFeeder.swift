import CForeground
import CastqCore
import Glibc
import Synchronization
import UnixSignals

/// The feeder that a command leaves behind: the command's own process, which lets whoever waits for it go.
enum LeftFeeder {
  private static let host = Mutex<HostedDaemon?>(nil)
  private static let signal = SignalMemory()

  /// Keeps this process for the feeder after the command's end. A signal stops the media and ends both.
  static func keep(_ feeder: HostedDaemon, until signals: UnixSignalsSequence) {
    host.withLock { $0 = feeder }
    Task {
      for await number in signals {
        if number == .sighup, foreground_ends_at_hangup() == 0 { continue }
        signal.remember(number == .sigint ? .interrupted : .terminated)
        feeder.stop("castq was stopped by a signal")
      }
    }
  }

  /// Whether a signal stopped it before the command ended.
  static var wasStopped: Bool { signal.status != nil }

  /// Ends the command with an exit code, and the process with the feeder, if there is one.
  static func end(_ code: ExitStatus) async -> Never {
    guard let feeder = host.withLock({ $0 }) else { Glibc.exit(code.rawValue) }
    if !wasStopped {
      feeder.endIfIdle()
      foreground_leave(code.rawValue)
    }
    await feeder.over()
    Glibc.exit((signal.status ?? code).rawValue)
  }
}
