import CastProtocol
package import CastqText

/// The days on which the events of a calendar are.
package struct CalendarDays: Sendable {
  package fileprivate(set) var days: [LocalDate: String] = [:]
  /// Events that are left out, since neither the file nor the zone database has their zones.
  package fileprivate(set) var issues: [PlaylistIssue] = []
  /// Whether at least one of the events that were wanted could be read.
  package fileprivate(set) var isUsable = true
  /// Whether it is all: a file that repeats without measure is cut.
  package fileprivate(set) var isComplete = true
}

extension CalendarFile {
  /// The days of one calendar at most.
  private static let mostDays = 100_000

  /// The days of the site on which events are, with their names.
  /// - Parameters:
  ///   - first: no earlier day.
  ///   - last: no later day.
  ///   - keep: whether events of a name are taken.
  package func days(
    from first: LocalDate, through last: LocalDate, clocks: CalendarClocks, keep: (String) -> Bool
  ) -> CalendarDays {
    var result = CalendarDays()
    let outcome = forEachOccurrence(from: first, through: last, clocks: clocks, keep: keep) { found in
      guard result.days.count < Self.mostDays else { return nil }
      let (day, end) = Self.days(of: found, clocks.site)
      let span = day.number...max(day.number, min(end.number, day.number + Self.longestEvent))
      for date in span.lazy.map({ LocalDate(number: $0) }) where first <= date && date <= last {
        if result.days[date] == nil { result.days[date] = GivenName.cleaned(found.event.summary) }
      }
      return span.count
    }
    result.issues = outcome.issues
    result.isUsable = outcome.isUsable
    result.isComplete = outcome.isComplete && result.days.count < Self.mostDays
    return result
  }

  /// The first and the last day of the site.
  private static func days(
    of found: CalendarOccurrence, _ site: TimeZoneRules
  ) -> (first: LocalDate, last: LocalDate) {
    if let (first, count) = found.days { return (first, first.advanced(by: count - 1)) }
    let last = found.end > found.start ? found.end.adding(seconds: -1) : found.start
    return (site.localTime(at: found.start).date, site.localTime(at: last).date)
  }
}
