package import CastqText

/// A cron expression, as Debian's cron reads one: minute, hour, day of the month, month, day of the week; or `@daily` and its like.
///
/// A day has to fit both fields of days when one of them begins with a star; else one of the two suffices (crontab(5)).
package struct CronExpression: Recurrence {
  /// As it was written.
  package let text: String
  package let minutes: NumberSet
  package let hours: NumberSet
  package let months: NumberSet
  package let seconds = NumberSet(0...0)
  package let weekdays: Weekdays
  private let daysOfMonth: NumberSet
  private let needsBoth: Bool

  private static let shorthands = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]

  /// - Throws: what is wrong, with the position in the text; also when no day of the calendar fits.
  package init(_ text: String) throws(TextError) {
    guard text.utf8.count <= 1000 else {
      throw TextError("the cron expression is longer than 1,000 bytes", hint: "write several rules")
    }
    var scanner = CronScanner(text)
    if scanner.isShorthand {
      let word = scanner.rest.lowercased()
      guard let meaning = Self.shorthands[word] else {
        throw TextError(
          "`\(TerminalText.excerpt(word))` is not a time",
          hint: word == "@reboot"
            ? "a rule with --always plays whenever castq runs"
            : "write one of @hourly, @daily, @weekly, @monthly, @yearly, or five fields",
          offset: scanner.offset)
      }
      scanner = CronScanner(meaning)
    }
    let minutes = try scanner.field(.minute)
    let hours = try scanner.field(.hour)
    let days = try scanner.field(.dayOfMonth)
    let months = try scanner.field(.month)
    let week = try scanner.field(.dayOfWeek)
    try scanner.end()
    self.text = text
    (self.minutes, self.hours, daysOfMonth, self.months) = (
      minutes.numbers, hours.numbers, days.numbers, months.numbers
    )
    // cron counts from Sunday, 0, and 7 is Sunday too.
    weekdays = (0...7).reduce(into: Weekdays()) {
      if week.numbers.contains($1) { $0.insert(Weekdays(Weekday(index: $1 + 6))) }
    }
    needsBoth = days.beginsWithStar || week.beginsWithStar
    // A leap day on a given day of the week comes within forty years; 2000 begins a period of the calendar.
    if next(from: LocalTime(LocalDate(number: 10_957))) == nil {
      throw TextError(
        "no month of `\(TerminalText.excerpt(text))` has such a day", hint: "write `28-31`, or other months")
    }
  }

  package func year(from year: Int) -> Int? { year }

  package func days(ofMonth month: Int, in year: Int) -> NumberSet {
    let byNumber = daysOfMonth.bits & Self.mask(ofMonth: month, in: year)
    let byWeek = days(on: weekdays, ofMonth: month, in: year).bits
    return NumberSet(bits: needsBoth ? byNumber & byWeek : byNumber | byWeek)
  }
}
