package import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// What a runner publishes to those who watch it, for a progress line or a log.
package enum RunnerReport: Sendable {
  case connecting(DeviceEndpoint)
  /// The device went away; the next call comes after the pause. The last moment at which it was heard is nil for one that never was.
  case retrying(CastError, after: Duration, lastHeard: Tick?)
  /// The application is joined; nil while its name is unknown.
  case connected(ApplicationMetadata?)
  /// The application is joined, and has not answered what it was sent: another session is tried.
  case unanswered(CastError)
  /// Nothing is to be shown now: before a moment, or as far as is known.
  case waiting(Outlook)
  /// Another list has taken the place of the one that was being fed.
  case replaced
  /// A person wants this entry now, whatever was to come next.
  case sentTo(EntryID)
  /// Something else is on the screen by the schedule.
  case decided(ScheduleDecision)
  /// What the schedule has to say: a rule that is passed over, a start that was missed.
  case scheduleNoted(String)
  /// An entry is displayed, paused at its first frame where it was sent so. A picture is never paused.
  case started(EntryTurn, title: String, isPaused: Bool = false)
  /// How long the entry that has started took: from the load to its first frame, nil for one that the receiver had in its queue; and
  /// from the last frame before it, in seconds, nil where nothing was shown just before.
  case measured(load: Duration?, gap: Double?)
  case status(MediaStatus)
  case ended(EntryTurn, title: String, EndedPlay, EntryState)
  /// The database failed: what was read last continues to play, and what happens is kept to be written later. Reported once.
  case storeFailed(Failure)
  /// The database works again, or the run ends without it.
  case storeCaughtUp(StoreCatchUp)
  /// Everything is done that the runner was told before its fence.
  case fencePassed
}
