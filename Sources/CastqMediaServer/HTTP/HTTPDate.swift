import Glibc

/// Dates in HTTP format (RFC 9110 5.6.7). They are only written, never parsed: validators are compared as text.
package enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`; nil outside the years 0 to 9999.
  package static func text(secondsSince1970 seconds: Int) -> String? {
    var time = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil, (0...9999).contains(parts.tm_year + 1900) else { return nil }
    let day = days[Int(parts.tm_wday)]
    let month = months[Int(parts.tm_mon)]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, to: 2) }.joined(separator: ":")
    return
      "\(day), \(padded(parts.tm_mday, to: 2)) \(month) \(padded(parts.tm_year + 1900, to: 4)) \(clock) GMT"
  }

  private static func padded(_ number: CInt, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
