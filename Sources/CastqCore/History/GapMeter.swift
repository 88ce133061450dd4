package import CastProtocol

/// How long a device is dark between two items, over its last plays.
package struct GapMeter: Sendable, Hashable {
  /// Plays that are looked at, the newest ones.
  package static let window = 500
  /// From so many gaps on they say something of the device.
  package static let enough = 20

  /// Ascending, in seconds.
  private let gaps: [Double]

  /// - Parameter gaps: seconds from the last frame of one item to the first of the next; what is no length of time is left out.
  package init(_ gaps: [Double]) { self.gaps = gaps.filter { $0.isFinite && $0 >= 0 }.sorted() }

  /// How many gaps there are.
  package var count: Int { gaps.count }
  /// Half of the gaps are this short, in seconds; nil when there are none.
  package var p50: Double? { percentile(50) }
  package var p95: Double? { percentile(95) }
  package var p99: Double? { percentile(99) }

  /// The shortest gap than which this share of them is not longer; one that really was, never a mean of two.
  package func percentile(_ percent: Int) -> Double? {
    guard !gaps.isEmpty else { return nil }
    let rank = (gaps.count * min(max(percent, 0), 100) + 99) / 100
    return gaps[min(max(rank, 1), gaps.count) - 1]
  }

  /// How long before the end of an item its receiver should begin with the next one.
  ///
  /// Preloading does little for single files, which a receiver asks for when the one before is over (protocol 21.18); streams
  /// gain from it. So the usual time stays as long as nineteen of twenty gaps are shorter than a fifth of it, and beyond that
  /// it is five times the gap, in whole seconds, and three times the usual one at most: more would only have two items fight
  /// for memory on the devices that are slow because they lack it.
  package func preloadTime(usually usual: MediaTime) -> MediaTime {
    guard count >= Self.enough, let slow = p95 else { return usual }
    let wanted = MediaTime(seconds: (slow * 5).rounded(.up))
    return max(usual, min(wanted, MediaTime(seconds: usual.seconds * 3)))
  }
}
