package import CastqText

/// Finds when what is on at the first moment of a plan began: a plan shows of it only what lies in its range, and a calendar that is
/// exported twice must call it the same.
package struct SegmentBeginning: Sendable {
  private let book: ScheduleBook
  private let start: WallTime
  /// Of as many days before the start each; made when they are needed.
  private var planners: [Int: Planner] = [:]

  /// Most began a day ago or less. What has gone on for longer than the last of them is called by the start of its occurrence.
  private static let days = [1, 7, 35, 400]

  /// - Parameter start: the first moment of the plan.
  package init(_ book: ScheduleBook, start: WallTime) {
    self.book = book
    self.start = start
  }

  /// When a segment of the plan began by the same rules, were the plan longer; its start where that lies in the plan.
  package mutating func beginning(of segment: PlanSegment, on device: ScheduleDevice) -> WallTime {
    guard segment.start == start, let occurrence = segment.occurrence, occurrence.start < start else {
      return segment.start
    }
    for days in Self.days {
      let from = start.adding(seconds: Double(-days) * 86_400)
      var planner = planners[days] ?? Planner(book, range: from..<start)
      defer { planners[days] = planner }
      guard let last = planner.plan(for: device).segments.last, last.occurrence == occurrence else {
        return segment.start
      }
      if last.start > from || occurrence.start >= from { return last.start }
    }
    return occurrence.start
  }
}
