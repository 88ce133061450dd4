package import CastProtocol

/// How long a device shows nothing between two items, measured over its last plays.
package struct GapMeter: Sendable, Hashable {
  /// Number of plays measured, the newest ones.
  package static let window = 500
  /// Number of gaps that make the measurement meaningful.
  package static let enough = 20

  /// Ascending, in seconds.
  private let gaps: [Double]

  /// - Parameter gaps: seconds from the last frame of one item to the first frame of the next; values that are negative or not
  ///   finite are ignored.
  package init(_ gaps: [Double]) { self.gaps = gaps.filter { $0.isFinite && $0 >= 0 }.sorted() }

  /// Number of gaps.
  package var count: Int { gaps.count }
  /// The median gap in seconds; nil when there are no gaps.
  package var p50: Double? { percentile(50) }
  package var p95: Double? { percentile(95) }
  package var p99: Double? { percentile(99) }

  /// The percentile by nearest rank: a gap that was measured, never a mean of two.
  package func percentile(_ percent: Int) -> Double? {
    guard !gaps.isEmpty else { return nil }
    let rank = (gaps.count * min(max(percent, 0), 100) + 99) / 100
    return gaps[min(max(rank, 1), gaps.count) - 1]
  }

  /// How long before the end of an item its receiver should preload the next one.
  ///
  /// Preloading does little for single files, which a receiver requests when the item before has ended (protocol 21.18); streams
  /// gain from it. The usual time stays while 95 % of the gaps are shorter than a fifth of it. Beyond that the result is five times
  /// the gap, in whole seconds, and at most three times the usual time: with more, two items compete for memory on devices that are
  /// slow because they lack it.
  package func preloadTime(usually usual: MediaTime) -> MediaTime {
    guard count >= Self.enough, let slow = p95 else { return usual }
    let wanted = MediaTime(seconds: (slow * 5).rounded(.up))
    return max(usual, min(wanted, MediaTime(seconds: usual.seconds * 3)))
  }
}
