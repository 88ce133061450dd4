package import CastqText

/// Why rows of the schedule were not changed, and what to do.
package struct ScheduleRefusal: Sendable, Hashable {
  /// A stable code for programs: `unknown`, `taken`, `in_use`, `kind` or `occurrence`.
  package let code: String
  /// In one line, without the program's name.
  package let message: String
  package let hint: Hint?
  /// Whether it is about the devices that something is for.
  package let isOfDevices: Bool

  init(_ code: String, _ message: String, hint: Hint? = nil, isOfDevices: Bool = false) {
    self.code = code
    self.message = message
    self.hint = hint
    self.isOfDevices = isOfDevices
  }

  /// No row has this name.
  static func unknown(_ kind: ScheduleTable, _ name: String, known: [String]) -> StoreError {
    let advice =
      known.isEmpty ? "there is none yet" : "known are: \(StoreError.list(known))"
    return .refused(
      ScheduleRefusal(
        "unknown", "there is no \(kind.noun) \(name); \(advice)",
        hint: known.isEmpty ? .makeFirst(kind.verb) : nil, isOfDevices: kind == .group))
  }

  /// Another row has this name, with other words.
  static func taken(_ kind: ScheduleTable, _ name: String) -> StoreError {
    .refused(
      ScheduleRefusal(
        "taken", "there is a \(kind.noun) \(name) already, and it differs",
        hint: .replaceOrRemove(kind.verb)))
  }

  /// Something else names the row.
  static func inUse(_ kind: ScheduleTable, _ name: String, by users: [String]) -> StoreError {
    .refused(
      ScheduleRefusal(
        "in_use", "the \(kind.noun) \(name) is used by \(StoreError.list(users)): change that first")
    )
  }
}

/// The tables with names that people give.
enum ScheduleTable: String {
  case programme
  case group = "device_group"
  case calendar
  case daypart
  case rule

  var noun: String {
    switch self {
    case .programme: "programme"
    case .group: "group"
    case .calendar: "calendar"
    case .daypart: "day part"
    case .rule: "rule"
    }
  }

  /// The command that is about them.
  var verb: String {
    switch self {
    case .programme, .calendar, .daypart: rawValue
    case .group: "group"
    case .rule: "schedule"
    }
  }
}
