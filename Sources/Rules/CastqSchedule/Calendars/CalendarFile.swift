package import CastqText

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
    /// Nil when the event has none.
    var duration: CalendarDuration?
    /// Usually one; of several the starts are those of all.
    var rules: [RepeatRule] = []
    var extra: [Extra] = []
    var left: [CalendarTime] = []
    /// The start that this event stands in place of; nil for an event of its own.
    var original: CalendarTime?
    /// Whether it stands in place of all later ones, too (`RANGE=THISANDFUTURE`).
    var isFromThen = false
    var isCancelled = false
    /// `SEQUENCE`, by which a later version of an event is known; then the text of `LAST-MODIFIED` or `DTSTAMP`.
    var version = Version()
    /// The zones that it names, and where it names them first.
    var zones: [String: Place] = [:]

    /// Whether it begins on a day, without a time.
    var isOfDays: Bool { start.map { $0.second == nil } ?? false }
  }

  /// A place of a file, from 1.
  struct Place: Sendable, Hashable {
    var line: Int
    var column: Int
  }

  struct Version: Sendable, Comparable {
    var number = 0
    var modified = ""
    var stamp = ""

    static func < (left: Version, right: Version) -> Bool {
      (left.number, left.modified, left.stamp) < (right.number, right.modified, right.stamp)
    }
  }

  /// A start of `RDATE`, and the end or the length that a period has beside.
  struct Extra: Sendable {
    var start: CalendarTime
    var end: CalendarTime?
    var duration: CalendarDuration?
  }

  private(set) var events: [Event] = []
  package private(set) var issues: [PlaylistIssue] = []
  /// Of the file, for messages.
  let name: String
  private var isWhole = false

  /// Whether it may take the place of what was read before: it is a calendar from its beginning to its end, and not all of its events are
  /// unreadable.
  package var isUsable: Bool { isWhole && (!events.isEmpty || issues.isEmpty) }

  /// The zones that the file defines.
  private(set) var zones: [CalendarZone] = []

  /// - Parameters:
  ///   - file: the name of the file for messages.
  ///   - conversion: the system's tables of character sets; without one, what is not Unicode is Western.
  package init(
    _ bytes: [UInt8], file: String,
    conversion: @escaping (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String? = { _, _ in nil }
  ) {
    name = file
    guard bytes.count <= Self.longest else {
      issues = [
        PlaylistIssue(
          .error, .limit, file: file, message: "the calendar is larger than \(Self.longest) bytes")
      ]
      return
    }
    var reader = CalendarFileReader(file: file)
    for (number, line) in CalendarText(bytes, conversion).lines {
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
    (events, zones) = (reader.events, reader.zones)
    (issues, isWhole) = (reader.issues, reader.isWhole)
  }
}
