import ArgumentParser
import CastProtocol
import CastqOperations
import CastqSchedule
import CastqText

/// When a rule is on the air.
struct RuleTimeOptions: ParsableArguments {
  @Flag(help: "Always; on the days that --valid, --only-on and --not-on leave.")
  var always = false

  @Option(help: ArgumentHelp("Each day between two local times.", valueName: "hh:mm-hh:mm"))
  var daily: String?

  @Option(
    help: ArgumentHelp("Only on these days of the week, with --daily or --daypart.", valueName: "mon-fri"))
  var days: String?

  @Option(help: ArgumentHelp("During a day part of 'castq daypart'.", valueName: "name"))
  var daypart: String?

  @Option(help: ArgumentHelp("At the times of a cron expression.", valueName: "expr"))
  var cron: String?

  @Option(help: ArgumentHelp("At the times of a systemd calendar expression.", valueName: "expr"))
  var calendar: String?

  @Option(help: ArgumentHelp("At one local time.", valueName: "time"))
  var once: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "With --cron, --calendar and --once: for so long; otherwise as long as the programme plays.",
      valueName: "duration"))
  var length: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The zone of its times; that of the device or of the site by default.", valueName: "zone"))
  var tz: String?

  @Option(
    name: .customLong("only-on"), help: ArgumentHelp("Only on the days of a calendar.", valueName: "calendar")
  )
  var onlyOn: String?

  @Option(
    name: .customLong("not-on"), help: ArgumentHelp("Not on the days of a calendar.", valueName: "calendar"))
  var notOn: String?

  @Option(help: ArgumentHelp("Only from one day to another, both included.", valueName: "date..date"))
  var valid: String?

  func validate() throws {
    if daily == nil, daypart == nil, days != nil {
      throw ValidationError("--days goes with --daily or --daypart")
    }
    if length != nil, cron == nil, calendar == nil, once == nil {
      throw ValidationError("--for goes with --cron, --calendar or --once")
    }
    let count = [daily, daypart, cron, calendar, once].count { $0 != nil } + (always ? 1 : 0)
    if count > 1 {
      throw ValidationError("choose one of --always, --daily, --daypart, --cron, --calendar and --once")
    }
    _ = try form()
    _ = try zone()
    _ = try validity()
  }

  /// Nil when no option says when.
  /// - Parameter zone: that of the rule where `--tz` is not given, for times such as `+2h`.
  func form(in zone: Zone = .local) throws -> RuleForm? {
    let weekdays = try days.map { try OptionText.parse("--days", $0, Weekdays.init) } ?? .all
    if always { return .always }
    if let daily { return .daily(try OptionText.parse("--daily", daily, DayPart.init), weekdays) }
    if let daypart { return .daypart(daypart, weekdays) }
    if let cron { return .cron(try OptionText.parse("--cron", cron, CronExpression.init)) }
    if let calendar {
      return .calendar(try OptionText.parse("--calendar", calendar, CalendarExpression.init))
    }
    if let once {
      let time = try OptionText.parse("--once", once, TimeText.init)
      return .once(time.local(in: try self.zone().map { try Zone($0.text) } ?? zone))
    }
    return nil
  }

  /// Refuses a rule for one time that has passed: it would never be on.
  /// - Parameters:
  ///   - rule: with all that options say.
  ///   - zone: that of the rule where `--tz` is not given.
  func checkIsToCome(_ rule: ScheduleRule, in zone: Zone) throws {
    guard let once else { return }
    let zone = try self.zone().map { try Zone($0.text) } ?? zone
    let start = try OptionText.parse("--once", once, TimeText.init)
      .resolved(now: .now, sense: .next, utcOffset: zone.utcOffset)
    let end = start.adding(seconds: Double(rule.length ?? 0))
    let late = WallTime.now - end
    // What +0s means is past before it is compared.
    guard late >= 1, !rule.isStart || !rule.missed.allows(late: late) else { return }
    throw Failure.passed(end, rule.length == nil ? "--once " : "the end of --once with --for, ", in: zone)
  }

  /// Nil is the device's, else the site's.
  func zone() throws -> ZoneName? {
    guard let tz else { return nil }
    let name = try OptionText.parse("--tz", tz, ZoneName.init)
    guard name == .utc || Zone.rules(named: tz) != nil else {
      throw ValidationError(
        "--tz: there is no zone \(TerminalText.excerpt(tz)); write a name such as Europe/Berlin")
    }
    return name
  }

  /// Sets what the options say of days.
  func apply(to rule: inout ScheduleRule) throws {
    rule.length = length.map { min(max(Int(bounded: $0.seconds.rounded()), 1), ScheduleRule.longest) }
    rule.zone = try zone()
    rule.onlyOn = onlyOn.map(ScheduleName.calendar)
    rule.notOn = notOn.map(ScheduleName.calendar)
    (rule.validFrom, rule.validUntil) = try validity()
  }

  /// `2026-12-01..2026-12-24`; either end may be missing.
  private func validity() throws -> (LocalDate?, LocalDate?) {
    guard let valid else { return (nil, nil) }
    guard let dots = valid.indices.first(where: { valid[$0...].hasPrefix("..") }) else {
      throw ValidationError("--valid '\(TerminalText.excerpt(valid))': write it as in 2026-12-01..2026-12-24")
    }
    func date(_ text: Substring) throws -> LocalDate? {
      text.isEmpty ? nil : try OptionText.parse("--valid", String(text), LocalDate.init)
    }
    let (first, last) = (try date(valid[..<dots]), try date(valid[dots...].dropFirst(2)))
    guard first != nil || last != nil, first ?? .earliest <= last ?? .latest else {
      throw ValidationError(
        "--valid '\(TerminalText.excerpt(valid))' has no day: write the first day, .., the last day")
    }
    return (first, last)
  }
}

/// What a rule does with the screen.
struct RuleScreenOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The higher one wins; 0 by default, negative ones are allowed.", valueName: "n"),
    transform: RuleTermText.priority)
  var priority = 0

  @Option(
    help: ArgumentHelp(
      "Start at once, when the item ends, or when it ends but after so long at the latest.",
      valueName: "hard|next|wait=90s"), transform: RuleTermText.start)
  var start = StartMode.hard

  @Option(
    help: ArgumentHelp("Cut the item at the end, or let it finish.", valueName: "cut|finish"),
    transform: RuleTermText.end)
  var end = EndMode.cut

  @Option(
    help: ArgumentHelp(
      "Where what this interrupts continues: at the second, at the item's or at the programme's beginning.",
      valueName: "second|item|restart"), transform: RuleTermText.resume)
  var resume = ResumeMode.second

  @Option(
    help: ArgumentHelp(
      "What to do about a start that was missed because the device or castq was off.",
      valueName: "skip|run|within=15m"),
    transform: RuleTermText.missed)
  var missed = MissedPolicy.skip

  @Option(
    help: ArgumentHelp("The volume while it is on, 0 to 100.", valueName: "n"), transform: RuleTermText.volume
  )
  var volume: Double?

  @Option(
    help: ArgumentHelp("Words for people, kept with the rule.", valueName: "text"),
    transform: { TerminalText.sanitized($0) })
  var note = ""

  /// Sets what the options say.
  func apply(to rule: inout ScheduleRule) {
    rule.note = note
    (rule.priority, rule.start, rule.end) = (priority, start, end)
    (rule.resume, rule.missed, rule.volume) = (resume, missed, volume)
  }
}
