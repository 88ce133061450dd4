import ArgumentParser
import CastqCore
import CastqStore

extension ScheduleCommand {
  /// `castq schedule skip NAME@DATE[THH:MM]`
  struct Skip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Leave out one time of a rule.",
      discussion: "'castq schedule move' to the time itself puts it back.")

    @OptionGroup var global: GlobalOptions
    @Argument(
      help: ArgumentHelp("A rule and one of its local times.", valueName: "name@date[thh:mm]"),
      completion: NameCompletion.rules)
    var occurrence: String

    func run() async throws {
      let call = try ScheduleCall(global)
      let (rule, original) = try call.occurrence(occurrence)
      try await call.set(.skip, at: original, of: rule)
    }
  }

  /// `castq schedule move NAME@DATE[THH:MM] TIME`
  struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Begin one time of a rule at another one; its length stays.",
      discussion: "To the time itself: undoes 'skip', 'move' and 'replace'.")

    @OptionGroup var global: GlobalOptions
    @Argument(
      help: ArgumentHelp("A rule and one of its local times.", valueName: "name@date[thh:mm]"),
      completion: NameCompletion.rules)
    var occurrence: String
    @Argument(help: "HH:MM on the same day, or 2026-12-24T08:00; in the rule's zone.") var time: String

    func run() async throws {
      let call = try ScheduleCall(global)
      let (rule, original) = try call.occurrence(occurrence)
      let exception = try ScheduleCall.move(of: original, to: time)
      if let exception { try call.checkIsToCome(exception, at: original, of: rule) }
      try await call.set(exception, at: original, of: rule)
    }
  }

  /// `castq schedule replace NAME@DATE[THH:MM] PROGRAMME`
  struct Replace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Play something else at one time of a rule.")

    @OptionGroup var global: GlobalOptions
    @Argument(
      help: ArgumentHelp("A rule and one of its local times.", valueName: "name@date[thh:mm]"),
      completion: NameCompletion.rules)
    var occurrence: String
    @Argument(
      help: ArgumentHelp("A programme, or a source.", valueName: "programme|source"),
      completion: NameCompletion.programmesAndFiles)
    var programme: String

    func run() async throws {
      let call = try ScheduleCall(global)
      let (rule, original) = try call.occurrence(occurrence)
      let (choice, problem) = try await call.choice(programme)
      try await call.set(.replace(programme), at: original, of: rule, playing: choice)
      if let problem { throw Silent(problem) }
    }
  }
}

extension ScheduleCall {
  /// The most starts of a day that a message lists.
  private static let listed = 6

  /// The exception that begins a time at another one; nil when that is the time itself, which undoes exceptions.
  /// - Parameter text: `HH:MM` on the same day, or a day with a time, in the rule's zone.
  static func move(of original: LocalTime, to text: String) throws -> RuleException? {
    let new = try OptionText.parse("the new time", text) { (text) throws(TextError) in
      try LocalTime(text.utf8.contains(UInt8(ascii: "-")) ? text : "\(original.date.text)T\(text)")
    }
    return new == original ? nil : .move(new)
  }

  /// Refuses to move a time of a rule to one that has passed: it would never be on. Devices in several zones have several moments, of which
  /// the last counts.
  /// - Parameter exception: the move.
  fileprivate func checkIsToCome(
    _ exception: RuleException, at original: LocalTime, of rule: ScheduleRule
  ) throws {
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
  func occurrence(_ text: String) throws -> (ScheduleRule, LocalTime) {
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
    let local = try OptionText.parse("the time", time, LocalTime.init)
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

  fileprivate func set(
    _ exception: RuleException?, at original: LocalTime, of rule: ScheduleRule,
    playing choice: ProgrammeChoice? = nil
  ) async throws {
    try ask { (store) throws(StoreError) in
      try store.setException(exception, at: original, rule: rule.name, playing: choice, at: .now)
    }
    await poke()
    if global.isMachineReadable {
      let (stored, labels) = try ask { (store) throws(StoreError) in
        (try store.rule(rule.name), try store.deviceLabels())
      }
      Console.print(stored.shown.document(devices: labels))
    }
  }
}
