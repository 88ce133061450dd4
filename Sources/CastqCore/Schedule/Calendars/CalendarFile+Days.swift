extension CalendarFile {
  /// The days that an event is on at most.
  private static let longestEvent = 366
  /// The days of one calendar at most.
  private static let mostDays = 100_000

  /// The days on which events are, with their names.
  /// - Parameters:
  ///   - first: no earlier day.
  ///   - last: no later day.
  ///   - site: the zone of times without one.
  ///   - rules: the zones that the file names; times of others are read as they stand.
  ///   - keep: whether events of a name are taken.
  package func days(
    from first: LocalDate, through last: LocalDate, site: TimeZoneRules,
    zones rules: [ZoneName: TimeZoneRules], keep: (String) -> Bool
  ) -> [LocalDate: String] {
    expansion(from: first, through: last, site: site, zones: rules, keep: keep).days
  }

  /// The same, and whether it is all: a file that repeats without measure is cut.
  package func expansion(
    from first: LocalDate, through last: LocalDate, site: TimeZoneRules,
    zones rules: [ZoneName: TimeZoneRules],
    keep: (String) -> Bool
  ) -> (days: [LocalDate: String], isComplete: Bool) {
    var days: [LocalDate: String] = [:]
    let early = first.advanced(by: -Self.longestEvent)
    let isComplete = forEachStart(from: early, through: last, site: site, zones: rules, keep: keep) {
      event, start, length in
      // An event of times is on the days that its clock shows.
      let (day, end) = (start.date, start.adding(seconds: max(length, 1) - 1).date)
      let span = day.number...max(day.number, min(end.number, day.number + Self.longestEvent))
      guard days.count < Self.mostDays else { return nil }
      for date in span.lazy.map({ LocalDate(number: $0) }) where first <= date && date <= last {
        if days[date] == nil { days[date] = GivenName.cleaned(event.summary) }
      }
      return span.count
    }
    return (days, isComplete && days.count < Self.mostDays)
  }

  /// Calls a body with each start of each event by its own clock, and the event's seconds.
  /// - Parameter body: returns how much work it was; nil when it takes no more.
  /// - Returns: whether that was all: a file that repeats without measure is cut.
  func forEachStart(
    from first: LocalDate, through last: LocalDate, site: TimeZoneRules,
    zones rules: [ZoneName: TimeZoneRules], keep: (String) -> Bool,
    _ body: (Event, LocalTime, Int) -> Int?
  ) -> Bool {
    let zones = CalendarZones(site: site, rules: rules)
    var budget = RepeatRule.Budget()
    // An event that stands in place of one start of another takes that start away from it.
    var replaced: [String: [CalendarTime]] = [:]
    for event in events {
      if let original = event.original { replaced[event.identifier, default: []].append(original) }
    }
    for event in events where !event.isCancelled && keep(event.summary) {
      guard let start = event.start else { continue }
      let length = event.length(from: start, zones)
      let left = event.left + (event.original == nil ? replaced[event.identifier] ?? [] : [])
      let isLeft = CalendarExclusion(left, of: start, zones)
      for time in event.starts(from: first, through: last, zones, &budget) where !isLeft.contains(time) {
        guard budget.days > 0, let used = body(event, time, length) else { break }
        budget.days -= used
      }
    }
    return budget.days > 0
  }
}

/// The starts that an event does not have.
private struct CalendarExclusion {
  private let times: Set<LocalTime>
  private let dates: Set<LocalDate>

  init(_ left: [CalendarTime], of start: CalendarTime, _ zones: CalendarZones) {
    times = Set(left.filter { $0.second != nil }.map { zones.local($0, in: start.zone) })
    dates = Set(left.filter { $0.second == nil }.map(\.date))
  }

  func contains(_ start: LocalTime) -> Bool { dates.contains(start.date) || times.contains(start) }
}

extension CalendarFile.Event {
  /// Seconds by the clock of the start; a date without an end is that day.
  fileprivate func length(from start: CalendarTime, _ zones: CalendarZones) -> Int {
    if let end { return zones.local(end, in: start.zone).seconds - start.local.seconds }
    return duration ?? (start.second == nil ? 86_400 : 0)
  }

  /// When it starts.
  fileprivate func starts(
    from first: LocalDate, through last: LocalDate, _ zones: CalendarZones, _ budget: inout RepeatRule.Budget
  ) -> [LocalTime] {
    guard let start else { return [] }
    var times = extra.map { each in
      // A date alone has the time of the start.
      let local = zones.local(each, in: start.zone)
      return each.second == nil ? LocalTime(local.date, second: start.second ?? 0) : local
    }
    if let rule {
      let until = rule.until.map { limit in
        // The whole day, where the limit is a date.
        zones.local(limit, in: start.zone).adding(seconds: limit.second == nil ? 86_399 : 0)
      }
      times += rule.starts(from: start.local, through: last, wanted: first, until: until, &budget)
    } else {
      times.append(start.local)
    }
    return times.filter { first <= $0.date && $0.date <= last }
  }
}
