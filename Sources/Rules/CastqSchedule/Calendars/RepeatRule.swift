import CastqText

/// A recurrence rule of iCalendar (RFC 5545, section 3.3.10): yearly to hourly.
struct RepeatRule: Sendable, Hashable {
  enum Frequency: String, Sendable, Hashable {
    case yearly = "YEARLY"
    case monthly = "MONTHLY"
    case weekly = "WEEKLY"
    case daily = "DAILY"
    case hourly = "HOURLY"
  }

  /// A day of the week, or the n-th such day of a month or year; negative numbers count from the end.
  struct ByDay: Sendable, Hashable {
    var ordinal: Int?
    var day: Weekday
  }

  var frequency = Frequency.daily
  /// From 1.
  var interval = 1
  var count: Int?
  var until: CalendarTime?
  var months: Set<Int> = []
  var monthDays: Set<Int> = []
  var yearDays: Set<Int> = []
  var weekNumbers: Set<Int> = []
  var days: [ByDay] = []
  /// Of the day; empty is that of the start.
  var hours: Set<Int> = []
  /// Of the hour; empty is that of the start.
  var minutes: Set<Int> = []
  var positions: Set<Int> = []
  var weekStart = Weekday.monday

  /// Whether a day may have several starts.
  var hasTimes: Bool { frequency == .hourly || !hours.isEmpty || !minutes.isEmpty }

  private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// Parses `FREQ=YEARLY;BYMONTH=5;BYDAY=2SU`.
  init(_ text: String) throws(TextError) {
    var frequency: Frequency?
    for part in text.split(separator: ";").map(\.trimmingBlanks) where !part.isEmpty {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = halves[0].uppercased()
      let value = halves.count == 2 ? String(halves[1]) : ""
      switch key {
      case "FREQ":
        guard let known = Frequency(rawValue: value.uppercased()) else {
          throw TextError(
            "`\(TerminalText.excerpt(String(part)))` is not read",
            hint: "castq reads YEARLY, MONTHLY, WEEKLY, DAILY and HOURLY")
        }
        frequency = known
      case "INTERVAL": interval = try Self.number(value, 1...100_000)
      case "COUNT": count = try Self.number(value, 1...1_000_000)
      case "UNTIL": until = try CalendarTime(value)
      case "BYMONTH": months = try Self.numbers(value, 1...12)
      case "BYMONTHDAY": monthDays = try Self.numbers(value, 1...31, signed: true)
      case "BYYEARDAY": yearDays = try Self.numbers(value, 1...366, signed: true)
      case "BYWEEKNO": weekNumbers = try Self.numbers(value, 1...53, signed: true)
      case "BYHOUR": hours = try Self.numbers(value, 0...23)
      case "BYMINUTE": minutes = try Self.numbers(value, 0...59)
      case "BYSECOND" where value == "0": break
      case "BYSETPOS": positions = try Self.numbers(value, 1...366, signed: true)
      case "BYDAY":
        days = try value.split(separator: ",").map { (day) throws(TextError) in try Self.day(String(day)) }
      case "WKST": weekStart = try Self.day(value).day
      default:
        throw TextError(
          "`\(TerminalText.excerpt(String(part)))` is not read", hint: "castq reads days, hours and minutes")
      }
    }
    guard let frequency else {
      throw TextError("the rule has no FREQ", hint: "it is written as in FREQ=YEARLY;BYMONTH=5;BYDAY=2SU")
    }
    // RFC 5545 3.3.10.
    let hasOrdinals = days.contains { $0.ordinal != nil }
    guard !hasOrdinals || frequency == .yearly || frequency == .monthly else {
      throw TextError(
        "BYDAY has a number, and the rule is \(frequency.rawValue)",
        hint: "a number counts days of a month or year: remove it, or write FREQ=MONTHLY")
    }
    guard !hasOrdinals || weekNumbers.isEmpty else {
      throw TextError(
        "BYDAY has a number beside BYWEEKNO", hint: "a week has each day once: remove the number")
    }
    self.frequency = frequency
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) throws(TextError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func numbers(
    _ text: String, _ range: ClosedRange<Int>, signed: Bool = false
  ) throws(TextError) -> Set<Int> {
    var numbers: Set<Int> = []
    for part in text.split(separator: ",") {
      let isNegative = signed && part.hasPrefix("-")
      let number = try number(String(isNegative ? part.dropFirst() : part), range)
      numbers.insert(isNegative ? -number : number)
    }
    guard !numbers.isEmpty else { throw TextError("a list of numbers is empty") }
    return numbers
  }

  private static func day(_ text: String) throws(TextError) -> ByDay {
    guard let index = weekdays.firstIndex(of: String(text.suffix(2)).uppercased()) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a day of the week", hint: "it is one of MO to SU")
    }
    let ordinal = text.dropLast(2)
    guard !ordinal.isEmpty else { return ByDay(ordinal: nil, day: Weekday(index: index)) }
    let isNegative = ordinal.hasPrefix("-")
    let number = try number(
      String(isNegative || ordinal.hasPrefix("+") ? ordinal.dropFirst() : ordinal), 1...53)
    return ByDay(ordinal: isNegative ? -number : number, day: Weekday(index: index))
  }
}
