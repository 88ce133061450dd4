/// Notices a peer that is gone, and keeps ourselves from being taken for gone (protocol 4).
///
/// Anything that arrives counts as a sign of life. One timer runs at a time and is not touched by traffic: when it fires, the
/// machine looks how long the silence has lasted and says when to look again. So a busy connection costs nothing.
package struct HeartbeatMachine: Sendable {
  /// Silence after which a PING is sent.
  package static let pingAfter = Duration.seconds(5)
  /// Silence after which the peer is given up.
  package static let deadAfter = Duration.seconds(15)

  /// What a look at the clock yields.
  package enum Verdict: Sendable, Hashable {
    /// All is well; look again after this long.
    case look(after: Duration)
    /// Send a PING and look again after this long.
    case ping(lookAfter: Duration)
    /// Nothing was heard for too long: give up.
    case dead
  }

  private var lastHeard: Tick
  private var lastPing: Tick?
  /// The silence that was ended last, if it was longer than a living peer's.
  private var lastSilence: (from: Tick, to: Tick)?

  /// A connection that was opened just now.
  package init(at now: Tick) { lastHeard = now }

  /// Something arrived.
  package mutating func heard(at now: Tick) {
    if now - lastHeard > Self.longestQuiet { lastSilence = (lastHeard, now) }
    lastHeard = max(lastHeard, now)
    lastPing = nil
  }

  /// How long nothing has been heard.
  package func silence(at now: Tick) -> Duration { max(now - lastHeard, .zero) }

  /// Up to when the peer was certainly there. What arrives in one burst after a silence was kept by the network, and says
  /// nothing of when it was sent.
  package func seenUntil(at now: Tick) -> Tick {
    if silence(at: now) > Self.longestQuiet { return lastHeard }
    if let lastSilence, now - lastSilence.to < .milliseconds(500) { return lastSilence.from }
    return now
  }

  /// A living peer says something at least that often: it answers our PINGs.
  private static let longestQuiet = pingAfter + .milliseconds(500)

  /// The timer has fired.
  package mutating func timerFired(at now: Tick) -> Verdict {
    let silence = silence(at: now)
    if silence >= Self.deadAfter { return .dead }
    let nextPing = (lastPing ?? lastHeard) + Self.pingAfter
    if now < nextPing { return .look(after: nextPing - now) }
    lastPing = now
    return .ping(lookAfter: min(Self.pingAfter, Self.deadAfter - silence))
  }

  /// The answer to a PING. The ids are those of the PING, swapped: devices use `Tr@n$p0rt-0` for both (protocol 4).
  package static func pong(to ping: CastMessage) -> CastMessage {
    CastMessage(
      source: ping.destination == .broadcast ? .platformSender : ping.destination,
      destination: ping.source, namespace: .heartbeat, json: HeartbeatMessage.pong.json)
  }

  /// Our own PING.
  package static let ping = CastMessage(
    source: .platformSender, destination: .receiver, namespace: .heartbeat, json: HeartbeatMessage.ping.json)
}
