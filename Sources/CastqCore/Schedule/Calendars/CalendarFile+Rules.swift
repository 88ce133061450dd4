/// What the events of a calendar file are as rules: an event's name is that of a programme.
package struct CalendarRules: Sendable {
  /// Without targets; those that are on for several days have a calendar of their own.
  package var rules: [ScheduleRule] = []
  /// The days of those calendars, by their names.
  package fileprivate(set) var calendars: [String: [LocalDate: String]] = [:]
  /// The line of the file at which the event of each rule begins, by the rule's name.
  package fileprivate(set) var lines: [String: Int] = [:]
  package fileprivate(set) var issues: [PlaylistIssue] = []

  /// What the calendar of a rule is called.
  static func calendar(of rule: String) -> String { "\(rule) days" }
}

extension CalendarFile {
  /// The most rules of a file.
  private static let mostRules = 1000

  /// The rules that show what the events say, in the order of the file.
  ///
  /// Each day counts by the clock of the event. Events of one name, time and length are one rule: once, or each day of a calendar
  /// that lists their days, so that every way to repeat is kept. The times that one event has on the same days are one rule, too.
  /// - Parameters:
  ///   - first: no earlier day.
  ///   - last: no later day.
  ///   - programme: the programme of a name; nil for a name that is none.
  package func rules(
    from first: LocalDate, through last: LocalDate, site: TimeZoneRules, zones: [ZoneName: TimeZoneRules],
    file: String, programme: (String) -> String?
  ) -> CalendarRules {
    var result = CalendarRules()
    var order: [CalendarStretch] = []
    var days: [CalendarStretch: Set<LocalDate>] = [:]
    var lines: [CalendarStretch: Int] = [:]
    var unknown: Set<String> = []
    let isComplete = forEachStart(from: first, through: last, site: site, zones: zones, keep: { _ in true }) {
      event, time, length in
      guard let start = event.start else { return 0 }
      guard programme(event.summary) != nil else {
        if unknown.insert(event.summary).inserted {
          result.issues.append(Self.issue(event, file))
        }
        return 1
      }
      let stretch = CalendarStretch(
        summary: event.summary, second: time.secondOfDay / 60 * 60, length: length, zone: start.zone,
        family: event.rule?.hasTimes == true ? event.line : 0)
      if days[stretch] == nil {
        order.append(stretch)
        lines[stretch] = event.line
      }
      guard order.count <= Self.mostRules else { return nil }
      days[stretch, default: []].insert(time.date)
      return 0
    }
    var names: Set<String> = []
    var isCut = order.count > Self.mostRules
    for showing in CalendarShowing.all(order.prefix(Self.mostRules), on: days) {
      let (stretch, days) = (showing.stretch, showing.days)
      guard let programme = programme(stretch.summary) else { continue }
      for (name, form, calendar) in Self.forms(of: showing, taken: &names) {
        var rule = ScheduleRule(id: RuleID(0), name: name, programme: programme, form: form)
        if case .named(let zone) = stretch.zone { rule.zone = zone }
        if form.hasOnlyStarts, stretch.length > 0 { rule.length = min(stretch.length, ScheduleRule.longest) }
        guard result.rules.count < Self.mostRules else {
          isCut = true
          break
        }
        if let calendar {
          rule.onlyOn = calendar
          result.calendars[calendar] = Dictionary(days.map { ($0, GivenName.cleaned(stretch.summary)) }) {
            $1
          }
        }
        result.lines[name] = lines[stretch]
        result.rules.append(rule)
      }
    }
    if !isComplete || isCut {
      result.issues.append(
        PlaylistIssue(
          .error, .limit, file: file,
          message: "it repeats too often, or has more than \(Self.mostRules) times, and some are left out"))
    }
    return result
  }

  /// What a rule is called after its event.
  private static func name(of stretch: CalendarStretch) -> String {
    TerminalText.sanitized(stretch.summary).filter { $0 != "@" }
  }

  private static func forms(
    of showing: CalendarShowing, taken: inout Set<String>
  ) -> [(name: String, form: RuleForm, calendar: String?)] {
    let (stretch, days) = (showing.stretch, showing.days)
    func name(_ extra: String) -> String {
      let plain = Self.name(of: stretch)
      var name = extra.isEmpty ? plain : "\(plain) \(extra)"
      var count = 1
      // Names of rules are compared without regard to case.
      while !taken.insert(name.lowercased()).inserted {
        count += 1
        name = "\(plain) \(extra.isEmpty ? "" : "\(extra) ")\(count)"
      }
      return name
    }
    let clock = DayPart(start: stretch.second, end: 86_400).startText
    let isFirst = !taken.contains(Self.name(of: stretch).lowercased())
    // Once, or longer than a day: each start for itself.
    if days.count * showing.seconds.count == 1 || stretch.length > 86_400 {
      return days.flatMap { day in
        showing.seconds.map { second in
          let isOnly = isFirst && days.count * showing.seconds.count == 1
          let extra = isOnly ? "" : "\(day.text) \(DayPart.text(second))"
          return (name(extra), .once(LocalTime(day, second: second)), nil)
        }
      }
    }
    let name = name(isFirst ? "" : clock)
    if stretch.length > 0, showing.seconds.count == 1 {
      let end = (stretch.second + stretch.length) % 86_400
      let part = DayPart(start: stretch.second, end: end == 0 ? 86_400 : end)
      return [(name, .daily(part, .all), CalendarRules.calendar(of: name))]
    }
    guard let cron = showing.cron else { return [] }
    return [(name, .cron(cron), CalendarRules.calendar(of: name))]
  }

  private static func issue(_ event: Event, _ file: String) -> PlaylistIssue {
    PlaylistIssue(
      .error, file: file, line: event.line, column: 1,
      message: "there is no programme `\(TerminalText.excerpt(event.summary))`",
      hint: "an event's name is that of a programme; make it with 'castq programme add'")
  }
}
