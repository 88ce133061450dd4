import CastProtocol
import CastSender

/// What a runner reacts to, in the order it happened, with the moment it happened: a runner may be late, held up by the disk.
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

  /// Nothing is accepted any more.
  func finish() { continuation.finish() }
}
