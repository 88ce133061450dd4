package import CastqText

/// Says in words what a plan has, by the clocks of one zone. Days and rules are put into words once, so that a plan of many thousand
/// segments is printed about as fast as it is made.
package struct PlanWording: Sendable {
  private let zone: TimeZoneRules
  private let rules: [RuleID: ScheduleRule]
  private let siteZone: ZoneName
  private let offsets: [ZoneName: TimeZoneRules]
  /// `breakfast → menus  (daypart, priority 0, Europe/Berlin)` by rule, in the zone of the device that is printed.
  private var titles: [RuleID: String] = [:]
  private var titleZone: ZoneName?
  private var day: (number: Int, text: String)?

  /// - Parameter zone: whose clocks the times are by.
  package init(_ book: ScheduleBook, zone: TimeZoneRules) {
    self.zone = zone
    rules = Dictionary(book.rules.map { ($0.id, $0) }) { $1 }
    siteZone = book.siteZone
    offsets = book.zones
  }

  /// The rule of a number; nil when the book does not have it.
  package func rule(_ id: RuleID) -> ScheduleRule? { rules[id] }

  // MARK: - Segments

  /// `Mon 14 Dec 08:00–10:30  breakfast → menus  (daypart, priority 0, Europe/Berlin)`, and notes behind it.
  package mutating func line(_ segment: PlanSegment, on device: ScheduleDevice) -> String {
    let note = note(segment, on: device)
    return
      "\(time(segment.start, segment.end))  \(title(segment, on: device))\(note.isEmpty ? "" : "  \(note)")"
  }

  /// What is on: the rule and its programme, or the kind.
  package mutating func title(_ segment: PlanSegment, on device: ScheduleDevice) -> String {
    guard segment.silence == nil else { return segment.shownKind.word }
    guard let occurrence = segment.occurrence, let rule = rules[occurrence.rule] else {
      return segment.kind.word
    }
    if titleZone != device.zone ?? siteZone {
      titles = [:]
      titleZone = device.zone ?? siteZone
    }
    // What was put in place of a programme is said as often as it occurs, which is seldom.
    if occurrence.replacement != nil { return title(rule, segment.programme, device) }
    if let title = titles[rule.id] { return title }
    let title = title(rule, segment.programme, device)
    titles[rule.id] = title
    return title
  }

  private func title(_ rule: ScheduleRule, _ programme: String?, _ device: ScheduleDevice) -> String {
    let zone = rule.zone ?? device.zone ?? siteZone
    let programme = ProgrammeName.shown(programme ?? rule.programme)
    return TerminalText.sanitized(
      "\(rule.name) → \(programme)  (\(rule.form.word), priority \(rule.priority), \(zone.text))"
    )
  }

  /// What is worth knowing about a segment; empty when that is nothing.
  package func note(_ segment: PlanSegment, on device: ScheduleDevice) -> String {
    var notes: [String] = []
    if let silence = segment.silence { notes.append(due(segment, silence)) }
    if segment.isPaused { notes.append("paused") }
    if !segment.tiedWith.isEmpty {
      notes.append("tied with \(names(segment.tiedWith)): only the name decides")
    }
    if !segment.shares.isEmpty { notes.append("shares: \(shares(segment.shares))") }
    if let occurrence = segment.occurrence, let rule = rules[occurrence.rule] {
      if occurrence.replacement != nil { notes.append("in place of \(ProgrammeName.shown(rule.programme))") }
      if segment.start == segment.end { notes.append("as long as it plays") }
      if case .move? = rule.exceptions[occurrence.original] {
        notes.append("moved from \(occurrence.original.dayText)")
      }
    }
    notes += changes(in: segment.start..<max(segment.start, segment.end))
    return TerminalText.sanitized(notes.joined(separator: "; "))
  }

  /// What a device would show that is stopped, or has quiet hours.
  private func due(_ segment: PlanSegment, _ silence: DarkReason) -> String {
    let why = silence.words.now
    guard let occurrence = segment.occurrence, let rule = rules[occurrence.rule] else {
      return segment.kind == .dark ? why : "\(why); due: \(segment.kind.word)"
    }
    return "\(why); due: \(rule.name) → \(ProgrammeName.shown(segment.programme ?? rule.programme))"
  }

  /// What is to be known of a device in its quiet hours.
  /// - Parameter end: nil where they have none.
  package mutating func quietHours(until end: WallTime?) -> String {
    let until = end.map { " until \(time($0))" } ?? ""
    return "the configuration has quiet hours\(until), and nothing plays in them"
  }

  /// What is to be known of a device whose screen castq does not have now.
  package mutating func text(_ loss: Outlook) -> String { loss.words { time($0) } ?? "" }

  /// What is to be known of a device that is stopped: `stopped by castq since Mon 14 Dec 08:00; 'castq play' resumes`.
  package mutating func stop(since moment: WallTime) -> String {
    text(Outlook(.stopped, since: moment))
  }

  private func names(_ ids: [RuleID]) -> String {
    ids.map { rules[$0]?.name ?? "rule \($0.number)" }.joined(separator: ", ")
  }

  private func shares(_ ids: [RuleID]) -> String {
    ids.map { id in
      guard let rule = rules[id], case .share(let terms) = rule.kind else { return "rule \(id.number)" }
      return "\(rule.name) \(terms.secondsPerHour) s of each hour"
    }.joined(separator: ", ")
  }

  /// Where clocks are changed within a stretch; a few at most.
  private func changes(in range: Range<WallTime>) -> [String] {
    var notes: [String] = []
    var span = zone.span(at: range.lowerBound.wholeSeconds)
    while let end = span.end, end < range.upperBound.wholeSeconds, notes.count < 4 {
      let next = zone.span(at: end)
      let change = next.offset - span.offset
      if change != 0 {
        let shown = LocalTime(seconds: Int(end) + span.offset)
        notes.append(
          "clocks go \(change > 0 ? "forward" : "back") \(DayPart.text(abs(change))) at \(shown.clockText)")
      }
      span = next
    }
    return notes
  }

  // MARK: - Times

  /// `Mon 14 Dec 08:00–10:30`; an end on another day has its day, unless it is the midnight at which the day ends.
  package mutating func time(_ start: WallTime, _ end: WallTime) -> String {
    let first = zone.localTime(at: start)
    guard end > start else { return "\(text(first.date)) \(first.clockText)" }
    let last = zone.localTime(at: end)
    let prefix = "\(text(first.date)) \(first.clockText)–"
    if last.date == first.date { return prefix + last.clockText }
    if last.secondOfDay == 0, last.date.number == first.date.number + 1 { return prefix + "24:00" }
    return "\(prefix)\(text(last.date)) \(last.clockText)"
  }

  /// `Mon 14 Dec 08:00`.
  package mutating func time(_ moment: WallTime) -> String { time(moment, moment) }

  /// `2026-12-14 08:00:00`, for spreadsheets.
  package func localText(_ moment: WallTime) -> String {
    let local = zone.localTime(at: moment)
    let clock = local.secondOfDay % 60 == 0 ? local.clockText + ":00" : local.clockText
    return "\(local.date.text) \(clock)"
  }

  private mutating func text(_ date: LocalDate) -> String {
    if let day, day.number == date.number { return day.text }
    let text = LocalTime(date).shortDayText
    day = (date.number, text)
    return text
  }

  // MARK: - Issues

  /// What a plan was checked for, in words.
  package mutating func text(_ issue: PlanIssue) -> String {
    TerminalText.sanitized(words(issue))
  }

  private mutating func words(_ issue: PlanIssue) -> String {
    switch issue {
    case .dark(let range): return "\(time(range.lowerBound, range.upperBound)): nothing plays"
    case .stopped(let range, let since):
      return "\(time(range.lowerBound, range.upperBound)): \(stop(since: since))"
    case .quiet(let range):
      return "\(time(range.lowerBound, range.upperBound)): quiet hours, and nothing plays"
    case .paused(let range):
      return "\(time(range.lowerBound, range.upperBound)): paused until somebody plays it"
    case .overfull(let range, let seconds):
      return
        "\(time(range.lowerBound, range.upperBound)): shares are due \(seconds) s of each hour, which has 3600"
    case .tie(let moment, let rules):
      return "\(time(moment)): \(names(rules)) are tied, and only the name decides"
    case .collapsed(let occurrence):
      return
        "\(names([occurrence.rule])) has nothing of \(occurrence.original.dayText): clocks skip the whole part"
    case .broken(let rule, let fault): return "\(names([rule])) is passed over: \(fault.message)"
    case .tooOften(let rule, let moment):
      return "\(names([rule])) occurs too often for one plan, and is left out from \(time(moment)) on"
    }
  }
}

extension PlanIssue {
  /// What documents call it.
  package var word: String {
    switch self {
    case .dark: "dark"
    case .stopped: "stopped"
    case .quiet: "quiet_hours"
    case .paused: "paused"
    case .overfull: "overfull"
    case .tie: "tie"
    case .collapsed: "collapsed"
    case .broken: "broken"
    case .tooOften: "too_often"
    }
  }

  /// The time that it is about; nil where that is all of the plan.
  package var range: (start: WallTime, end: WallTime?)? {
    switch self {
    case .dark(let range), .stopped(let range, _): (range.lowerBound, range.upperBound)
    case .quiet(let range), .paused(let range), .overfull(let range, _): (range.lowerBound, range.upperBound)
    case .tie(let moment, _): (moment, nil)
    case .collapsed(let occurrence): (occurrence.start, occurrence.end)
    case .broken: nil
    case .tooOften(_, let moment): (moment, nil)
    }
  }

  /// The rules that it is about.
  package var rules: [RuleID] {
    switch self {
    case .dark, .stopped, .quiet, .paused, .overfull: []
    case .tie(_, let rules): rules
    case .collapsed(let occurrence): [occurrence.rule]
    case .broken(let rule, _): [rule]
    case .tooOften(let rule, _): [rule]
    }
  }
}

extension LocalTime {
  /// `Mon 14 Dec`.
  package var shortDayText: String {
    let words = dayText.split(separator: " ")
    return words.prefix(3).joined(separator: " ")
  }
}
