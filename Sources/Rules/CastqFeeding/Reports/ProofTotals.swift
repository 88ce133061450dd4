import CastqPlaylists
import CastqSchedule
package import CastqText

/// What was shown, as a client reads it: by programme and title, whatever file was behind a title, and by day.
///
/// Plays and seconds are counted as `PlayTotals` has them, so both give the same sums.
package struct ProofTotals: Sendable {
  /// A row of the paper.
  package struct Line: Sendable, Hashable {
    /// As people see it; nil for what a queue played.
    package let programme: String?
    package let title: String
  }

  /// Plays by what came of them. Each is one of complete, cut short, failed, unknown and open.
  package struct Sum: Sendable, Hashable {
    package var plays = 0
    /// Seconds that were shown.
    package var seconds = 0.0
    package var complete = 0
    /// Ended before its end, by a person, a rule or the device.
    package var cutShort = 0
    package var failed = 0
    /// Of them nobody knows how they ended.
    package var unknown = 0
    /// Those that still play.
    package var open = 0
    /// Those whose outcome follows from what was seen before and after.
    package var inferred = 0
    /// Those that castq did not see.
    package var unobserved = 0

    /// 0 to 1: complete plays of those that are over; nil when none is.
    package var completePart: Double? { plays > open ? Double(complete) / Double(plays - open) : nil }
  }

  /// A day, or a month of a long period.
  package struct Day: Sendable, Hashable {
    package var plays = 0
    package var seconds = 0.0
    /// Seconds in which screens did not answer, all screens together.
    package var dark = 0.0
  }

  package private(set) var lines: [Line: Sum] = [:]
  package private(set) var total = Sum()
  /// By their labels, such as `2026-11-28`; those without plays and outages are left out.
  package private(set) var days: [String: Day] = [:]
  private var seenScreens: Set<ScreenIdentity> = []
  private let calendar: LocalCalendar
  private let period: Range<WallTime>

  /// - Parameter utcOffset: seconds by which the zone of days is ahead of UTC at a moment.
  package init(period: Range<WallTime>, utcOffset: @escaping @Sendable (WallTime) -> Int) {
    self.period = period
    calendar = LocalCalendar(.day, utcOffset: utcOffset)
  }

  /// How many screens had plays: one that was renamed is one.
  package var screens: Int { seenScreens.count }

  package mutating func add(_ play: ReportPlay) {
    let line = Line(programme: play.programme.map(ProgrammeName.shown), title: play.title)
    if period.contains(play.moment) {
      lines[line, default: Sum()].count(play)
      total.count(play)
      seenScreens.insert(play.screenIdentity)
      let day = calendar.label(of: play.moment)
      days[day, default: Day()].plays += 1
      // Seconds without a length on the screen: a clock was set back meanwhile.
      if play.screen.isEmpty { add(play.played, to: line, on: day) }
    }
    for piece in calendar.pieces(of: play.screen.common(period)) {
      add(play.share(of: piece.range, seconds: play.played), to: line, on: piece.label)
    }
  }

  /// Adds the outages of one screen or of several.
  package mutating func add(_ outages: [Outage], now: WallTime) {
    for outages in Dictionary(grouping: outages, by: \.screenIdentity).values {
      for (range, _) in Timeline.absences(outages, now: now) {
        for piece in calendar.pieces(of: range.common(period)) {
          days[piece.label, default: Day()].dark += piece.range.upperBound - piece.range.lowerBound
        }
      }
    }
  }

  private mutating func add(_ seconds: Double, to line: Line, on day: String) {
    guard seconds > 0 else { return }
    lines[line, default: Sum()].seconds += seconds
    days[day, default: Day()].seconds += seconds
    total.seconds += seconds
  }
}

extension ProofTotals.Sum {
  fileprivate mutating func count(_ play: ReportPlay) {
    plays += 1
    switch play.outcome {
    case .finished: complete += 1
    case .interrupted, .cancelled, .skipped: cutShort += 1
    case .failed: failed += 1
    case .unknown: unknown += 1
    case nil: open += 1
    }
    switch play.evidence {
    case .inferred: inferred += 1
    case .unobserved: unobserved += 1
    case .reported, nil: break
    }
  }

  package static func += (left: inout Self, right: Self) {
    left.plays += right.plays
    left.seconds += right.seconds
    left.complete += right.complete
    left.cutShort += right.cutShort
    left.failed += right.failed
    left.unknown += right.unknown
    left.open += right.open
    left.inferred += right.inferred
    left.unobserved += right.unobserved
  }
}
