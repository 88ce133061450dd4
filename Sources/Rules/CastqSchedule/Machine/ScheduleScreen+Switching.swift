import CastProtocol
import CastqText

extension ScheduleScreen {
  private enum Timing {
    case now
    case atItemEnd
    case within(seconds: Int)
  }

  /// Brings the winner on the screen, now or when the item ends.
  mutating func settle(isBoundary: Bool, at now: Tick, wall: WallTime) {
    let best = winner(at: wall)
    guard !isOnScreen(best) else {
      pending = nil
      // Its moments, and the revision of its rule, may be others.
      if let best { onAir = best }
      setVolume()
      return
    }
    var deadline: Tick?
    switch isBoundary ? .now : timing(to: best, wall: wall) {
    case .now:
      change(to: best, at: now, wall: wall)
      return
    case .atItemEnd: break
    case .within(let seconds): deadline = now + .bounded(seconds: Double(seconds))
    }
    // What waits already keeps its deadline.
    if let pending, pending.target?.occurrence.key == best?.occurrence.key { deadline = pending.deadline }
    if let deadline, deadline <= now {
      change(to: best, at: now, wall: wall)
    } else {
      pending = PendingSwitch(target: best, deadline: deadline)
    }
  }

  /// What leaves says whether it may be cut, what comes whether it waits.
  private func timing(to best: ScheduleDecision.OnAir?, wall: WallTime) -> Timing {
    guard case .seen = visibility else { return .now }
    // What continues does not wait: it was interrupted itself.
    let start = best.flatMap {
      interrupted[$0.occurrence.key] == nil ? rules[$0.occurrence.rule]?.start : nil
    }
    if let onAir, !isActive(onAir.occurrence.key, at: wall) {
      guard failures[onAir.occurrence.key] == nil, rules[onAir.occurrence.rule]?.end == .finish else {
        return .now
      }
      return start.map(timing) ?? .atItemEnd
    }
    if onAir == nil, !rules.device.hasBase { return .now }
    return start.map(timing) ?? .now
  }

  private func timing(_ start: StartMode) -> Timing {
    switch start {
    case .hard: .now
    case .next: .atItemEnd
    case .wait(let seconds): .within(seconds: seconds)
    }
  }

  /// The screen changes: a decision, a volume, and what is shown.
  mutating func change(to best: ScheduleDecision.OnAir?, at now: Tick, wall: WallTime) {
    countItem(at: now, wall: wall)
    let old = onAir
    let key = old?.occurrence.key
    let isOldActive = key.map { isActive($0, at: wall) } ?? rules.device.hasBase
    if isOldActive, let rule = rules[best] {
      interrupted[key] = .init(occurrence: old?.occurrence, resume: rule.resume)
    } else {
      interrupted[key] = nil
    }
    let resume = interrupted.removeValue(forKey: best?.occurrence.key)?.resume
    for key in interrupted.keys {
      if let key, !isActive(key, at: wall) { interrupted[key] = nil }
    }
    onAir = best
    pending = nil
    let planned =
      resume == nil ? best.map { started.plannedStart(of: $0.occurrence.key) ?? $0.occurrence.start } : nil
    let decision = decision(from: old, planned: planned, isOldActive: isOldActive, wall: wall)
    actions.append(.record(decision))
    setVolume()
    guard case .seen = visibility else { return }
    visibility = .seen(since: now)
    actions.append(.show(showing(resume: best == nil ? resume ?? .second : resume)))
  }

  /// What is on, for the screen.
  func showing(resume: ResumeMode?) -> ScheduleMachine.Showing {
    .init(
      onAir: onAir, resume: resume,
      isStarted: rules[onAir]?.isStart ?? false)
  }

  /// Sets the volume of the rule that is on; restores the one from before when it has none.
  mutating func setVolume() {
    let wanted = rules[onAir]?.volume
    guard wanted != volume else { return }
    volume = wanted
    actions.append(.volume(wanted))
  }

  private mutating func decision(
    from old: ScheduleDecision.OnAir?, planned: WallTime?, isOldActive: Bool, wall: WallTime
  ) -> ScheduleDecision {
    let rule = rules[onAir]
    let kind: PlanSegment.Kind =
      rule.map { RuleRank($0).isTrigger ? .announcement : .rule } ?? (rules.device.hasBase ? .base : .dark)
    recorded = standing(at: wall)
    return ScheduleDecision(
      at: wall, kind: kind, onAir: onAir, planned: planned,
      reason: reason(from: old, to: rule, planned: planned, isOldActive: isOldActive, wall: wall),
      beneath: recorded.beneath, passedOver: recorded.passedOver)
  }

  /// What is to come on the screen after this, as far as the plan does not have it: in the order in which it began.
  var waiting: [ScheduleDecision.Beneath] {
    let known = started.known.filter { $0.key != onAir?.occurrence.key }
    let others = interrupted.values.filter { each in !known.contains { $0.key == each.occurrence?.key } }
    return known.map { .init(occurrence: $0, resume: interrupted[$0.key]?.resume) }
      + others.sorted { ($0.occurrence?.start ?? .latest) < ($1.occurrence?.start ?? .latest) }
  }

  private func reason(
    from old: ScheduleDecision.OnAir?, to rule: ScheduleRule?, planned: WallTime?, isOldActive: Bool,
    wall: WallTime
  ) -> String {
    var words =
      rule.map { planned == nil ? "\($0.name) continues" : "\($0.name): \($0.formText)" } ?? "no rule is on"
    // A window catches up by itself.
    if let planned, rule.map({ RuleRank($0).isTrigger }) == true, wall - planned > StartedTriggers.tolerance {
      words += ", \(Int64(bounded: (wall - planned).rounded())) s late"
    }
    if let old, !isOldActive {
      let name = rules[old.occurrence.rule]?.name
      if missed == old.occurrence.key {
        return "\(words); \(name ?? "the rule") was missed, the device was off"
      }
      words +=
        failures[old.occurrence.key].map { "; \(name ?? "the rule") failed: \($0)" } ?? name.map {
          "; \($0) has ended"
        } ?? ""
    }
    return words
  }
}
