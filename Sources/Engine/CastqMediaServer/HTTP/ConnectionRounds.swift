import NIOCore

/// Looks at all connections of an event loop in turn, a few times a second.
///
/// A timer for each would be cancelled for each, and an event loop looks for a cancelled timer among all that it has: for thousands
/// of connections that is most of the work. Belongs to its event loop.
final class ConnectionRounds {
  private let loop: any EventLoop
  private let interval: TimeAmount
  private var deadlines: [ObjectIdentifier: ConnectionDeadlines] = [:]
  private var isScheduled = false

  /// How many connections there are before a round comes less often.
  private static let crowd = 2000

  /// - Parameter limits: a round is as often as files are checked, and less often in a crowd.
  init(of loop: any EventLoop, _ limits: MediaServerLimits) {
    self.loop = loop
    let shortest = min(limits.fileCheck, limits.requestTime, limits.idleTime)
    interval = TimeAmount(max(shortest, .milliseconds(10)))
  }

  func add(_ connection: ConnectionDeadlines) {
    deadlines[ObjectIdentifier(connection)] = connection
    schedule()
  }

  func remove(_ connection: ConnectionDeadlines) { deadlines[ObjectIdentifier(connection)] = nil }

  private func schedule() {
    guard !isScheduled, !deadlines.isEmpty else { return }
    isScheduled = true
    // A crowd of thousands is looked at less often, so that the looking costs no more.
    let pause = interval * (1 + deadlines.count / Self.crowd)
    loop.assumeIsolated().scheduleTask(in: pause) {
      self.isScheduled = false
      let now = NIODeadline.now()
      // Who is closed leaves while the others are looked at.
      for each in self.deadlines.values { each.look(at: now) }
      self.schedule()
    }
  }
}
