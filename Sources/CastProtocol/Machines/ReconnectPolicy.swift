/// When to call a device again after a lost connection (protocol 14.6): at once, then after 1, 2, 4, 8, 15 and every 30 seconds.
public struct ReconnectPolicy: Sendable, Hashable {
  /// Waits of the attempts in order; the last one repeats. With none, a lost connection ends the session.
  public var waits: [Duration]
  /// How far a wait may deviate, 0 to 1, as a part of it, so that a house full of senders does not call in
  /// step; default 0.5.
  public var jitter: Double
  /// How long after the loss to give up; nil, the default, never does.
  public var giveUpAfter: Duration?

  /// The policy of protocol 14.6, which never gives up.
  public init(
    waits: [Duration] = [0, 1, 2, 4, 8, 15, 30].map { .seconds($0) }, jitter: Double = 0.5,
    giveUpAfter: Duration? = nil
  ) {
    self.waits = waits
    self.jitter = jitter
    self.giveUpAfter = giveUpAfter
  }

  /// How long to wait before an attempt; nil when it is time to give up.
  /// - Parameters:
  ///   - attempt: 0 for the first attempt after the loss.
  ///   - random: 0 to 1, for the jitter; 0.5 deviates not at all.
  ///   - elapsed: time since the loss.
  package func wait(beforeAttempt attempt: Int, random: Double, elapsed: Duration) -> Duration? {
    if let giveUpAfter, elapsed >= giveUpAfter { return nil }
    guard let last = waits.last else { return nil }
    let wait = waits.indices.contains(attempt) ? waits[attempt] : last
    let factor = 1 + jitter * (2 * min(max(random, 0), 1) - 1)
    return wait.scaled(by: factor)
  }
}
