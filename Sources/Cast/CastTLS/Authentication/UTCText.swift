/// Formats points in time for people.
enum UTCText {
  /// Such as `2026-03-09 11:44 UTC`; computed here, because the C library's calendar belongs to another module on each system.
  /// - Parameter seconds: since 1970.
  static func of(_ seconds: Int) -> String {
    // Years without four digits are not formatted as dates.
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return "second \(seconds) since 1970" }
    let (day, second) = seconds.floored(by: 86_400)
    // Days since 1 March of the year 0, in cycles of 400 years; months begin in March, so that leap days come last.
    let (era, dayOfEra) = (day + 719_468).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(dayOfYear - (153 * marchMonth + 2) / 5 + 1))"
      + " \(two(second / 3600)):\(two(second / 60 % 60)) UTC"
  }
}

extension Int {
  /// Quotient and remainder, the latter never negative.
  fileprivate func floored(by divisor: Int) -> (Int, Int) {
    let rest = ((self % divisor) + divisor) % divisor
    return ((self - rest) / divisor, rest)
  }
}
