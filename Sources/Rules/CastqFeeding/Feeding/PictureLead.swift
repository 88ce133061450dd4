import CastProtocol

/// How long the receiver takes from the request for the next item to its display; a moving average.
struct PictureLead: Sendable, Hashable {
  private(set) var seconds = 0.0
  /// Whether it was measured between two pictures.
  private(set) var isLearned = false

  /// Sets an estimate before the first measurement.
  mutating func guess(_ time: Duration, atMost limit: Duration) { seconds = Self.bounded(time, limit) }

  mutating func learn(_ time: Duration, atMost limit: Duration) {
    let bounded = Self.bounded(time, limit)
    // The estimate is too high if the first load also started a decoder. A longer time may be a single delay of the network.
    let isGuessTooHigh = !isLearned && bounded < seconds
    seconds = isGuessTooHigh ? bounded : seconds + (bounded - seconds) * 0.3
    isLearned = true
  }

  private static func bounded(_ time: Duration, _ limit: Duration) -> Double {
    min(max(time.seconds, 0), limit.seconds)
  }
}
