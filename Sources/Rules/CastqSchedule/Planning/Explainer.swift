package import CastqText

/// Says for each rule of a device why it is on the screen at a moment, or why not.
package struct Explainer: Sendable {
  private let book: ScheduleBook
  private let device: ScheduleDevice
  private let at: WallTime

  package init(_ book: ScheduleBook, device: ScheduleDevice, at: WallTime) {
    self.book = book
    self.device = device
    self.at = at
  }

  package func explanation() -> Explanation {
    var on: [(rule: ScheduleRule, occurrence: Occurrence)] = []
    var others: [Explanation.Candidate] = []
    for rule in book.rules where device.isTarget(of: rule.target) {
      switch standing(of: rule) {
      case .on(let occurrence): on.append((rule, occurrence))
      case .not(let outcome, let reason):
        others.append(.init(rule: rule.id, name: rule.name, outcome: outcome, reason: reason))
      }
    }
    on.sort { RuleRank.beats($0, $1) }
    let segment = winner(on.first)
    // Announcements beyond four wait, whatever their rank.
    let first = on.firstIndex { $0.occurrence.key == segment.occurrence?.key } ?? 0
    let candidates = on.enumerated().map { index, each in
      if index == first, let silence = segment.silence {
        return Explanation.Candidate(
          rule: each.rule.id, name: each.rule.name, outcome: silence == .quietHours ? .later : .lost,
          reason: silence.words.competing ?? "is due, and waits")
      }
      if index == first {
        return Explanation.Candidate(
          rule: each.rule.id, name: each.rule.name, outcome: .won, reason: winning(each.rule))
      }
      let isWaiting = index < first
      return Explanation.Candidate(
        rule: each.rule.id, name: each.rule.name, outcome: isWaiting ? .later : .lost,
        reason: isWaiting ? waiting(each) : losing(each, to: on[first]))
    }
    let winners = candidates.filter { $0.outcome == .won }
    return Explanation(
      device: device.id, at: at, winner: segment,
      candidates: winners + candidates.filter { $0.outcome != .won }
        + others.sorted { ($0.name, $0.rule) < ($1.name, $1.rule) })
  }

  // MARK: those that are on

  /// Why something is not on the screen that comes before what is.
  private func waiting(_ each: (rule: ScheduleRule, occurrence: Occurrence)) -> String {
    RuleRank(each.rule).isTrigger && (each.occurrence.end != nil || each.occurrence.start < at)
      ? "waits until one of four announcements is over" : "begins now, and lasts as long as its programme"
  }

  private func winning(_ rule: ScheduleRule) -> String {
    "\(rule.formText), priority \(rule.priority), \(book.zone(of: rule, on: device).text)"
  }

  private func losing(
    _ loser: (rule: ScheduleRule, occurrence: Occurrence),
    to winner: (rule: ScheduleRule, occurrence: Occurrence)
  ) -> String {
    let ranks = (RuleRank(loser.rule), RuleRank(winner.rule))
    if ranks.0.priority != ranks.1.priority { return "priority \(ranks.0.priority) < \(ranks.1.priority)" }
    if ranks.0.isTrigger != ranks.1.isTrigger { return "interrupted by \(winner.rule.name)" }
    if ranks.0.precision != ranks.1.precision {
      return "for \(loser.rule.target.word), and \(winner.rule.name) is for \(winner.rule.target.word)"
    }
    let starts = (loser.occurrence.start, winner.occurrence.start)
    if starts.0 != starts.1 {
      // The one that began last has won, so this one may have no beginning.
      guard starts.0.dated != nil else {
        return "is always on, and \(winner.rule.name) began \(clock(starts.1, of: loser.rule))"
      }
      return
        "began \(clock(starts.0, of: loser.rule)), and \(winner.rule.name) \(clock(starts.1, of: loser.rule))"
    }
    return "tied with \(winner.rule.name), whose name comes first"
  }

  private func winner(_ first: (rule: ScheduleRule, occurrence: Occurrence)?) -> PlanSegment {
    let range = at..<max(at.adding(seconds: 86_400), at)
    var planner = Planner(book, range: range)
    let segments = planner.plan(for: device).segments
    // A rule that begins now and has no known length counts as a moment.
    if let first = segments.first, first.start == at, first.start < first.end || first.occurrence?.start == at
    {
      return first
    }
    if let segment = segments.first(where: { $0.start < $0.end }) { return segment }
    // At the end of time no plan has room.
    return PlanSegment(
      start: first?.occurrence.start ?? at, end: first?.occurrence.end ?? at,
      kind: first.map { RuleRank($0.rule).isTrigger ? .announcement : .rule }
        ?? (device.hasDueBase(at: at) ? .base : .dark),
      occurrence: first?.occurrence, programme: first.map { $0.occurrence.replacement ?? $0.rule.programme },
      tiedWith: [], shares: [])
  }

  // MARK: those that are not

  enum Standing {
    case on(Occurrence)
    case not(Explanation.Candidate.Outcome, String)
  }

  private func standing(of rule: ScheduleRule) -> Standing {
    guard rule.isEnabled else { return .not(.off, "disabled") }
    let timetable: RuleTimetable
    do throws(RuleFault) {
      timetable = try RuleTimetable(rule, zone: book.zone(of: rule, on: device), in: book)
    } catch {
      return .not(.broken, error.message)
    }
    let now = at..<at.adding(seconds: 0.001)
    // Of several that overlap the last one counts, as between rules.
    var last: Occurrence?
    var failure: String?
    for occurrence in timetable.occurrences(in: now) where !occurrence.isCollapsed {
      failure = device.passedOver[occurrence.key]
      if failure == nil { last = occurrence }
    }
    if let last {
      if case .share(let terms) = rule.kind {
        if let reason = device.emptyShares[rule.programme] { return .not(.broken, reason) }
        return .not(.later, "has \(terms.secondsPerHour) s of each hour, between items")
      }
      return .on(last)
    }
    if let failure { return .not(.broken, failure) }
    // One that began a while ago and lasts as long as its programme, whose length is expected.
    let open = timetable.underway(at: at, lengths: book.lengths).last { device.passedOver[$0.key] == nil }
    if let open { return .on(open) }
    return Self.absence(timetable, at: at)
  }

  private func clock(_ moment: WallTime, of rule: ScheduleRule) -> String {
    let zone = try? book.rules(of: book.zone(of: rule, on: device))
    guard let zone else { return RFC3339.text(moment) }
    let (local, now) = (zone.localTime(at: moment), zone.localTime(at: at))
    return local.date == now.date ? local.clockText : local.dayText
  }
}

extension LocalTime {
  /// `Mon 14 Dec 2026 08:00`.
  package var dayText: String {
    let civil = date.civil
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(date.weekday.abbreviation) \(civil.day) \(months[civil.month - 1]) \(civil.year) \(clockText)"
  }
}
