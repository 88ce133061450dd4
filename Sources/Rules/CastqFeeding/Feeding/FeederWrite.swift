package import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// One thing that a feeder writes down, in the order in which it happened.
package enum FeederWrite: Sendable, Hashable {
  /// The list was started: it is not stopped any more.
  case start
  /// A person stopped the list, or an entry that says so: only a person starts it again.
  case stop(at: WallTime)
  /// These turns are about to be sent.
  case offer([OfferedTurn], at: WallTime)
  /// The receiver has them.
  case markQueued([EntryTurn])
  /// The receiver does not have them: they wait again.
  case release([EntryTurn])
  /// What happened, and what it means for the entries.
  case record([RecordedFact])
  /// A page has said this of itself; what the list says of the entry stays.
  case describe(EntryID, PageDescription)
  /// The list is at this entry now.
  case moveList(to: EntryID)
  /// What a feeder before left on the receiver waits again, but for these turns.
  case recover(keeping: [EntryTurn])
  /// This list was chosen while it could only be read; see `FeederStore.choose`.
  case choose(ListChoice, QueueID, at: WallTime)
  /// Something else is on the screen by the schedule.
  case decide(ScheduleDecision)
  /// The last decision has other moments, or other things wait below it, or are passed over.
  case amend(ScheduleDecision.Standing)
  /// What shares are owed.
  case keepCredits([RuleID: ShareCredit])
  /// The device answered at this address.
  case seen(DeviceEndpoint, at: WallTime)
  /// The device has not answered since then; the cause is the words of the loss.
  case beginOutage(since: WallTime, cause: String)
  /// The device answers again, or castq has stopped calling it.
  case endOutage(at: WallTime, hasAnswered: Bool)

  /// How many facts of history it holds.
  var factCount: Int { if case .record(let facts) = self { facts.count } else { 0 } }

  /// The play whose progress it tells, when it tells nothing else.
  package var progress: (turn: EntryTurn, play: ProgressedPlay)? {
    if case .record(let facts) = self, facts.count == 1, facts[0].effect == nil,
      case .progressed(let turn, let play) = facts[0].fact
    {
      (turn, play)
    } else {
      nil
    }
  }
}
