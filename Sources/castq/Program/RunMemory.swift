import CastProtocol
import CastqCore
import CastqDaemon
import Synchronization

/// The last entry that failed for good, for the one line at the end.
final class FailureMemory: Sendable {
  private let memory = Mutex<(words: String, receiver: JSONValue)?>(nil)

  func remember(_ report: RunnerReport) {
    guard case .ended(_, let title, let play, .failed) = report else { return }
    let words = TerminalText.sanitized("\(title): \(play.reason?.words ?? "no reason given")")
    memory.withLock { $0 = (words, JSONOutput.receiver(play.reason)) }
  }

  var last: String? { memory.withLock { $0?.words } }
  var receiver: JSONValue? { memory.withLock { $0?.receiver } }
}

/// The signal that ended the run, as an exit code.
final class SignalMemory: Sendable {
  private let memory = Mutex<ExitStatus?>(nil)

  func remember(_ status: ExitStatus) { memory.withLock { $0 = $0 ?? status } }

  var status: ExitStatus? { memory.withLock { $0 } }
}
