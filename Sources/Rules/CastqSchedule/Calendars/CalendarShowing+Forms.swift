import CastProtocol
import CastqText

/// The names of the rules of a file, each of which is another one.
struct CalendarRuleNames {
  private var taken: Set<String> = []

  /// The name of an event, with something behind it where that is taken. Names of rules are compared without regard to case.
  mutating func name(_ plain: String, _ extra: String) -> String {
    var name = extra.isEmpty ? plain : "\(plain) \(extra)"
    var count = 1
    while !taken.insert(name.lowercased()).inserted {
      count += 1
      name = "\(plain) \(extra.isEmpty ? "" : "\(extra) ")\(count)"
    }
    return name
  }

  func isFree(_ plain: String) -> Bool { !taken.contains(plain.lowercased()) }
}

/// One rule of a showing.
struct CalendarRuleForm {
  var name: String
  var form: RuleForm
  var length: Int?
  /// The days on which it is valid; nil is unlimited.
  var only: ClosedRange<LocalDate>?
  /// Whether a calendar lists its days.
  var isOnDays = false
}

extension CalendarShowing {
  /// - Parameter lengths: seconds that pass, by the days on which it begins.
  func forms(
    _ lengths: [LocalDate: Int], _ clocks: CalendarClocks, _ names: inout CalendarRuleNames
  ) -> [CalendarRuleForm] {
    // What a rule is called after its event.
    let plain = TerminalText.sanitized(stretch.summary).filter { $0 != "@" }
    let isFirst = names.isFree(plain)
    let isSingle = days.count * seconds.count == 1
    // Once, or longer than a day: each start for itself.
    if isSingle || !fitsDay {
      return days.flatMap { day in
        seconds.map { second in
          let name = names.name(plain, isFirst && isSingle ? "" : "\(day.text) \(DayPart.text(second))")
          // Days are those of the place, from midnight to midnight.
          if case .days(let count) = stretch.length {
            return CalendarRuleForm(
              name: name, form: .always, only: day...max(day, day.advanced(by: count - 1)))
          }
          return CalendarRuleForm(
            name: name, form: .once(LocalTime(day, second: second)),
            length: stretch.length == .open ? nil : lengths[day])
        }
      }
    }
    let clock = DayPart(start: stretch.second, end: 86_400).startText
    let name = names.name(plain, isFirst ? "" : clock)
    if seconds.count == 1, let part = part(lengths, clocks) {
      return [CalendarRuleForm(name: name, form: .daily(part, .all), isOnDays: true)]
    }
    var length: Int?
    if case .exact(let seconds) = stretch.length { length = seconds }
    if case .clock(let seconds) = stretch.length { length = seconds }
    if let cron {
      return [CalendarRuleForm(name: name, form: .cron(cron), length: length, isOnDays: true)]
    }
    guard let time = try? CalendarExpression("*-*-* \(DayPart.text(stretch.second))") else { return [] }
    return [CalendarRuleForm(name: name, form: .calendar(time), length: length, isOnDays: true)]
  }

  /// Whether it is over when its time of the day comes again.
  private var fitsDay: Bool {
    switch stretch.length {
    case .open: true
    case .days(let count): count == 1
    case .clock(let seconds), .exact(let seconds): seconds <= 86_400
    }
  }

  /// The part of a day that it is on each of its days; nil where it has no end by the clock.
  private func part(_ lengths: [LocalDate: Int], _ clocks: CalendarClocks) -> DayPart? {
    let length: Int
    switch stretch.length {
    case .open: return nil
    case .days: return .day
    case .clock(let seconds): length = seconds
    case .exact(let seconds):
      // On each of its days the clock shows as much time as passes.
      guard seconds > 0, let rules = clocks.rules(of: stretch.zone),
        days.allSatisfy({ day in
          let start = LocalTime(day, second: stretch.second)
          return Int(
            bounded: (rules.instant(of: start.adding(seconds: seconds)) - rules.instant(of: start)).rounded())
            == seconds
        })
      else { return nil }
      length = seconds
    }
    let end = (stretch.second + length) % 86_400
    return DayPart(start: stretch.second, end: end == 0 ? 86_400 : end)
  }
}

extension CalendarStretch {
  /// What an occurrence is the start of, and its day by the clock of the rule.
  static func placed(_ found: CalendarOccurrence, _ clocks: CalendarClocks) -> (CalendarStretch, LocalDate) {
    let family = found.event.rules.contains(where: \.hasTimes) ? found.event.line : 0
    func stretch(_ start: LocalTime, _ length: Length, _ zone: ZoneName?) -> (CalendarStretch, LocalDate) {
      (
        CalendarStretch(
          summary: found.event.summary, second: start.secondOfDay, length: length, zone: zone, family: family),
        start.date
      )
    }
    if let (day, count) = found.days { return stretch(LocalTime(day), .days(count), nil) }
    let (zone, rules): (ZoneName?, TimeZoneRules)
    switch found.clock.kind {
    case .floating: (zone, rules) = (nil, clocks.site)
    case .named(let name): (zone, rules) = (name, found.clock.rules)
    case .foreign: (zone, rules) = (clocks.siteName, clocks.site)
    }
    let passed = Int(bounded: (found.end - found.start).rounded())
    let exact: Length = passed > 0 ? .exact(passed) : .open
    let start = rules.localTime(at: found.start)
    // A time that is the second one of its kind on a night has a name in UTC alone.
    guard rules.instant(of: start) == found.start else {
      return stretch(TimeZoneRules().localTime(at: found.start), exact, .utc)
    }
    guard found.isNominal, passed > 0 else { return stretch(start, exact, zone) }
    let end = rules.localTime(at: found.end)
    let shown = end.seconds - start.seconds
    guard rules.instant(of: end) == found.end, shown > 0 else { return stretch(start, exact, zone) }
    return stretch(start, .clock(shown), zone)
  }
}
