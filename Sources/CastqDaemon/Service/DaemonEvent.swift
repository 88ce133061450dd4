import CastqCore
import CastqStore

/// Everything a daemon reacts to, in the order it happened.
enum DaemonEvent: Sendable {
  /// Another process wrote to the database.
  case rowsChanged
  case report(DeviceID, RunnerReport)
  /// A runner is over; without an outcome, it never began.
  case ended(DeviceID, RunnerEnd, RunnerOutcome?)
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

extension RunnerEnd {
  init(_ outcome: RunnerOutcome) {
    switch outcome {
    case .drained: self = .drained
    case .takenOver: self = .takenOver
    case .stoppedElsewhere: self = .stoppedElsewhere
    case .refused: self = .refused
    case .unreachable: self = .unreachable
    case .stopped: self = .stopped
    case .halted: self = .halted
    case .entryFailed: self = .entryFailed
    case .failed: self = .failed
    }
  }
}
