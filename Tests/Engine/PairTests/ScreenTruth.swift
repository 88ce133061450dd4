import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText

/// Holds what castq says of screens by its rows against what their receivers showed.
struct ScreenTruth {
  private(set) var complaints: [String] = []
  /// The moments that were compared, and those of which castq says that it did not see them.
  private(set) var (seen, unseen) = (0, 0)

  /// What a report of the device takes until it is a row, and what a screen needs between two items, in seconds.
  static let slack = 2.0

  static func wall(_ tick: Tick) -> WallTime { ScheduledRunTests.moment(tick.sinceStart.seconds) }

  /// Looks at each stretch of a screen at its beginning, in its middle and at its end.
  mutating func compare(_ site: VirtualSite, _ id: DeviceID) {
    let (timeline, turns) = site.timeline(of: id)
    for shown in site.feeds[Int(id.rawValue) - 1].watch.all where shown.seconds > 2 * Self.slack + 0.5 {
      let (start, end) = (Self.wall(shown.since), Self.wall(shown.until))
      for moment in [
        start.adding(seconds: Self.slack), start.adding(seconds: shown.seconds / 2),
        end.adding(seconds: -Self.slack),
      ] {
        let stretch = timeline.stretch(at: moment)
        guard !agrees(stretch, shown.shown, turns) else { continue }
        let words =
          stretch.map { $0.play.flatMap { turns[$0.id] }.map { "\($0)" } ?? "\($0.content)" } ?? "nothing"
        complaints.append(
          "device \(id) at \(moment - Self.wall(.zero)): \(shown.shown) from \(shown.since.sinceStart) to \(shown.until.sinceStart), and the rows say \(words)"
        )
      }
    }
  }

  private mutating func agrees(
    _ stretch: Timeline.Stretch?, _ shown: ScreenWatch.Shown, _ turns: [Int64: EntryTurn]
  ) -> Bool {
    guard let stretch else { return false }
    // What castq did not see, it says.
    if stretch.content == .unobserved || stretch.reason == .unreachable {
      unseen += 1
      return true
    }
    seen += 1
    return switch shown {
    case .turn(let turn): stretch.play.flatMap { turns[$0.id] } == turn
    case .foreign: stretch.reason == .guest
    // No row says when a guest has left the screen.
    case .dark: stretch.reason != nil
    }
  }
}
