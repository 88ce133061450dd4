import ArgumentParser
import CastProtocol
import CastqCore

/// The time that a plan is for.
enum PlanRange {
  /// Ten years, in seconds: more is no plan.
  private static let longest = 3660.0 * 86_400

  /// Parses `--from` or `--to`.
  static func time(_ text: String) throws -> TimeArgument {
    if text.firstRange(of: /^[+-]?[0-9]+ *(y|years?)$/) != nil {
      throw ValidationError("a plan has ten years at most, and a year is no unit; write 2030-01-01 or +52w")
    }
    return try TimeArgument(text)
  }

  /// From now for 24 hours, unless said otherwise. A time of day alone is the next one, for the end the next one after the start.
  static func read(
    _ from: TimeArgument?, _ to: TimeArgument?, in zone: NamedZone, now: WallTime = .now
  ) throws(Failure) -> Range<WallTime> {
    let start = from?.next(in: zone.zone) ?? now
    let end =
      switch to?.text {
      case .clock?:
        to?.text.resolved(now: start, sense: .next, utcOffset: zone.zone.utcOffset) ?? start
      case .moment?, .fromNow?, .day?, .civil?: to?.next(in: zone.zone) ?? start
      case nil: start.adding(seconds: 86_400)
      }
    guard start < end else {
      throw Failure(
        "usage",
        "nothing lies between --from, which is \(zone.zone.text(start)), and --to, which is \(zone.zone.text(end))",
        exit: .usage)
    }
    guard end - start <= longest else {
      throw Failure(
        "usage",
        "a plan has ten years at most: --from is \(zone.zone.text(start)), and --to is \(zone.zone.text(end))",
        exit: .usage)
    }
    return start..<end
  }
}
