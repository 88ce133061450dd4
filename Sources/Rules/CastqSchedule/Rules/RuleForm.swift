package import CastqText

/// When a rule is on the air, by the clock of its zone.
package enum RuleForm: Sendable, Hashable {
  /// On each day that the rule allows, without an end at midnight.
  case always
  case daily(DayPart, Weekdays)
  /// A day part, by its name.
  case daypart(String, Weekdays)
  case cron(CronExpression)
  case calendar(CalendarExpression)
  case once(LocalTime)

  /// What a row has in its column `form`.
  package var word: String {
    switch self {
    case .always: "always"
    case .daily: "daily"
    case .daypart: "daypart"
    case .cron: "cron"
    case .calendar: "calendar"
    case .once: "once"
    }
  }

  /// What a row has in its column `expression`: `08:00-10:30`, `08:00-10:30 mon-fri`, `breakfast`, `*/5 * * * *`; empty for `always`.
  package var expression: String {
    switch self {
    case .always: ""
    case .daily(let part, let days): days == .all ? part.text : "\(part.text) \(days.text)"
    case .daypart(let name, let days): days == .all ? name : "\(name) \(days.text)"
    case .cron(let cron): cron.text
    case .calendar(let calendar): calendar.text
    case .once(let time): time.text
    }
  }

  /// Parses the two columns of a row. Names of day parts have no blanks.
  package init(word: String, expression: String) throws(TextError) {
    switch word {
    case "always":
      guard expression.isEmpty else {
        throw TextError("`always` has no expression, but `\(TerminalText.excerpt(expression))`")
      }
      self = .always
    case "daily":
      let (part, days) = try Self.halves(expression)
      self = .daily(try DayPart(part), days)
    case "daypart":
      let (name, days) = try Self.halves(expression)
      guard !name.isEmpty else { throw TextError("the day part has no name") }
      self = .daypart(name, days)
    case "cron": self = .cron(try CronExpression(expression))
    case "calendar": self = .calendar(try CalendarExpression(expression))
    case "once": self = .once(try LocalTime(expression))
    default:
      throw TextError(
        "`\(TerminalText.excerpt(word))` is not a form of a rule",
        hint: "it is one of always, daily, daypart, cron, calendar, once")
    }
  }

  /// What stands before the first blank, and the days of the week after it.
  private static func halves(_ text: String) throws(TextError) -> (String, Weekdays) {
    let words = text.split(separator: " ")
    guard words.count <= 2 else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` has more than two words",
        hint: "write it as in `08:00-10:30 mon-fri`")
    }
    return (String(words.first ?? ""), words.count == 2 ? try Weekdays(String(words[1])) : .all)
  }

  /// Whether it gives times at which something begins, and no time at which it ends.
  package var hasOnlyStarts: Bool {
    switch self {
    case .always, .daily, .daypart: false
    case .cron, .calendar, .once: true
    }
  }
}
