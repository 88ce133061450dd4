import CastqFeeding
import CastqStore

/// The daemon's inputs, in order of occurrence. Indirect as those of runners are.
indirect enum DaemonEvent: Sendable {
  case site(SiteMachine.Event)
  case control(ControlRequest, ControlTicket)
  /// The earliest timer may be due.
  case timersDue
  case reload
}

/// The daemon's timers.
enum DaemonTimer: Sendable, Hashable {
  case site(SiteTimer)
  /// Rows that could not be written for hooks may be written again.
  case hooks
  /// Retry of what feeders could not write until their end.
  case pending
}
