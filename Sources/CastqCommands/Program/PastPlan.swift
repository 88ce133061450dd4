import CastqCore
import CastqStore

/// What rules were to show in the past: by the decisions that were made, and where nobody was there to make one, by the plan.
///
/// The plan is that of the rules as they are. It speaks for the time since the last change of each rule only.
struct PastPlan {
  private let report: ReportRun
  private let look: ScheduleLook
  private let devices: [ScheduleDevice]
  /// What is over of the period.
  private let range: Range<WallTime>
  private let changes: [RuleID: WallTime]

  /// An occurrence on a device.
  private struct Decided: Hashable {
    let device: DeviceID?
    let rule: Int64
    let occurrence: String
  }

  init(_ report: ReportRun, _ global: GlobalOptions) throws {
    self.report = report
    look = try ScheduleLook(global)
    devices = look.schedule.devices.filter { device in
      guard let wanted = report.devices else { return true }
      return DeviceID(ruleName: device.id).map(wanted.contains) ?? false
    }
    let (beginning, changes) = try report.workspace.ask { (here) throws(StoreError) in
      (try report.store.beginning(), try ScheduleStore(here.database).lastChanges())
    }
    self.changes = changes
    let start = max(
      report.period.lowerBound, min(beginning ?? report.now, changes.values.min() ?? report.now))
    range = start..<max(start, min(report.period.upperBound, report.now))
  }

  /// Of windows and announcements, by their starts.
  func planned() throws(Failure) -> [PlannedStretch] {
    let decisions = try report.workspace.ask { (here) throws(StoreError) in
      try report.store.decisions(in: report.period, of: report.devices, now: report.now)
    }
    let decided = Set(decisions.map { Decided(device: $0.device, rule: $0.rule, occurrence: $0.occurrence) })
    var stretches = decisions.map {
      PlannedStretch(rule: $0.ruleName, device: $0.deviceName, occurrence: $0.occurrence, range: $0.range)
    }
    forEachSegment { device, segment in
      guard let occurrence = segment.occurrence, let rule = rule(occurrence.rule) else { return }
      let name = occurrence.original.text
      let key = Decided(device: DeviceID(ruleName: device.id), rule: rule.id.number, occurrence: name)
      guard !decided.contains(key),
        let range = known(segment.start..<segment.end, of: rule)
      else { return }
      stretches.append(
        PlannedStretch(rule: rule.name, device: device.name, occurrence: name, range: range))
    }
    return stretches.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The stretches in which shares were due.
  func shares() -> [ShareStretch] {
    var stretches: [ShareStretch] = []
    forEachSegment { device, segment in
      for id in segment.shares {
        guard let rule = rule(id), case .share(let terms) = rule.kind,
          let range = known(segment.start..<segment.end, of: rule)
        else { continue }
        stretches.append(
          ShareStretch(
            rule: rule.name, device: device.name, secondsPerHour: terms.secondsPerHour, range: range))
      }
    }
    return stretches
  }

  private func rule(_ id: RuleID) -> ScheduleRule? { look.schedule.book.rules.first { $0.id == id } }

  /// The part of a stretch for which the rule speaks; nil without one.
  private func known(_ stretch: Range<WallTime>, of rule: ScheduleRule) -> Range<WallTime>? {
    let start = max(stretch.lowerBound, changes[rule.id] ?? stretch.lowerBound)
    return start < stretch.upperBound ? start..<stretch.upperBound : nil
  }

  private func forEachSegment(_ body: (ScheduleDevice, PlanSegment) -> Void) {
    guard !range.isEmpty, !look.schedule.book.rules.isEmpty else { return }
    var planner = Planner(look.schedule.book, range: range)
    for device in devices {
      for segment in planner.plan(for: device).segments { body(device, segment) }
    }
  }
}
