import CastProtocol

/// What a clock and a calendar on the wall show, to the second, without a zone. Rules are written in it; a zone turns it into a
/// moment (`TimeZoneRules.instant(of:)`).
package struct LocalTime: Sendable, Hashable, Comparable {
  /// Seconds since 1970-01-01 00:00 of the same clock, clamped to the years 0 to 9999.
  package let seconds: Int

  private static let allSeconds =
    LocalDate.earliest.number * 86_400...LocalDate.latest.number * 86_400 + 86_399

  package init(seconds: Int) {
    self.seconds = min(max(seconds, Self.allSeconds.lowerBound), Self.allSeconds.upperBound)
  }

  /// - Parameter second: seconds after the midnight at which the day begins; 86,400 and more are on later days.
  package init(_ date: LocalDate, second: Int = 0) {
    self.init(seconds: (date.number * 86_400).adding(bounded: second))
  }

  /// Parses `2026-12-24T08:00`, with seconds if need be; a space may stand for the `T`.
  package init(_ text: String) throws(TextError) {
    guard let time = Self.time(text) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a local time", hint: "write it as in 2026-12-24T08:00")
    }
    self = time
  }

  private static func time(_ text: String) -> LocalTime? {
    let halves = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: " ")
    }
    guard halves.count == 2, let day = try? LocalDate(String(Substring(halves[0]))),
      let second = DayPart.second(Array(halves[1])), second < 86_400
    else { return nil }
    return LocalTime(day, second: second)
  }

  /// The day, which the time belongs to.
  package var date: LocalDate {
    LocalDate(number: seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }

  /// Seconds after midnight, 0 to 86,399.
  package var secondOfDay: Int { seconds - date.number * 86_400 }

  /// `2026-12-24T08:00`, and the seconds when there are any.
  package var text: String { "\(date.text)T\(clockText)" }

  /// `08:00`, and the seconds when there are any.
  package var clockText: String { DayPart.text(secondOfDay) }

  package func adding(seconds: Int) -> LocalTime { LocalTime(seconds: self.seconds.adding(bounded: seconds)) }

  package static func < (left: LocalTime, right: LocalTime) -> Bool { left.seconds < right.seconds }
}
