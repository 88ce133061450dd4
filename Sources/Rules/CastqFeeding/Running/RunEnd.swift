package import CastqText

/// How the run of one device ended: from the machine that decided it to the exit code.
package enum RunEnd: Sendable, Hashable {
  /// Nothing is left to play; so many entries failed for good.
  case drained(failed: Int)
  /// Another sender plays something else on the device: its name.
  case takenOver(String)
  /// Another box feeds the device, with a newer epoch.
  case superseded(epoch: Int)
  /// Somebody stopped the media, not through castq.
  case stoppedElsewhere
  /// The receiver refuses every load; one that is silent answers none.
  case refused(PlayReason, isSilent: Bool = false)
  /// The device could not be reached, or not any more.
  case unreachable(Failure)
  /// A command ended the run.
  case stopped
  /// A person stopped the media through castq.
  case halted
  /// An entry failed without which the list must not continue.
  case entryFailed(PlayReason)
  /// The database failed.
  case failed(Failure)
  /// Another process feeds the device: the run never began.
  case busy

  /// The same end of a run in which more entries failed.
  package func adding(failed more: Int) -> RunEnd {
    if case .drained(let failed) = self { .drained(failed: failed + more) } else { self }
  }

  /// What two runs have ended with: failed entries add up, and anything else that is wrong comes before them.
  package func joined(with other: RunEnd) -> RunEnd {
    if case .drained(let failed) = other { return adding(failed: failed) }
    if case .drained = self { return other.failure == nil ? self : other }
    return failure == nil ? other : self
  }

  /// What is wrong with that, and the exit code it means; nil when nothing is wrong.
  package var failure: Failure? {
    switch self {
    case .stopped, .halted, .drained(failed: 0): nil
    case .drained(let failed):
      Failure(
        "entries_failed",
        "\(failed) \(failed == 1 ? "entry" : "entries") could not be played", hint: .failedHistory,
        exit: .refused)
    case .takenOver(let title):
      Failure(
        "taken_over",
        "another sender took over with \(TerminalText.sanitized(title)); the queue waits, start again when the screen is free",
        exit: .tryAgain)
    case .superseded(let epoch):
      Failure(
        "superseded",
        "another box feeds the device since epoch \(epoch); this one has yielded", hint: .standBy,
        exit: .tryAgain)
    case .stoppedElsewhere:
      Failure(
        "stopped", "somebody stopped the media; the queue waits, start again to continue", exit: .tryAgain)
    case .refused(let reason, isSilent: true):
      Failure(
        "no_answer", "the device is there, and does not answer what it is sent: \(reason.words); restart it",
        exit: .unreachable)
    case .refused(let reason, isSilent: false):
      Failure("refused", "the device refuses what it is sent: \(reason.words)", exit: .refused)
    case .entryFailed(let reason):
      Failure(
        "entry_failed",
        "an entry whose on_error is 'stop' could not be played: \(TerminalText.sanitized(reason.words)); the queue waits",
        exit: .refused)
    case .unreachable(let failure), .failed(let failure): failure
    case .busy:
      Failure(
        "busy", "another process feeds the device; try again when it has ended", exit: .tryAgain)
    }
  }
}

extension RunEnd: CustomStringConvertible {
  /// One word for a log.
  package var description: String {
    switch self {
    case .drained: "drained"
    case .takenOver: "taken over"
    case .superseded: "superseded"
    case .stoppedElsewhere: "stopped elsewhere"
    case .refused: "refused"
    case .unreachable: "unreachable"
    case .stopped: "stopped"
    case .halted: "halted"
    case .entryFailed: "entry failed"
    case .failed: "database failed"
    case .busy: "busy"
    }
  }
}
