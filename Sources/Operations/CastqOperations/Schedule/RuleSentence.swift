package import CastProtocol
package import CastqSchedule
package import CastqText

/// What a rule does, in one sentence, in parts: faces give the programme a weight of its own, and screens the names that people use.
package struct RuleSentence: Sendable, Hashable {
  /// `Mondays, Wednesdays and Fridays from 11:30 to 13:30`
  package let when: String
  package let programme: String
  /// `lobby`, `@foyers`, `@all`
  package let target: String
  /// `instead of the queue`
  package let how: String
  /// `Next time: Monday 30 November at 11:30.`, or why there is none; empty for a rule that holds always.
  package let next: String

  /// - Parameters:
  ///   - target: where, as `-d` has it.
  ///   - next: when it begins next, by the clock of the rule; nil for never.
  ///   - today: the day of that clock.
  package init(_ rule: ScheduleRule, target: String, next: LocalTime?, today: LocalDate) {
    when = Self.times(rule) + Self.limits(rule)
    programme = ProgrammeName.shown(rule.programme)
    self.target = target
    how = Self.manner(rule)
    if !rule.isEnabled {
      self.next = "It is switched off."
    } else if rule.form == .always {
      self.next = ""
    } else {
      self.next = next.map { "Next time: \(Self.day($0, today: today))." } ?? "It never comes again."
    }
  }

  /// The whole sentence. A label of a screen stands as it is.
  package var text: String {
    let place =
      switch target {
      case "@all": "all screens"
      case let group where group.hasPrefix("@"): "the screens of \(group.dropFirst())"
      default: target
      }
    return ["\(when) \(programme) plays on \(place) \(how).", next].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  package var json: JSONValue {
    [
      "when": .string(when), "programme": .string(programme), "device": .string(target), "how": .string(how),
      "next": .string(next), "text": .string(text),
    ]
  }

  // MARK: - When

  private static func times(_ rule: ScheduleRule) -> String {
    let length = rule.length.map { " for \(Self.length($0))" } ?? ""
    return switch rule.form {
    case .always: "Always"
    case .daily(let part, let days):
      "\(Self.days(days)) from \(part.text.split(separator: "-").joined(separator: " to "))"
    case .daypart(let name, let days): "\(Self.days(days)) at the time of day \(name)"
    case .cron(let cron): "\(SpokenCron(cron)?.words ?? "At each time of \(cron.text)")\(length)"
    case .calendar(let calendar): "At each time of \(calendar.text)\(length)"
    case .once(let time): "Once, on \(Self.date(time.date)) at \(time.clockText)\(length)"
    }
  }

  /// `Every day`, `Mondays to Fridays`, `Mondays, Wednesdays and Fridays`.
  package static func days(_ days: Weekdays) -> String {
    if days == .all { return "Every day" }
    let names = Weekday.allCases.filter(days.contains).map { "\($0.name)s" }
    let isRun = days.text.contains("-") && !days.text.contains(",")
    if isRun, names.count > 2, let first = names.first, let last = names.last { return "\(first) to \(last)" }
    guard let last = names.last, names.count > 1 else { return names.first ?? "Never" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private static func limits(_ rule: ScheduleRule) -> String {
    let parts = [
      rule.onlyOn.map { "only on days of \($0)" }, rule.notOn.map { "but not on days of \($0)" },
      rule.validFrom.map { "from \(date($0)) on" }, rule.validUntil.map { "until \(date($0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : ", \(parts.joined(separator: ", ")),"
  }

  private static func manner(_ rule: ScheduleRule) -> String {
    if rule.kind == .trigger { return "as an announcement, and gives the screen back" }
    if case .share(let terms) = rule.kind {
      return [
        "between what else is on, for \(length(terms.secondsPerHour)) of each hour",
        terms.maxPerHour.map { $0 == 1 ? "at most once" : "at most \($0) times" },
        terms.minGap > 0 ? "at least \(length(terms.minGap)) apart" : nil,
      ].compactMap(\.self).joined(separator: ", ")
    }
    let rank =
      rule.priority > 0
      ? "instead of the queue and of other times"
      : rule.priority < 0 ? "where no other time wants the screen" : "instead of the queue"
    return rule.end == .finish ? "\(rank), and its last item may finish" : rank
  }

  /// `1 h 30 min`, `45 s`.
  package static func length(_ seconds: Int) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  /// `today at 11:30`, `tomorrow …`, `Thursday …` within a week, `Thursday 24 December` after it.
  private static func day(_ time: LocalTime, today: LocalDate) -> String {
    let clock = time.clockText
    let weekday = Weekday(index: time.date.number + 3).name
    return switch time.date.number - today.number {
    case 0: "today at \(clock)"
    case 1: "tomorrow at \(clock)"
    case 2...6: "\(weekday) at \(clock)"
    default: "\(weekday) \(date(time.date)) at \(clock)"
    }
  }

  private static func date(_ date: LocalDate) -> String {
    let civil = CivilTime(daysSinceEpoch: date.number)
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    return months.indices.contains(civil.month - 1) ? "\(civil.day) \(months[civil.month - 1])" : date.text
  }
}
