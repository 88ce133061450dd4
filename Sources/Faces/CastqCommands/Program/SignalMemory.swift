import CastqText
import Synchronization

/// The signal that ended the run, as an exit code.
final class SignalMemory: Sendable {
  private let memory = Mutex<ExitStatus?>(nil)

  func remember(_ status: ExitStatus) { memory.withLock { $0 = $0 ?? status } }

  var status: ExitStatus? { memory.withLock { $0 } }
}
