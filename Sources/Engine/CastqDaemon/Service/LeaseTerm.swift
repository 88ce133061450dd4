import Synchronization

/// Until when this process may feed, for those who send to devices: they ask it at the moment at which they send.
///
/// The end of a lease is an event, which is handled in its turn. What was decided before its turn came, after the computer slept or
/// stood still, must not be sent any more: another box feeds by then.
package final class LeaseTerm: Sendable {
  private let end: Atomic<Int64>
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - line: what is permitted at first.
  ///   - now: milliseconds since the system's start.
  package init(_ line: LeaseLine, now: @escaping @Sendable () -> Int64 = LeaseLine.now) {
    end = Atomic(Self.milliseconds(line))
    self.now = now
  }

  /// Whether nothing may be sent any more. Safe from anywhere.
  package var isOver: Bool { now() >= end.load(ordering: .acquiring) }

  /// Milliseconds since the system's start, the greatest number for a term without end; nil when it is over.
  var rest: Int64? {
    let end = end.load(ordering: .acquiring)
    return now() >= end ? nil : end
  }

  /// Follows what was permitted last. Safe from anywhere.
  package func follow(_ line: LeaseLine) { end.store(Self.milliseconds(line), ordering: .releasing) }

  private static func milliseconds(_ line: LeaseLine) -> Int64 {
    switch line {
    case .until(let milliseconds): milliseconds
    case .ever: .max
    }
  }
}
