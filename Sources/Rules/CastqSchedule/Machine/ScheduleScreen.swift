import CastProtocol
import CastqText

/// A device that is served: what `ScheduleMachine` knows from `begin` on.
struct ScheduleScreen: Sendable {
  var rules: ScheduleRules
  var started: StartedTriggers

  /// What is on by a rule; nil is the base.
  var onAir: ScheduleDecision.OnAir?
  /// What was interrupted and comes back, by its key; nil is the base.
  var interrupted: [OccurrenceKey?: ScheduleDecision.Beneath] = [:]
  /// What the last decision has.
  var recorded = ScheduleDecision.Standing()
  var failures: [OccurrenceKey: String] = [:]
  var pending: PendingSwitch?
  var visibility: Visibility
  /// What nobody saw, and has had its time: the decision that ends it names it.
  var missed: OccurrenceKey?
  /// The volume that a rule has set.
  var volume: Double?
  var shares: ShareInterludes
  var actions: [ScheduleMachine.Action] = []
  /// Faults of rules that the log has.
  private var noted: Set<RuleID> = []

  /// A switch that waits for the end of an item.
  struct PendingSwitch: Sendable {
    let target: ScheduleDecision.OnAir?
    /// Nil waits for the end of the item however long it is.
    let deadline: Tick?
  }

  enum Visibility: Sendable {
    /// What was on the air then, without an end of its own, and before anything of it was seen.
    case dark(unseen: OccurrenceKey?)
    /// Since when the item on the screen has been seen.
    case seen(since: Tick)
  }

  init(
    _ book: ScheduleBook, _ device: ScheduleDevice, last: ScheduleDecision?, seenUntil: WallTime?,
    credits: [RuleID: ShareCredit], at now: Tick, wall: WallTime
  ) {
    rules = ScheduleRules(book, device, at: wall)
    started = StartedTriggers(seenUntil: min(max(seenUntil ?? last?.at ?? wall, last?.at ?? wall), wall))
    visibility = .seen(since: now)
    shares = ShareInterludes(meter: ShareMeter(credits))
  }

  /// Continues after the last decision: shows what it names if that is still on, without another decision.
  /// - Parameter share: that whose item was on the screen; the item continues if the share is still on.
  mutating func begin(
    after last: ScheduleDecision?, share: ScheduleMachine.LeftShare?, at now: Tick, wall: WallTime
  ) -> [ScheduleMachine.Action] {
    if let last {
      restore(last, wall: wall)
    } else {
      // The first rule that a device ever has may be for a moment that has just passed.
      startLate(rules.all, at: wall)
    }
    startDue(at: wall)
    let best = winner(at: wall)
    if last != nil, isOnScreen(best), let share, resume(share, at: now, wall: wall) {
      setVolume()
    } else if last != nil, isOnScreen(best) {
      actions.append(.show(showing(resume: .second)))
      setVolume()
    } else {
      change(to: best, at: now, wall: wall)
    }
    return finish(at: now, wall: wall)
  }

  private mutating func restore(_ last: ScheduleDecision, wall: WallTime) {
    onAir = last.onAir
    recorded = last.standing
    volume = rules[last.onAir]?.volume
    // First what is on, then the rest in its order: the last of them may have to wait.
    if let onAir { restore(onAir.occurrence, planned: last.planned ?? onAir.occurrence.start, wall: wall) }
    for each in last.beneath {
      if each.resume != nil { interrupted[each.occurrence?.key] = each }
      if let occurrence = each.occurrence { restore(occurrence, planned: occurrence.start, wall: wall) }
    }
  }

  /// Rules with an end of their own come from the plan.
  private mutating func restore(_ occurrence: Occurrence, planned: WallTime, wall: WallTime) {
    guard let rule = rules[occurrence.rule] else { return }
    let isTrigger = RuleRank(rule).isTrigger
    if isTrigger || occurrence.end == nil {
      started.restore(occurrence, planned: planned, isTrigger: isTrigger, at: wall)
    }
  }

  mutating func handle(_ event: ScheduleMachine.Event, at now: Tick, wall: WallTime) -> [ScheduleMachine
    .Action]
  {
    missUnseen(at: now, wall: wall)
    var isBoundary = false
    var next: (shares: [RuleID: Int64], own: Int64?)?
    switch event {
    case .begin, .timer, .clockSet: break
    case .edited(let book, let device):
      let known = rules
      rules = ScheduleRules(book, device, at: wall)
      startLate(rules.all.filter { known[$0.id] == nil }, at: wall)
      // What failed may be mended: it is tried again.
      failures = [:]
    case .itemEnded(let lengths, let own):
      isBoundary = true
      next = (lengths, own)
    case .programmeEnded:
      isBoundary = true
      if let onAir, onAir.occurrence.end == nil { started.remove(onAir.occurrence.key) }
    case .programmeFailed(let reason):
      isBoundary = true
      if let onAir { failures[onAir.occurrence.key] = reason }
    case .retry: failures = failures.filter { rules[$0.key.rule].map { RuleRank($0).isTrigger } ?? true }
    case .dark, .darkAtStart:
      loseItem(isStart: event == .darkAtStart, at: now, wall: wall)
    case .back: visibility = .seen(since: now)
    }
    let wasShare = shares.playing != nil
    if isBoundary { countItem(at: now, wall: wall) }
    renewAgenda(at: wall)
    endShares(at: now, wall: wall)
    startDue(at: wall)
    let before = onAir
    settle(isBoundary: isBoundary, at: now, wall: wall)
    let hasShown = actions.contains { if case .show = $0 { true } else { false } }
    if case .back = event, !hasShown { continueAfterDark(before, at: now, wall: wall) }
    if let next, !hasShown, pending == nil {
      playShare(next.shares, next.own, afterShare: wasShare, wall: wall)
    }
    return finish(at: now, wall: wall)
  }

  /// What failed is forgotten with its occurrence.
  mutating func renewAgenda(at wall: WallTime) {
    guard rules.reach(wall) else { return }
    let known = Set(rules.agenda.entries.map(\.occurrence.key) + started.known.map(\.key))
    failures = failures.filter { known.contains($0.key) }
  }

  /// Hands the actions over, with the next time to wake.
  private mutating func finish(at now: Tick, wall: WallTime) -> [ScheduleMachine.Action] {
    for (rule, fault) in rules.agenda.faults.sorted(by: { $0.key < $1.key }) where noted.insert(rule).inserted
    {
      actions.append(.note("the rule \(rules[rule]?.name ?? "") is passed over: \(fault.message)"))
    }
    noted.formIntersection(rules.agenda.faults.keys)
    let current = standing(at: wall)
    if recorded != current {
      recorded = current
      actions.append(.amend(current))
    }
    let boundary = min(rules.agenda.boundary(after: wall), started.boundary(after: wall) ?? .latest)
    var wait = Duration.bounded(seconds: boundary - wall)
    if let due = dueMiss { wait = min(wait, .bounded(seconds: max(due - wall, 0) + 0.001)) }
    if let deadline = pending?.deadline { wait = min(wait, max(deadline - now, .zero)) }
    actions.append(.wake(after: wait))
    defer { actions = [] }
    return actions
  }
}
