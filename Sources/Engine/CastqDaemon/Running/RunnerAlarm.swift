import CastqFeeding

/// What the timers of a runner are for.
enum RunnerAlarm: Sendable, Hashable {
  case machine(RunnerTimer)
  /// The rows have work: progress that waits for a commit, or a database that failed.
  case rows

  /// Whether nothing is lost when it fires a moment later.
  var isPatient: Bool {
    switch self {
    case .machine(let timer): timer.isPatient
    case .rows: true
    }
  }
}
