import CastqText

/// Reads the lines of an iCalendar file, one after the other.
struct CalendarFileReader {
  private let file: String
  private(set) var events: [CalendarFile.Event] = []
  private(set) var issues: [PlaylistIssue] = []
  /// The components that are open, by their names.
  private var open: [String] = []
  private var event: CalendarFile.Event?
  private(set) var zones: [CalendarZone] = []
  private var zone: CalendarZoneReader?
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
  private static let mostZones = 5000

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
      if zone != nil, open.last == "VTIMEZONE" || CalendarZoneReader.parts.contains(open.last ?? "") {
        return readZone(line) { (zone) throws(TextError) in try zone.read(line) }
      }
      // What belongs to an alarm within an event is not the event's.
      guard open.last == "VEVENT", event != nil else { return }
      do throws(TextError) { try readProperty(line) } catch {
        report(line.line, line.column + error.offset, error)
        event = nil
      }
    }
  }

  /// What cannot be read of a zone costs the zone; a time that names it is read by the zone database, or costs its event.
  private mutating func readZone(
    _ line: CalendarLine, _ body: (inout CalendarZoneReader) throws(TextError) -> Void
  ) {
    guard var reader = zone else { return }
    do throws(TextError) {
      try body(&reader)
      zone = reader
    } catch {
      report(line.line, line.column + error.offset, error)
      zone = nil
    }
  }

  private mutating func begin(_ line: CalendarLine) {
    let name = line.value.uppercased()
    guard open.count < Self.deepest else {
      return report(line.line, 1, TextError("components are nested too deeply"))
    }
    if name == "VEVENT", open.last == "VCALENDAR" { event = CalendarFile.Event(line: line.line) }
    if name == "VTIMEZONE", open.last == "VCALENDAR" { zone = CalendarZoneReader(line: line.line) }
    if CalendarZoneReader.parts.contains(name), open.last == "VTIMEZONE" { zone?.begin() }
    open.append(name)
  }

  private mutating func endZone() {
    guard let zone = zone?.zone else { return }
    self.zone = nil
    guard !zone.identifier.isEmpty, !zone.observances.isEmpty else {
      return report(
        zone.line, 1,
        TextError("the time zone has no TZID, or no STANDARD and no DAYLIGHT", hint: "it must have both"))
    }
    guard zones.count < Self.mostZones else {
      return report(zone.line, 1, TextError("the calendar has more than \(Self.mostZones) time zones"))
    }
    zones.append(zone)
  }

  private mutating func end(_ line: CalendarLine) {
    let name = line.value.uppercased()
    guard let place = open.lastIndex(of: name) else {
      return report(line.line, 1, TextError("`END:\(TerminalText.excerpt(name))` has no beginning"))
    }
    open.removeSubrange(place...)
    if CalendarZoneReader.parts.contains(name), open.last == "VTIMEZONE" {
      readZone(line) { (zone) throws(TextError) in try zone.end() }
    }
    if name == "VTIMEZONE", open.last == "VCALENDAR" { endZone() }
    guard name == "VEVENT", open.last == "VCALENDAR", var event else { return }
    self.event = nil
    // What stands in place of one start repeats nothing: programs copy the rule of the series into it.
    if event.original != nil { (event.rules, event.extra, event.left) = ([], [], []) }
    guard let start = event.start else {
      return report(event.line, 1, TextError("the event has no DTSTART"))
    }
    guard start.second != nil || !event.rules.contains(where: \.hasTimes) else {
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
    case "SEQUENCE": event.version.number = Int(line.value.trimmingBlanks) ?? 0
    case "LAST-MODIFIED": event.version.modified = line.value
    case "DTSTAMP": event.version.stamp = line.value
    case "DTSTART": event.start = try time(line)
    case "DTEND": event.end = try time(line)
    case "DURATION": event.duration = try CalendarDuration(line.value)
    case "RRULE": event.rules.append(try RepeatRule(line.value))
    case "RECURRENCE-ID":
      event.original = try time(line)
      event.isFromThen = line.parameters["RANGE"]?.uppercased() == "THISANDFUTURE"
    case "RDATE": event.extra += try extra(line)
    case "EXDATE":
      for part in line.value.split(separator: ",").prefix(10_000) {
        event.left.append(try CalendarTime(String(part), zone: zone(line)))
      }
    case "EXRULE": throw TextError("EXRULE is not read", hint: "RFC 5545 has no such rules; write EXDATE")
    default: return
    }
    if ["DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE"].contains(line.name),
      case .named(let name) = zone(line), line.value.utf8.last != UInt8(ascii: "Z"),
      line.value.utf8.count > 8,
      event.zones[name] == nil
    {
      event.zones[name] = CalendarFile.Place(line: line.line, column: line.column)
    }
    self.event = event
  }

  private func zone(_ line: CalendarLine) -> CalendarTime.Zone {
    line.parameters["TZID"].map { .named(CalendarZone.identifier($0)) } ?? .floating
  }

  private func time(_ line: CalendarLine) throws(TextError) -> CalendarTime {
    try CalendarTime(line.value, zone: zone(line))
  }

  /// Times, and periods (section 3.3.9) with an end or a length of their own.
  private func extra(_ line: CalendarLine) throws(TextError) -> [CalendarFile.Extra] {
    var result: [CalendarFile.Extra] = []
    for part in line.value.split(separator: ",").prefix(10_000) {
      let halves = part.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      var each = CalendarFile.Extra(start: try CalendarTime(halves[0], zone: zone(line)))
      if halves.count > 1 {
        guard halves.count == 2, each.start.second != nil else {
          throw TextError(
            "`\(TerminalText.excerpt(String(part)))` is not a period",
            hint: "it is written as in 20261224T080000Z/PT2H")
        }
        if halves[1].hasPrefix("P") || halves[1].hasPrefix("+") {
          each.duration = try CalendarDuration(halves[1])
        } else {
          each.end = try CalendarTime(halves[1], zone: zone(line))
        }
      }
      result.append(each)
    }
    return result
  }
}
