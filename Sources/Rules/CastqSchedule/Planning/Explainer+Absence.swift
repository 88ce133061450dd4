import CastqText

extension Explainer {
  /// Why a rule that can be evaluated is not on at a moment.
  static func absence(_ timetable: RuleTimetable, at moment: WallTime) -> Standing {
    let local = timetable.offsets.localTime(at: moment)
    if let reason = dayOff(timetable, local.date) { return .not(.off, reason) }
    let today = timetable.occurrences(in: around(local.date, timetable)).prefix(10_000).filter {
      $0.original.date == local.date
    }
    if let next = today.first(where: { $0.start > moment }) {
      return .not(.later, "starts \(text(next.start, timetable, local))")
    }
    if let last = today.last {
      if last.isCollapsed { return .not(.off, "clocks skip it on \(local.date.text)") }
      let ended = last.end.map { "ended \(text($0, timetable, local))" }
      return .not(.off, ended ?? "was at \(text(last.start, timetable, local))")
    }
    if let reason = exception(timetable, local.date) { return .not(.off, reason) }
    if let next = timetable.next(after: moment) {
      return .not(.later, "starts \(text(next.start, timetable, local))")
    }
    return .not(.off, "has no more starts")
  }

  /// The day with what began on it, by the zone of the rule.
  private static func around(_ day: LocalDate, _ timetable: RuleTimetable) -> Range<WallTime> {
    let start = timetable.offsets.instant(of: LocalTime(day))
    let end = timetable.offsets.instant(of: LocalTime(day, second: 86_400))
    return start..<max(start, end)
  }

  private static func text(_ moment: WallTime, _ timetable: RuleTimetable, _ now: LocalTime) -> String {
    let local = timetable.offsets.localTime(at: moment)
    return local.date == now.date ? local.clockText : local.dayText
  }

  /// Why the rule has no start on a day; nil when nothing of its days is against it.
  private static func dayOff(_ timetable: RuleTimetable, _ day: LocalDate) -> String? {
    let allowed = timetable.allowed
    if day < allowed.first { return "valid from \(allowed.first.text)" }
    if day > allowed.last { return "valid until \(allowed.last.text)" }
    if let calendar = allowed.onlyOn, !calendar.contains(day) { return "only on \(calendar.name)" }
    if let calendar = allowed.notOn, let label = calendar.label(of: day) {
      return "not on \(calendar.name)\(quoted(label))"
    }
    switch timetable.source {
    case .part(_, let days): return days.contains(day.weekday) ? nil : "not on \(day.weekday.name)s"
    case .daypart(let daypart, let calendars, let days):
      guard days.contains(day.weekday) else { return "not on \(day.weekday.name)s" }
      guard daypart.part(on: day, calendars: calendars) == nil else { return nil }
      switch daypart.exception(on: day, calendars: calendars)?.days {
      case .calendar(let name): return "closed on \(name)\(quoted(calendars[name]?.label(of: day) ?? ""))"
      case .weekdays, nil: return "closed on \(day.weekday.name)s"
      }
    case .runs, .recurrence, .once: return nil
    }
  }

  private static func quoted(_ label: String) -> String { label.isEmpty ? "" : ", \(label)" }

  /// What was done to the starts of a day by hand.
  private static func exception(_ timetable: RuleTimetable, _ day: LocalDate) -> String? {
    let starts = timetable.rule.exceptions.filter { $0.key.date == day && timetable.starts(at: $0.key) }
    guard let (original, exception) = starts.min(by: { $0.key < $1.key }) else { return nil }
    switch exception {
    case .skip: return "skipped on \(day.text)"
    case .move(let local): return "moved from \(original.clockText) to \(local.dayText)"
    case .replace: return nil
    }
  }
}
