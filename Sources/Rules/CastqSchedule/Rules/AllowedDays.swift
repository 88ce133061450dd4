import CastqText

/// The days on which starts of a rule apply: its validity and its two calendars.
struct AllowedDays: Sendable, Hashable {
  let first: LocalDate
  let last: LocalDate
  let onlyOn: HolidayCalendar?
  let notOn: HolidayCalendar?

  init(_ rule: ScheduleRule, _ book: ScheduleBook) throws(RuleFault) {
    first = rule.validFrom ?? .earliest
    last = rule.validUntil ?? .latest
    if let name = rule.onlyOn { onlyOn = try book.calendar(name) } else { onlyOn = nil }
    if let name = rule.notOn { notOn = try book.calendar(name) } else { notOn = nil }
  }

  func contains(_ day: LocalDate) -> Bool {
    first <= day && day <= last && onlyOn.map { $0.contains(day) } ?? true
      && !(notOn.map { $0.contains(day) } ?? false)
  }

  /// The first such day that is not earlier; nil when there is none. Tries a day only where a calendar names it.
  func first(from day: LocalDate) -> LocalDate? {
    var day = max(day, first)
    while day <= last {
      if let onlyOn {
        guard let next = onlyOn.first(from: day) else { return nil }
        day = next
      }
      guard notOn?.contains(day) ?? false else { return day <= last ? day : nil }
      if day == .latest { return nil }
      day = day.advanced(by: 1)
    }
    return nil
  }

  /// Stretches of days without a gap. There are no more of them than the calendars have days, and one.
  var runs: [ClosedRange<LocalDate>] {
    guard first <= last else { return [] }
    var runs: [ClosedRange<LocalDate>] = []
    if let onlyOn {
      for day in onlyOn.days where contains(day) {
        if let run = runs.last, run.upperBound.number + 1 == day.number {
          runs[runs.count - 1] = run.lowerBound...day
        } else {
          runs.append(day...day)
        }
      }
      return runs
    }
    var start = first
    for day in notOn?.days ?? [] where first <= day && day <= last {
      if start < day { runs.append(start...day.advanced(by: -1)) }
      if day == .latest { return runs }
      start = day.advanced(by: 1)
    }
    if start <= last { runs.append(start...last) }
    return runs
  }
}
