extension MediaDate {
  /// Parses ISO 8601, extended or basic, complete or partial; nil for any other text or an invalid date.
  public init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var reader = MediaDateReader(bytes: Array(text.utf8))
    guard let date = reader.date(), reader.isAtEnd else { return nil }
    self = date
  }
}

private struct MediaDateReader {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  private mutating func take(_ choices: StaticString) -> UInt8? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    guard choices.withUTF8Buffer({ $0.contains(byte) }) else { return nil }
    index += 1
    return byte
  }

  private var digit: Int? {
    guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else {
      return nil
    }
    return Int(bytes[index] - UInt8(ascii: "0"))
  }

  private mutating func number(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit else { return nil }
      value = value * 10 + digit
      index += 1
    }
    return value
  }

  mutating func date() -> MediaDate? {
    guard let year = number(digits: 4) else { return nil }
    if isAtEnd { return MediaDate(year: year) }
    let isLong = take("-") != nil
    guard let month = number(digits: 2) else { return nil }
    // 201402 could be a time or a short year; ISO 8601 excludes it.
    if isAtEnd { return isLong ? MediaDate(year: year, month: month) : nil }
    guard (take("-") != nil) == isLong, let day = number(digits: 2) else { return nil }
    if isAtEnd { return MediaDate(year: year, month: month, day: day) }
    guard take("Tt") != nil, let time = time() else { return nil }
    return MediaDate(year: year, month: month, day: day, time: time)
  }

  private mutating func time() -> MediaDate.Time? {
    guard let hour = number(digits: 2) else { return nil }
    _ = take(":")
    guard let minute = number(digits: 2) else { return nil }
    var (second, nanosecond) = (0, 0)
    if take(":") != nil || digit != nil {
      guard let value = number(digits: 2) else { return nil }
      second = value
      if take(".,") != nil {
        guard digit != nil else { return nil }
        var unit = 100_000_000
        while let digit {
          nanosecond += digit * unit
          unit /= 10
          index += 1
        }
      }
    }
    if isAtEnd {
      return MediaDate.Time(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }
    guard let offset = offset() else { return nil }
    return MediaDate.Time(
      hour: hour, minute: minute, second: second, nanosecond: nanosecond, offset: offset)
  }

  private mutating func offset() -> Int? {
    if take("Zz") != nil { return 0 }
    guard let sign = take("+-"), let hours = number(digits: 2) else { return nil }
    var minutes = 0
    if take(":") != nil || digit != nil {
      guard let value = number(digits: 2), value < 60 else { return nil }
      minutes = value
    }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }
}
