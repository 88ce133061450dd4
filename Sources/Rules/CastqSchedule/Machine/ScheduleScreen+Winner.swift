import CastProtocol
import CastqText

extension ScheduleScreen {
  /// What is to be on the screen; nil is the base.
  func winner(at wall: WallTime) -> ScheduleDecision.OnAir? {
    var best: (rule: ScheduleRule, occurrence: Occurrence)?
    for candidate in candidates(at: wall) where failures[candidate.occurrence.key] == nil {
      if let current = best, !RuleRank.beats(candidate, current) { continue }
      best = candidate
    }
    return best.map {
      ScheduleDecision.OnAir(
        occurrence: $0.occurrence, programme: $0.occurrence.replacement ?? $0.rule.programme,
        revision: $0.rule.revision)
    }
  }

  /// What is on at a moment, by windows with an end and by what has started.
  private func candidates(at wall: WallTime) -> [(rule: ScheduleRule, occurrence: Occurrence)] {
    let windows = rules.agenda.entries(at: wall).filter { $0.rule.kind == .window }.map {
      ($0.rule, $0.occurrence)
    }
    return windows
      + started.active.compactMap { occurrence in rules[occurrence.rule].map { ($0, occurrence) } }
  }

  /// Whether it could still be on the screen.
  func isActive(_ key: OccurrenceKey, at wall: WallTime) -> Bool {
    failures[key] == nil && candidates(at: wall).contains { $0.occurrence.key == key }
  }

  /// What the rows have of the screen beside the winner's own words.
  func standing(at wall: WallTime) -> ScheduleDecision.Standing {
    ScheduleDecision.Standing(onAir: onAir, beneath: waiting, passedOver: passedOver(at: wall))
  }

  /// What is due and cannot be played: those that a person can ask for. A rule that fires each second has no more.
  private func passedOver(at wall: WallTime) -> [ScheduleDecision.PassedOver] {
    guard !failures.isEmpty else { return [] }
    let failed = candidates(at: wall).compactMap { each in
      failures[each.occurrence.key].map { reason in
        ScheduleDecision.PassedOver(key: each.occurrence.key, revision: each.rule.revision, reason: reason)
      }
    }
    return Array(failed.sorted { ($0.key.rule, $0.key.original) < ($1.key.rule, $1.key.original) }.prefix(64))
  }

  func isOnScreen(_ other: ScheduleDecision.OnAir?) -> Bool {
    guard let onAir, let other else { return onAir == nil && other == nil }
    return onAir.isSame(as: other)
  }

  /// Starts what is due since the machine looked last. While the device is dark, nothing is; it is late when it is back.
  mutating func startDue(at wall: WallTime) {
    started.turnBack(to: wall)
    let wanted = Set(rules.all.filter(\.isStart).map(\.id))
    started.advance(to: wall) { wanted.contains($0.rule) }
    guard case .seen = visibility else { return }
    let seen = started.seenUntil
    var due: [RuleID: (rule: ScheduleRule, occurrence: Occurrence)] = [:]
    if rules.agenda.range.lowerBound <= seen {
      for entry in rules.agenda.starts(after: seen, through: wall) where entry.rule.isStart {
        due[entry.rule.id] = (entry.rule, entry.occurrence)
      }
    } else {
      for rule in rules.all where rule.isStart {
        guard let timetable = rules.timetable(of: rule),
          let last = timetable.lastStart(after: seen, through: wall)
        else { continue }
        due[rule.id] = (rule, last)
      }
    }
    for (rule, occurrence) in due.values.sorted(by: {
      ($0.occurrence.start, $0.rule.id) < ($1.occurrence.start, $1.rule.id)
    }) {
      guard started.plannedStart(of: occurrence.key) == nil, !occurrence.isCollapsed else { continue }
      let late = wall - occurrence.start
      if late <= StartedTriggers.tolerance || rule.missed.allows(late: late) {
        started.start(occurrence, of: rule, at: wall)
      } else if !isBeaten(rule, occurrence) {
        actions.append(.note("\(rule.name) was missed at \(occurrence.original.text), and is skipped"))
      }
    }
    started.see(until: wall)
  }

  /// Whether a start would not have been on the screen anyway, because a window that was on comes first: nothing was missed.
  private func isBeaten(_ rule: ScheduleRule, _ occurrence: Occurrence) -> Bool {
    let moment = max(occurrence.start, rules.agenda.range.lowerBound)
    return rules.agenda.entries(at: moment).contains { other in
      other.rule.kind == .window && RuleRank.beats((other.rule, other.occurrence), (rule, occurrence))
    }
  }

  /// Starts what was made for a moment that has just passed: it took its time until its list was read.
  mutating func startLate(_ new: some Sequence<ScheduleRule>, at wall: WallTime) {
    for rule in new.sorted(by: { $0.id < $1.id }) where rule.isStart {
      guard case .once = rule.form, case .within(let limit) = rule.missed,
        let timetable = rules.timetable(of: rule),
        let start = timetable.lastStart(
          after: wall.adding(seconds: -Double(limit)), through: min(wall, started.seenUntil)),
        started.plannedStart(of: start.key) == nil, !start.isCollapsed
      else { continue }
      started.start(start, of: rule, at: wall)
    }
  }
}
