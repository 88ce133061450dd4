import CastqDaemon
package import CastqSchedule
import CastqStore
package import CastqText

/// What was made of the calendar of another program.
package struct CalendarOutcome<Value> {
  /// Nil when nothing of the calendar can be taken, or its server still has the version that was imported last.
  package let value: Value?
  /// What could not be taken, each with its place.
  package let issues: [PlaylistIssue]
  /// Whether any of it can be taken.
  package var isUsable = true
  /// Whether nothing was left out because it repeats too often.
  package var isComplete = true

  /// The error in a document when nothing can be taken.
  package var refusal: Failure {
    Failure("calendar", issues.map { "\($0)" }.joined(separator: "\n"), exit: .badData)
  }
}

/// Calendars of other programs (RFC 5545): their days, and rules of their events.
extension ScheduleCall {
  /// Gives a calendar the days of a file, an address or standard input; they replace those of an earlier import.
  /// - Parameter pattern: only of events whose name has it; nil is that of the last import.
  package func importDays(
    of calendar: String, from source: String, keeping pattern: String?
  ) async throws(Failure) -> CalendarOutcome<HolidayCalendar> {
    let name = try ScheduleName.checked(ScheduleName.calendar(calendar), "calendar")
    let site = try SiteZone(global)
    let known = try ask { (store) throws(StoreError) in try store.imported(name) }
    let pattern = pattern ?? known?.filter
    // What was left out of the last version may be wanted from the same one now.
    let place = CalendarSource(source, timeout: global.deviceTimeout)
    let isSame = known?.origin == place.origin && known?.filter == pattern
    guard let document = try await place.read(unless: isSame ? known?.entityTag : nil) else {
      try ask { (store) throws(StoreError) in try store.noteUnchanged(calendar: name, at: .now) }
      return CalendarOutcome(value: nil, issues: [])
    }
    let file = CalendarFile(document.bytes, file: source, conversion: SystemCharacterSets.text)
    let clocks = try CalendarClocks(site)
    let today = clocks.site.localTime(at: .now).date
    let wanted = pattern.map { NamePattern($0) }
    let found = file.days(from: today.advanced(by: -366), through: today.advanced(by: 3653), clocks: clocks) {
      wanted?.matches($0) ?? true
    }
    let issues = file.issues + found.issues
    guard file.isUsable, found.isUsable else {
      return CalendarOutcome(value: nil, issues: issues, isUsable: false)
    }
    let imported = CalendarImport(
      name: name, days: found.days, origin: document.origin, entityTag: document.entityTag, filter: pattern)
    try ask { (store) throws(StoreError) in try store.importCalendar(imported, at: .now) }
    await poke()
    return CalendarOutcome(
      value: HolidayCalendar(name: name, days: found.days), issues: issues, isComplete: found.isComplete)
  }

  /// Makes rules for the target of the call of the events of a file, an address or standard input, as of the last import of the same one.
  package func importRules(
    from source: String, priority: Int = 0, isDry: Bool = false
  ) async throws(Failure) -> CalendarOutcome<SiteDifference> {
    let target = try siteTarget()
    guard let document = try await CalendarSource(source, timeout: global.deviceTimeout).read(unless: nil)
    else { return CalendarOutcome(value: nil, issues: []) }
    let file = CalendarFile(document.bytes, file: source, conversion: SystemCharacterSets.text)
    let programmes = try ask { (store) throws(StoreError) in try store.programmes().map(\.name) }
    let clocks = try CalendarClocks(SiteZone(global))
    let today = clocks.site.localTime(at: .now).date
    let known = Dictionary(programmes.map { ($0.lowercased(), $0) }) { $1 }
    var made = file.rules(
      from: today.advanced(by: -1), through: today.advanced(by: 3653), clocks: clocks
    ) { known[$0.lowercased()] }
    for index in made.rules.indices {
      (made.rules[index].target, made.rules[index].priority) = (target, priority)
    }
    guard file.isUsable, made.isUsable else {
      return CalendarOutcome(
        value: nil, issues: file.isUsable ? file.issues + made.issues : file.issues, isUsable: false)
    }
    let result = try ask { [made] (store) throws(StoreError) in
      try store.importEvents(
        made, note: EventImport.note(from: document.origin), file: source, isDryRun: isDry, at: .now)
    }
    if !isDry, !result.difference.changes.isEmpty { await poke() }
    return CalendarOutcome(value: result.difference, issues: file.issues + made.issues + result.issues)
  }

  /// The target by the names that a site file has.
  private func siteTarget() throws(Failure) -> RuleTarget {
    let target = try target()
    guard case .device(let id) = target else { return target }
    let labels = try ask { (store) throws(StoreError) in try store.deviceLabels() }
    return .device(labels[id] ?? id)
  }
}

extension CalendarClocks {
  /// Those of the site, and of the zone database of this computer.
  fileprivate init(_ site: SiteZone) throws(Failure) {
    let (zone, finder) = (try NamedZone(site), ZoneFinder(site.database))
    self.init(site: zone.rules, name: zone.name) { finder.find($0) }
  }
}
