import CastSender
import CastqCore

/// The clocks of one feeder behind one sleeping task: deadlines move often, sleepers are made rarely.
struct Alarm {
  private var deadlines: [FeederTimer: Tick] = [:]
  private var sleeper: (until: Tick, task: Task<Void, Never>)?
  private let time: TimeSource
  private let ring: @Sendable () -> Void

  /// `ring` is called when the earliest deadline may have passed.
  init(time: TimeSource, ring: @escaping @Sendable () -> Void) {
    self.time = time
    self.ring = ring
  }

  mutating func start(_ timer: FeederTimer, after delay: Duration) {
    deadlines[timer] = time.now() + delay
    arm()
  }

  mutating func cancel(_ timer: FeederTimer) { deadlines[timer] = nil }

  /// Takes out what is due, and sleeps on for the rest.
  mutating func due() -> [FeederTimer] {
    sleeper = nil
    let now = time.now()
    let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
    for timer in due { deadlines[timer] = nil }
    arm()
    return due
  }

  /// Ends the sleeping task; the alarm rings no more.
  /// - Returns: the task to wait for until none is left.
  mutating func end() -> Task<Void, Never>? {
    deadlines = [:]
    defer { sleeper = nil }
    sleeper?.task.cancel()
    return sleeper?.task
  }

  private mutating func arm() {
    guard let earliest = deadlines.values.min() else { return }
    if let sleeper {
      // A sleeper that wakes too early finds nothing due and sleeps on: cheaper than a new task for every move.
      guard earliest < sleeper.until else { return }
      sleeper.task.cancel()
    }
    let previous = sleeper?.task
    let delay = earliest - time.now()
    sleeper = (
      earliest,
      Task { [time, ring] in
        // Whoever waits for the newest sleeper has waited for all of them.
        await previous?.value
        guard (try? await time.sleep(max(delay, .zero))) != nil else { return }
        ring()
      }
    )
  }
}
