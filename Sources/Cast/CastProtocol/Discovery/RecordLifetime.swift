/// How long a record is believed, and when to ask for it again.
///
/// Wi-Fi loses multicast often, so a record outlives its time to live when that is short: a device is given up after two minutes
/// at the earliest, unless it says goodbye (protocol 13.5).
struct RecordLifetime: Sendable, Hashable {
  /// A record is kept at least this long.
  static let shortest = Duration.seconds(120)
  /// A record is kept at most this long, whatever it says of itself: nobody stays in the list for days unseen.
  static let longest = Duration.seconds(4500)
  /// How long something is still there after it was taken back (RFC 6762, 10.1).
  static let farewell = Duration.seconds(1)
  private static let attempts = 4

  private(set) var heard: Tick
  private let timeToLive: Duration
  private var endsAt: Tick?
  private var attempt = 0

  /// A record that was heard just now.
  init(seconds: UInt32, at now: Tick) {
    heard = now
    timeToLive = min(.seconds(Int64(seconds)), Self.longest)
  }

  /// Whether it was taken back.
  var isDoomed: Bool { endsAt != nil }

  /// When it is believed no more.
  var expires: Tick { endsAt ?? heard + max(timeToLive, Self.shortest) }

  /// Whether the owner still vouches for it.
  func isFresh(at now: Tick) -> Bool { !isDoomed && now < heard + timeToLive }

  /// Seconds for a list of known answers; nil when less than half of the time is left: then an answer is wanted (RFC 6762, 7.1).
  func knownSeconds(at now: Tick) -> UInt32? {
    let rest = heard + timeToLive - now
    guard !isDoomed, rest > .zero, rest >= timeToLive / 2 else { return nil }
    return UInt32(clamping: rest.components.seconds)
  }

  /// When to ask again: four times near the end of its own time, and four times near the end of ours; nil after that.
  var nextRefresh: Tick? {
    guard !isDoomed else { return nil }
    if attempt < Self.attempts { return heard + timeToLive * (80 + 5 * attempt) / 100 }
    guard timeToLive < Self.shortest, attempt < 2 * Self.attempts else { return nil }
    return heard + Self.shortest * (80 + 5 * (attempt - Self.attempts)) / 100
  }

  func isRefreshDue(at now: Tick) -> Bool { nextRefresh.map { $0 <= now } ?? false }

  /// Whether to ask now; counts the questions, and skips missed ones.
  mutating func takeRefresh(at now: Tick) -> Bool {
    var isDue = false
    while let next = nextRefresh, next <= now {
      attempt += 1
      isDue = true
    }
    return isDue
  }

  /// It was taken back.
  mutating func doom(at now: Tick) {
    endsAt = min(endsAt ?? expires, now + Self.farewell)
  }
}
