import CastProtocol
import CastqCore
import CastqStore

/// The documents and texts of what rules name.
enum ScheduleOutput {
  /// - Parameter users: what uses it; nil when nobody asked.
  static func programme(_ programme: StoredProgramme, users: [String]? = nil) -> JSONValue {
    var members: [String: JSONValue] = [
      "programme": .string(programme.name), "source": .string(programme.source),
      "shuffle": .bool(programme.isShuffled), "filler": JSONOutput.text(programme.filler),
      "problem": JSONOutput.text(programme.problem),
    ]
    if let users { members["used_by"] = .array(users.map { .string($0) }) }
    return .object(members)
  }

  static func daypart(_ daypart: Daypart) -> JSONValue {
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

  static func calendar(_ calendar: HolidayCalendar) -> JSONValue {
    [
      "calendar": .string(calendar.name),
      "days": .array(
        calendar.days.map { ["day": .string($0.text), "label": JSONOutput.text(calendar.label(of: $0))] }),
    ]
  }

  static func group(_ group: DeviceGroup) -> JSONValue {
    ["group": .string(group.name), "devices": .array(group.members.map { .string($0.label) })]
  }

  /// Titles and values in two columns; nil leaves a line out.
  static func details(_ rows: [(title: String, value: String?)]) -> [String] {
    let width = rows.filter { $0.value != nil }.map(\.title.count).max() ?? 0
    return rows.compactMap { title, value in
      value.map {
        TerminalText.sanitized(
          AddressText.withoutSecrets(title + String(repeating: " ", count: width - title.count + 2) + $0))
      }
    }
  }
}

extension Daypart.Exception {
  /// `mon-fri` or `@holidays`.
  var daysText: String {
    switch days {
    case .weekdays(let days): days.text
    case .calendar(let name): "@\(name)"
    }
  }
}

extension ScheduleCall {
  /// Prints a listing: one document, one a line, or a table.
  /// - Parameters:
  ///   - none: what to say on a terminal when there is nothing to list.
  ///   - legend: the last line of the table; nil prints none.
  func print(
    _ documents: [JSONValue], as key: String, _ table: Table, none: String, legend: String? = nil
  ) throws {
    if global.jsonl {
      for document in documents { Console.print(document) }
    } else if global.json {
      Console.print(JSONValue.object([key: .array(documents)]))
    } else {
      table.lines(width: Console.dataWidth).forEach(Console.print)
      if let legend, !documents.isEmpty { Console.print(legend) }
    }
    try workspace.reportDamage()
    if documents.isEmpty, !global.isMachineReadable, !global.quiet, Console.talksToTerminal {
      Console.say("castq: \(none)")
    }
  }
}
