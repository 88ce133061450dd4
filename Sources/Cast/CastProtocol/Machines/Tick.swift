/// Monotonic time since the driver started. Machines receive it as an argument; they never read a clock.
public struct Tick: Sendable, Hashable, Comparable {
  /// Time since the driver's start; never negative, never runs backwards.
  public var sinceStart: Duration

  /// The tick this long after the driver's start.
  public init(_ sinceStart: Duration) { self.sinceStart = sinceStart }

  /// The driver's start.
  public static let zero = Tick(.zero)
  /// Earlier first.
  public static func < (left: Tick, right: Tick) -> Bool { left.sinceStart < right.sinceStart }
  /// The tick this much later.
  public static func + (tick: Tick, duration: Duration) -> Tick { Tick(tick.sinceStart + duration) }
  /// The time from the right tick to the left one.
  public static func - (left: Tick, right: Tick) -> Duration { left.sinceStart - right.sinceStart }
}
