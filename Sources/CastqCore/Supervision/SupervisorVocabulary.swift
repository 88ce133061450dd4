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
  case pause(Duration, after: RunEnd)
  /// A guest has the screen for so long.
  case guest(Duration)
  /// Somebody has to start it: it was stopped by a person or, where guests may stay, by one of them.
  case person(after: RunEnd)
}
