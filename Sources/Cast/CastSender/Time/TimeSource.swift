public import CastProtocol
import Glibc

/// The only source of time: everything that waits or measures is given one.
public struct TimeSource: Sendable {
  /// Monotonic time since the source was created; for time-outs and positions.
  public var now: @Sendable () -> Tick
  /// Waits for a duration.
  /// - Throws: `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Milliseconds since 1970 in UTC; for display, never for a time-out.
  public var wallMilliseconds: @Sendable () -> Int64

  /// How late a patient timer may fire, so that the timers of many devices fire together and a small computer
  /// wakes up seldom; zero is on time, and the default.
  package var grain = Duration.zero

  /// A custom source, such as a manual one in tests; see `sleep` for the error it throws.
  public init(
    now: @escaping @Sendable () -> Tick, sleep: @escaping @Sendable (Duration) async throws -> Void,
    wallMilliseconds: @escaping @Sendable () -> Int64
  ) {
    self.now = now
    self.sleep = sleep
    self.wallMilliseconds = wallMilliseconds
  }

  /// This source, running faster, for tests of long processes.
  /// - Parameter factor: how many of its seconds pass in one; at least 1.
  package func hurried(by factor: Int) -> TimeSource {
    let (now, sleep) = (now, sleep)
    return TimeSource(
      now: { Tick(now().sinceStart * factor) }, sleep: { try await sleep($0 / factor) },
      wallMilliseconds: wallMilliseconds)
  }

  /// Real time, including the time that a computer sleeps.
  public static let continuous: TimeSource = {
    let clock = ContinuousClock()
    let start = clock.now
    let system = TimeSource(
      now: { Tick(start.duration(to: clock.now)) },
      sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) },
      wallMilliseconds: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
      })
    let queue = SleepQueue(system)
    var source = TimeSource(
      now: system.now, sleep: queue.wait, wallMilliseconds: system.wallMilliseconds)
    // Two hundred devices have some eighty such timers a second.
    source.grain = HeartbeatMachine.lateness
    return source
  }()

  /// When a patient timer fires that is due at a moment.
  func gathered(_ moment: Tick) -> Tick {
    guard grain > .zero else { return moment }
    return Tick(grain * (moment.sinceStart / grain).rounded(.up))
  }
}
