/// The events of an iCalendar file (RFC 5545). What cannot be read costs its event, and is an issue with its place.
package struct CalendarFile: Sendable {
  /// Largest size of a file, in bytes.
  package static let longest = 16 << 20
  /// The most events of a file.
  private static let mostEvents = 100_000

  struct Event: Sendable {
    var line: Int
    var identifier = ""
    var summary = ""
    var start: CalendarTime?
    var end: CalendarTime?
    /// Seconds; nil when the event has none.
    var duration: Int?
    var rule: RepeatRule?
    var extra: [CalendarTime] = []
    var left: [CalendarTime] = []
    /// The start that this event stands in place of; nil for an event of its own.
    var original: CalendarTime?
    var isCancelled = false
  }

  private(set) var events: [Event] = []
  package private(set) var issues: [PlaylistIssue] = []
  private var isWhole = false

  /// Whether it may take the place of what was read before: it is a calendar from its beginning to its end, and not all of its events are
  /// unreadable.
  package var isUsable: Bool { isWhole && (!events.isEmpty || issues.isEmpty) }

  /// The zones that times of the file name.
  package var zones: Set<ZoneName> {
    var zones: Set<ZoneName> = []
    for event in events {
      for time in [event.start, event.end, event.original].compactMap(\.self) + event.extra + event.left {
        if case .named(let name) = time.zone { zones.insert(name) }
      }
    }
    return zones
  }

  /// - Parameter file: the name of the file for messages.
  package init(_ bytes: [UInt8], file: String) {
    guard bytes.count <= Self.longest else {
      issues = [
        PlaylistIssue(
          .error, .limit, file: file, message: "the calendar is larger than \(Self.longest) bytes")
      ]
      return
    }
    var reader = CalendarFileReader(file: file)
    for (number, line) in CalendarLine.lines(bytes) {
      guard let line else {
        reader.readForeign(number)
        continue
      }
      reader.read(line)
      if reader.events.count > Self.mostEvents {
        reader.cut(at: number, TextError("the calendar has more than \(Self.mostEvents) events"))
        break
      }
    }
    reader.finish()
    (events, issues, isWhole) = (reader.events, reader.issues, reader.isWhole)
  }
}
