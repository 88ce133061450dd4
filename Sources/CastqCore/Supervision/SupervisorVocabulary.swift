/// How a runner ended, as far as it matters for what comes next.
package enum RunnerEnd: Sendable, Hashable, CaseIterable {
  /// Nothing is left to play.
  case drained
  /// Somebody plays something else on the device.
  case takenOver
  /// Somebody stopped the media, not through castq.
  case stoppedElsewhere
  /// The receiver refuses what it is sent.
  case refused
  case unreachable
  /// The supervisor ended it.
  case stopped
  /// A person stopped it through castq.
  case halted
  /// An entry failed after which the list is to stop.
  case entryFailed
  /// The database failed.
  case failed
  /// Another process feeds the device: it never began.
  case busy
}

/// How a runner is to be ended.
package enum RunnerEnding: Sendable, Hashable {
  /// What plays, plays on.
  case leave
  /// The media are stopped.
  case stop
}

/// What a device without a runner waits for, when it has work.
package enum SupervisorWait: Sendable, Hashable {
  /// The next try, after so long.
  case pause(Duration, after: RunnerEnd)
  /// A guest has the screen for so long.
  case guest(Duration)
  /// Somebody has to start it: it was stopped by a person or, where guests may stay, by one of them.
  case person(after: RunnerEnd)
}
