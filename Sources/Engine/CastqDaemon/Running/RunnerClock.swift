import CastSender
import CastqText

/// The time of a runner's events: each is handled as of the moment it happened, which the disk may delay. Never goes back.
struct RunnerClock: Sendable {
  let source: TimeSource
  /// When the current or last event happened.
  private(set) var moment = Tick.zero

  init(_ source: TimeSource) { self.source = source }

  mutating func advance(to moment: Tick) { self.moment = max(self.moment, moment) }

  var now: Tick { source.now() }

  /// The wall-clock time at the moment of the event.
  var wall: WallTime {
    let late = max(source.now() - moment, .zero)
    return WallTime(milliseconds: source.wallMilliseconds()).adding(seconds: -late.seconds)
  }
}
