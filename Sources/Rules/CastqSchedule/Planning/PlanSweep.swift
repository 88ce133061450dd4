import CastProtocol
import CastqText

/// One pass over the starts and ends of what a device may show.
struct PlanSweep {
  private let book: ScheduleBook
  private let table: PlannerTable
  private let device: ScheduleDevice
  private let range: Range<WallTime>
  private let isTarget: [Bool]
  private var heap = ContenderHeap()
  private var nesting = TriggerNesting<Contender>()
  /// Shares that are on.
  private var shares: [Contender] = []
  private var plan: DevicePlan
  private var darkSince: WallTime?
  private var quietSince: WallTime?
  private var overfull: (since: WallTime, seconds: Int)?
  /// Rules that begin now and have no known length.
  private var openStarts: [Contender] = []
  /// Seconds that the queue of the device has left; nil is without an end.
  private var baseSeconds: Double?

  init(book: ScheduleBook, table: PlannerTable, device: ScheduleDevice, range: Range<WallTime>) {
    self.book = book
    self.table = table
    self.device = device
    self.range = range
    baseSeconds = device.baseSeconds
    isTarget = book.rules.map { $0.isEnabled && device.isTarget(of: $0.target) }
    plan = DevicePlan(device: device.id)
  }

  consuming func run() -> DevicePlan {
    for index in book.rules.indices where isTarget[index] { plan.issues += table.issues[index] }
    var now = range.lowerBound.milliseconds
    let end = range.upperBound.milliseconds
    var index = 0
    while now < end {
      while index < table.contenders.count, table.contenders[index].start <= now {
        let contender = table.contenders[index]
        index += 1
        if isTarget[Int(contender.rule)] { begin(contender, at: now) }
      }
      for admitted in nesting.advance(to: now, end: \.end) { heap.insert(admitted) }
      heap.removeEnded(at: now)
      shares.removeAll { $0.end <= now }
      showOpenStarts()
      while index < table.contenders.count, !isTarget[Int(table.contenders[index].rule)] { index += 1 }
      var next = min(
        end, heap.top?.end ?? end, nesting.nextAdmission(end: \.end) ?? end, shares.map(\.end).min() ?? end)
      if index < table.contenders.count { next = min(next, table.contenders[index].start) }
      if let edge = edge(after: WallTime(milliseconds: now)) { next = min(next, edge.milliseconds) }
      if let end = baseEnd(from: WallTime(milliseconds: now)) { next = min(next, end.milliseconds) }
      emit(WallTime(milliseconds: now)..<WallTime(milliseconds: next))
      now = next
    }
    finish(at: range.upperBound)
    return plan
  }

  private mutating func begin(_ contender: Contender, at now: Int64) {
    let rule = book.rules[Int(contender.rule)]
    let occurrence = table.occurrences[Int(contender.rule)][Int(contender.index)]
    if let reason = device.passedOver[occurrence.key] ?? emptiness(of: rule) {
      let issue = PlanIssue.broken(rule.id, RuleFault(reason))
      if !plan.issues.contains(issue) { plan.issues.append(issue) }
      return
    }
    guard contender.end > contender.start else {
      // Its length is unknown, or clocks skip it.
      if !occurrence.isCollapsed { openStarts.append(contender) }
      return
    }
    switch rule.kind {
    case .window: heap.insert(contender)
    case .share: shares.append(contender)
    case .trigger: if nesting.begin(contender, at: now, end: \.end) { heap.insert(contender) }
    }
  }

  /// Why nothing of a share can be played; nil where something can, and for what is no share.
  private func emptiness(of rule: ScheduleRule) -> String? {
    rule.kind.isShare ? device.emptyShares[rule.programme] : nil
  }

  /// What lasts as long as nobody knows is a moment, if it wins at that moment.
  private mutating func showOpenStarts() {
    for contender in openStarts.sorted(by: { $0.beats($1) }) where heap.top.map(contender.beats) ?? true {
      let start = WallTime(milliseconds: contender.start)
      var segment = segment(start..<start, contender)
      segment.silence = silence(at: start)
      append(segment)
    }
    openStarts = []
  }

  /// When the queue of the device ends, if nothing else comes; nil where it does not have the screen, and where it has no end.
  private func baseEnd(from moment: WallTime) -> WallTime? {
    guard let baseSeconds, baseSeconds > 0, heap.top == nil, hasDueBase(at: moment),
      silence(at: moment) == nil, !isPaused(segment(moment..<moment, nil))
    else { return nil }
    // Whole milliseconds: what is left is none.
    return max(moment.adding(seconds: baseSeconds), WallTime(milliseconds: moment.milliseconds + 1))
  }

  private func hasDueBase(at moment: WallTime) -> Bool {
    device.hasDueBase(at: moment) && baseSeconds.map { $0 > 0 } ?? true
  }

  private mutating func emit(_ stretch: Range<WallTime>) {
    var segment = segment(stretch, heap.top)
    segment.tiedWith = heap.tied(at: stretch.lowerBound.milliseconds).map { book.rules[Int($0.rule)].id }
      .sorted()
    segment.shares = shares.map { book.rules[Int($0.rule)].id }.sorted()
    segment.silence = silence(at: stretch.lowerBound)
    segment.isPaused = isPaused(segment)
    note(segment)
    append(segment)
    if let seconds = baseSeconds, segment.kind == .base, segment.silence == nil, !segment.isPaused {
      let left = seconds - (stretch.upperBound - stretch.lowerBound)
      baseSeconds = left < 0.001 ? 0 : left
    }
  }

  /// Whether a segment shows what is paused now. The pause ends with it: what comes next plays.
  private func isPaused(_ segment: PlanSegment) -> Bool {
    guard device.isPaused, segment.kind != .dark, segment.silence == nil else { return false }
    guard let first = plan.segments.last else { return true }
    return plan.segments.count == 1 && first.isPaused && first.kind == segment.kind
      && first.occurrence == segment.occurrence
  }

  /// Why nothing is on the screen, whatever is due.
  private func silence(at moment: WallTime) -> DarkReason? {
    if let stopped = device.stoppedAt, stopped <= moment { return .stopped }
    if device.darkHours?.contains(moment) == true { return .quietHours }
    return device.loss.flatMap { $0.lasts(at: moment) ? $0.reason : nil }
  }

  /// When that may be different.
  private func edge(after moment: WallTime) -> WallTime? {
    if let stopped = device.stoppedAt, stopped <= moment { return nil }
    var edge = device.darkHours?.edge(after: moment)
    for other in [device.stoppedAt, device.loss?.until, device.baseFrom] {
      if let other, moment < other { edge = min(edge ?? other, other) }
    }
    return edge
  }

  private func segment(_ stretch: Range<WallTime>, _ winner: Contender?) -> PlanSegment {
    guard let winner else {
      let kind: PlanSegment.Kind =
        hasDueBase(at: stretch.lowerBound) ? .base : shares.isEmpty ? .dark : .share
      return PlanSegment(
        start: stretch.lowerBound, end: stretch.upperBound, kind: kind, occurrence: nil, programme: nil,
        tiedWith: [], shares: [])
    }
    let rule = book.rules[Int(winner.rule)]
    let occurrence = table.occurrences[Int(winner.rule)][Int(winner.index)]
    return PlanSegment(
      start: stretch.lowerBound, end: stretch.upperBound,
      kind: RuleRank(rule).isTrigger ? .announcement : .rule,
      occurrence: occurrence, programme: occurrence.replacement ?? rule.programme, tiedWith: [], shares: [])
  }

  /// Adds a segment, or makes the last one longer when the winner stays.
  private mutating func append(_ segment: PlanSegment) {
    if let last = plan.segments.last, last.end == segment.start, last.kind == segment.kind,
      last.occurrence == segment.occurrence, last.silence == segment.silence, last.start < last.end,
      segment.start < segment.end
    {
      let index = plan.segments.count - 1
      plan.segments[index].end = segment.end
      if segment.tiedWith != last.tiedWith {
        plan.segments[index].tiedWith = Set(last.tiedWith + segment.tiedWith).sorted()
      }
      if segment.shares != last.shares {
        plan.segments[index].shares = Set(last.shares + segment.shares).sorted()
      }
      return
    }
    plan.segments.append(segment)
  }

  // MARK: checks

  private mutating func note(_ segment: PlanSegment) {
    // That the device is stopped, or has quiet hours, is one fact, whatever would be on.
    let isDark = segment.kind == .dark && segment.silence == nil
    let isQuiet = segment.silence == .quietHours
    if isQuiet, quietSince == nil { quietSince = segment.start }
    if !isQuiet { endQuietHours(at: segment.start) }
    if isDark, darkSince == nil { darkSince = segment.start }
    if !isDark { endDarkness(at: segment.start) }
    let due = shares.reduce(0) { sum, share in
      switch book.rules[Int(share.rule)].kind {
      case .share(let terms): sum.adding(bounded: terms.secondsPerHour)
      case .window, .trigger: sum
      }
    }
    if overfull.map({ $0.seconds != due }) ?? (due > 3600) {
      endOverfullness(at: segment.start)
      if due > 3600 { overfull = (segment.start, due) }
    }
    let isNew =
      plan.segments.last?.occurrence != segment.occurrence || plan.segments.last?.tiedWith.isEmpty ?? true
    if !segment.tiedWith.isEmpty, isNew, let winner = segment.occurrence {
      plan.issues.append(.tie(at: segment.start, rules: [winner.rule] + segment.tiedWith))
    }
  }

  private mutating func endDarkness(at moment: WallTime) {
    if let darkSince, darkSince < moment { plan.issues.append(.dark(darkSince..<moment)) }
    darkSince = nil
  }

  private mutating func endQuietHours(at moment: WallTime) {
    if let quietSince, quietSince < moment { plan.issues.append(.quiet(quietSince..<moment)) }
    quietSince = nil
  }

  private mutating func endOverfullness(at moment: WallTime) {
    if let overfull, overfull.since < moment {
      plan.issues.append(.overfull(overfull.since..<moment, seconds: overfull.seconds))
    }
    overfull = nil
  }

  private mutating func finish(at moment: WallTime) {
    endDarkness(at: moment)
    endQuietHours(at: moment)
    endOverfullness(at: moment)
    if let first = plan.segments.first, first.isPaused {
      plan.issues.append(.paused(first.start..<first.end))
    }
    if let stopped = device.stoppedAt, stopped < moment {
      plan.issues.append(.stopped(max(stopped, range.lowerBound)..<moment, since: stopped))
    }
  }
}
