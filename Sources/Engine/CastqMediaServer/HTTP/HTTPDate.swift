import Glibc

/// Dates in HTTP format (RFC 9110 5.6.7). They are only written, never parsed: validators are compared as text.
package enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`; nil outside the years 0 to 9999.
  package static func text(secondsSince1970 seconds: Int) -> String? {
    var time = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil, (0...9999).contains(parts.tm_year + 1900) else { return nil }
    // Byte by byte: each response has two of them before its first byte of media.
    var text = days[Int(parts.tm_wday)]
    text += ", "
    append(parts.tm_mday, to: &text)
    text += months[Int(parts.tm_mon)]
    let (century, year) = (parts.tm_year + 1900).quotientAndRemainder(dividingBy: 100)
    append(century, to: &text)
    append(year, to: &text)
    for (part, mark) in [(parts.tm_hour, " "), (parts.tm_min, ":"), (parts.tm_sec, ":")] {
      text += mark
      append(part, to: &text)
    }
    text += " GMT"
    return text
  }

  /// Two digits.
  private static func append(_ number: CInt, to text: inout String) {
    for digit in [number / 10, number % 10] {
      text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: 0x30 + digit)))
    }
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ",
    " Dec ",
  ]
}
