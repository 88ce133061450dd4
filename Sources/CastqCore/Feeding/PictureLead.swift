import CastProtocol

/// How long the receiver takes from being asked for the next item to showing it; learned as it goes.
struct PictureLead: Sendable, Hashable {
  private(set) var seconds = 0.0
  /// Whether it rests on pictures that followed one another.
  private(set) var isLearned = false

  /// Before anything is known.
  mutating func guess(_ time: Duration, atMost limit: Duration) { seconds = Self.bounded(time, limit) }

  mutating func learn(_ time: Duration, atMost limit: Duration) {
    let bounded = Self.bounded(time, limit)
    // A guess was too high where the first load started a decoder as well; what takes longer may have been the network once.
    let isGuessTooHigh = !isLearned && bounded < seconds
    seconds = isGuessTooHigh ? bounded : seconds + (bounded - seconds) * 0.3
    isLearned = true
  }

  private static func bounded(_ time: Duration, _ limit: Duration) -> Double {
    min(max(time.seconds, 0), limit.seconds)
  }
}
