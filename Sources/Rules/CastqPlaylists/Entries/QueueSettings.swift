import CastProtocol

/// What happens at the end of a device's list.
package enum QueueRepeat: String, Sendable, Hashable, CaseIterable {
  /// Playback ends.
  case off
  /// The list restarts.
  case all
  /// One entry repeats.
  case one
}

/// The settings of one device's queue.
package struct QueueSettings: Sendable, Hashable {
  /// Identity of the queue in entry tags; random, fixed for the life of the queue.
  package var queue: String
  package var repeatMode: QueueRepeat
  package var isShuffled: Bool
  /// Seed of the shuffled order; a new one is drawn whenever shuffle is switched on.
  package var shuffleSeed: UInt64
  /// Number of rounds through the list, from 0; each shuffled round has its own order.
  package var round: Int
  /// Name of the list; nil when it has none.
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

/// A shuffled order that needs no stored list: an entry's place follows from seed, round and entry alone, so it survives a restart
/// or an insertion and is the same in every process.
package enum ShuffleOrder {
  /// The key to sort by, ascending; equal inputs give equal keys in every version.
  package static func key(seed: UInt64, round: Int, entry: EntryID) -> UInt64 {
    mix(mix(seed ^ mix(UInt64(truncatingIfNeeded: round))) ^ UInt64(bitPattern: entry.rawValue))
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var generator = SeededGenerator(seed: value)
    return generator.next()
  }
}
