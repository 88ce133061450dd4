/// Date and time as text, such as `2026-11-20T09:00:00.120Z` (RFC 3339).
package enum RFC3339 {
  /// Date and time to the second, as clocks tell them that are so many seconds ahead of UTC: `2026-11-20 18:00:00`.
  package static func local(_ time: WallTime, offset: Int) -> String {
    var bytes: [UInt8] = []
    append(CivilTime(time.adding(seconds: Double(offset))), between: " ", to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// UTC with milliseconds.
  package static func text(_ time: WallTime) -> String {
    let civil = CivilTime(time)
    var bytes: [UInt8] = []
    append(civil, between: "T", to: &bytes)
    append(".", civil.millisecond, 3, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Date and time to the second. By bytes: a history has thousands.
  private static func append(_ civil: CivilTime, between middle: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(24)
    append(nil, civil.year, 4, to: &bytes)
    append("-", civil.month, 2, to: &bytes)
    append("-", civil.day, 2, to: &bytes)
    append(middle, civil.hour, 2, to: &bytes)
    append(":", civil.minute, 2, to: &bytes)
    append(":", civil.second, 2, to: &bytes)
  }

  /// A mark, and a number with so many digits at least.
  private static func append(_ mark: Unicode.Scalar?, _ value: Int, _ width: Int, to bytes: inout [UInt8]) {
    if let mark { bytes.append(UInt8(ascii: mark)) }
    let digits = String(value).utf8
    bytes += repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.count))
    bytes += digits
  }

  /// Parses a date and time with an offset; seconds may be left out, and the colon of the offset, as ISO 8601 and HTML (2.4.5.7, "global
  /// dates and times") have it. Fractions below a millisecond are truncated. The leap second `23:59:60` UTC is the
  /// second after it, because `WallTime`, like the system clock, has no leap seconds.
  package static func parse(_ text: String) throws(TextError) -> WallTime {
    guard let time = time(Array(text.utf8)) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a date and time",
        hint: "write 2026-11-20T09:00:00Z or …+01:00")
    }
    return time
  }

  private static func time(_ bytes: [UInt8]) -> WallTime? {
    var scanner = Scanner(bytes: bytes)
    guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
      let day = scanner.digits(2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2)
    else { return nil }
    let hasSeconds = scanner.skip(":")
    guard let second = hasSeconds ? scanner.digits(2) : 0 else { return nil }
    var civil = CivilTime(year: year, month: month, day: day)
    (civil.hour, civil.minute, civil.second) = (hour, minute, min(second, 59))
    if hasSeconds, scanner.skip(".") {
      guard let milliseconds = scanner.milliseconds() else { return nil }
      civil.millisecond = milliseconds
    }
    guard let offset = scanner.offset(), scanner.isAtEnd, civil.isValid, second <= 60 else { return nil }
    let time = civil.wallTime(utcOffset: offset)
    if second == 60 {
      let utc = CivilTime(time)
      guard utc.hour == 23, utc.minute == 59 else { return nil }
      return time.adding(seconds: 1)
    }
    return time
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard index < bytes.count, UInt32(bytes[index]) == scalar.value else { return false }
      index += 1
      return true
    }

    mutating func digit() -> Int? {
      guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
      index += 1
      return Int(bytes[index - 1]) - 0x30
    }

    mutating func digits(_ count: Int) -> Int? {
      var value = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// One or more digits after the point.
    mutating func milliseconds() -> Int? {
      guard var value = digit() else { return nil }
      var count = 1
      while let digit = digit() {
        if count < 3 { value = value * 10 + digit }
        count += 1
      }
      return count == 1 ? value * 100 : count == 2 ? value * 10 : value
    }

    /// `Z`, or a sign, hours and minutes; in seconds.
    mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = digits(2), skip(":") || !isAtEnd, let minutes = digits(2), hours < 24, minutes < 60
      else {
        return nil
      }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
