import CastProtocol
import CastqText

/// What an expansion of a calendar has found besides its times.
struct CalendarOutcome {
  /// Events that are left out, since neither the file nor the zone database has their zones.
  var issues: [PlaylistIssue] = []
  /// Whether an event could be read, or none was wanted.
  var isUsable = true
  /// A file that repeats without measure is cut.
  var isComplete = true
}

extension CalendarFile {
  /// The days that an event is on at most, where its days are listed.
  static let longestEvent = 366

  /// Calls a body with each time at which an event is.
  /// - Parameters:
  ///   - first: no time that ends on an earlier day of the site.
  ///   - last: no time that begins on a later one.
  ///   - body: returns how much work it was; nil when it takes no more.
  func forEachOccurrence(
    from first: LocalDate, through last: LocalDate, clocks: CalendarClocks, keep: (String) -> Bool,
    _ body: (CalendarOccurrence) -> Int?
  ) -> CalendarOutcome {
    var outcome = CalendarOutcome()
    var zones = CalendarZones(self.zones, clocks, from: first.advanced(by: -Self.longestEvent), through: last)
    var expansion = CalendarExpansion(first: first, last: last)
    var kept = 0
    for events in series {
      guard events.contains(where: { keep($0.summary) }) else { continue }
      var known: [Event] = []
      for event in events {
        if keep(event.summary) { kept += 1 }
        if let issue = zones.issue(of: event, name) {
          if keep(event.summary) { outcome.issues.append(issue) }
        } else {
          known.append(event)
        }
      }
      expansion.expand(CalendarSeries(known, &zones), &zones, keep: keep, body)
      outcome.issues += expansion.faults.map {
        PlaylistIssue(
          .error, file: name, line: $0.line, column: 1, message: $0.error.message, hint: $0.error.hint)
      }
      expansion.faults = []
      guard !expansion.isCut else { break }
    }
    outcome.isComplete = !expansion.isCut
    outcome.isUsable = kept == 0 || outcome.issues.count < kept
    if outcome.issues.count > Self.mostIssues { outcome.issues.removeSubrange(Self.mostIssues...) }
    return outcome
  }

  private static let mostIssues = 100

  /// The events of one `UID` together, in the order of the file; one without is for itself.
  private var series: [[Event]] {
    var places: [String: Int] = [:]
    var result: [[Event]] = []
    for event in events {
      if !event.identifier.isEmpty, let place = places[event.identifier] {
        result[place].append(event)
      } else {
        if !event.identifier.isEmpty { places[event.identifier] = result.count }
        result.append([event])
      }
    }
    return result
  }
}

extension CalendarZones {
  /// The zone of an event that neither the file nor the zone database has; nil when they have all.
  fileprivate mutating func issue(of event: CalendarFile.Event, _ file: String) -> PlaylistIssue? {
    for (name, place) in event.zones.sorted(by: { $0.value.line < $1.value.line })
    where clock(.named(name)) == nil {
      return PlaylistIssue(
        .error, file: file, line: place.line, column: place.column,
        message: "there is no time zone `\(TerminalText.excerpt(name))`, and the event is left out",
        hint: defines(name)
          ? "what the file's VTIMEZONE says of it cannot be used"
          : "the file has no VTIMEZONE of that name, and it is neither one of the zone database nor of Windows"
      )
    }
    return nil
  }
}

/// Finds the times of the events of a file.
private struct CalendarExpansion {
  let first: LocalDate
  let last: LocalDate
  var budget = RepeatRule.Budget()
  var isCut = false
  var faults: [(line: Int, error: TextError)] = []

  mutating func expand(
    _ series: CalendarSeries, _ zones: inout CalendarZones, keep: (String) -> Bool,
    _ body: (CalendarOccurrence) -> Int?
  ) {
    var left: Set<CalendarSeries.Key> = []
    for master in series.masters {
      left.formUnion(master.left.compactMap { zones.key($0, ofDays: master.isOfDays) })
      guard !master.isCancelled else { continue }
      expand(master, series, &zones, keep: keep, body)
    }
    guard series.masters.isEmpty || series.masters.contains(where: { !$0.isCancelled }) else { return }
    for (key, event) in series.others where !left.contains(key) {
      guard !event.isCancelled, keep(event.summary), !isCut else { continue }
      expand(event, nil, &zones, keep: keep, body)
    }
  }

  /// - Parameter series: what stands in place of its starts; nil for an event that stands in place of one itself.
  private mutating func expand(
    _ event: CalendarFile.Event, _ series: CalendarSeries?, _ zones: inout CalendarZones,
    keep: (String) -> Bool, _ body: (CalendarOccurrence) -> Int?
  ) {
    guard let start = event.start, let clock = zones.clock(start.zone),
      let length = length(of: event, start, event.end, event.duration, &zones)
    else { return }
    let shift = (series?.furthestMove ?? 0) / 86_400
    let margin = min(max(length.mostDays, longestExtra(event, start, &zones)), 36_525).adding(bounded: shift)
    let wanted = (first.advanced(by: -margin - 2), last.advanced(by: shift + 2))
    var own: [LocalTime: CalendarLength] = [:]
    let left = CalendarExclusion(event.left, ofDays: event.isOfDays, &zones)
    let starts = starts(of: event, start, clock, from: wanted.0, through: wanted.1, &zones, &own)
    for local in starts {
      guard budget.days > 0 else { break }
      let keys: [CalendarSeries.Key] =
        start.second == nil
        ? [.day(local.date)] : [.moment(clock.rules.calendarMoment(of: local)), .day(local.date)]
      guard !left.contains(keys, local), series?.isReplaced(keys) != true else { continue }
      let moment =
        start.second == nil
        ? zones.clocks.site.instant(of: local) : clock.rules.calendarMoment(of: local)
      var found: CalendarOccurrence?
      if let later = series?.range(at: moment) {
        found = occurrence(of: later, at: local, start, own[local], &zones)
      } else {
        found = zones.occurrence(of: event, at: local, own[local] ?? length, by: clock)
      }
      guard let found, !found.event.isCancelled, keep(found.event.summary), isWanted(found, zones) else {
        continue
      }
      guard let used = body(found) else {
        isCut = true
        return
      }
      budget.days -= used
    }
    if budget.days <= 0 { isCut = true }
  }

  private func isWanted(_ found: CalendarOccurrence, _ zones: CalendarZones) -> Bool {
    let site = zones.clocks.site
    let end = found.end > found.start ? found.end.adding(seconds: -1) : found.start
    return site.localTime(at: found.start).date <= last && first <= site.localTime(at: end).date
  }

  /// What an event that stands in place of all later starts makes of one of them (RFC 5545, section 3.8.4.4): it is moved by as much as
  /// the first one was.
  private mutating func occurrence(
    of later: CalendarFile.Event, at local: LocalTime, _ original: CalendarTime, _ own: CalendarLength?,
    _ zones: inout CalendarZones
  ) -> CalendarOccurrence? {
    guard let start = later.start, let clock = zones.clock(start.zone),
      let length = length(of: later, start, later.end, later.duration, &zones)
    else { return nil }
    var time = original
    (time.date, time.second) = (local.date, original.second == nil ? nil : local.secondOfDay)
    let moved = zones.local(time, as: start).adding(seconds: zones.move(by: later))
    return zones.occurrence(of: later, at: moved, own ?? length, by: clock)
  }

  private mutating func length(
    of event: CalendarFile.Event, _ start: CalendarTime, _ end: CalendarTime?, _ duration: CalendarDuration?,
    _ zones: inout CalendarZones
  ) -> CalendarLength? {
    do throws(TextError) {
      return try CalendarLength(of: start, end: end, duration: duration, &zones)
    } catch {
      if faults.last?.line != event.line { faults.append((event.line, error)) }
      return nil
    }
  }

  private mutating func longestExtra(
    _ event: CalendarFile.Event, _ start: CalendarTime, _ zones: inout CalendarZones
  ) -> Int {
    var most = 0
    for extra in event.extra where extra.end != nil || extra.duration != nil {
      let length = try? CalendarLength(of: extra.start, end: extra.end, duration: extra.duration, &zones)
      most = max(most, length?.mostDays ?? 0)
    }
    return most
  }

  /// Each start once, by the clock of the event.
  private mutating func starts(
    of event: CalendarFile.Event, _ start: CalendarTime, _ clock: CalendarClock, from first: LocalDate,
    through last: LocalDate, _ zones: inout CalendarZones, _ own: inout [LocalTime: CalendarLength]
  ) -> [LocalTime] {
    var times: [LocalTime] = []
    for extra in event.extra {
      // A date alone has the time of the start.
      var local = zones.local(extra.start, as: start)
      if extra.start.second == nil { local = LocalTime(local.date, second: start.second ?? 0) }
      times.append(local)
      guard extra.end != nil || extra.duration != nil, start.second != nil else { continue }
      own[local] = length(of: event, extra.start, extra.end, extra.duration, &zones)
    }
    if event.rules.isEmpty { times.append(start.local) }
    for rule in event.rules {
      let until = rule.until.map { limit in
        // The whole day, where the limit is a date.
        zones.local(limit, as: start).adding(seconds: limit.second == nil ? 86_399 : 0)
      }
      times += rule.starts(from: start.local, through: last, wanted: first, until: until, &budget)
    }
    var seen: Set<LocalTime> = []
    return times.filter { first <= $0.date && $0.date <= last && seen.insert($0).inserted }
  }
}

/// The starts that an event does not have.
private struct CalendarExclusion {
  private let keys: Set<CalendarSeries.Key>
  /// Those without a zone: the clock of the event is meant.
  private let floating: Set<LocalTime>

  init(_ left: [CalendarTime], ofDays: Bool, _ zones: inout CalendarZones) {
    var keys: Set<CalendarSeries.Key> = []
    for time in left { if let key = zones.key(time, ofDays: ofDays) { keys.insert(key) } }
    self.keys = keys
    floating = Set(left.filter { $0.second != nil && $0.zone == .floating }.map(\.local))
  }

  func contains(_ keys: [CalendarSeries.Key], _ local: LocalTime) -> Bool {
    floating.contains(local) || keys.contains { self.keys.contains($0) }
  }
}
