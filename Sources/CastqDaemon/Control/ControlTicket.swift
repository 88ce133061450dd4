import CastqCore
import Synchronization

/// A live command that waits for its reply. It gets exactly one: when nobody gives it one, the end of the ticket does.
final class ControlTicket: Sendable {
  private let continuation: Mutex<CheckedContinuation<ControlReply, Never>?>

  init(_ continuation: CheckedContinuation<ControlReply, Never>) { self.continuation = Mutex(continuation) }

  deinit { answer(.failed(Self.feederEnded)) }

  /// The first answer counts.
  func answer(_ reply: ControlReply) {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: reply)
  }

  private static let feederEnded = ControlFailure(
    ControlFailure.feederGone, "the feeder ended before it could do that; try again", exit: .tryAgain)
}
