package import CastqFeeding
import CastqText
import Synchronization

/// A live command that waits for its reply. It gets exactly one: a ticket released without an answer replies with a failure.
package final class ControlTicket: Sendable {
  private let continuation: Mutex<CheckedContinuation<ControlReply, Never>?>

  package init(_ continuation: CheckedContinuation<ControlReply, Never>) {
    self.continuation = Mutex(continuation)
  }

  deinit { answer(.failed(Self.feederEnded)) }

  /// Sends the reply; later calls do nothing.
  func answer(_ reply: ControlReply) {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: reply)
  }

  private static let feederEnded = Failure(
    Failure.feederGone, "the feeder ended before it could perform the command; try again",
    exit: .tryAgain)
}

/// The open tickets of a runner by the numbers that its machine knows.
struct TicketBook {
  private var open: [TicketID: ControlTicket] = [:]
  private var count = 0

  mutating func add(_ ticket: ControlTicket) -> TicketID {
    count += 1
    open[TicketID(count)] = ticket
    return TicketID(count)
  }

  mutating func take(_ id: TicketID) -> ControlTicket? { open.removeValue(forKey: id) }

  mutating func answer(_ id: TicketID, _ reply: ControlReply) { take(id)?.answer(reply) }

  /// Releases the rest, which fails them.
  mutating func close() { open = [:] }
}
