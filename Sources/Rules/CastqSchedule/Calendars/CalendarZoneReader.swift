import CastqText

/// Reads what a `VTIMEZONE` has, line by line.
struct CalendarZoneReader {
  private(set) var zone: CalendarZone
  private var observance: CalendarZone.Observance?

  init(line: Int) { zone = CalendarZone(line: line) }

  static let parts: Set = ["STANDARD", "DAYLIGHT"]

  mutating func begin() { observance = CalendarZone.Observance() }

  mutating func read(_ line: CalendarLine) throws(TextError) {
    guard var part = observance else {
      switch line.name {
      case "TZID": zone.identifier = CalendarZone.identifier(line.value)
      case "X-LIC-LOCATION": zone.location = CalendarZone.identifier(line.value)
      default: break
      }
      return
    }
    switch line.name {
    case "DTSTART": part.start = try CalendarTime(line.value)
    case "TZOFFSETFROM": part.before = try Self.offset(line.value)
    case "TZOFFSETTO": part.after = try Self.offset(line.value)
    case "RRULE": part.rule = try RepeatRule(line.value)
    case "RDATE":
      for text in line.value.split(separator: ",").prefix(10_000) {
        part.extra.append(try CalendarTime(String(text.split(separator: "/").first ?? "")))
      }
    default: return
    }
    observance = part
  }

  /// - Throws: when something of the part is missing.
  mutating func end() throws(TextError) {
    guard let part = observance else { return }
    observance = nil
    guard part.start != nil, part.before != nil, part.after != nil else {
      throw TextError(
        "a part of the time zone has no DTSTART, TZOFFSETFROM or TZOFFSETTO", hint: "it must have all three")
    }
    guard zone.observances.count < 2000 else { throw TextError("the time zone has too many parts") }
    zone.observances.append(part)
  }

  /// `+0530` or `-013000` (section 3.3.14), in seconds.
  private static func offset(_ text: String) throws(TextError) -> Int {
    let wrong = TextError(
      "`\(TerminalText.excerpt(text))` is not an offset from UTC", hint: "it is written as in +0100")
    let digits = Array(text.utf8.dropFirst())
    guard text.hasPrefix("+") || text.hasPrefix("-"), digits.count == 4 || digits.count == 6,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw wrong }
    let numbers = stride(from: 0, to: digits.count, by: 2).map { place in
      digits[place..<place + 2].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    guard numbers[0] < 24, numbers[1] < 60, numbers.count < 3 || numbers[2] < 60 else { throw wrong }
    let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    return text.hasPrefix("-") ? -seconds : seconds
  }
}
