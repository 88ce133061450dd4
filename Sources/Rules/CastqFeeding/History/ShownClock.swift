import CastProtocol

/// How much of its medium a play can have shown: the time in which it was seen to play, at its speeds. What receivers report of
/// positions and ends counts up to there.
package struct ShownClock: Sendable, Hashable {
  /// The most that Cast allows; a receiver that reports more is counted at this speed.
  package static let fastest = 2.0

  /// Seconds by which what is recorded may exceed the clock: statuses take their time, and pictures begin after them.
  package static let tolerance = 1.5

  /// Seconds by which single positions may exceed it.
  static let jitter = 1.0

  /// Seconds by which a play that is reported to have ended at its length may exceed it: the clock itself errs a little, at each seek.
  static let endJitter = 1.25

  /// Media seconds so far.
  private(set) var seconds: Double

  init(seconds: Double = 0) { self.seconds = max(seconds, 0) }

  /// It played for this time at this speed, or at a lower one.
  mutating func run(for time: Duration, rate: Double) { seconds += Self.seconds(in: time, rate: rate) }

  /// Media seconds that fit into a time.
  static func seconds(in time: Duration, rate: Double) -> Double {
    max(time.seconds, 0) * min(max(rate, 0), fastest)
  }

  /// The most media seconds that a recorded play may have.
  /// - Parameters:
  ///   - wall: seconds between its beginning and its end.
  ///   - rate: its highest speed; nil is unknown, and counts as the most.
  package static func most(wall: Double, rate: Double?) -> Double {
    max(wall, 0) * min(max(rate ?? fastest, 0), fastest) + tolerance
  }
}
