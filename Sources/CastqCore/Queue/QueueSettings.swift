import CastProtocol

/// What a device's list does at its end.
package enum QueueRepeat: String, Sendable, Hashable, CaseIterable {
  /// Ends.
  case off
  /// Starts again.
  case all
  /// Plays one entry again and again.
  case one
}

/// The settings of one device's queue.
package struct QueueSettings: Sendable, Hashable {
  /// Identity that travels in entry tags; random, fixed for the life of the queue.
  package var queue: String
  package var repeatMode: QueueRepeat
  package var isShuffled: Bool
  /// Seed of the shuffled order; a new one is drawn whenever shuffling is switched on.
  package var shuffleSeed: UInt64
  /// Counts the rounds through the list, from 0; each shuffled round has its own order.
  package var round: Int
  /// What people call the list that was put in; nil when nobody said.
  package var name: String?

  package init(
    queue: String, repeatMode: QueueRepeat = .off, isShuffled: Bool = false, shuffleSeed: UInt64 = 0,
    round: Int = 0, name: String? = nil
  ) {
    self.queue = queue
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
    self.shuffleSeed = shuffleSeed
    self.round = round
    self.name = name
  }
}

/// A shuffled order that needs no list: each entry's place follows from seed, round and entry alone, so a restart, an
/// insertion or a second process sees the same order.
package enum ShuffleOrder {
  /// The key to sort by, ascending; equal inputs give equal keys for ever.
  package static func key(seed: UInt64, round: Int, entry: EntryID) -> UInt64 {
    mix(mix(seed ^ mix(UInt64(truncatingIfNeeded: round))) ^ UInt64(bitPattern: entry.rawValue))
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var generator = SeededGenerator(seed: value)
    return generator.next()
  }
}
