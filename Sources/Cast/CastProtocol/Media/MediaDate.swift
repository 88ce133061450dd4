/// A date, or a date and time, of metadata: ISO 8601 in the extended form `2014-02-10T15:47:00Z`, the basic one `20140210T154700Z`,
/// or a part of it (protocol 11).
///
/// It keeps exactly the given precision: a date without a zone differs from one in UTC.
public struct MediaDate: Sendable, Hashable {
  /// 0 to 9999.
  public let year: Int
  /// 1 to 12; nil when only the year is given.
  public let month: Int?
  /// 1 to the length of the month; nil when it is not given.
  public let day: Int?
  /// Nil when only the date is given.
  public let time: Time?

  /// A time of day.
  public struct Time: Sendable, Hashable {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 60, as there are leap seconds.
    public let second: Int
    /// Billionths of a second, 0 to 999 999 999.
    public let nanosecond: Int
    /// Minutes east of Greenwich, −1439 to 1439; 0 is UTC, nil when no zone is given.
    public let offset: Int?

    /// A time of day; nil when a value is out of range. The offset is in minutes east of Greenwich; nil means no zone.
    public init?(hour: Int, minute: Int, second: Int = 0, nanosecond: Int = 0, offset: Int? = nil) {
      guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
        (0...999_999_999).contains(nanosecond), (-1439...1439).contains(offset ?? 0)
      else { return nil }
      self.hour = hour
      self.minute = minute
      self.second = second
      self.nanosecond = nanosecond
      self.offset = offset
    }
  }

  /// A date; nil when it is invalid, or a finer part is given without a coarser one.
  public init?(year: Int, month: Int? = nil, day: Int? = nil, time: Time? = nil) {
    guard (0...9999).contains(year), month != nil || day == nil, day != nil || time == nil else { return nil }
    if let month {
      guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day ?? 1) else {
        return nil
      }
    }
    self.year = year
    self.month = month
    self.day = day
    self.time = time
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

// MARK: - Moments

extension MediaDate {
  /// A moment in UTC, in seconds since 1970; nil outside the years 0 to 9999.
  public init?(secondsSince1970 seconds: Double) {
    guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
    let whole = Int(bounded: seconds.rounded(.down))
    let nanosecond = Int(bounded: ((seconds - Double(whole)) * 1_000_000_000).rounded(.down))
    let second = ((whole % 86_400) + 86_400) % 86_400
    // Days to a date by eras of 400 years that begin in March, so that the leap day is the last one.
    let shifted = (whole - second) / 86_400 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1,
      time: Time(
        hour: second / 3600, minute: second / 60 % 60, second: second % 60,
        nanosecond: min(nanosecond, 999_999_999), offset: 0))
  }

  /// Seconds since 1970: a date without time means its start, a time without zone means UTC. Nil when no day is given.
  public var secondsSince1970: Double? {
    guard let month, let day else { return nil }
    let shiftedYear = year - (month <= 2 ? 1 : 0)
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let seconds = (era * 146_097 + dayOfEra - 719_468) * 86_400
    guard let time else { return Double(seconds) }
    let ofDay = time.hour * 3600 + time.minute * 60 + time.second - (time.offset ?? 0) * 60
    return Double(seconds + ofDay) + Double(time.nanosecond) / 1_000_000_000
  }
}

extension MediaDate: CustomStringConvertible {
  /// The extended form, such as `2014-02-10T15:47:00Z`, which is also the one sent.
  public var description: String {
    var text = Self.padded(year, 4)
    if let month { text += "-" + Self.padded(month, 2) }
    if let day { text += "-" + Self.padded(day, 2) }
    guard let time else { return text }
    text += "T\(Self.padded(time.hour, 2)):\(Self.padded(time.minute, 2)):\(Self.padded(time.second, 2))"
    if time.nanosecond > 0 {
      var digits = Self.padded(time.nanosecond, 9)
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    guard let offset = time.offset else { return text }
    if offset == 0 { return text + "Z" }
    let minutes = abs(offset)
    return text + (offset < 0 ? "-" : "+") + "\(Self.padded(minutes / 60, 2)):\(Self.padded(minutes % 60, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }
}
