import CastqCore
import CastqStore

/// Everything a daemon reacts to, in the order it happened.
enum DaemonEvent: Sendable {
  /// Another process wrote to the database.
  case rowsChanged
  case report(DeviceID, RunnerReport)
  /// A runner has ended, or could not begin.
  case ended(DeviceID, RunEnd)
  /// The earliest timer may be due.
  case timersDue
  case control(ControlRequest, ControlTicket)
  /// What a runner answered that was to go on with another list, or from another entry.
  case steered(ControlRequest, ControlTicket, ControlReply)
  case reload
  case terminate
  /// Somebody watches whether this loop still runs.
  case watchdog
}

/// The clocks of a daemon.
enum DaemonTimer: Sendable, Hashable {
  /// What a device waits for is over.
  case device(DeviceID)
  /// The clock on the wall shows another minute.
  case minute
  /// The database is asked again that could not be read.
  case work
}
