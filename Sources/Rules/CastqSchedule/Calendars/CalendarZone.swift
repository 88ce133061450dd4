import CastqText

/// A zone that a calendar file defines (RFC 5545, section 3.6.5): when its clocks change, and by how much they are ahead of UTC.
struct CalendarZone: Sendable {
  /// From when on an offset is in force: `STANDARD` or `DAYLIGHT`.
  struct Observance: Sendable {
    var start: CalendarTime?
    /// Seconds ahead of UTC before it, by which its times are read.
    var before: Int?
    /// Seconds ahead of UTC in it.
    var after: Int?
    var rule: RepeatRule?
    var extra: [CalendarTime] = []
  }

  var line: Int
  var identifier = ""
  /// The name of the zone database that some programs write beside (`X-LIC-LOCATION`).
  var location: String?
  var observances: [Observance] = []

  /// The offsets from 1970 on; before that the first one is in force.
  /// - Parameters:
  ///   - last: no change after this day is wanted.
  ///   - budget: what zones of a file may cost; one that it does not suffice for is nil.
  func rules(through last: LocalDate, _ budget: inout RepeatRule.Budget) -> TimeZoneRules? {
    var changes: [(time: Int64, before: Int, after: Int)] = []
    for observance in observances {
      guard let start = observance.start, let before = observance.before, let after = observance.after else {
        return nil
      }
      var onsets = [start.local] + observance.extra.map(\.local)
      if let rule = observance.rule {
        // In UTC (section 3.3.10), and by the clock before the change elsewhere.
        let until = rule.until.map { limit in
          limit.zone == .utc
            ? limit.local.adding(seconds: before)
            : limit.local.adding(seconds: limit.second == nil ? 86_399 : 0)
        }
        // Of a rule that has ended long ago, the last change is the one that counts.
        let wanted = min(Self.earliest, until?.date.advanced(by: -800) ?? Self.earliest)
        onsets += rule.starts(from: start.local, through: last, wanted: wanted, until: until, &budget)
      }
      guard budget.days > 0, changes.count + onsets.count <= Self.mostChanges else { return nil }
      changes += onsets.map { (Int64(clamping: $0.seconds - before), before, after) }
    }
    changes.sort { $0.time < $1.time }
    // No place changes its clocks so often: the definition is wrong.
    guard let first = changes.first,
      !changes.indices.dropFirst(20).contains(where: { changes[$0].time - changes[$0 - 20].time < 3 * 86_400 }
      )
    else { return nil }
    return TimeZoneRules(first: first.before, changes: changes.map { ($0.time, $0.after) })
  }

  /// A name as files are compared by it: a comma has a backslash in `TZID:`, and none in `;TZID=`.
  static func identifier(_ text: String) -> String { String(text.filter { $0 != "\\" }).trimmingBlanks }

  private static let mostChanges = 20_000
  private static let earliest = LocalDate(number: 0)
}

extension TimeZoneRules {
  /// The moment of a time as calendars mean it (RFC 5545, section 3.3.5): one that clocks skip is read by the offset before the gap, and
  /// of one that occurs twice the first is meant.
  func calendarMoment(of local: LocalTime) -> WallTime {
    let moment = instant(of: local)
    guard localTime(at: moment) != local else { return moment }
    let before = span(at: moment.wholeSeconds - 1).offset
    return WallTime(milliseconds: Int64(clamping: local.seconds - before) * 1000)
  }

  /// Whether two zones have the same offsets in a range of seconds since 1970.
  func agrees(with other: TimeZoneRules, in range: Range<Int64>) -> Bool {
    var time = range.lowerBound
    while time < range.upperBound {
      let (own, others) = (span(at: time), other.span(at: time))
      guard own.offset == others.offset else { return false }
      time = min(own.end ?? range.upperBound, others.end ?? range.upperBound)
    }
    return true
  }
}
