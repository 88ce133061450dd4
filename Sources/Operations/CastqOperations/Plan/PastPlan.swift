import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// What rules were to show in the past: by the decisions that were made, and where nobody was there to make one, by the plan.
///
/// The plan is that of the rules as they were, removed ones too, and of what they named (`SchedulePast`).
struct PastPlan {
  private let report: ReportRun
  private let past: SchedulePast
  private let devices: [ScheduleDevice]
  /// What is over of the period.
  private let range: Range<WallTime>

  /// An occurrence on a device.
  private struct Decided: Hashable {
    let device: DeviceID?
    let rule: Int64
    let occurrence: String
  }

  init(_ report: ReportRun, _ global: CallOptions) throws(Failure) {
    self.report = report
    let look = try ScheduleLook(global)
    devices = look.schedule.devices.filter { device in
      guard let wanted = report.devices else { return true }
      return DeviceID(ruleName: device.id).map(wanted.contains) ?? false
    }.map(\.inThePast)
    past = try SchedulePast(look, since: report.period.lowerBound)
    let beginning = try report.workspace.ask { (_) throws(StoreError) in try report.store.beginning() }
    let start = max(
      report.period.lowerBound,
      min(
        beginning ?? report.now,
        past.epochs.map(\.range.lowerBound).filter { $0 > RuleEpoch.always }.min() ?? report.now))
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
    forEachSegment { device, segment, rules in
      guard let occurrence = segment.occurrence, let rule = rules[occurrence.rule],
        !wasMissed(occurrence)
      else { return }
      let name = occurrence.original.text
      let key = Decided(device: DeviceID(ruleName: device.id), rule: rule.id.number, occurrence: name)
      guard !decided.contains(key) else { return }
      stretches.append(
        PlannedStretch(
          rule: rule.name, device: device.name, occurrence: name, range: segment.start..<segment.end))
    }
    return stretches.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether it lasts as long as its programme, and its start was over before there was such a rule.
  private func wasMissed(_ occurrence: Occurrence) -> Bool {
    guard occurrence.end == nil else { return false }
    let made = past.epochs.filter { $0.rule.id == occurrence.rule }.map(\.range.lowerBound).min()
    return made.map { occurrence.start < $0 } ?? false
  }

  /// The stretches in which shares were due.
  func shares() -> [ShareStretch] {
    var stretches: [ShareStretch] = []
    forEachSegment { device, segment, rules in
      for id in segment.shares {
        guard let rule = rules[id], case .share(let terms) = rule.kind else { continue }
        stretches.append(
          ShareStretch(
            rule: rule.name, device: device.name, secondsPerHour: terms.secondsPerHour,
            range: segment.start..<segment.end))
      }
    }
    return stretches
  }

  /// Each stretch between two changes of rules or zones is planned by itself: what a rule names makes another revision of it, too.
  private func forEachSegment(
    _ body: (ScheduleDevice, PlanSegment, [RuleID: ScheduleRule]) -> Void
  ) {
    let moments = past.changes.filter { range.lowerBound < $0 && $0 < range.upperBound }
    let bounds = Set(moments + [range.lowerBound, range.upperBound]).sorted()
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      let book = past.book(at: start)
      guard !book.rules.isEmpty else { continue }
      let rules = Dictionary(book.rules.map { ($0.id, $0) }) { $1 }
      var planner = Planner(book, range: start..<end)
      for device in devices {
        let there = past.device(device, at: start)
        for segment in planner.plan(for: there).segments { body(device, segment, rules) }
      }
    }
  }
}
