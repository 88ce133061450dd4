import Glibc

/// Points in time as people read them.
enum UTCText {
  /// Such as `2026-03-09 11:44 UTC`.
  /// - Parameter seconds: since 1970.
  static func of(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    // Years beyond what the calendar of the C library holds.
    guard gmtime_r(&time, &parts) != nil else { return "second \(seconds) since 1970" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + " \(two(parts.tm_hour)):\(two(parts.tm_min)) UTC"
  }
}
