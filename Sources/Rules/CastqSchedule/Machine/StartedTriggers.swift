import CastqText

/// What has started at a moment of its own: triggers, and windows that last as long as their programme.
///
/// Each start fires once. A start that nobody was there for is missed, and does what its rule says; of several starts of one rule
/// that were missed the last one counts.
struct StartedTriggers: Sendable {
  /// Starts up to this moment have been seen to.
  private(set) var seenUntil: WallTime
  private var triggers = TriggerNesting<Occurrence>()
  private var windows: [Occurrence] = []
  /// What has fired lately, with its planned start. When the clock is set back, it does not fire again.
  private var fired: [OccurrenceKey: WallTime] = [:]

  /// A start is in time when it is seen to within so many seconds.
  static let tolerance = 2.0
  private static let memory = (seconds: 172_800.0, count: 1_000)
  private static let longestWindows = 64

  init(seenUntil: WallTime) { self.seenUntil = seenUntil }

  /// Those that may be on the screen.
  var active: [Occurrence] { triggers.admitted + windows }

  /// Those that will be, too.
  var known: [Occurrence] { active + triggers.waiting }

  private static func end(_ occurrence: Occurrence) -> WallTime { occurrence.end ?? .latest }

  /// When the rule planned a start that has fired.
  func plannedStart(of key: OccurrenceKey) -> WallTime? { fired[key] }

  /// A start fires; a late one is moved to now, with its length.
  mutating func start(_ occurrence: Occurrence, of rule: ScheduleRule, at now: WallTime) {
    var moved = occurrence
    if now - occurrence.start > Self.tolerance {
      let length = occurrence.end.map { $0 - occurrence.start }
      moved = Occurrence(
        rule: occurrence.rule, original: occurrence.original, start: now,
        end: length.map { now.adding(seconds: $0) },
        replacement: occurrence.replacement)
    }
    restore(moved, planned: occurrence.start, isTrigger: RuleRank(rule).isTrigger, at: now)
  }

  /// Continues something that a decision names.
  mutating func restore(_ occurrence: Occurrence, planned: WallTime, isTrigger: Bool, at now: WallTime) {
    fired[occurrence.key] = planned
    if isTrigger {
      _ = triggers.begin(occurrence, at: now, end: Self.end)
    } else if windows.count < Self.longestWindows {
      windows.append(occurrence)
    }
  }

  /// Removes what is over, and what rules do not have any more.
  mutating func advance(to now: WallTime, keeping isWanted: (Occurrence) -> Bool) {
    windows.removeAll { !isWanted($0) }
    triggers.remove { !isWanted($0) }
    _ = triggers.advance(to: now, end: Self.end)
  }

  mutating func remove(_ key: OccurrenceKey) {
    windows.removeAll { $0.key == key }
    triggers.remove { $0.key == key }
  }

  /// The next moment at which one of them is over.
  func boundary(after now: WallTime) -> WallTime? {
    triggers.admitted.compactMap(\.end).filter { $0 > now }.min()
  }

  /// Everything up to now has been seen to.
  mutating func see(until now: WallTime) {
    seenUntil = now
    guard fired.count > Self.memory.count else { return }
    for (key, _) in fired.sorted(by: { $0.value < $1.value }).prefix(fired.count / 2) { fired[key] = nil }
  }

  /// The clock shows an earlier time than before.
  mutating func turnBack(to now: WallTime) {
    guard now < seenUntil else { return }
    fired = fired.filter { now - $0.value < Self.memory.seconds }
    seenUntil = now
  }
}

extension RuleTimetable {
  /// The last start after one moment and not after another; nil when there is none within 400 days. Looks back further and further,
  /// so that a rule with many starts costs no more than one with few.
  func lastStart(after first: WallTime, through last: WallTime) -> Occurrence? {
    let earliest = first.adding(seconds: 0.001)
    for days in [1.0 / 24, 1, 30, 400] {
      let from = max(earliest, last.adding(seconds: -days * 86_400))
      guard from <= last else { return nil }
      var nearest: Occurrence?
      for occurrence in occurrences(in: from..<last.adding(seconds: 0.001)) where occurrence.start >= from {
        nearest = occurrence
      }
      if nearest != nil || from == earliest { return nearest }
    }
    return nil
  }
}
