/// Detects a dead peer, and keeps the peer from closing the connection as dead (protocol 4).
///
/// Any received message counts as a sign of life. A single timer runs and traffic does not restart it: when it fires, the machine
/// computes the length of the silence and the time of the next check. So a busy connection costs nothing.
package struct HeartbeatMachine: Sendable {
  /// Silence after which a PING is sent.
  package static let pingAfter = Duration.seconds(5)
  /// How late the timer may fire, together with those of other devices.
  package static let lateness = Duration.milliseconds(100)
  /// Silence after which the peer is considered dead.
  package static let deadAfter = Duration.seconds(15)

  /// The result of a check.
  package enum Verdict: Sendable, Hashable {
    /// The peer is alive; check again after this time.
    case look(after: Duration)
    /// Send a PING and check again after this time.
    case ping(lookAfter: Duration)
    /// The silence exceeds the limit: close the connection.
    case dead
  }

  private var lastHeard: Tick
  private var lastPing: Tick?
  /// The last silence that was longer than that of a live peer.
  private var lastSilence: (from: Tick, to: Tick)?

  /// A connection that has just been opened.
  package init(at now: Tick) { lastHeard = now }

  /// Records a received message.
  package mutating func heard(at now: Tick) {
    if now - lastHeard > Self.longestQuiet { lastSilence = (lastHeard, now) }
    lastHeard = max(lastHeard, now)
    lastPing = nil
  }

  /// The length of the current silence.
  package func silence(at now: Tick) -> Duration { max(now - lastHeard, .zero) }

  /// The latest time at which the peer was certainly alive. Messages that arrive in one burst after a silence were delayed by the
  /// network, and do not prove when they were sent.
  package func seenUntil(at now: Tick) -> Tick {
    if silence(at: now) > Self.longestQuiet { return lastHeard }
    if let lastSilence, now - lastSilence.to < .milliseconds(500) { return lastSilence.from }
    return now
  }

  /// A live peer sends at least this often: it answers PINGs within half a second.
  private static let longestQuiet = pingAfter + lateness + .milliseconds(500)

  /// Handles the timer.
  package mutating func timerFired(at now: Tick) -> Verdict {
    let silence = silence(at: now)
    if silence >= Self.deadAfter { return .dead }
    let nextPing = (lastPing ?? lastHeard) + Self.pingAfter
    if now < nextPing { return .look(after: nextPing - now) }
    lastPing = now
    return .ping(lookAfter: min(Self.pingAfter, Self.deadAfter - silence))
  }

  /// The reply to a PING. The ids are those of the PING, swapped: devices use `Tr@n$p0rt-0` for both (protocol 4).
  package static func pong(to ping: CastMessage) -> CastMessage {
    CastMessage(
      source: ping.destination == .broadcast ? .platformSender : ping.destination,
      destination: ping.source, namespace: .heartbeat, json: HeartbeatMessage.pong.json)
  }

  /// This sender's PING.
  package static let ping = CastMessage(
    source: .platformSender, destination: .receiver, namespace: .heartbeat, json: HeartbeatMessage.ping.json)
}
