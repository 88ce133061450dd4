import CastProtocol

/// The timers of one machine. One task sleeps until the earliest deadline; the others are only entries in a table, so that a
/// request costs no task. A cancelled timer never fires.
package struct TimerSet<Timer: Hashable & Sendable> {
  private let time: TimeSource
  private let isPatient: @Sendable (Timer) -> Bool
  private let wake: @Sendable () -> Void
  private var deadlines: [Timer: Tick] = [:]
  /// The newest sleeper; until nil when it has woken.
  private var sleeper: (task: Task<Void, Never>, until: Tick?)?

  /// - Parameters:
  ///   - isPatient: whether a timer may fire a little late, together with those of others; see
  ///     `TimeSource.grain`.
  ///   - wake: called, on any thread, when timers may be due.
  package init(
    time: TimeSource, isPatient: @escaping @Sendable (Timer) -> Bool = { _ in false },
    wake: @escaping @Sendable () -> Void
  ) {
    self.time = time
    self.isPatient = isPatient
    self.wake = wake
  }

  /// - Parameter moment: start of the wait; nil is now.
  package mutating func start(_ timer: Timer, after wait: Duration, since moment: Tick? = nil) {
    let deadline = (moment ?? time.now()) + wait
    deadlines[timer] = isPatient(timer) ? time.gathered(deadline) : deadline
    sleepUntilEarliest()
  }

  package mutating func cancel(_ timer: Timer) {
    deadlines[timer] = nil
    // No timer is left, and the sleeper might sleep for an hour.
    if deadlines.isEmpty {
      sleeper?.task.cancel()
      sleeper?.until = nil
    }
  }

  /// Removes and returns the timers that are due, earliest first.
  /// - Parameter moment: the time to compare with; nil is now.
  package mutating func takeDue(at moment: Tick? = nil) -> [Timer] {
    let now = time.now()
    let due = deadlines.filter { $0.value <= moment ?? now }.sorted { $0.value < $1.value }.map(\.key)
    for timer in due { deadlines[timer] = nil }
    if let until = sleeper?.until, until <= now { sleeper?.until = nil }
    sleepUntilEarliest()
    return due
  }

  /// Ends all timers.
  /// - Returns: the task to wait for until all sleepers have ended.
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
      // Waiting for the newest sleeper waits for all of them.
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
