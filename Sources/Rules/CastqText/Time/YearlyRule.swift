/// The yearly change between standard and daylight saving time, in the format of POSIX `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Sendable, Hashable {
  /// A day of each year and a time in seconds, which may be on another day.
  struct Moment: Sendable, Hashable {
    enum Day: Sendable, Hashable {
      /// The first to fourth, or with 5 the last, such weekday of a month; weekdays count from Sunday, 0.
      case weekday(month: Int, week: Int, day: Int)
      /// Day of the year from 1, without leap days.
      case julian(Int)
      /// Day of the year from 0, with leap days.
      case ordinal(Int)
    }
    var day: Day
    var seconds: Int
  }

  private struct Summer: Sendable, Hashable {
    var offset: Int
    var start: Moment
    var end: Moment
  }

  private var standard: Int
  private var summer: Summer?

  /// Nil when the text is not a rule.
  init?(_ text: ArraySlice<UInt8>) {
    var scanner = RuleScanner(text)
    guard scanner.name(), let west = scanner.clock(hours: 24) else { return nil }
    standard = -west
    if scanner.isAtEnd { return }
    guard scanner.name() else { return nil }
    var offset = standard + 3600
    if !scanner.isNext(",") {
      guard let west = scanner.clock(hours: 24) else { return nil }
      offset = -west
    }
    guard scanner.skip(","), let start = scanner.moment(), scanner.skip(","), let end = scanner.moment(),
      scanner.isAtEnd
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// Seconds ahead of UTC at a moment in seconds since 1970.
  func offset(at time: Int64) -> Int {
    guard let summer else { return standard }
    // The calendar is limited to these seconds.
    let bounded = min(max(time, -60_000_000_000), 250_000_000_000)
    let year = CivilTime(WallTime(milliseconds: bounded * 1000), utcOffset: standard).year
    let start = summer.start.seconds(in: year) - Int64(standard)
    let end = summer.end.seconds(in: year) - Int64(summer.offset)
    let isSummer = start < end ? (start..<end).contains(bounded) : !(end..<start).contains(bounded)
    return isSummer ? summer.offset : standard
  }

  /// The first moment after one at which the offset may differ, in seconds since 1970; nil without summer time, and at the end of
  /// the calendar.
  func change(after time: Int64) -> Int64? {
    guard let summer, time < 250_000_000_000 else { return nil }
    let bounded = max(time, -60_000_000_000)
    let year = CivilTime(WallTime(milliseconds: bounded * 1000), utcOffset: standard).year
    // A time of a rule may be up to a week away from its day, and so in another year.
    let changes = (year - 1...year + 2).flatMap { (year: Int) -> [Int64] in
      let start = summer.start.seconds(in: year) - Int64(standard)
      return [start, summer.end.seconds(in: year) - Int64(summer.offset)]
    }
    return changes.filter { $0 > time }.min()
  }
}

extension YearlyRule.Moment {
  /// Seconds since 1970, as in a zone at UTC.
  fileprivate func seconds(in year: Int) -> Int64 {
    let newYear = CivilTime(year: year, month: 1, day: 1).daysSinceEpoch
    let days: Int
    switch day {
    case .ordinal(let number): days = newYear + number
    case .julian(let number):
      let hasLeapDay = CivilTime.days(inMonth: 2, of: year) == 29
      days = newYear + number - 1 + (hasLeapDay && number > 59 ? 1 : 0)
    case .weekday(let month, let week, let day):
      let first = CivilTime(year: year, month: month, day: 1).daysSinceEpoch
      // 1970-01-01 was a Thursday.
      let weekday = ((first + 4) % 7 + 7) % 7
      let offset = (day - weekday + 7) % 7 + (week - 1) * 7
      days = first + (offset < CivilTime.days(inMonth: month, of: year) ? offset : offset - 7)
    }
    return Int64(days) * 86_400 + Int64(seconds)
  }
}

/// Parses the parts of a rule.
private struct RuleScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Three letters or more, or any text in angle brackets.
  mutating func name() -> Bool {
    if skip("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
      range.contains(number)
    else { return nil }
    rest = rest.dropFirst(digits.count)
    return number
  }

  /// `[+-]h[:m[:s]]`, in seconds.
  mutating func clock(hours limit: Int) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(0...limit) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where skip(":") {
      guard let part = number(0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func moment() -> YearlyRule.Moment? {
    guard let day = day() else { return nil }
    guard skip("/") else { return YearlyRule.Moment(day: day, seconds: 7200) }
    return clock(hours: 167).map { YearlyRule.Moment(day: day, seconds: $0) }
  }

  private mutating func day() -> YearlyRule.Moment.Day? {
    if skip("J") { return number(1...365).map { .julian($0) } }
    guard skip("M") else { return number(0...365).map { .ordinal($0) } }
    guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let day = number(0...6)
    else { return nil }
    return .weekday(month: month, week: week, day: day)
  }
}
