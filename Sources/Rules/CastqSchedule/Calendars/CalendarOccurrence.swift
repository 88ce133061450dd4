import CastProtocol
import CastqText

/// One time at which an event is.
struct CalendarOccurrence: Sendable {
  let event: CalendarFile.Event
  /// The first day of one that is on for whole days, and how many they are; nil for one of times.
  let days: (first: LocalDate, count: Int)?
  let start: WallTime
  /// The same as the start for an event that names no end: it is as long as what it names.
  let end: WallTime
  /// Whether it ends when the clock shows a time, and not after a time that passes.
  let isNominal: Bool
  let clock: CalendarClock
}

/// How long an event is, from any of its starts.
enum CalendarLength: Sendable {
  /// Whole days.
  case days(Int)
  /// Until the clock shows a time so many seconds later.
  case clock(Int)
  /// So many days by the calendar, and then so many seconds that pass (RFC 5545, section 3.3.6).
  case exact(CalendarDuration)

  /// - Throws: when the end is before the start.
  init(
    of start: CalendarTime, end: CalendarTime?, duration: CalendarDuration?, _ zones: inout CalendarZones
  ) throws(TextError) {
    let wrong = TextError("the event ends before it begins", hint: "DTEND is a later time than DTSTART")
    if start.second == nil {
      if let end {
        let days = end.date.number - start.date.number + ((end.second ?? 0) > 0 ? 1 : 0)
        guard days >= 0 else { throw wrong }
        // One that ends on the day on which it begins is that day, as every calendar program reads it.
        self = .days(max(1, days))
      } else {
        let duration = duration ?? CalendarDuration(days: 1)
        self = .days(max(1, duration.days.adding(bounded: (duration.seconds + 86_399) / 86_400)))
      }
      return
    }
    guard let end else {
      self = .exact(duration ?? CalendarDuration())
      return
    }
    let isSame = start.zone == end.zone && start.zone != .utc || end.second == nil
    guard !isSame else {
      let seconds = end.local.seconds - start.local.seconds
      guard seconds >= 0 else { throw wrong }
      self = .clock(seconds)
      return
    }
    guard let from = zones.moment(start), let to = zones.moment(end), from <= to else { throw wrong }
    self = .exact(CalendarDuration(seconds: Int(to.wholeSeconds - from.wholeSeconds)))
  }

  /// Days that it may be on, at most.
  var mostDays: Int {
    switch self {
    case .days(let count): count
    case .clock(let seconds): seconds / 86_400 + 2
    case .exact(let length): length.days.adding(bounded: length.seconds / 86_400 + 2)
    }
  }
}

extension CalendarZones {
  /// Nil where neither the file nor the zone database has the zone. Of a date, midnight.
  mutating func moment(_ time: CalendarTime) -> WallTime? {
    clock(time.zone).map { $0.rules.calendarMoment(of: time.local) }
  }

  /// The occurrence of an event that begins at a time of its clock.
  func occurrence(
    of event: CalendarFile.Event, at local: LocalTime, _ length: CalendarLength, by clock: CalendarClock
  ) -> CalendarOccurrence {
    if case .days(let count) = length {
      let count = min(count, ScheduleRule.longest / 86_400)
      // A day begins at the first moment that has its date, also where clocks skip its midnight.
      let start = clocks.site.instant(of: LocalTime(local.date))
      let end = clocks.site.instant(of: LocalTime(local.date.advanced(by: count)))
      return CalendarOccurrence(
        event: event, days: (local.date, count), start: start, end: end, isNominal: true, clock: clock)
    }
    let start = clock.rules.calendarMoment(of: local)
    let shown = clock.rules.localTime(at: start)
    let (end, isNominal): (WallTime, Bool)
    switch length {
    case .clock(let seconds):
      (end, isNominal) = (clock.rules.calendarMoment(of: shown.adding(seconds: seconds)), true)
    case .exact(let length):
      let days = min(length.days, ScheduleRule.longest / 86_400)
      let day = days > 0 ? clock.rules.calendarMoment(of: shown.adding(seconds: days * 86_400)) : start
      end = day.adding(seconds: Double(min(length.seconds, ScheduleRule.longest)))
      isNominal = length.seconds == 0 && days > 0
    case .days: (end, isNominal) = (start, true)
    }
    return CalendarOccurrence(
      event: event, days: nil, start: start, end: max(start, end), isNominal: isNominal, clock: clock)
  }
}
