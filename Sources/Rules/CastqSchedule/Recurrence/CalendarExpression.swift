package import CastqText

/// A calendar expression of systemd, as `OnCalendar=` has it (systemd.time(7)): `Mon..Fri *-*-* 08:00`, `*-02~1 12:00 UTC`, `hourly`.
///
/// Times are whole seconds; `@` with seconds since 1970 is refused, because a rule for one moment says so (`--once`).
package struct CalendarExpression: Recurrence {
  /// As it was written.
  package let text: String
  /// The zone at the end of the text; nil when there is none.
  package let zone: ZoneName?
  let fields: CalendarFields

  package let months: NumberSet
  package let hours: NumberSet
  package let minutes: NumberSet
  package let seconds: NumberSet

  /// systemd's calendar begins and ends with these years.
  private static let years = 1970...2199

  /// - Throws: what is wrong, with the position in the text; also when no day of the calendar fits.
  package init(_ text: String) throws(TextError) {
    guard text.utf8.count <= 1000 else {
      throw TextError("the calendar expression is longer than 1,000 bytes", hint: "write several rules")
    }
    var scanner = CalendarScanner(text)
    zone = scanner.zone()
    let fields = try scanner.fields()
    self.text = text
    self.fields = fields
    months = Self.set(fields.month, 1...12)
    hours = Self.set(fields.hour, 0...23)
    minutes = Self.set(fields.minute, 0...59)
    seconds = Self.set(fields.second, 0...59)
    if next(from: LocalTime(LocalDate(number: 0))) == nil {
      throw TextError("no day of the years 1970 to 2199 fits `\(TerminalText.excerpt(text))`")
    }
  }

  private static func set(_ components: [CalendarComponent], _ range: ClosedRange<Int>) -> NumberSet {
    if components.isEmpty { return NumberSet(range) }
    return components.reduce(into: NumberSet()) { set, component in
      component.insert(into: &set, first: component.start, last: component.stop, limit: range.upperBound)
    }
  }

  package func year(from year: Int) -> Int? {
    let wanted = max(year, Self.years.lowerBound)
    let next = fields.year.isEmpty ? wanted : fields.year.compactMap { $0.first(from: wanted) }.min()
    return next.flatMap { $0 <= Self.years.upperBound ? $0 : nil }
  }

  package func days(ofMonth month: Int, in year: Int) -> NumberSet {
    let length = CivilTime.days(inMonth: month, of: year)
    var set = NumberSet()
    for component in fields.day {
      switch fields.dayOrder {
      case .fromStart:
        component.insert(into: &set, first: component.start, last: component.stop, limit: length)
      case .fromEnd:
        // The first number is the day nearer to the end: `~1..3` are the last three days.
        let days = (length + 1 - component.start, component.stop.map { length + 1 - $0 })
        component.insert(
          into: &set, first: days.1 ?? days.0, last: days.1 == nil ? nil : days.0, limit: length)
      }
    }
    if fields.day.isEmpty { set = NumberSet(1...length) }
    return NumberSet(bits: set.bits & days(on: fields.weekdays, ofMonth: month, in: year).bits)
  }
}

/// What a calendar expression says of each unit of time; an empty list is a star.
struct CalendarFields: Sendable, Hashable {
  /// From where the days of a month are counted.
  enum DayOrder: Sendable, Hashable {
    case fromStart, fromEnd
  }
  var weekdays = Weekdays.all
  var year: [CalendarComponent] = []
  var month: [CalendarComponent] = []
  var day: [CalendarComponent] = []
  var dayOrder = DayOrder.fromStart
  var hour: [CalendarComponent] = []
  var minute: [CalendarComponent] = []
  var second: [CalendarComponent] = []
}

/// A number, a range, or a number that repeats.
struct CalendarComponent: Sendable, Hashable {
  var start: Int
  /// The last number of a range; nil when there is none.
  var stop: Int?
  /// How far apart the numbers are; nil when there is only one.
  var step: Int?

  static func value(_ number: Int) -> CalendarComponent { CalendarComponent(start: number) }

  func insert(into set: inout NumberSet, first: Int, last: Int?, limit: Int) {
    guard let step else {
      set.insert(first)
      return
    }
    for number in stride(from: first, through: min(last ?? limit, limit), by: max(step, 1)) {
      set.insert(number)
    }
  }

  /// The first number that is not smaller, without a limit.
  func first(from number: Int) -> Int? {
    guard start < number else { return start }
    guard let step, step > 0 else { return nil }
    let next = start + (number - start + step - 1) / step * step
    return stop.map { next <= $0 } ?? true ? next : nil
  }
}
