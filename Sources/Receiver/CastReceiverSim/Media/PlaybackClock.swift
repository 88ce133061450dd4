import CastProtocol

/// A position in a medium that advances with time, or is halted.
struct PlaybackClock: Sendable {
  private(set) var base = 0.0
  /// When it starts from `base`; in the future while the first frame is awaited. Nil while it is halted.
  private(set) var startedAt: Tick?
  private(set) var rate = 1.0

  init() {}

  init(standingAt position: Double, rate: Double) {
    base = position
    self.rate = rate
  }

  func position(at now: Tick) -> Double {
    guard let startedAt, now > startedAt else { return base }
    return base + (now - startedAt).seconds * rate
  }

  /// When a position will be reached; nil while halted.
  func reaches(_ position: Double) -> Tick? {
    guard let startedAt else { return nil }
    return startedAt + .bounded(seconds: (position - base) / rate)
  }

  mutating func run(from tick: Tick) { startedAt = tick }

  mutating func halt(at now: Tick) {
    base = position(at: now)
    startedAt = nil
  }

  mutating func setRate(_ newRate: Double, at now: Tick) {
    let position = position(at: now)
    if let startedAt, now > startedAt {
      base = position
      self.startedAt = now
    }
    rate = newRate
  }
}
