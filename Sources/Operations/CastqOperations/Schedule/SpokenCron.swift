package import CastqSchedule
package import CastqText

/// The times of a cron expression that people have words for: every hour, every 15 minutes between two hours, once a day.
package struct SpokenCron: Sendable, Hashable {
  /// Minutes from one time to the next; nil for once a day.
  package let step: Int?
  /// The first and the last time of a day, in minutes of it.
  package let first: Int
  package let last: Int
  package let days: Weekdays

  /// Minutes of a day.
  package static let day = 24 * 60

  /// Nil for an expression that people have no words for.
  package init?(_ cron: CronExpression) {
    let fields = cron.text.split(separator: " ")
    guard fields.count == 5, fields[2] == "*", fields[3] == "*" else { return nil }
    let minutes = (0..<60).filter(cron.minutes.contains)
    let hours = (0..<24).filter(cron.hours.contains)
    guard let minute = minutes.first, let lastMinute = minutes.last, let hour = hours.first,
      let lastHour = hours.last, lastHour - hour == hours.count - 1, 60 % minutes.count == 0
    else { return nil }
    let gap = 60 / minutes.count
    guard minutes == Array(stride(from: minute, to: 60, by: gap)) else { return nil }
    step = minutes.count == 1 && hours.count == 1 ? nil : gap
    (first, last, days) = (hour * 60 + minute, lastHour * 60 + lastMinute, cron.weekdays)
  }

  /// Each day from one time to another, as far as an expression can say it: the last time is not after the one that is given.
  /// - Returns: nil when no time is between them.
  package init?(every step: Int, from: Int, to: Int, on days: Weekdays) {
    let minute = from % step
    let lastMinute = minute + (60 / step - 1) * step
    let hour = (from - minute + 59) / 60
    let lastHour = min((to - lastMinute) / 60, 23)
    guard to >= lastMinute, hour <= lastHour else { return nil }
    self.step = step
    (first, last, self.days) = (hour * 60 + minute, lastHour * 60 + lastMinute, days)
  }

  /// Once a day.
  package init(at minute: Int, on days: Weekdays) {
    (step, first, last, self.days) = (nil, minute, minute, days)
  }

  /// The expression.
  package var text: String {
    let minutes = step.map { stride(from: first % 60, to: 60, by: $0).map(String.init) } ?? ["\(first % 60)"]
    let (hour, lastHour) = (first / 60, last / 60)
    let hours = hour == lastHour ? "\(hour)" : (hour, lastHour) == (0, 23) ? "*" : "\(hour)-\(lastHour)"
    return "\(minutes.joined(separator: ",")) \(hours) * * \(days == .all ? "*" : days.text)"
  }

  /// Whether it goes round the clock.
  package var isWhole: Bool { step.map { first < $0 && last >= Self.day - $0 } ?? false }

  /// `Every hour at :05`, `Mondays to Fridays every 15 minutes from 09:00 to 16:45`, `Every day at 18:45`.
  package var words: String {
    guard let step else { return "\(RuleSentence.days(days)) at \(Self.clock(first))" }
    let span = " from \(Self.clock(first)) to \(Self.clock(last))"
    let limits =
      !isWhole ? span : first == 0 ? "" : step == 60 ? " at \(Self.clock(first).dropFirst(2))" : span
    let often = "very \(step == 60 ? "hour" : step == 1 ? "minute" : "\(step) minutes")\(limits)"
    return days == .all ? "E\(often)" : "\(RuleSentence.days(days)) e\(often)"
  }

  /// `09:05`, and `24:00` for the end of a day.
  package static func clock(_ minute: Int) -> String { DayPart.text(minute * 60) }
}
