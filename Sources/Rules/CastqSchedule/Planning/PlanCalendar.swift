package import CastqText

/// A plan as a calendar (RFC 5545): an event for each segment that a rule gives.
package struct PlanCalendar: Sendable {
  private let stamp: WallTime

  /// - Parameter stamp: when the calendar is made, which each event has to say.
  package init(stamp: WallTime) { self.stamp = stamp }

  /// What stands before the events.
  package var head: String {
    Self.lines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//castq//plan//EN", "CALSCALE:GREGORIAN"])
  }

  /// What stands behind the events.
  package var tail: String { Self.lines(["END:VCALENDAR"]) }

  /// The events of a device. Times are in UTC, so a reader needs no zones. The name of an event stays the same in each export of the
  /// same plan, whenever it is made: the device, the rule, its occurrence and the start.
  package func events(
    _ plan: DevicePlan, on device: ScheduleDevice, words: PlanWording, beginnings: inout SegmentBeginning
  ) -> String {
    var text = ""
    for segment in plan.segments {
      guard let occurrence = segment.occurrence, let rule = words.rule(occurrence.rule) else { continue }
      let note = words.note(segment, on: device)
      let beginning = beginnings.beginning(of: segment, on: device)
      let name = "\(device.id)-\(rule.id.number)-\(occurrence.original.seconds)-\(beginning.wholeSeconds)"
      let programme = ProgrammeName.shown(segment.programme ?? rule.programme)
      var lines = [
        "BEGIN:VEVENT", "UID:\(name)@castq", "DTSTAMP:\(Self.time(stamp))",
        "DTSTART:\(Self.time(segment.start))",
      ]
      if segment.end > segment.start { lines.append("DTEND:\(Self.time(segment.end))") }
      lines += [
        "SUMMARY:\(Self.escaped("\(rule.name) → \(programme)"))",
        "LOCATION:\(Self.escaped(device.name))",
      ]
      if !note.isEmpty { lines.append("DESCRIPTION:\(Self.escaped(note))") }
      text += Self.lines(lines + ["CATEGORIES:\(segment.kind.word)", "END:VEVENT"])
    }
    return text
  }

  private static func time(_ moment: WallTime) -> String {
    RFC3339.text(moment).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// TEXT of RFC 5545, section 3.3.11.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in TerminalText.sanitized(text) {
      if "\\;,".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  /// Lines end in CRLF and have 75 bytes at most; a longer one is continued behind a blank (section 3.1).
  static func lines(_ lines: [String]) -> String {
    lines.reduce("") { text, line in
      guard line.utf8.count > 75 else { return text + line + "\r\n" }
      var folded = ""
      var length = 0
      for scalar in line.unicodeScalars {
        let size = UTF8.width(scalar)
        if length + size > 75 {
          folded += "\r\n "
          length = 1
        }
        folded.unicodeScalars.append(scalar)
        length += size
      }
      return text + folded + "\r\n"
    }
  }
}
