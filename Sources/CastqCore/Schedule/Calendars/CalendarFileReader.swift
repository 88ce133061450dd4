/// Reads the lines of an iCalendar file, one after the other.
struct CalendarFileReader {
  private let file: String
  private(set) var events: [CalendarFile.Event] = []
  private(set) var issues: [PlaylistIssue] = []
  /// The components that are open, by their names.
  private var open: [String] = []
  private var event: CalendarFile.Event?
  private var hasCalendar = false
  /// Something that no calendar has stands before it: a web page that quotes one is none.
  private var isForeign = false
  private var lastLine = 1
  /// The rest was not read.
  private var isCut = false

  /// Whether it is a calendar, from its beginning to its end. What a download has cut off must not take the place of what was there.
  var isWhole: Bool { hasCalendar && !isForeign && (open.isEmpty || isCut) }

  private static let deepest = 32
  private static let mostIssues = 100

  init(file: String) { self.file = file }

  mutating func report(_ line: Int, _ column: Int, _ error: TextError) {
    guard issues.count < Self.mostIssues else { return }
    issues.append(
      PlaylistIssue(.error, file: file, line: line, column: column, message: error.message, hint: error.hint))
  }

  /// Counts a line that is none of a calendar.
  mutating func readForeign(_ line: Int) {
    note(line)
    report(
      line, 1,
      TextError("the line has no name, or is too long", hint: "it is written as in SUMMARY:Christmas"))
  }

  /// Nothing more is read.
  mutating func cut(at line: Int, _ error: TextError) {
    isCut = true
    report(line, 1, error)
  }

  private mutating func note(_ line: Int) {
    lastLine = line
    if !hasCalendar { isForeign = true }
  }

  mutating func read(_ line: CalendarLine) {
    if line.name == "BEGIN", line.value.uppercased() == "VCALENDAR", !isForeign { hasCalendar = true }
    note(line.line)
    switch line.name {
    case "BEGIN": begin(line)
    case "END": end(line)
    default:
      // What belongs to an alarm within an event is not the event's.
      guard open.last == "VEVENT", event != nil else { return }
      do throws(TextError) { try readProperty(line) } catch {
        report(line.line, line.column + error.offset, error)
        event = nil
      }
    }
  }

  private mutating func begin(_ line: CalendarLine) {
    let name = line.value.uppercased()
    guard open.count < Self.deepest else {
      return report(line.line, 1, TextError("components are nested too deeply"))
    }
    if name == "VEVENT", open.last == "VCALENDAR" { event = CalendarFile.Event(line: line.line) }
    open.append(name)
  }

  private mutating func end(_ line: CalendarLine) {
    let name = line.value.uppercased()
    guard let place = open.lastIndex(of: name) else {
      return report(line.line, 1, TextError("`END:\(TerminalText.excerpt(name))` has no beginning"))
    }
    open.removeSubrange(place...)
    guard name == "VEVENT", open.last == "VCALENDAR", let event else { return }
    self.event = nil
    guard let start = event.start else {
      return report(event.line, 1, TextError("the event has no DTSTART"))
    }
    guard start.second != nil || event.rule?.hasTimes != true else {
      return report(
        event.line, 1,
        TextError("the event repeats within a day, and begins on a date", hint: "give DTSTART a time"))
    }
    events.append(event)
  }

  /// What is missing at the end.
  mutating func finish() {
    guard hasCalendar, !isForeign else {
      (issues, events) = ([], [])
      return report(
        1, 1, TextError("this is not a calendar", hint: "a calendar begins with BEGIN:VCALENDAR (RFC 5545)"))
    }
    guard !isWhole else { return }
    let (line, what) = event.map { ($0.line, "event") } ?? (lastLine, "calendar")
    report(line, 1, TextError("the \(what) has no end", hint: "the file may be cut off"))
  }

  private mutating func readProperty(_ line: CalendarLine) throws(TextError) {
    guard var event else { return }
    switch line.name {
    case "UID": event.identifier = line.value
    case "SUMMARY": event.summary = line.text
    case "STATUS": event.isCancelled = line.value.uppercased() == "CANCELLED"
    case "DTSTART": event.start = try time(line)
    case "DTEND": event.end = try time(line)
    case "DURATION": event.duration = try Self.duration(line.value)
    case "RRULE": event.rule = try RepeatRule(line.value)
    case "RECURRENCE-ID": event.original = try time(line)
    case "RDATE": event.extra += try times(line)
    case "EXDATE": event.left += try times(line)
    case "EXRULE": throw TextError("EXRULE is not read", hint: "RFC 5545 has no such rules; write EXDATE")
    default: return
    }
    self.event = event
  }

  private func time(_ line: CalendarLine) throws(TextError) -> CalendarTime {
    try CalendarTime(line.value, zone: CalendarTime.zone(line.parameters["TZID"]))
  }

  private func times(_ line: CalendarLine) throws(TextError) -> [CalendarTime] {
    let zone = CalendarTime.zone(line.parameters["TZID"])
    var times: [CalendarTime] = []
    for part in line.value.split(separator: ",").prefix(10_000) {
      // Of a period, the start.
      times.append(try CalendarTime(String(part.split(separator: "/").first ?? ""), zone: zone))
    }
    return times
  }

  /// `P1D`, `PT1H30M`, `P2W` (section 3.3.6), in seconds; negative ones are refused.
  private static func duration(_ text: String) throws(TextError) -> Int {
    let wrong = TextError(
      "`\(TerminalText.excerpt(text))` is not a duration", hint: "it is written as in P1D or PT1H30M")
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    guard bytes.popFirst() == UInt8(ascii: "P"), !bytes.isEmpty else { throw wrong }
    var (seconds, number, isTime): (Int, Int?, Bool) = (0, nil, false)
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
      let units: [UInt8: Int] =
        isTime
        ? [UInt8(ascii: "H"): 3600, UInt8(ascii: "M"): 60, UInt8(ascii: "S"): 1]
        : [UInt8(ascii: "W"): 604_800, UInt8(ascii: "D"): 86_400]
      guard let unit = units[byte], let count = number else { throw wrong }
      seconds += count * unit
      number = nil
    }
    guard number == nil else { throw wrong }
    return seconds
  }
}
