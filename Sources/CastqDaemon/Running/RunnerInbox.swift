import CastProtocol
import CastSender
import CastqCore

/// Everything a runner reacts to, in the order it happened.
enum RunnerEvent: Sendable {
  case machine(RunnerMachine.Event)
  case session(SessionNumber, StampedSessionEvent)
  /// A live command.
  case control(ControlCommand, ControlTicket)
  /// The earliest timer may be due.
  case timersDue
}

/// What a runner reacts to, with the moment it happened: a runner may be late, held up by the disk.
struct RunnerInbox: Sendable {
  struct Arrival: Sendable {
    let event: RunnerEvent
    let moment: Tick
  }

  let arrivals: AsyncStream<Arrival>
  private let continuation: AsyncStream<Arrival>.Continuation
  private let time: TimeSource

  init(time: TimeSource) {
    self.time = time
    (arrivals, continuation) = AsyncStream.makeStream(of: Arrival.self)
  }

  /// Never waits; safe from anywhere.
  func yield(_ event: RunnerEvent) {
    let moment = if case .session(_, let stamped) = event { stamped.heardAt } else { time.now() }
    continuation.yield(Arrival(event: event, moment: moment))
  }

  /// The same for an event of the machine.
  func yield(_ event: RunnerMachine.Event) { yield(.machine(event)) }

  /// Nothing is accepted any more.
  func finish() { continuation.finish() }
}
