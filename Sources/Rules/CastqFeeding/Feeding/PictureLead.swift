import CastProtocol

/// How long the receiver takes from the request for the next item to its display; a moving average.
struct PictureLead: Sendable, Hashable {
  private enum Estimate: Sendable, Hashable {
    case guessed(Double)
    /// It was measured between two pictures.
    case learned(Double)
  }

  private var estimate = Estimate.guessed(0)

  var seconds: Double {
    switch estimate {
    case .guessed(let seconds), .learned(let seconds): seconds
    }
  }

  var isLearned: Bool { if case .learned = estimate { true } else { false } }

  /// Sets an estimate before the first measurement.
  mutating func guess(_ time: Duration, atMost limit: Duration) {
    estimate = .guessed(Self.bounded(time, limit))
  }

  mutating func learn(_ time: Duration, atMost limit: Duration) {
    let bounded = Self.bounded(time, limit)
    // The guess is too high if the first load also started a decoder. A longer time may be a single delay of the network.
    let isGuessTooHigh = !isLearned && bounded < seconds
    estimate = .learned(isGuessTooHigh ? bounded : seconds + (bounded - seconds) * 0.3)
  }

  private static func bounded(_ time: Duration, _ limit: Duration) -> Double {
    min(max(time.seconds, 0), limit.seconds)
  }
}
