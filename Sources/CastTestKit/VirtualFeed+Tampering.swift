package import CastProtocol
import CastReceiverSim
package import CastqCore

/// What a hostile peer says in place of a receiver.
extension VirtualFeed {
  /// The message that reaches the sender next; nil when none is on its way.
  package var approaching: CastMessage? { toSender.first?.output.message }

  /// Takes the message that would reach the sender next off the wire.
  package mutating func intercept() {
    if !toSender.isEmpty { toSender.removeFirst() }
  }

  /// The sender hears this now.
  package mutating func hear(_ message: CastMessage) { tell(session: .received(message)) }

  /// Lets the next thing happen; false when nothing does until then, or the feeder has ended.
  package mutating func runOne(until limit: Tick) -> Bool {
    guard end == nil, let next = nextTick, next <= limit else { return false }
    step(to: next)
    return true
  }

  /// When the feeder wants to be woken.
  package var wakeUps: [FeederTimer: Tick] { feederTimers }

  /// Where the application that plays listens; nil before there was one.
  package var mediaEndpoint: EndpointID? { transport }
}
