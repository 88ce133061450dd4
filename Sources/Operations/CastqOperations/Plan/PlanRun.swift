import CastqDaemon
import CastqFeeding
package import CastqSchedule
package import CastqStore
package import CastqText

/// What a plan is asked for; nil is what `PlanRange` and the site say.
package struct PlanQuery {
  package var from: TimeText?
  package var to: TimeText?
  package var tz: NamedZone?

  package init(from: TimeText? = nil, to: TimeText? = nil, tz: NamedZone? = nil) {
    self.from = from
    self.to = to
    self.tz = tz
  }
}

/// A plan that is being made, one device after the other, so that a plan of many is never held as a whole.
///
/// What has passed is what the timelines of the devices have, and what is to come is what their rules say.
package struct PlanRun {
  package let look: ScheduleLook
  package let devices: [ScheduleDevice]
  package let zone: NamedZone
  package let range: Range<WallTime>
  /// One moment is both where a plan begins and where the past ends: between two, nothing would be known.
  private let now: WallTime

  package init(_ global: CallOptions, _ query: PlanQuery) async throws(Failure) {
    try await self.init(global, query, Workspace(global, isReader: true))
  }

  package init(_ global: CallOptions, _ query: PlanQuery, _ workspace: Workspace) async throws(Failure) {
    look = try ScheduleLook(workspace, SiteZone(global))
    if let tz = query.tz { zone = tz } else { zone = try NamedZone(look.site) }
    now = .now
    range = try PlanRange.read(query.from, query.to, in: zone, now: now)
    let devices = try await look.devices(global)
    self.devices = now < range.upperBound ? await look.withPauses(devices, global) : devices
  }

  /// Writes the plan.
  /// - Parameters:
  ///   - isCalendar: whether it is a calendar, which has what was planned, also for the past: its readers know the events by
  ///     their names.
  ///   - form: makes the form of it.
  /// - Returns: whether it fails its check.
  package func write(
    isCalendar: Bool = false, as form: (PlanFrame) -> any PlanForm, _ receive: (String) -> Void
  ) throws(Failure) -> Bool {
    let coming = isCalendar ? range : max(range.lowerBound, min(now, range.upperBound))..<range.upperBound
    var parts = try PlanParts(look, coming, now: now)
    var earlier = Planner(look.schedule.book, range: Planner.until(range.lowerBound, from: now))
    let past = isCalendar ? [:] : try TimelineReading(look, now: now).segments(of: devices, in: range)
    var output = form(
      PlanFrame(
        range: range, zone: zone, version: look.site.database.version, books: parts.books,
        hasHeadings: devices.count > 1))
    var isFailed = false
    receive(output.head)
    for var device in devices {
      // That somebody stopped the device today is no event of next week.
      if isCalendar {
        (device.stoppedAt, device.darkHours, device.baseSeconds, device.isPaused) = (nil, nil, nil, false)
      } else {
        device.passedOver = try look.passedOver(on: device)
        if now < range.lowerBound { device = earlier.advanced(device) }
      }
      let plan = coming.isEmpty ? PlanParts.Plan() : parts.plan(for: device)
      let segments = past[device.id] ?? []
      isFailed =
        isFailed || segments.contains(where: \.isDarkness) || plan.issues.contains { $0.issue.isFailure }
      receive(output.text(segments, plan, on: device))
    }
    receive(output.tail)
    return isFailed
  }

  /// The document.
  package func json() throws(Failure) -> String {
    var text = ""
    _ = try write(as: { PlanFile(.json, $0) }) { text += $0 }
    return text
  }

  /// How the plan changes with another schedule.
  package func difference(to changed: StoredSchedule) -> PlanDifference {
    PlanDifference(
      from: look.schedule.book, to: changed, range: range, zone: zone, hasHeadings: devices.count > 1)
  }
}
