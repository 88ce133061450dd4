/// When a device was reachable, as its session knows. It answers for later moments, too, without the session.
package struct DevicePresence: Sendable {
  /// That of the connection; nil without one.
  private let heartbeat: HeartbeatMachine?
  /// The latest time over earlier connections; nil when there was none, or while there is one.
  private let last: Tick?

  /// Before the first connection.
  package init() { self.init(endedAt: nil) }

  init(_ heartbeat: HeartbeatMachine) {
    self.heartbeat = heartbeat
    last = nil
  }

  init(endedAt last: Tick?) {
    heartbeat = nil
    self.last = last
  }

  /// The latest time up to this one at which the device was certainly reachable; nil before the first connection.
  package func seenUntil(at now: Tick) -> Tick? { heartbeat?.seenUntil(at: now) ?? last }
}
