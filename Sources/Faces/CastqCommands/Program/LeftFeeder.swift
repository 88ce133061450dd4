import CForeground
import CastqOperations
import CastqOutput
import CastqText
import Glibc
import Synchronization
import UnixSignals

/// The feeder that a command leaves behind: the command's own process, which releases the shell that waits for it.
enum LeftFeeder {
  /// More than one after a first that did not feed: a transfer that failed resumes on its source.
  private static let hosts = Mutex<[HostedDaemon]>([])
  private static let signal = SignalMemory()

  /// The signals that concern it. They are trapped before it starts, so that no early one is lost.
  static func signals() async -> UnixSignalsSequence {
    await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigusr2)
  }

  /// Keeps this process for the feeder after the command's end. A signal stops the media and ends both.
  static func keep(_ feeder: HostedDaemon, until signals: UnixSignalsSequence) {
    let earlier = hosts.withLock { hosts in
      defer { hosts.append(feeder) }
      return hosts
    }
    earlier.forEach { $0.endIfIdle() }
    Task {
      for await number in signals where concerns(number) {
        signal.remember(number == .sigint ? .interrupted : .terminated)
        stop()
      }
    }
    // A signal may have stopped the one before this.
    if wasStopped { stop() }
  }

  private static func concerns(_ signal: UnixSignal) -> Bool {
    switch signal {
    case .sighup: foreground_ends_at_hangup() != 0
    case .sigusr2: foreground_is_attached() != 0
    default: true
    }
  }

  private static func stop() {
    for host in hosts.withLock({ $0 }) { host.stop("castq was stopped by a signal") }
  }

  /// Whether a signal stopped it before the command ended.
  static var wasStopped: Bool { signal.status != nil }

  /// Ends the command with an exit code, and the process with the feeder, if there is one.
  static func end(_ code: ExitStatus) async -> Never {
    if !wasStopped {
      await StandardStream.drained()
      leave(code)
    }
    for host in hosts.withLock({ $0 }) { await host.over() }
    Glibc.exit((signal.status ?? code).rawValue)
  }

  /// Releases the waiting shell with an exit code; the feeder ends unless it feeds.
  /// - Returns: false if there is no feeder.
  @discardableResult
  static func leave(_ code: ExitStatus) -> Bool {
    let hosts = hosts.withLock { $0 }
    guard !hosts.isEmpty else { return false }
    hosts.forEach { $0.endIfIdle() }
    // Afterwards nothing that is said reaches the shell.
    StandardStream.drain()
    foreground_leave(code.rawValue)
    return true
  }
}
