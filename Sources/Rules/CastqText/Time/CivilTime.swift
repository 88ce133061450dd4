/// A date and time of day in the proleptic Gregorian calendar.
package struct CivilTime: Sendable, Hashable {
  package var year: Int
  /// From 1.
  package var month: Int
  /// From 1.
  package var day: Int
  package var hour = 0
  package var minute = 0
  package var second = 0
  package var millisecond = 0

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The local time at a moment.
  /// - Parameter utcOffset: seconds by which local time is ahead of UTC; east is positive.
  package init(_ time: WallTime, utcOffset: Int = 0) {
    let (days, ofDay) = Self.floorDivide(time.milliseconds, 86_400_000)
    // The offset is added to the rest of the day, not to the sum, so that no moment of the whole range can overflow.
    let (moreDays, rest) = Self.floorDivide(ofDay + Int64(Self.bounded(utcOffset)) * 1000, 86_400_000)
    self.init(daysSinceEpoch: Int(days + moreDays))
    hour = Int(rest / 3_600_000)
    minute = Int(rest / 60_000 % 60)
    second = Int(rest / 1000 % 60)
    millisecond = Int(rest % 1000)
  }

  /// Midnight of the date this many days after 1970-01-01.
  package init(daysSinceEpoch days: Int) {
    // Years are counted from March, so that the leap day is the last of its year; 146,097 days are 400 years.
    let (era, ofEra) = Self.floorDivide(days + 719_468, 146_097)
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * ofYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = ofYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to the date.
  package var daysSinceEpoch: Int {
    let (era, yearOfEra) = Self.floorDivide(month <= 2 ? year - 1 : year, 400)
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  /// Whether the date and the time exist; a second 60 does not.
  package var isValid: Bool {
    (0...9999).contains(year) && (1...12).contains(month)
      && (1...Self.days(inMonth: month, of: year)).contains(day) && (0...23).contains(hour)
      && (0...59).contains(minute) && (0...59).contains(second) && (0...999).contains(millisecond)
  }

  /// The moment of this local time, at an offset in seconds ahead of UTC. Only for valid values.
  package func wallTime(utcOffset: Int) -> WallTime {
    let seconds = daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - Self.bounded(utcOffset)
    return WallTime(milliseconds: Int64(seconds) * 1000 + Int64(millisecond))
  }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func bounded(_ utcOffset: Int) -> Int { min(max(utcOffset, -86_400), 86_400) }

  private static func floorDivide<Number: SignedInteger>(_ value: Number, _ divisor: Number) -> (
    Number, Number
  ) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
