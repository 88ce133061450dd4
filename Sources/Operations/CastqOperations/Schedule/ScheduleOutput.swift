package import CastProtocol
package import CastqSchedule
package import CastqStore
import CastqText

/// The documents of what rules name.
package enum ScheduleOutput {
  /// - Parameter users: what uses it; nil when nobody asked.
  package static func programme(_ programme: StoredProgramme, users: [String]? = nil) -> JSONValue {
    var members: [String: JSONValue] = [
      "programme": .string(programme.name), "source": .string(programme.source),
      "shuffle": .bool(programme.isShuffled), "filler": JSONOutput.text(programme.filler),
      "problem": JSONOutput.text(programme.problem),
    ]
    if let users { members["used_by"] = .array(users.map { .string($0) }) }
    return .object(members)
  }

  package static func daypart(_ daypart: Daypart) -> JSONValue {
    [
      "daypart": .string(daypart.name), "start": .string(daypart.part.startText),
      "end": .string(daypart.part.endText),
      "exceptions": .array(
        daypart.exceptions.map {
          [
            "on": .string($0.daysText), "start": JSONOutput.text($0.part?.startText),
            "end": JSONOutput.text($0.part?.endText),
          ]
        }),
    ]
  }

  package static func calendar(_ calendar: HolidayCalendar) -> JSONValue {
    [
      "calendar": .string(calendar.name),
      "days": .array(
        calendar.days.map { ["day": .string($0.text), "label": JSONOutput.text(calendar.label(of: $0))] }),
    ]
  }

  package static func group(_ group: DeviceGroup) -> JSONValue {
    ["group": .string(group.name), "devices": .array(group.members.map { .string($0.label) })]
  }
}

extension Daypart.Exception {
  /// `mon-fri` or `@holidays`.
  package var daysText: String {
    switch days {
    case .weekdays(let days): days.text
    case .calendar(let name): "@\(name)"
    }
  }
}
