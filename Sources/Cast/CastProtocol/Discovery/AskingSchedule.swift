/// The query schedule of one link: at once, after a second, then at doubling intervals (RFC 6762, 5.2; protocol 13.5).
struct AskingSchedule: Sendable, Hashable {
  /// Minimum interval between two queries.
  private static let shortestInterval = Duration.seconds(1)

  /// Nil when there are no more queries.
  private(set) var next: Tick?
  private var interval = AskingSchedule.shortestInterval
  private var count = 0
  private var last: Tick?

  init(at now: Tick) { next = now }

  /// The first query requests a unicast reply, which is faster and does not disturb other hosts.
  var isFirst: Bool { count == 0 }

  func isDue(at now: Tick) -> Bool { next.map { $0 <= now } ?? false }

  /// Records that the query was sent.
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

  /// Starts a search.
  mutating func restart(at now: Tick) {
    count = 0
    hurry(at: now)
  }

  /// Restarts the short intervals for a waiting caller.
  mutating func hurry(at now: Tick) {
    let earliest = last.map { max(now, $0 + Self.shortestInterval) } ?? now
    if let next, next <= earliest { return }
    next = earliest
    count = min(count, 1)
    interval = Self.shortestInterval / 2
  }
}
