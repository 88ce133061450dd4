import CastProtocol

/// A day of the calendar without a zone, in the years 0 to 9999.
package struct LocalDate: Sendable, Hashable, Strideable {
  /// Days since 1970-01-01, clamped to the calendar.
  package let number: Int

  private static let numbers = -719_528...2_932_896

  /// The first and the last day of the calendar.
  package static let earliest = LocalDate(number: numbers.lowerBound)
  package static let latest = LocalDate(number: numbers.upperBound)

  /// - Parameter number: days since 1970-01-01; clamped.
  package init(number: Int) {
    self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound)
  }

  /// Nil when the day does not exist.
  package init?(year: Int, month: Int, day: Int) {
    let civil = CivilTime(year: year, month: month, day: day)
    guard civil.isValid else { return nil }
    self.init(number: civil.daysSinceEpoch)
  }

  /// Parses `2026-12-24`.
  package init(_ text: String) throws(TextError) {
    guard let date = Self.date(Array(text.utf8)) else {
      throw TextError("`\(TerminalText.excerpt(text))` is not a date", hint: "write it as in 2026-12-24")
    }
    self = date
  }

  private static func date(_ bytes: [UInt8]) -> LocalDate? {
    let fields = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard fields.map(\.count) == [4, 2, 2] else { return nil }
    var numbers: [Int] = []
    for field in fields {
      guard field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      numbers.append(field.reduce(0) { $0 * 10 + Int($1) - 0x30 })
    }
    return LocalDate(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The year, month and day, at midnight.
  package var civil: CivilTime { CivilTime(daysSinceEpoch: number) }

  /// 1970-01-01 was a Thursday.
  package var weekday: Weekday { Weekday(index: number + 3) }

  /// `2026-12-24`.
  package var text: String {
    let civil = civil
    return "\(civil.year.digits(4))-\(civil.month.digits(2))-\(civil.day.digits(2))"
  }

  package func distance(to other: LocalDate) -> Int { other.number - number }

  /// The day this many days later; clamped to the calendar.
  package func advanced(by days: Int) -> LocalDate { LocalDate(number: number.adding(bounded: days)) }
}

extension Int {
  /// The number with at least this many digits. Only for numbers from 0.
  package func digits(_ count: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
  }
}
