import CastqSchedule
import CastqText

/// How one screen was reached, and what it showed: the seconds of its timeline.
package struct AirTotals: Sendable, Hashable {
  /// Since the first row of the device.
  package private(set) var known = 0.0
  /// Something of castq's was on the screen.
  package private(set) var shown = 0.0
  /// The device did not answer.
  package private(set) var away = 0.0
  /// The longest time without an answer.
  package private(set) var longest = 0.0
  /// castq did not see the screen, as while it did not run.
  package private(set) var unobserved = 0.0
  private var absence: Range<WallTime>?

  package init() {}

  /// 0 to 1: the part in which the device answered, of the time in which castq watched; nil where it never did.
  package var available: Double? {
    let watched = known - unobserved
    return watched > 0 ? min(max(1 - away / watched, 0), 1) : nil
  }

  /// Adds the stretches of a timeline in their order.
  package mutating func add(_ stretch: Timeline.Stretch) {
    let seconds = stretch.range.upperBound - stretch.range.lowerBound
    switch stretch.content {
    case .before, .planned: return
    case .play: shown += seconds
    case .unobserved: unobserved += seconds
    case .dark(.unreachable):
      away += seconds
      // What was due may change meanwhile: it stays one outage.
      let start = absence.flatMap { $0.upperBound == stretch.range.lowerBound ? $0.lowerBound : nil }
      let whole = (start ?? stretch.range.lowerBound)..<stretch.range.upperBound
      absence = whole
      longest = max(longest, whole.upperBound - whole.lowerBound)
    case .dark: break
    }
    known += seconds
  }

  package static func += (left: inout Self, right: Self) {
    left.known += right.known
    left.shown += right.shown
    left.away += right.away
    left.longest = max(left.longest, right.longest)
    left.unobserved += right.unobserved
  }
}
