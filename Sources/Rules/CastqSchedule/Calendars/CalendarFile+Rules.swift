import CastProtocol
package import CastqText

/// What the events of a calendar file are as rules: an event's name is that of a programme.
package struct CalendarRules: Sendable {
  /// Without targets; those that are on for several days have a calendar of their own.
  package var rules: [ScheduleRule] = []
  /// The days of those calendars, by their names.
  package fileprivate(set) var calendars: [String: [LocalDate: String]] = [:]
  /// The line of the file at which the event of each rule begins, by the rule's name.
  package fileprivate(set) var lines: [String: Int] = [:]
  package fileprivate(set) var issues: [PlaylistIssue] = []
  /// Whether at least one event has zones that somebody knows.
  package fileprivate(set) var isUsable = true

  /// What the calendar of a rule is called.
  static func calendar(of rule: String) -> String { "\(rule) days" }
}

extension CalendarFile {
  /// The most rules of a file.
  private static let mostRules = 1000

  /// The rules that show what the events say, in the order of the file.
  ///
  /// Events of one name, time and length are one rule: once, or each day of a calendar that lists their days, so that every way to
  /// repeat is kept. The times that one event has on the same days are one rule, too. Each day counts by the clock of the event, and by
  /// that of the site where the event is in UTC or in a zone that only the file knows.
  /// - Parameters:
  ///   - first: nothing that ends on an earlier day.
  ///   - programme: the programme of a name; nil for a name that is none.
  package func rules(
    from first: LocalDate, through last: LocalDate, clocks: CalendarClocks, programme: (String) -> String?
  ) -> CalendarRules {
    var result = CalendarRules()
    var order: [CalendarStretch] = []
    var days: [CalendarStretch: [LocalDate: Int]] = [:]
    var lines: [CalendarStretch: Int] = [:]
    var unknown: Set<String> = []
    let outcome = forEachOccurrence(from: first, through: last, clocks: clocks, keep: { _ in true }) {
      found in
      guard programme(found.event.summary) != nil else {
        if unknown.insert(found.event.summary).inserted {
          result.issues.append(Self.issue(found.event, name))
        }
        return 0
      }
      let (stretch, day) = CalendarStretch.placed(found, clocks)
      if days[stretch] == nil {
        order.append(stretch)
        lines[stretch] = found.event.line
      }
      guard order.count <= Self.mostRules else { return nil }
      days[stretch, default: [:]][day] = Int(bounded: (found.end - found.start).rounded())
      return 0
    }
    result.isUsable = outcome.isUsable
    result.issues += outcome.issues
    var names = CalendarRuleNames()
    var isCut = order.count > Self.mostRules
    let listed = days.mapValues { Set($0.keys) }
    for showing in CalendarShowing.all(order.prefix(Self.mostRules), on: listed) {
      let stretch = showing.stretch
      guard let programme = programme(stretch.summary) else { continue }
      for form in showing.forms(days[stretch] ?? [:], clocks, &names) {
        guard result.rules.count < Self.mostRules else {
          isCut = true
          break
        }
        var rule = ScheduleRule(id: RuleID(0), name: form.name, programme: programme, form: form.form)
        (rule.zone, rule.validFrom, rule.validUntil) = (
          stretch.zone, form.only?.lowerBound, form.only?.upperBound
        )
        rule.length = form.length.map { min(max($0, 1), ScheduleRule.longest) }
        if form.isOnDays {
          let calendar = CalendarRules.calendar(of: form.name)
          rule.onlyOn = calendar
          result.calendars[calendar] = Dictionary(
            showing.days.map { ($0, GivenName.cleaned(stretch.summary)) }
          ) { $1 }
        }
        result.lines[form.name] = lines[stretch]
        result.rules.append(rule)
      }
    }
    if !outcome.isComplete || isCut {
      result.issues.append(
        PlaylistIssue(
          .error, .limit, file: name,
          message: "it repeats too often, or has more than \(Self.mostRules) times, and some are left out"))
    }
    return result
  }

  private static func issue(_ event: Event, _ file: String) -> PlaylistIssue {
    PlaylistIssue(
      .error, file: file, line: event.line, column: 1,
      message: "there is no programme `\(TerminalText.excerpt(event.summary))`",
      hint: FaceWords(
        typed: "an event's name is that of a programme; make it with 'castq programme add'",
        paged: "an event's name is that of a programme"))
  }
}
