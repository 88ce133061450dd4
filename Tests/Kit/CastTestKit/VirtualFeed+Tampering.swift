package import CastProtocol
import CastReceiverSim
package import CastqFeeding

/// Messages of a hostile peer in place of a receiver's.
extension VirtualFeed {
  /// The message that reaches the sender next; nil when none is in transit.
  package var approaching: CastMessage? { toSender.first?.output.message }

  /// Drops the message that would reach the sender next.
  package mutating func intercept() {
    if !toSender.isEmpty { toSender.removeFirst() }
  }

  /// The sender receives a message now.
  package mutating func receive(_ message: CastMessage) { tell(session: .received(message)) }

  /// Runs the next step; false when there is none until the limit, or the feeder has ended.
  package mutating func runOne(until limit: Tick) -> Bool {
    guard end == nil, let next = nextTick, next <= limit else { return false }
    step(to: next)
    return true
  }

  /// The runner's timers, the feeder's among them.
  package var wakeUps: [RunnerTimer: Tick] { runnerTimers }

  /// The endpoint of the media application; nil before the first one.
  package var mediaEndpoint: EndpointID? { transport }
}
