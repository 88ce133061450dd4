package import CastProtocol
package import CastqText

/// A change of something that rules name.
package struct NamedChange: Sendable {
  package enum Kind: String, Sendable { case calendar, daypart, group }

  package let kind: Kind
  package let name: String
  package let at: WallTime
  /// The members that the change made different, as they were; null where there was none.
  package let before: [String: JSONValue]

  package init(kind: Kind, name: String, at: WallTime, before: [String: JSONValue]) {
    self.kind = kind
    self.name = name
    self.at = at
    self.before = before
  }
}

/// What day parts, calendars and groups were: what they are now, with their changes taken back. The zones are those of that time, too.
package struct NamedPast: Sendable {
  /// Oldest first.
  private let changes: [NamedChange]
  package let zones: ZonePast

  /// - Parameter changes: in the order in which they were made, the newest ones last.
  package init(_ changes: [NamedChange], zones: ZonePast = ZonePast()) {
    self.changes = changes
    self.zones = zones
  }

  /// What was changed after a moment, newest first. A change that a clock set back stands before is one of an earlier time.
  private func changes(after moment: WallTime) -> ReversedCollection<ArraySlice<NamedChange>> {
    let kept = changes.lastIndex { $0.at <= moment }.map { $0 + 1 } ?? 0
    return changes[kept...].reversed()
  }

  /// The day parts, the calendars and the site's zone as they were; the rules stay.
  package func book(_ present: ScheduleBook, at moment: WallTime) -> ScheduleBook {
    var book = present
    book.siteZone = zones.site(present.siteZone, at: moment)
    for change in changes(after: moment) {
      switch change.kind {
      case .calendar:
        let calendar = book.calendars[change.name] ?? HolidayCalendar(name: change.name, days: [:])
        book.calendars[change.name] = calendar.with(Self.labels(change.before))
      case .daypart: book.dayparts[change.name] = Self.daypart(change, book.dayparts[change.name])
      case .group: break
      }
    }
    return book
  }

  /// The device with the groups that it was in, and the zone that it had.
  package func device(_ present: ScheduleDevice, at moment: WallTime) -> ScheduleDevice {
    var device = present
    device.zone = zones.device(present, at: moment)
    for change in changes(after: moment) where change.kind == .group {
      switch change.before[device.id] {
      case nil: break
      case .null?: device.groups.remove(change.name)
      case _?: device.groups.insert(change.name)
      }
    }
    return device
  }

  /// The label of each day; nil for one that was not in the calendar.
  private static func labels(_ words: [String: JSONValue]) -> [LocalDate: String?] {
    words.reduce(into: [:]) { labels, member in
      guard let day = try? LocalDate(member.key) else { return }
      labels.updateValue(member.value.string, forKey: day)
    }
  }

  /// Nil where there was none, and where its words cannot be read.
  private static func daypart(_ change: NamedChange, _ later: Daypart?) -> Daypart? {
    let part: DayPart
    switch change.before["part"] {
    case nil:
      guard let later else { return nil }
      part = later.part
    case let words?:
      guard let read = words.string.flatMap({ try? DayPart($0) }) else { return nil }
      part = read
    }
    guard let words = change.before["exceptions"] else {
      return Daypart(name: change.name, part: part, exceptions: later?.exceptions ?? [])
    }
    guard let list = words.array else { return nil }
    let exceptions = list.compactMap(exception)
    guard exceptions.count == list.count else { return nil }
    return Daypart(name: change.name, part: part, exceptions: exceptions)
  }

  private static func exception(_ words: JSONValue) -> Daypart.Exception? {
    var part: DayPart?
    if let text = words["part"]?.string {
      guard let read = try? DayPart(text) else { return nil }
      part = read
    }
    if let calendar = words["calendar"]?.string { return .init(.calendar(calendar), part) }
    guard let days = words["days"]?.string.flatMap({ try? Weekdays($0) }) else { return nil }
    return .init(.weekdays(days), part)
  }
}
