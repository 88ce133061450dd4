import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// How a run ends, and what of its end has been reached.
package struct RunnerExit: Sendable {
  /// How it ends; nil while it does not.
  var end: RunEnd?
  /// Nil while the run continues.
  var step: Step?
  /// A person wants the media stopped and the run ended.
  var isHalting = false
  /// Whether the application stays when the run is over.
  var action = SessionEndAction.leave
  /// Why the device was not asked to stop, or did not do it.
  var haltFailure: Failure?

  /// Whether nothing is left of the run. Asked after each event, and not of the machine, which would be copied for it.
  package var isOver: Bool { if case .ended? = step { true } else { false } }

  enum Step: Sendable {
    /// What waits to be written is written at last.
    case writing
    /// The media is being stopped.
    case stopping
    /// The device is made as loud as it was.
    case restoring
    /// The session is being ended.
    case leaving(SessionNumber)
    case ended
  }
}

/// A run that waits until something may be shown.
struct OpeningWait: Sendable {
  /// What was reported since the last session, or since a command asked: it is reported once.
  var announced: Outlook?
  /// Entries that had failed for good before the last wait.
  var failedBefore = 0
}

/// What a runner has an application for.
struct RunnerApplication: Sendable {
  /// What the next session runs.
  var kind = FeedApplication.media
  /// The run of the application that the last session spoke to; nil before the first one.
  var session: ApplicationSessionID?
}

/// What is told of plays beside their facts.
struct ToldPlays: Sendable {
  var titles: [EntryTurn: String] = [:]
  /// When the load was sent whose first frame is awaited; nil when none is.
  var loadedAt: Tick?
}

/// When the event being handled happened. For a machine, time does not go back.
struct RunnerMoment: Sendable {
  private(set) var now = Tick.zero
  private(set) var wall = WallTime(milliseconds: 0)
  /// Up to when the device was certainly there; nil when the driver did not say.
  private(set) var seenUntil: Tick?

  mutating func advance(to now: Tick, wall: WallTime, seenUntil: Tick?) {
    self.now = max(self.now, now)
    self.wall = wall
    self.seenUntil = seenUntil
  }
}
