import CastqText

/// Parses a calendar expression of systemd. What systemd accepts by accident, such as a comma after the last day of the week, is
/// accepted too.
struct CalendarScanner {
  private var bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
  }

  /// Cuts the zone off the end; nil when the last word is none.
  mutating func zone() -> ZoneName? {
    guard let blank = bytes.lastIndex(of: UInt8(ascii: " ")), blank > index else { return nil }
    let word = String(decoding: bytes[(blank + 1)...], as: UTF8.self)
    // A zone has a letter in front; times have none, and names of days stand first.
    guard let letter = word.utf8.first, (0x41...0x5A).contains(letter & 0xDF) else { return nil }
    let zone = word.uppercased() == "UTC" ? ZoneName.utc : try? ZoneName(word)
    guard let zone else { return nil }
    bytes.removeSubrange(blank...)
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return zone
  }

  mutating func fields() throws(TextError) -> CalendarFields {
    if let fields = CalendarFields.shorthand(String(decoding: bytes[index...], as: UTF8.self).lowercased()) {
      return fields
    }
    guard index < bytes.count else { throw complaint("the calendar expression is empty") }
    var fields = CalendarFields()
    fields.weekdays = try weekdays()
    if peek() == UInt8(ascii: "@") {
      throw complaint("seconds since 1970 are not an expression of castq", hint: "write the time with --once")
    }
    try date(&fields)
    try time(&fields)
    try fields.check(offset: index)
    return fields
  }

  private func peek(_ ahead: Int = 0) -> UInt8? { index + ahead < bytes.count ? bytes[index + ahead] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() { while skip(" ") {} }

  private var isAtWordEnd: Bool { peek() == nil || peek() == UInt8(ascii: " ") }

  private func complaint(_ message: String, hint: FaceWords? = nil) -> TextError {
    // The text before is ASCII: anything else has been refused on the way.
    TextError(message, hint: hint ?? "write it as in `Mon..Fri *-*-* 08:00`", offset: index)
  }

  // MARK: days of the week

  private mutating func weekdays() throws(TextError) -> Weekdays {
    var days: Weekdays = []
    var open: Weekday?
    while let (day, length) = Weekday.prefix(of: bytes[index...]) {
      let after = peek(length)
      guard after.map({ [0x2D, 0x2E, 0x2C, 0x20].contains($0) }) ?? true else {
        throw complaint("days have their name in full, or three letters")
      }
      if let first = open {
        guard first.rawValue <= day.rawValue else { throw complaint("the range of days runs backwards") }
        for number in first.rawValue...day.rawValue { days.insert(Weekdays(Weekday(index: number))) }
      }
      days.insert(Weekdays(day))
      index += length
      if isAtWordEnd {
        skipBlanks()
        return days
      }
      if skip(",") {
        open = nil
      } else {
        guard open == nil, skip("-") || (skip(".") && skip(".")) else {
          throw complaint("a range of days has two ends")
        }
        open = day
      }
      if isAtWordEnd {
        guard open == nil else { throw complaint("the range of days has no end") }
        skipBlanks()
        return days
      }
    }
    guard days.isEmpty else { throw complaint("this is not a day of the week") }
    return .all
  }

  // MARK: date and time

  private mutating func date(_ fields: inout CalendarFields) throws(TextError) {
    guard peek() != nil else { return }
    let start = index
    let first = try chain()
    // A time: it is read again as such.
    if peek() == nil || peek() == UInt8(ascii: ":") {
      index = start
      return
    }
    try separator(&fields)
    let second = try chain()
    if isAtWordEnd {
      (fields.month, fields.day) = (first, second)
    } else {
      guard fields.dayOrder == .fromStart else { throw complaint("`~` stands before the day") }
      try separator(&fields)
      (fields.year, fields.month, fields.day) = (first, second, try chain())
      guard isAtWordEnd else { throw complaint("the date has three parts at most") }
    }
    skipBlanks()
  }

  private mutating func separator(_ fields: inout CalendarFields) throws(TextError) {
    if skip("~") {
      fields.dayOrder = .fromEnd
    } else if !skip("-") {
      throw complaint("the parts of a date are separated by `-`, those of a time by `:`")
    }
  }

  private mutating func time(_ fields: inout CalendarFields) throws(TextError) {
    guard peek() != nil else {
      (fields.hour, fields.minute, fields.second) = ([.value(0)], [.value(0)], [.value(0)])
      return
    }
    fields.hour = try chain()
    guard skip(":") else { throw complaint("a time has hours and minutes") }
    fields.minute = try chain()
    fields.second = skip(":") ? try chain(areSeconds: true) : [.value(0)]
    guard peek() == nil else { throw complaint("nothing but a time zone follows the time") }
  }

  /// A star, or components with commas between them.
  private mutating func chain(areSeconds: Bool = false) throws(TextError) -> [CalendarComponent] {
    if skip("*") { return areSeconds ? [CalendarComponent(start: 0, step: 1)] : [] }
    var components: [CalendarComponent] = []
    repeat {
      guard components.count < 240 else { throw complaint("the list has more than 240 numbers") }
      components.append(try component(areSeconds: areSeconds))
    } while skip(",")
    return components
  }

  private mutating func component(areSeconds: Bool) throws(TextError) -> CalendarComponent {
    var component = CalendarComponent(start: try number())
    if peek() == UInt8(ascii: "."), peek(1) == UInt8(ascii: ".") {
      index += 2
      (component.stop, component.step) = (try number(), 1)
    }
    if skip("/") {
      let step = try number()
      guard step > 0 else { throw complaint("the repetition must be 1 or more") }
      component.step = step
    }
    guard peek() != UInt8(ascii: ".") else {
      throw complaint(areSeconds ? "seconds are whole ones" : "a range has two ends with `..` between them")
    }
    guard peek().map({ [0x20, 0x2C, 0x2D, 0x7E, 0x3A].contains($0) }) ?? true else {
      throw complaint("this is not a number of a calendar expression")
    }
    return component
  }

  private mutating func number() throws(TextError) -> Int {
    let start = index
    var value = 0
    while let digit = peek(), (0x30...0x39).contains(digit), index - start < 9 {
      value = value * 10 + Int(digit) - 0x30
      index += 1
    }
    guard index > start else { throw complaint("a number is missing") }
    return value
  }
}
