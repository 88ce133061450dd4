import CastqCore
import CastqStore

/// The daemon's inputs, in order of occurrence. Indirect as those of runners are.
indirect enum DaemonEvent: Sendable {
  /// Another process wrote to the database.
  case rowsChanged
  case report(DeviceID, RunnerReport)
  /// A runner has ended or could not start.
  case ended(DeviceID, RunEnd)
  /// A run that ends what was left on the screen is over.
  case cleared(DeviceID, RunEnd)
  /// The earliest timer may be due.
  case timersDue
  case control(ControlRequest, ControlTicket)
  /// A runner's reply to a request for another list or entry.
  case steered(ControlRequest, ControlTicket, ControlReply)
  case reload
  /// Somebody has set the system's clock.
  case clockSet
  /// The source of a programme was read.
  case programme(String, source: String, ProgrammeList)
  /// The configured list of a device was read.
  case base(DeviceID, source: String, ProgrammeList)
  /// The command that started the daemon has no further requests.
  case abandoned
  case terminate(String)
  /// The box's permission to feed is over.
  case leaseEnded(LeaseWatch.End)
}

/// The daemon's timers.
enum DaemonTimer: Sendable, Hashable {
  /// The wait of a device has ended.
  case device(DeviceID)
  /// A minute of wall-clock time has begun.
  case minute
  /// A screen may have been dark for long enough.
  case screens
  /// Rows that could not be written for hooks may be written again.
  case hooks
  /// Retry after a failed read of the database.
  case work
  /// Retry of what feeders could not write until their end.
  case pending
}
