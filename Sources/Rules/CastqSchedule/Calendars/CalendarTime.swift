import CastqText

/// A date, or a date and a time, of an iCalendar file (RFC 5545, sections 3.3.4 and 3.3.5).
struct CalendarTime: Sendable, Hashable {
  enum Zone: Sendable, Hashable {
    /// The clock of whatever place it is read in.
    case floating
    case utc
    /// What `TZID` says; the file or a database has its clock (`CalendarZones`).
    case named(String)
  }

  var date: LocalDate
  /// Seconds after midnight; nil for a date alone.
  var second: Int?
  var zone = Zone.floating

  /// Parses `20261224`, `20261224T080000` or `20261224T070000Z`.
  /// - Parameter zone: what `TZID` says, where it is known.
  init(_ text: String, zone: Zone = .floating) throws(TextError) {
    let text = text.trimmingBlanks
    let bytes = Array(text.utf8)
    let wrong = TextError(
      "`\(TerminalText.excerpt(text))` is not a date",
      hint: "it is written as in 20261224 or 20261224T080000Z")
    func number(_ range: Range<Int>) throws(TextError) -> Int {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw wrong
      }
      return bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    guard
      let date = LocalDate(year: try number(0..<4), month: try number(4..<6), day: try number(6..<8))
    else { throw wrong }
    self.date = date
    guard bytes.count > 8 else { return }
    let isUTC = bytes.last == UInt8(ascii: "Z")
    guard bytes[8] == UInt8(ascii: "T"), bytes.count == (isUTC ? 16 : 15) else { throw wrong }
    let (hour, minute, second) = (try number(9..<11), try number(11..<13), try number(13..<15))
    guard hour < 24, minute < 60, second <= 60 else { throw wrong }
    self.second = hour * 3600 + minute * 60 + min(second, 59)
    self.zone = isUTC ? .utc : zone
  }

  /// What the clock shows; midnight for a date alone.
  var local: LocalTime { LocalTime(date, second: second ?? 0) }
}
