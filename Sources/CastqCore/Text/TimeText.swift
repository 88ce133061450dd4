/// A moment as people write it: RFC 3339, `+2h`, `09:00`, `tomorrow 09:00`, `now`.
package enum TimeText: Sendable, Hashable {
  /// A moment of the calendar.
  case moment(WallTime)
  /// So many seconds from now, 0 or more.
  case after(seconds: Double)
  /// The next time a clock shows this: today, or tomorrow when it has passed.
  case next(TimeOfDay)
  /// At this time so many days after today; 0 is today, even when the time has passed.
  case day(Int, TimeOfDay)

  /// What a clock shows.
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
          field.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(Substring(field))
        else { return nil }
        numbers.append(number)
      }
      self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
      guard hour < 24, minute < 60, second < 60 else { return nil }
    }
  }

  package init(_ text: String) throws(TextError) {
    if text == "now" {
      self = .after(seconds: 0)
      return
    }
    if text.utf8.first == UInt8(ascii: "+") {
      self = .after(seconds: try DurationText.seconds(String(text.unicodeScalars.dropFirst())))
      return
    }
    let words = text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
    if words.count == 2, let days = ["today": 0, "tomorrow": 1][words[0]], let time = TimeOfDay(words[1]) {
      self = .day(days, time)
    } else if words.count == 1, let time = TimeOfDay(words[0]) {
      self = .next(time)
    } else {
      do {
        self = .moment(try RFC3339.parse(text))
      } catch {
        throw TextError(
          "`\(TerminalText.excerpt(text))` is not a time",
          hint: "write 2026-11-20T09:00:00Z, 09:00, `tomorrow 09:00` or +2h")
      }
    }
  }

  /// The moment that is meant.
  /// - Parameters:
  ///   - now: the present moment.
  ///   - utcOffset: seconds that clocks of the wanted time zone are ahead of UTC at a moment; a closure because a zone
  ///     changes its offset with the season.
  package func resolved(now: WallTime, utcOffset: (WallTime) -> Int) -> WallTime {
    switch self {
    case .moment(let time): return time
    case .after(let seconds): return now.adding(seconds: seconds)
    case .day(let days, let time): return Self.moment(days, time, now: now, utcOffset: utcOffset)
    case .next(let time):
      let today = Self.moment(0, time, now: now, utcOffset: utcOffset)
      return today > now ? today : Self.moment(1, time, now: now, utcOffset: utcOffset)
    }
  }

  private static func moment(_ days: Int, _ time: TimeOfDay, now: WallTime, utcOffset: (WallTime) -> Int)
    -> WallTime
  {
    let present = utcOffset(now)
    var civil = CivilTime(daysSinceEpoch: CivilTime(now, utcOffset: present).daysSinceEpoch + days)
    (civil.hour, civil.minute, civil.second) = (time.hour, time.minute, time.second)
    // The offset of the present finds the neighbourhood; the offset there finds the moment.
    let near = civil.wallTime(utcOffset: present)
    return civil.wallTime(utcOffset: utcOffset(near))
  }
}
