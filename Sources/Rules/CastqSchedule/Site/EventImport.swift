import CastProtocol
package import CastqText

/// What an import of calendar events does to the rules that are there. It changes and removes rules that earlier imports of the same
/// calendar made, and no others: those carry its note.
package struct EventImport: Sendable {
  /// What the rows get.
  package private(set) var site = SiteSchedule()
  /// What changes in the rows: rules, and the calendars that list their days.
  package private(set) var difference: SiteDifference
  /// The events whose rules cannot be made, because somebody else has made what has their names.
  package private(set) var issues: [PlaylistIssue] = []

  /// - Parameters:
  ///   - made: the rules of the events, complete but for the note.
  ///   - note: the words by which the import recognises its own rules.
  ///   - rows: the schedule as it is.
  ///   - file: the name of the file for messages.
  package init(_ made: CalendarRules, note: String, over rows: SiteSchedule, file: String) {
    let known = Dictionary(rows.rules.values.map { ($0.name.lowercased(), $0) }) { $1 }
    let own = known.filter { $0.value.note == note && !$0.value.kind.isShare }
    let calendars = Dictionary(rows.calendars.keys.map { ($0.lowercased(), $0) }) { $1 }
    let ownCalendars = Set(own.values.compactMap(\.calendarOfItsDays).map { $0.lowercased() })
    site.sections = [.calendars, .rules]
    for var rule in made.rules {
      let present = known[rule.name.lowercased()]
      if let present, own[rule.name.lowercased()] == nil {
        issues.append(Self.issue(of: present.kind.isShare ? "share" : "rule", present.name, rule, made, file))
        continue
      }
      if let calendar = rule.onlyOn, let taken = calendars[calendar.lowercased()],
        !ownCalendars.contains(calendar.lowercased())
      {
        issues.append(Self.issue(of: "calendar", taken, rule, made, file))
        continue
      }
      rule.note = note
      // What a person said of single times stays, as with `--replace`.
      if let present { (rule.isEnabled, rule.exceptions) = (present.isEnabled, present.exceptions) }
      site.rules[rule.name] = rule
      if let calendar = rule.onlyOn { site.calendars[calendar] = made.calendars[calendar] }
    }
    difference = SiteDifference(from: rows, to: site, isPruning: false)
    let wanted = Set(site.rules.keys.map { $0.lowercased() })
    let gone = own.filter { !wanted.contains($0.key) }
    for rule in gone.values { difference.changes.append((.init(section: .rules, name: rule.name), .remove)) }
    for name in unusedCalendars(of: own.values, without: Set(gone.keys), in: rows) {
      difference.changes.append((.init(section: .calendars, name: name), .remove))
    }
    difference.changes.sort { $0.member < $1.member }
  }

  /// The calendars of earlier rules that no rule and no day part names after this.
  private func unusedCalendars(
    of own: some Sequence<ScheduleRule>, without gone: Set<String>, in rows: SiteSchedule
  ) -> [String] {
    let changed = Set(site.rules.keys.map { $0.lowercased() })
    let others = rows.rules.values.filter {
      !gone.contains($0.name.lowercased()) && !changed.contains($0.name.lowercased())
    }
    var used = Set((others + site.rules.values).flatMap { [$0.onlyOn, $0.notOn] }.compactMap(\.self))
    for daypart in rows.dayparts.values {
      for exception in daypart.exceptions {
        if case .calendar(let name) = exception.days { used.insert(name) }
      }
    }
    let names = Set(used.map { $0.lowercased() })
    return own.compactMap(\.calendarOfItsDays).filter { !names.contains($0.lowercased()) }
  }

  private static func issue(
    of kind: String, _ name: String, _ rule: ScheduleRule, _ made: CalendarRules, _ file: String
  ) -> PlaylistIssue {
    let verb = kind == "rule" ? "schedule" : kind
    return PlaylistIssue(
      .error, file: file, line: made.lines[rule.name] ?? 1,
      message: "there is a \(kind) `\(TerminalText.excerpt(name))` already, which this calendar has not made",
      hint: FaceWords(
        typed: "it stays, and the event is left out; 'castq \(verb) rm' makes room for it",
        paged: "it stays, and the event is left out"))
  }
}

extension EventImport {
  private static let noteStart = "from "

  /// The note of the rules that an import of a calendar makes.
  /// - Parameter origin: where the calendar comes from.
  package static func note(from origin: String) -> String { noteStart + origin }

  /// The calendar that an import has made for a rule of its own; nil for every other rule.
  package static func daysMade(for rule: ScheduleRule) -> String? {
    rule.note.hasPrefix(noteStart) ? rule.calendarOfItsDays : nil
  }
}

extension ScheduleRule {
  /// The calendar that an import has made for the days of this rule; nil when it has none, or one that a person chose.
  fileprivate var calendarOfItsDays: String? {
    onlyOn.flatMap { $0.lowercased() == CalendarRules.calendar(of: name).lowercased() ? $0 : nil }
  }
}
