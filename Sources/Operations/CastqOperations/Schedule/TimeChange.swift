package import CastqSchedule
import CastqStore
package import CastqText

/// What differs at one time of a rule, as a person says it.
package enum TimeChange {
  case skip
  /// To `HH:MM` on the same day, or a day with a time, in the zone of the rule; to the time itself undoes all three.
  case move(to: String)
  /// By a programme, or a source.
  case replace(by: String)
}

extension ScheduleCall {
  /// Has one time of a rule differ.
  /// - Parameter time: `NAME@DATE` or `NAME@DATETHH:MM`.
  package func except(_ change: TimeChange, at time: String) async throws(Failure) -> ChangedRule {
    let (rule, original) = try occurrence(time)
    var (choice, problem): (ProgrammeChoice?, Failure?) = (nil, nil)
    let exception: RuleException?
    switch change {
    case .skip: exception = .skip
    case .move(let new):
      exception = try Self.move(of: original, to: new)
      if let exception { try checkIsToCome(exception, at: original, of: rule) }
    case .replace(let programme):
      exception = .replace(programme)
      (choice, problem) = try await self.choice(programme)
    }
    try ask { (store) throws(StoreError) in
      try store.setException(exception, at: original, rule: rule.name, playing: choice, at: .now)
    }
    await poke()
    return ChangedRule(document: try ruleDocument(rule.name), problem: problem)
  }

  /// The most starts of a day that a message lists.
  private static let listed = 6

  /// The exception that begins a time at another one; nil when that is the time itself, which undoes exceptions.
  /// - Parameter text: `HH:MM` on the same day, or a day with a time, in the rule's zone.
  package static func move(of original: LocalTime, to text: String) throws(Failure) -> RuleException? {
    let new: LocalTime
    do throws(TextError) {
      new = try LocalTime(text.utf8.contains(UInt8(ascii: "-")) ? text : "\(original.date.text)T\(text)")
    } catch { throw Failure("usage", OptionText.words("the new time", error), exit: .usage) }
    return new == original ? nil : .move(new)
  }

  /// Refuses to move a time of a rule to one that has passed: it would never be on. Devices in several zones have several moments, of which
  /// the last counts.
  /// - Parameter exception: the move.
  private func checkIsToCome(
    _ exception: RuleException, at original: LocalTime, of rule: ScheduleRule
  ) throws(Failure) {
    let site = try SiteZone(global)
    let schedule = try ask { (store) throws(StoreError) in
      try store.schedule(siteZone: site.name, zones: site.rules(of:))
    }
    let book = schedule.book
    let zones = schedule.devices.filter { $0.isTarget(of: rule.target) }.map { book.zone(of: rule, on: $0) }
    var moved = rule
    moved.exceptions = [original: exception]
    let ends = Set(zones.isEmpty ? [rule.zone ?? site.name] : zones).compactMap { zone in
      // A rule that cannot be evaluated is reported by what evaluates it.
      (try? RuleTimetable(moved, zone: zone, in: book))?.movedOccurrences.first.map {
        (moment: $0.end ?? $0.start, hasEnd: $0.end != nil, zone: zone)
      }
    }
    guard let last = ends.max(by: { $0.moment < $1.moment }) else { return }
    let late = WallTime.now - last.moment
    guard late >= 1, !rule.isStart || !rule.missed.allows(late: late) else { return }
    throw Failure.passed(
      last.moment, last.hasEnd ? "the end of the new time, " : "the new time ",
      in: site.rules(of: last.zone).map { .rules($0, last.zone) } ?? site.zone, such: "\(original.text)")
  }

  /// A rule and one of its local times, from `NAME@DATE` or `NAME@DATETHH:MM`.
  package func occurrence(_ text: String) throws(Failure) -> (ScheduleRule, LocalTime) {
    guard let at = text.lastIndex(of: "@") else {
      throw Failure(
        "usage",
        "'\(text)' names no time of a rule: write it as in lunch@2026-12-24 or lunch@2026-12-24T11:30",
        exit: .usage)
    }
    let (name, time) = (String(text[..<at]), String(text[text.index(after: at)...]))
    let (rule, timetable) = try ask { (store) throws(StoreError) in
      let rule = try store.rule(name)
      return (rule, try store.localTimetable(of: rule))
    }
    if let day = try? LocalDate(time) { return (rule, try start(of: rule, timetable, on: day)) }
    let local: LocalTime
    do throws(TextError) { local = try LocalTime(time) } catch {
      throw Failure("usage", OptionText.words("the time", error), exit: .usage)
    }
    guard timetable.gives(local) else { throw noStart(of: timetable, at: local, local.text) }
    return (rule, local)
  }

  private func start(
    of rule: ScheduleRule, _ timetable: RuleTimetable, on day: LocalDate
  ) throws(Failure) -> LocalTime {
    let starts = timetable.starts(on: day, limit: Self.listed)
    guard let first = starts.first else {
      throw noStart(of: timetable, at: LocalTime(day), day.text)
    }
    guard starts.count == 1 else {
      let times = starts.map(\.clockText).joined(separator: ", ")
      throw Failure(
        "occurrence",
        "\(rule.name) begins several times on \(day.text): \(times)\(starts.count == Self.listed ? "…" : ""); write \(rule.name)@\(first.text)",
        exit: .badData)
    }
    return first
  }

  private func noStart(of timetable: RuleTimetable, at local: LocalTime, _ text: String) -> Failure {
    Failure("occurrence", timetable.words(without: local, text), exit: .badData)
  }
}
