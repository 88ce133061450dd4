/// When to reconnect to a device after a lost connection (protocol 14.6): at once, then after 1, 2, 4, 8, 15 and every 30 seconds.
public struct ReconnectPolicy: Sendable, Hashable {
  /// Waits of the attempts in order; the last one repeats. With none, a lost connection ends the session.
  public var waits: [Duration]
  /// Maximum random deviation of a wait, as a fraction, 0 to 1, so that many senders do not reconnect at the same time; default
  /// 0.5.
  public var jitter: Double
  /// Time limit after the loss; nil, the default, sets none.
  public var giveUpAfter: Duration?

  /// The policy of protocol 14.6, without a time limit.
  public init(
    waits: [Duration] = [0, 1, 2, 4, 8, 15, 30].map { .seconds($0) }, jitter: Double = 0.5,
    giveUpAfter: Duration? = nil
  ) {
    self.waits = waits
    self.jitter = jitter
    self.giveUpAfter = giveUpAfter
  }

  /// The wait before an attempt; nil when the time limit is reached.
  /// - Parameters:
  ///   - attempt: 0 for the first attempt after the loss.
  ///   - random: 0 to 1, for the jitter; 0.5 means no deviation.
  ///   - elapsed: time since the loss.
  package func wait(beforeAttempt attempt: Int, random: Double, elapsed: Duration) -> Duration? {
    if let giveUpAfter, elapsed >= giveUpAfter { return nil }
    guard let last = waits.last else { return nil }
    let wait = waits.indices.contains(attempt) ? waits[attempt] : last
    let factor = 1 + jitter * (2 * min(max(random, 0), 1) - 1)
    return wait.scaled(by: factor)
  }
}
