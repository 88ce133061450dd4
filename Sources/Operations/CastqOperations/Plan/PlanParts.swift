package import CastqSchedule
import CastqStore
package import CastqText

/// A plan in its parts: of what has passed by the rules as they were, from now on by those that are. Each part lies between two changes
/// of rules or zones, and has a book of its own.
package struct PlanParts {
  /// The books of the parts, in the order of time; at least one.
  let books: [ScheduleBook]
  private let ranges: [Range<WallTime>]
  private let past: SchedulePast?
  private let now: WallTime
  private var planners: [Planner]

  /// The plan of one device.
  package struct Plan {
    /// A segment, and whose book has its rule.
    package typealias Segment = (segment: PlanSegment, book: Int)

    package var segments: [Segment] = []
    package var issues: [(issue: PlanIssue, book: Int)] = []
    /// The device as it was in each part.
    package var devices: [ScheduleDevice] = []

    /// What lies in one part, and what began in it and went on.
    package func part(_ book: Int) -> DevicePlan {
      DevicePlan(device: devices[book].id, segments: segments.filter { $0.book == book }.map(\.segment))
    }

    /// All of it, without the rules' own words.
    package var whole: DevicePlan {
      DevicePlan(device: devices.first?.id ?? "", segments: segments.map(\.segment))
    }
  }

  package init(_ look: ScheduleLook, _ range: Range<WallTime>, now: WallTime) throws(Failure) {
    self.now = now
    let present = look.schedule.book
    guard range.lowerBound < now, !range.isEmpty else {
      (books, ranges, past, planners) = ([present], [range], nil, [Planner(present, range: range)])
      return
    }
    let past = try SchedulePast(look, since: range.lowerBound)
    let end = min(range.upperBound, now)
    let moments = past.changes.filter { range.lowerBound < $0 && $0 < end }
    let bounds = Set(moments + [range.lowerBound, end, range.upperBound]).sorted()
    let parts = zip(bounds, bounds.dropFirst()).map { start, end in
      (range: start..<end, book: start < now ? past.book(at: start) : present)
    }
    self.past = past
    (ranges, books) = (parts.map(\.range), parts.map(\.book))
    planners = parts.map { Planner($0.book, range: $0.range) }
  }

  package mutating func plan(for device: ScheduleDevice) -> Plan {
    var whole = Plan()
    for index in books.indices {
      let start = ranges[index].lowerBound
      let there = start < now ? (past?.device(device, at: start) ?? device).inThePast : device
      whole.devices.append(there)
      let plan = planners[index].plan(for: there)
      for segment in plan.segments { add(segment, index, to: &whole) }
      for issue in plan.issues { Self.add(issue, index, to: &whole) }
    }
    return whole
  }

  /// Adds a segment, or makes the last one longer where the same goes on beyond a change of something else.
  private func add(_ segment: PlanSegment, _ book: Int, to plan: inout Plan) {
    guard let last = plan.segments.last, last.book != book, last.segment.end == segment.start,
      last.segment.start < last.segment.end, segment.start < segment.end,
      last.segment.isSame(as: segment), rule(of: last) == rule(of: (segment, book))
    else { return plan.segments.append((segment, book)) }
    let index = plan.segments.count - 1
    plan.segments[index].segment.end = segment.end
  }

  private func rule(of one: Plan.Segment) -> ScheduleRule? {
    one.segment.occurrence.flatMap { occurrence in
      books[one.book].rules.first { $0.id == occurrence.rule }
    }
  }

  /// Adds an issue, once for all parts that have it.
  private static func add(_ issue: PlanIssue, _ book: Int, to plan: inout Plan) {
    for (index, known) in plan.issues.enumerated() where known.book != book {
      guard let joined = known.issue.joined(with: issue) else { continue }
      return plan.issues[index].issue = joined
    }
    plan.issues.append((issue, book))
  }
}

extension PlanSegment {
  /// Whether both have the same on the screen.
  fileprivate func isSame(as other: PlanSegment) -> Bool {
    kind == other.kind && occurrence == other.occurrence && programme == other.programme
      && tiedWith == other.tiedWith && shares == other.shares && silence == other.silence
  }
}

extension PlanIssue {
  /// One issue for what goes on from one part of a plan in the next one; nil for two issues.
  fileprivate func joined(with next: PlanIssue) -> PlanIssue? {
    switch (self, next) {
    case (.dark(let one), .dark(let two)) where one.upperBound == two.lowerBound:
      .dark(one.lowerBound..<two.upperBound)
    case (.stopped(let one, let since), .stopped(let two, since: _)) where one.upperBound == two.lowerBound:
      .stopped(one.lowerBound..<two.upperBound, since: since)
    case (.quiet(let one), .quiet(let two)) where one.upperBound == two.lowerBound:
      .quiet(one.lowerBound..<two.upperBound)
    case (.overfull(let one, let seconds), .overfull(let two, seconds: let other))
    where one.upperBound == two.lowerBound && seconds == other:
      .overfull(one.lowerBound..<two.upperBound, seconds: seconds)
    case (.broken, .broken), (.collapsed, .collapsed): self == next ? self : nil
    default: nil
    }
  }
}
