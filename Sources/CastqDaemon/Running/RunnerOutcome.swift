package import CastProtocol
package import CastqCore
package import CastqStore

/// How a run ended.
package enum RunnerOutcome: Sendable {
  /// Nothing is left to play; so many entries failed for good.
  case drained(failed: Int)
  case takenOver(String)
  case stoppedElsewhere
  /// The receiver refuses what it is sent.
  case refused(PlayReason)
  /// The device could not be reached, or not any more.
  case unreachable(CastError)
  /// Told to stop.
  case stopped
  /// A person stopped the media through castq.
  case halted
  /// An entry failed that the list must not go on without.
  case entryFailed(PlayReason)
  /// The database failed.
  case failed(StoreError)

  /// What the feeder's end means for the run; nil when it goes on later.
  /// - Parameter failed: entries that have failed for good before this feeder began.
  init?(_ end: FeederEnd, failed: Int) {
    switch end {
    case .drained(let more): self = .drained(failed: failed + more)
    case .waiting: return nil
    case .takenOver(let title): self = .takenOver(title)
    case .stoppedElsewhere: self = .stoppedElsewhere
    case .refused(let reason): self = .refused(reason)
    case .stopped: self = .stopped
    case .halted: self = .halted
    case .entryFailed(let reason): self = .entryFailed(reason)
    }
  }

  /// What is wrong with that; nil when nothing is.
  package var failure: ControlFailure? {
    switch self {
    case .stopped, .halted, .drained(failed: 0): nil
    case .drained(let failed):
      ControlFailure(
        "entries_failed",
        "\(failed) \(failed == 1 ? "entry" : "entries") could not be played; 'castq history --outcome failed' lists all",
        exit: .refused)
    case .takenOver(let title):
      ControlFailure(
        "taken_over",
        "another sender took over with \(TerminalText.sanitized(title)); the queue waits, start again when the screen is free",
        exit: .tryAgain)
    case .stoppedElsewhere:
      ControlFailure(
        "stopped", "somebody stopped the media; the queue waits, start again to go on", exit: .tryAgain)
    case .refused(let reason):
      ControlFailure("refused", "the device refuses what it is sent: \(reason.words)", exit: .refused)
    case .entryFailed(let reason):
      ControlFailure(
        "entry_failed",
        "an entry whose on_error is 'stop' could not be played: \(TerminalText.sanitized(reason.words)); the queue waits",
        exit: .refused)
    case .unreachable(let error): ControlFailure(error)
    case .failed(let error): ControlFailure("database", "\(error)", exit: .inputOutput)
    }
  }
}
