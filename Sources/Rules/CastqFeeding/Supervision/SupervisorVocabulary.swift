/// How a runner ends its playback.
package enum RunnerEnding: Sendable, Hashable {
  /// Playback continues.
  case leave
  /// Playback stops.
  case stop
  /// Playback stops, and its application ends.
  case quit
  /// Playback stops, and a black picture takes its place.
  case black
}

/// What a device with work but without a runner waits for.
package enum SupervisorWait: Sendable, Hashable {
  /// The next attempt, after this time.
  case pause(Duration, after: RunEnd)
  /// A guest may use the screen for this time, after taking it or stopping what was on it.
  case guest(Duration, after: RunEnd)
  /// A command that starts it, after a command or, under the policy `always`, a guest stopped it.
  case person(after: RunEnd)
}
