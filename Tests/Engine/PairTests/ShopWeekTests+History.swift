import CastProtocol
import CastTestKit
import CastqSchedule
import CastqText
import Testing

/// The decisions of the week, one by one, against the plans that were made before it.
extension ShopWeekTests {
  /// What was planned: by the first plan until the edit, and by the second one from there on.
  static func segments(_ plans: (DevicePlan, DevicePlan), edit: WallTime) -> [PlanSegment] {
    plans.0.segments.filter { $0.start < edit }.map { segment in
      var segment = segment
      segment.end = min(segment.end, edit)
      return segment
    }
      + plans.1.segments.filter { $0.end > edit }.map { segment in
        var segment = segment
        segment.start = max(segment.start, edit)
        return segment
      }
  }

  /// A moment when another programme came on; nil is the base.
  private struct Change {
    let at: WallTime
    let programme: String?
    /// How late it may be: what an announcement or the item of a share held up.
    let limit: Double
  }

  /// Every change that was planned was decided, in that order, at its second, and nothing else was. Left out are the hour after lunch, whose
  /// film runs over its part, and the morning without the device.
  func history(_ feed: VirtualFeed, _ segments: [PlanSegment], _ away: Range<WallTime>) {
    let lunch = segments.filter { $0.programme == "lunch" }
    let over = lunch.filter { one in !lunch.contains { (0..<60).contains($0.start - one.end) } }.map(\.end)
    let left =
      over.map { $0.adding(seconds: -1)..<$0.adding(seconds: 3001) } + [
        away.lowerBound.adding(seconds: -1)..<away.upperBound.adding(seconds: 60)
      ]
    func changes(_ all: [Change]) -> [Change] {
      var changes: [Change] = []
      for change in all where changes.isEmpty || changes.last?.programme != change.programme {
        changes.append(change)
      }
      return changes.filter { change in !left.contains { $0.contains(change.at) } }
    }
    let planned = changes(segments.map { Change(at: $0.start, programme: $0.programme, limit: 0) })
    var before: ScheduleDecision?
    let decided = changes(
      feed.rows.decisions.compactMap { decision in
        defer { before = decision }
        guard decision.kind != .share else { return nil }
        let limit = before?.kind == .share ? 31.0 : before?.kind == .announcement ? 2 : 1
        return Change(at: decision.at, programme: decision.onAir?.programme, limit: limit)
      })
    func text(_ change: Change) -> String { "\(change.at - Self.start) \(change.programme ?? "base")" }
    #expect(planned.count > 150)
    #expect(planned.map(\.programme) == decided.map(\.programme))
    for (plan, fact) in zip(planned, decided) {
      guard plan.programme == fact.programme, (-0.001...fact.limit).contains(fact.at - plan.at) else {
        Issue.record("planned: \(text(plan)), decided: \(text(fact))")
        return
      }
    }
  }

  /// The seconds that a report may have as planned for a rule: those of the plan, without what shares had of them, a second for each change.
  /// What fell into the time without the device may be missing.
  static func planned(
    _ rule: String, _ segments: [PlanSegment], _ feed: VirtualFeed, _ away: Range<WallTime>
  ) -> ClosedRange<Double> {
    func common(_ one: Range<WallTime>, _ other: Range<WallTime>) -> Double {
      max(0, min(one.upperBound, other.upperBound) - max(one.lowerBound, other.lowerBound))
    }
    let ranges = segments.filter { $0.programme == rule }.map { $0.start..<$0.end }
    let decisions = feed.rows.decisions
    let shares = zip(decisions, decisions.dropFirst()).filter { $0.0.kind == .share }.map {
      $0.at..<max($0.at, $1.at)
    }
    let whole =
      ranges.map { $0.upperBound - $0.lowerBound }.reduce(0, +)
      - ranges.map { range in shares.map { common(range, $0) }.reduce(0, +) }.reduce(0, +)
    let lost = ranges.map { common($0, away) }.reduce(0, +) + 60
    let some = Double(ranges.count)
    return (whole - some - (lost > 60 ? lost : 0))...(whole + some)
  }
}
