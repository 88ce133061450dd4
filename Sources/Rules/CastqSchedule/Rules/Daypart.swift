package import CastqText

/// A part of the day with a name, which may be another one, or closed, on some days.
package struct Daypart: Sendable, Hashable {
  /// Some days that differ.
  package struct Exception: Sendable, Hashable {
    package enum Days: Sendable, Hashable {
      case weekdays(Weekdays)
      /// The days of a calendar, by its name.
      case calendar(String)
    }
    package var days: Days
    /// Nil is closed.
    package var part: DayPart?

    package init(_ days: Days, _ part: DayPart?) {
      self.days = days
      self.part = part
    }
  }

  package var name: String
  package var part: DayPart
  /// In the order in which they were given.
  package var exceptions: [Exception]

  package init(name: String, part: DayPart, exceptions: [Exception] = []) {
    self.name = name
    self.part = part
    self.exceptions = exceptions
  }

  /// The calendars that the exceptions name.
  var calendarNames: [String] {
    exceptions.compactMap { exception in
      switch exception.days {
      case .weekdays: nil
      case .calendar(let name): name
      }
    }
  }

  /// The exception for a day; nil when it is as any other. A calendar beats the days of the week; within a kind the first counts.
  func exception(on day: LocalDate, calendars: [String: HolidayCalendar]) -> Exception? {
    var ofWeek: Exception?
    for exception in exceptions {
      switch exception.days {
      case .calendar(let name): if calendars[name]?.contains(day) ?? false { return exception }
      case .weekdays(let days): if ofWeek == nil, days.contains(day.weekday) { ofWeek = exception }
      }
    }
    return ofWeek
  }

  /// The part of a day; nil when it is closed. The day is the one on which the part begins.
  package func part(on day: LocalDate, calendars: [String: HolidayCalendar]) -> DayPart? {
    exception(on: day, calendars: calendars).map(\.part) ?? part
  }
}
