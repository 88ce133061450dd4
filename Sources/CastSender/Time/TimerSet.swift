import CastProtocol

/// The timers of one machine. One task sleeps until the earliest of them; all others are only entries in a table, so that a
/// request costs no task. A timer that was cancelled never fires.
package struct TimerSet<Timer: Hashable & Sendable> {
  private let time: TimeSource
  private let wake: @Sendable () -> Void
  private var deadlines: [Timer: Tick] = [:]
  /// The newest sleeper; until nil when it has woken.
  private var sleeper: (task: Task<Void, Never>, until: Tick?)?

  /// - Parameter wake: called, on any thread, when `takeDue()` may have something to say.
  package init(time: TimeSource, wake: @escaping @Sendable () -> Void) {
    self.time = time
    self.wake = wake
  }

  /// - Parameter moment: what the wait is counted from; nil is now.
  package mutating func start(_ timer: Timer, after wait: Duration, since moment: Tick? = nil) {
    deadlines[timer] = (moment ?? time.now()) + wait
    sleepUntilEarliest()
  }

  package mutating func cancel(_ timer: Timer) {
    deadlines[timer] = nil
    // Nobody is left to be woken, maybe for an hour.
    if deadlines.isEmpty {
      sleeper?.task.cancel()
      sleeper?.until = nil
    }
  }

  /// Takes out the timers whose time has come, earliest first.
  /// - Parameter moment: by when; nil is now.
  package mutating func takeDue(at moment: Tick? = nil) -> [Timer] {
    let now = time.now()
    let due = deadlines.filter { $0.value <= moment ?? now }.sorted { $0.value < $1.value }.map(\.key)
    for timer in due { deadlines[timer] = nil }
    if let until = sleeper?.until, until <= now { sleeper?.until = nil }
    sleepUntilEarliest()
    return due
  }

  /// Ends all timers.
  /// - Returns: the task to wait for until none is left.
  package mutating func end() -> Task<Void, Never>? {
    deadlines = [:]
    defer { sleeper = nil }
    sleeper?.task.cancel()
    return sleeper?.task
  }

  private mutating func sleepUntilEarliest() {
    guard let earliest = deadlines.values.min() else { return }
    if let until = sleeper?.until, until <= earliest { return }
    let previous = sleeper?.task
    previous?.cancel()
    let wait = max(earliest - time.now(), .zero)
    let task = Task { [time, wake] in
      // Whoever waits for the newest sleeper has waited for all of them.
      await previous?.value
      do {
        try await time.sleep(wait)
      } catch {
        return
      }
      wake()
    }
    sleeper = (task, earliest)
  }
}
