/// The newest events, for those who come back.
struct EventRing {
  /// Events that are kept.
  static let capacity = 4096

  private var events: [WebEvent] = []
  /// Where the oldest one is, once the ring is full.
  private var start = 0
  private let capacity: Int

  init(capacity: Int = EventRing.capacity) { self.capacity = capacity }

  mutating func append(_ event: WebEvent) {
    if events.count < capacity {
      events.append(event)
    } else {
      events[start] = event
      start = (start + 1) % capacity
    }
  }

  /// Those after a place, oldest first; nil when some of them are gone, or the place is yet to come.
  /// - Parameter last: the newest sequence that was given.
  func events(after sequence: UInt64, last: UInt64) -> [WebEvent]? {
    guard sequence <= last else { return nil }
    let missed = last - sequence
    guard missed <= UInt64(events.count) else { return nil }
    let count = Int(missed)
    return (events.count - count..<events.count).map { events[(start + $0) % events.count] }
  }
}
