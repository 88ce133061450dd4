import CastProtocol
import CastqText

/// What began while its device went away. A start that nobody saw is missed, as one that came while the device was away: it does what
/// its rule says.
extension ScheduleScreen {
  /// What began while the device went away, and is not over.
  private var unseen: OccurrenceKey? { if case .dark(let unseen) = visibility { unseen } else { nil } }

  /// When what is unseen has had its time; nil when nothing is, or it is played however late it is.
  var dueMiss: WallTime? {
    guard let unseen, let planned = started.plannedStart(of: unseen),
      let limit = rules[unseen.rule]?.missed.limit
    else { return nil }
    return planned.adding(seconds: max(limit, StartedTriggers.tolerance))
  }

  /// Ends what has had its time, so that what lies below is on when the device returns.
  mutating func missUnseen(at now: Tick, wall: WallTime) {
    guard let unseen, let due = dueMiss, wall > due else { return }
    actions.append(
      .note("\(rules[unseen.rule]?.name ?? "") was missed at \(unseen.original.text): the device was off"))
    started.remove(unseen)
    (missed, visibility) = (unseen, .dark(unseen: nil))
    renewAgenda(at: wall)
    settle(isBoundary: true, at: now, wall: wall)
    missed = nil
  }
}
