import CastProtocol
import CastqCore
import CastqStore

/// How the plan of devices changes with another schedule.
struct PlanDifference {
  private let range: Range<WallTime>
  private let zone: NamedZone
  private let old: ScheduleBook
  private let new: StoredSchedule
  private let hasHeadings: Bool

  init(
    from old: ScheduleBook, to new: StoredSchedule, range: Range<WallTime>, zone: NamedZone, hasHeadings: Bool
  ) {
    self.old = old
    self.new = new
    self.range = range
    self.zone = zone
    self.hasHeadings = hasHeadings
  }

  /// A stretch that is on in one of the two alone.
  private struct Line {
    let mark: String
    let segment: PlanSegment
    let text: String
    let words: PlanWording
  }

  /// Prints `- ` with what is on now, `+ ` with what would be, by their starts; nothing where nothing changes.
  func print(_ devices: [ScheduleDevice], isJSON: Bool) {
    var planners = (Planner(old, range: range), Planner(new.book, range: range))
    var changes: [JSONValue] = []
    for device in devices {
      let changed = new.devices.first { $0.id == device.id } ?? device
      let lines = lines(
        (planners.0.plan(for: device), device), (planners.1.plan(for: changed), changed))
      if isJSON {
        changes += lines.map {
          ["change": .string($0.mark), "segment": PlanDocument.json($0.segment, on: device, $0.words)]
        }
        continue
      }
      if hasHeadings, !lines.isEmpty { Console.print(TerminalText.sanitized(device.name)) }
      for line in lines { Console.print("\(line.mark) \(line.text)") }
    }
    if isJSON {
      Console.print([
        "from": JSONOutput.time(range.lowerBound), "to": JSONOutput.time(range.upperBound),
        "tz": .string(zone.name.text), "changes": .array(changes),
      ])
    }
  }

  private func lines(
    _ now: (DevicePlan, ScheduleDevice), _ then: (DevicePlan, ScheduleDevice)
  ) -> [Line] {
    let (before, after) = (lines("-", now, old), lines("+", then, new.book))
    let kept = Set(before.map(\.text)).intersection(after.map(\.text))
    return (before + after).filter { !kept.contains($0.text) }
      .enumerated().sorted { ($0.element.segment.start, $0.offset) < ($1.element.segment.start, $1.offset) }
      .map(\.element)
  }

  private func lines(_ mark: String, _ plan: (DevicePlan, ScheduleDevice), _ book: ScheduleBook) -> [Line] {
    let words = PlanWording(book, zone: zone.rules)
    var printing = words
    return plan.0.segments.map {
      Line(mark: mark, segment: $0, text: printing.line($0, on: plan.1), words: words)
    }
  }
}
