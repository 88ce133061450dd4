package import CastProtocol
package import CastqSchedule
package import CastqStore
package import CastqText

/// How the plan of devices changes with another schedule.
package struct PlanDifference {
  private let range: Range<WallTime>
  private let zone: NamedZone
  private let old: ScheduleBook
  private let new: StoredSchedule
  /// Whether each device has its name above its changes.
  package let hasHeadings: Bool

  package init(
    from old: ScheduleBook, to new: StoredSchedule, range: Range<WallTime>, zone: NamedZone, hasHeadings: Bool
  ) {
    self.old = old
    self.new = new
    self.range = range
    self.zone = zone
    self.hasHeadings = hasHeadings
  }

  /// A stretch that is on in one of the two alone.
  package struct Change {
    /// `-` for what is on now, `+` for what would be.
    package let mark: String
    package let device: ScheduleDevice
    /// As `castq plan` prints it; not sanitised.
    package let text: String
    fileprivate let segment: PlanSegment
    fileprivate let words: PlanWording

    package var json: JSONValue {
      ["change": .string(mark), "segment": PlanDocument.json(segment, on: device, words)]
    }
  }

  /// What changes, one device after the other, by the starts; empty where nothing changes.
  package func changes(_ devices: [ScheduleDevice]) -> [Change] {
    var planners = (Planner(old, range: range), Planner(new.book, range: range))
    return devices.flatMap { device in
      // What a change changes is shown whether the device is stopped or not, and in quiet hours, too.
      var device = device
      (device.stoppedAt, device.darkHours) = (nil, nil)
      var changed = new.devices.first { $0.id == device.id } ?? device
      (changed.baseFrom, changed.baseSeconds) = (device.baseFrom, device.baseSeconds)
      (changed.isPaused, changed.emptyShares) = (device.isPaused, device.emptyShares)
      return lines((planners.0.plan(for: device), device), (planners.1.plan(for: changed), changed))
    }
  }

  /// The document of the changes.
  package func json(_ changes: [Change]) -> JSONValue {
    [
      "from": JSONOutput.time(range.lowerBound), "to": JSONOutput.time(range.upperBound),
      "tz": .string(zone.name.text), "changes": .array(changes.map(\.json)),
    ]
  }

  private func lines(
    _ now: (DevicePlan, ScheduleDevice), _ then: (DevicePlan, ScheduleDevice)
  ) -> [Change] {
    let (before, after) = (lines("-", now, old), lines("+", then, new.book))
    let kept = Set(before.map(\.text)).intersection(after.map(\.text))
    return (before + after).filter { !kept.contains($0.text) }
      .enumerated().sorted { ($0.element.segment.start, $0.offset) < ($1.element.segment.start, $1.offset) }
      .map(\.element)
  }

  private func lines(
    _ mark: String, _ plan: (DevicePlan, ScheduleDevice), _ book: ScheduleBook
  ) -> [Change] {
    let words = PlanWording(book, zone: zone.rules)
    var printing = words
    return plan.0.segments.map {
      Change(
        mark: mark, device: plan.1, text: printing.line($0, on: plan.1), segment: $0, words: words)
    }
  }
}
