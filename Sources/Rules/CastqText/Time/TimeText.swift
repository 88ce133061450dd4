/// A time on the command line: RFC 3339, `2026-11-20`, `2026-11-20 14:00`, `09:00`, `yesterday 14:00`, `+2h`, `-1w`, `now`.
package enum TimeText: Sendable, Hashable {
  /// An absolute moment.
  case moment(WallTime)
  /// Seconds after now; negative is before.
  case fromNow(seconds: Double)
  /// A time of day without a date.
  case clock(TimeOfDay)
  /// A time of day, days after today; 0 is today, even when the time has passed.
  case day(Int, TimeOfDay)
  /// A date and time in the wanted zone.
  case civil(CivilTime)

  /// The day of a time without a date.
  package enum Sense: Sendable, Hashable {
    /// The next one, for the start or end of something.
    case next
    /// The last one, for looking something up.
    case last
  }

  /// A time of day.
  package struct TimeOfDay: Sendable, Hashable {
    package var hour: Int
    package var minute: Int
    package var second: Int

    package init(hour: Int, minute: Int, second: Int = 0) {
      self.hour = hour
      self.minute = minute
      self.second = second
    }

    /// `HH:MM` or `HH:MM:SS`, two digits each except the hour, which may have one.
    fileprivate init?(_ text: Substring) {
      let fields = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard (2...3).contains(fields.count) else { return nil }
      var numbers: [Int] = []
      for (index, field) in fields.enumerated() {
        guard field.count == 2 || (index == 0 && field.count == 1),
          let number = TimeText.number(field)
        else { return nil }
        numbers.append(number)
      }
      self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
      guard hour < 24, minute < 60, second < 60 else { return nil }
    }
  }

  private static let days = ["yesterday": -1, "today": 0, "tomorrow": 1]

  package init(_ text: String) throws(TextError) {
    switch text.utf8.first {
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let seconds = try DurationText.seconds(String(text.unicodeScalars.dropFirst()))
      self = .fromNow(seconds: text.utf8.first == UInt8(ascii: "+") ? seconds : -seconds)
      return
    default: break
    }
    if let time = Self.words(text) ?? (try? .moment(RFC3339.parse(text))) {
      self = time
      return
    }
    throw TextError(
      "`\(TerminalText.excerpt(text))` is not a time",
      hint:
        "write 14:00, `tomorrow 09:00`, `yesterday 14:00`, 2026-11-20, `2026-11-20 14:00`, 2026-11-20T14:00:00Z, -24h or +2h"
    )
  }

  /// Days and local times, such as `tomorrow 09:00`.
  private static func words(_ text: String) -> TimeText? {
    if text == "now" { return .fromNow(seconds: 0) }
    var words = text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
    if words.count == 1, let separator = words[0].firstIndex(of: "T"), date(words[0][..<separator]) != nil {
      words = [words[0][..<separator], words[0][words[0].index(after: separator)...]]
    }
    guard let first = words.first, words.count <= 2 else { return nil }
    if words.count == 1, let time = TimeOfDay(first) { return .clock(time) }
    var time = TimeOfDay(hour: 0, minute: 0)
    if words.count == 2 {
      guard let given = TimeOfDay(words[1]) else { return nil }
      time = given
    }
    if let days = days[first.lowercased()] { return .day(days, time) }
    guard var civil = date(first) else { return nil }
    (civil.hour, civil.minute, civil.second) = (time.hour, time.minute, time.second)
    return civil.isValid ? .civil(civil) : nil
  }

  /// `YYYY-MM-DD`.
  private static func date(_ text: Substring) -> CivilTime? {
    let fields = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard fields.map(\.count) == [4, 2, 2], let year = number(fields[0]), let month = number(fields[1]),
      let day = number(fields[2])
    else { return nil }
    return CivilTime(year: year, month: month, day: day)
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    digits.allSatisfy { (0x30...0x39).contains($0) } ? Int(Substring(digits)) : nil
  }

  /// The moment of this time.
  /// - Parameters:
  ///   - now: the present moment.
  ///   - sense: the day of a time without a date.
  ///   - utcOffset: seconds by which the wanted time zone is ahead of UTC at a moment; a closure, because the offset changes with
  ///     the season.
  package func resolved(now: WallTime, sense: Sense, utcOffset: (WallTime) -> Int) -> WallTime {
    func moment(_ days: Int, _ time: TimeOfDay) -> WallTime {
      let today = CivilTime(now, utcOffset: utcOffset(now)).daysSinceEpoch
      var civil = CivilTime(daysSinceEpoch: today + days)
      (civil.hour, civil.minute, civil.second) = (time.hour, time.minute, time.second)
      return civil.wallTime(in: utcOffset)
    }
    switch self {
    case .moment(let time): return time
    case .fromNow(let seconds): return now.adding(seconds: seconds)
    case .civil(let civil): return civil.wallTime(in: utcOffset)
    case .day(let days, let time): return moment(days, time)
    case .clock(let time):
      let today = moment(0, time)
      switch sense {
      case .next: return today > now ? today : moment(1, time)
      case .last: return today <= now ? today : moment(-1, time)
      }
    }
  }
}
