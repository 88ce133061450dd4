package import CastqText

/// The time that a plan is for.
package enum PlanRange {
  /// Ten years, in seconds: more is no plan.
  private static let longest = 3660.0 * 86_400

  /// Reads a beginning or an end.
  package static func time(_ text: String) throws(TextError) -> TimeText {
    if text.firstRange(of: /^[+-]?[0-9]+ *(y|years?)$/) != nil {
      throw TextError("a plan has ten years at most, and a year is no unit; write 2030-01-01 or +52w")
    }
    return try TimeText(text)
  }

  /// From now for 24 hours, unless said otherwise. A time of day alone is the next one, for the end the next one after the start.
  package static func read(
    _ from: TimeText?, _ to: TimeText?, in zone: NamedZone, now: WallTime = .now
  ) throws(Failure) -> Range<WallTime> {
    let zone = zone.zone
    func next(_ time: TimeText, after moment: WallTime) -> WallTime {
      time.resolved(now: moment, sense: .next, utcOffset: zone.utcOffset)
    }
    let start = from.map { next($0, after: now) } ?? now
    let end =
      switch to {
      case .clock?: to.map { next($0, after: start) } ?? start
      case .moment?, .fromNow?, .day?, .civil?: to.map { next($0, after: now) } ?? start
      case nil: start.adding(seconds: 86_400)
      }
    guard start < end else {
      throw Failure(
        "usage",
        "nothing lies between --from, which is \(zone.text(start)), and --to, which is \(zone.text(end))",
        exit: .usage)
    }
    guard end - start <= longest else {
      throw Failure(
        "usage",
        "a plan has ten years at most: --from is \(zone.text(start)), and --to is \(zone.text(end))",
        exit: .usage)
    }
    return start..<end
  }
}
