import CastqText

/// A duration of iCalendar (RFC 5545, section 3.3.6): days by the calendar, then seconds that pass.
struct CalendarDuration: Sendable, Hashable {
  /// Weeks and days, which are nominal: a day ends when the clock shows the same time again.
  var days = 0
  /// Hours, minutes and seconds, which are exact.
  var seconds = 0

  init(days: Int = 0, seconds: Int = 0) { (self.days, self.seconds) = (days, seconds) }

  /// Parses `P1D`, `PT1H30M` or `P2W`; negative ones are refused.
  init(_ text: String) throws(TextError) {
    let wrong = TextError(
      "`\(TerminalText.excerpt(text))` is not a duration", hint: "it is written as in P1D or PT1H30M")
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    guard bytes.count <= 64, bytes.popFirst() == UInt8(ascii: "P"), !bytes.isEmpty else { throw wrong }
    var (number, isTime): (Int?, Bool) = (nil, false)
    for byte in bytes {
      if (0x30...0x39).contains(byte) {
        let next = (number ?? 0) * 10 + Int(byte) - 0x30
        guard next < 10_000_000 else { throw wrong }
        number = next
        continue
      }
      if byte == UInt8(ascii: "T"), number == nil, !isTime {
        isTime = true
        continue
      }
      guard let count = number else { throw wrong }
      switch (isTime, byte) {
      case (false, UInt8(ascii: "W")): days += count * 7
      case (false, UInt8(ascii: "D")): days += count
      case (true, UInt8(ascii: "H")): seconds += count * 3600
      case (true, UInt8(ascii: "M")): seconds += count * 60
      case (true, UInt8(ascii: "S")): seconds += count
      default: throw wrong
      }
      number = nil
    }
    guard number == nil else { throw wrong }
  }
}
