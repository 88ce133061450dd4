/// When to ask for devices on one link: at once, after a second, then each time after twice as long (RFC 6762, 5.2; protocol 13.5).
struct AskingSchedule: Sendable, Hashable {
  /// Two questions are never closer.
  private static let shortestInterval = Duration.seconds(1)

  /// Nil when no more questions are asked.
  private(set) var next: Tick?
  private var interval = AskingSchedule.shortestInterval
  private var count = 0
  private var last: Tick?

  init(at now: Tick) { next = now }

  /// The first question lets the answer come to the asker alone, which is faster and troubles nobody else.
  var isFirst: Bool { count == 0 }

  func isDue(at now: Tick) -> Bool { next.map { $0 <= now } ?? false }

  /// The question was asked.
  mutating func asked(at now: Tick, pace: DiscoveryPace) {
    count += 1
    last = now
    if let longest = pace.longestInterval {
      interval = count == 1 ? Self.shortestInterval : min(interval * 2, longest)
      next = now + interval
    } else {
      interval = count == 1 ? Self.shortestInterval : interval * 2
      next = count < DiscoveryPace.onceCount ? now + interval : nil
    }
  }

  /// Somebody begins to look.
  mutating func restart(at now: Tick) {
    count = 0
    hurry(at: now)
  }

  /// Somebody waits: begins the short intervals anew.
  mutating func hurry(at now: Tick) {
    let earliest = last.map { max(now, $0 + Self.shortestInterval) } ?? now
    if let next, next <= earliest { return }
    next = earliest
    count = min(count, 1)
    interval = Self.shortestInterval / 2
  }
}
