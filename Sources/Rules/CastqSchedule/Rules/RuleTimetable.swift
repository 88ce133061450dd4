import CastProtocol
package import CastqText

/// A rule with everything it names: the zone, the day part and the calendars.
package struct RuleTimetable: Sendable {
  package let rule: ScheduleRule
  package let zone: ZoneName
  let offsets: TimeZoneRules
  let allowed: AllowedDays
  let source: Source

  /// Where starts come from.
  enum Source: Sendable {
    /// Stretches of whole days.
    case runs([ClosedRange<LocalDate>])
    case part(DayPart, Weekdays)
    case daypart(Daypart, [String: HolidayCalendar], Weekdays)
    case recurrence(any Recurrence)
    case once(LocalTime)
  }

  /// - Throws: when the rule names something that is not there.
  package init(_ rule: ScheduleRule, zone: ZoneName, in book: ScheduleBook) throws(RuleFault) {
    self.rule = rule
    self.zone = zone
    offsets = try book.rules(of: zone)
    allowed = try AllowedDays(rule, book)
    switch rule.form {
    case .always: source = .runs(allowed.runs)
    case .daily(let part, let days): source = .part(part, days)
    case .daypart(let name, let days):
      guard let daypart = book.dayparts[name] else {
        throw RuleFault("there is no day part \(TerminalText.excerpt(name))")
      }
      for name in daypart.calendarNames { _ = try book.calendar(name) }
      source = .daypart(daypart, book.calendars, days)
    case .cron(let expression): source = .recurrence(expression)
    case .calendar(let expression): source = .recurrence(expression)
    case .once(let time): source = .once(time)
    }
  }

  /// The stretches that have something in the range, by their starts. They are computed one by one, as they are asked for: a rule
  /// that fires each second holds no more memory than one that never does.
  package func occurrences(in range: Range<WallTime>) -> OccurrenceSequence {
    OccurrenceSequence(timetable: self, range: range)
  }

  /// The first occurrence that starts after a moment, within ten years; nil when there is none.
  package func next(after moment: WallTime) -> Occurrence? {
    let limit = moment.adding(seconds: 3650 * 86_400)
    guard moment < limit else { return nil }
    return occurrences(in: moment..<limit).first { $0.start > moment }
  }

  /// The part of a day; nil when the rule has none on that day, or is not one of parts.
  func part(on day: LocalDate) -> DayPart? {
    guard allowed.contains(day) else { return nil }
    switch source {
    case .part(let part, let days): return days.contains(day.weekday) ? part : nil
    case .daypart(let daypart, let calendars, let days):
      return days.contains(day.weekday) ? daypart.part(on: day, calendars: calendars) : nil
    case .runs, .recurrence, .once: return nil
    }
  }

  /// Whether the rule itself gives a start at this local time, exceptions left aside.
  func starts(at local: LocalTime) -> Bool {
    switch source {
    case .runs(let runs): return runs.contains { LocalTime($0.lowerBound) == local }
    case .part, .daypart: return part(on: local.date).map { $0.start == local.secondOfDay } ?? false
    case .recurrence(let recurrence): return allowed.contains(local.date) && recurrence.contains(local)
    case .once(let time): return time == local && allowed.contains(local.date)
    }
  }

  /// The stretch that begins at a start of the rule.
  func occurrence(at local: LocalTime) -> Occurrence {
    let start = offsets.instant(of: local)
    switch source {
    case .runs(let runs):
      let last = runs.first { LocalTime($0.lowerBound) == local }?.upperBound ?? local.date
      let end = last == .latest ? WallTime.latest : offsets.instant(of: LocalTime(last, second: 86_400))
      return occurrence(local, start, end)
    case .part, .daypart:
      let end = part(on: local.date).map { offsets.instant(of: LocalTime(local.date, second: $0.end)) }
      return occurrence(local, start, end)
    case .recurrence, .once:
      return occurrence(local, start, rule.length.map { start.adding(seconds: Double($0)) })
    }
  }

  private func occurrence(_ local: LocalTime, _ start: WallTime, _ end: WallTime?) -> Occurrence {
    Occurrence(rule: rule.id, original: local, start: start, end: end)
  }
}
