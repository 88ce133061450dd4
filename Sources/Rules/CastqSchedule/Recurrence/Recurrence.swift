package import CastqText

/// Local times that come again by fields of the calendar and the clock. The next one follows from the fields; no second is tried.
package protocol Recurrence: Sendable, Hashable {
  var months: NumberSet { get }
  var hours: NumberSet { get }
  var minutes: NumberSet { get }
  var seconds: NumberSet { get }
  /// The first year that has such times and is not earlier; nil when there is none.
  func year(from year: Int) -> Int?
  /// The days of a month, which exist.
  func days(ofMonth month: Int, in year: Int) -> NumberSet
}

extension Recurrence {
  /// The first such local time that is not earlier; nil when there is none within 400 years, after which the calendar repeats, or
  /// before the year 10000.
  package func next(from local: LocalTime) -> LocalTime? {
    let first = local.date.civil
    var year = first.year
    while let next = self.year(from: year), next <= min(first.year + 400, 9999) {
      year = next
      var month = months.first(from: year == first.year ? first.month : 1)
      while let current = month {
        let isFirst = year == first.year && current == first.month
        var day = days(ofMonth: current, in: year).first(from: isFirst ? first.day : 1)
        while let number = day {
          let isToday = isFirst && number == first.day
          if let date = LocalDate(year: year, month: current, day: number),
            let second = time(from: isToday ? local.secondOfDay : 0)
          {
            return LocalTime(date, second: second)
          }
          day = days(ofMonth: current, in: year).first(from: number + 1)
        }
        month = months.first(from: current + 1)
      }
      year += 1
    }
    return nil
  }

  /// The first time of a day that is not earlier, in seconds after midnight.
  private func time(from second: Int) -> Int? {
    let wanted = [second / 3600, second / 60 % 60, second % 60]
    guard let firstMinute = minutes.first(from: 0), let firstSecond = seconds.first(from: 0) else {
      return nil
    }
    guard let hour = hours.first(from: wanted[0]) else { return nil }
    if hour > wanted[0] { return hour * 3600 + firstMinute * 60 + firstSecond }
    if let minute = minutes.first(from: wanted[1]) {
      if minute > wanted[1] { return hour * 3600 + minute * 60 + firstSecond }
      if let second = seconds.first(from: wanted[2]) { return hour * 3600 + minute * 60 + second }
      if let minute = minutes.first(from: minute + 1) { return hour * 3600 + minute * 60 + firstSecond }
    }
    return hours.first(from: hour + 1).map { $0 * 3600 + firstMinute * 60 + firstSecond }
  }

  /// Whether this local time is one of them.
  package func contains(_ local: LocalTime) -> Bool { next(from: local) == local }

  /// The days of a month that fall on some days of the week.
  func days(on weekdays: Weekdays, ofMonth month: Int, in year: Int) -> NumberSet {
    guard let first = LocalDate(year: year, month: month, day: 1) else { return NumberSet() }
    let week = UInt64(weekdays.rawValue)
    // Five weeks from the Monday of the week that has the first day, then shifted so that bit 1 is the first day.
    let weeks = (0..<6).reduce(UInt64(0)) { (days: UInt64, number: Int) in days | week << UInt64(number * 7) }
    let days: UInt64 = (weeks >> UInt64(first.weekday.rawValue)) << 1
    return NumberSet(bits: days & Self.mask(ofMonth: month, in: year))
  }

  /// Bits 1 to the last day of a month.
  static func mask(ofMonth month: Int, in year: Int) -> UInt64 {
    (1 << UInt64(CivilTime.days(inMonth: month, of: year) + 1)) - 2
  }
}
