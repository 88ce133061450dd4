/// What the events of a calendar file are as rules: an event's name is that of a programme.
package struct CalendarRules: Sendable {
  /// Without targets; those that are on for several days have a calendar of their own.
  package var rules: [ScheduleRule] = []
  /// The days of those calendars, by their names.
  package fileprivate(set) var calendars: [String: [LocalDate: String]] = [:]
  package fileprivate(set) var issues: [PlaylistIssue] = []
}

extension CalendarFile {
  /// The most rules of a file.
  private static let mostRules = 1000

  /// Stretches of one name at one time of the day.
  private struct Stretch: Hashable {
    let summary: String
    let second: Int
    /// 0 or less is as long as the programme.
    let length: Int
    let zone: CalendarTime.Zone
  }

  /// The rules that show what the events say, in the order of the file.
  ///
  /// Each day counts by the clock of the event. Events of one name, time and length are one rule: once, or each day of a calendar
  /// that lists their days, so that every way to repeat is kept.
  /// - Parameters:
  ///   - first: no earlier day.
  ///   - last: no later day.
  ///   - programme: the programme of a name; nil for a name that is none.
  package func rules(
    from first: LocalDate, through last: LocalDate, site: TimeZoneRules, zones: [ZoneName: TimeZoneRules],
    file: String, programme: (String) -> String?
  ) -> CalendarRules {
    var result = CalendarRules()
    var order: [Stretch] = []
    var days: [Stretch: Set<LocalDate>] = [:]
    var unknown: Set<String> = []
    let isComplete = forEachStart(from: first, through: last, site: site, zones: zones, keep: { _ in true }) {
      event, day, length in
      guard let start = event.start else { return 0 }
      guard programme(event.summary) != nil else {
        if unknown.insert(event.summary).inserted {
          result.issues.append(Self.issue(event, file))
        }
        return 1
      }
      let stretch = Stretch(
        summary: event.summary, second: (start.second ?? 0) / 60 * 60, length: length, zone: start.zone)
      if days[stretch] == nil { order.append(stretch) }
      guard order.count <= Self.mostRules else { return nil }
      days[stretch, default: []].insert(day)
      return 1
    }
    if !isComplete || order.count > Self.mostRules {
      result.issues.append(
        PlaylistIssue(
          .error, .limit, file: file,
          message: "it repeats too often, or has more than \(Self.mostRules) times, and some are left out"))
    }
    var names: Set<String> = []
    for stretch in order.prefix(Self.mostRules) {
      guard let days = days[stretch]?.sorted(), let programme = programme(stretch.summary) else { continue }
      for (name, form, calendar) in Self.forms(of: stretch, on: days, taken: &names) {
        var rule = ScheduleRule(id: RuleID(0), name: name, programme: programme, form: form)
        if case .named(let zone) = stretch.zone { rule.zone = zone }
        if form.hasOnlyStarts, stretch.length > 0 { rule.length = min(stretch.length, ScheduleRule.longest) }
        if let calendar {
          rule.onlyOn = calendar
          result.calendars[calendar] = Dictionary(days.map { ($0, stretch.summary) }) { $1 }
        }
        result.rules.append(rule)
      }
    }
    return result
  }

  private static func forms(
    of stretch: Stretch, on days: [LocalDate], taken: inout Set<String>
  ) -> [(name: String, form: RuleForm, calendar: String?)] {
    func name(_ extra: String) -> String {
      let plain = TerminalText.sanitized(stretch.summary).filter { $0 != "@" }
      var name = extra.isEmpty ? plain : "\(plain) \(extra)"
      var count = 1
      while !taken.insert(name).inserted {
        count += 1
        name = "\(plain) \(extra.isEmpty ? "" : "\(extra) ")\(count)"
      }
      return name
    }
    let clock = DayPart(start: stretch.second, end: 86_400).startText
    let isFirst = !taken.contains(stretch.summary)
    // Once, or longer than a day: each start for itself.
    if days.count == 1 || stretch.length > 86_400 {
      return days.map { day in
        let extra = isFirst && days.count == 1 ? "" : "\(day.text) \(clock)"
        return (name(extra), .once(LocalTime(day, second: stretch.second)), nil)
      }
    }
    let name = name(isFirst ? "" : clock)
    if stretch.length > 0 {
      let end = (stretch.second + stretch.length) % 86_400
      let part = DayPart(start: stretch.second, end: end == 0 ? 86_400 : end)
      return [(name, .daily(part, .all), "\(name) days")]
    }
    let (hour, minute) = (stretch.second / 3600, stretch.second / 60 % 60)
    guard let cron = try? CronExpression("\(minute) \(hour) * * *") else { return [] }
    return [(name, .cron(cron), "\(name) days")]
  }

  private static func issue(_ event: Event, _ file: String) -> PlaylistIssue {
    PlaylistIssue(
      .error, file: file, line: event.line, column: 1,
      message: "there is no programme `\(TerminalText.excerpt(event.summary))`",
      hint: "an event's name is that of a programme; make it with 'castq programme add'")
  }
}
