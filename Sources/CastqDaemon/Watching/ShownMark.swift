import CastProtocol
import CastqCore
import Synchronization

/// Whether something is on a screen, as its runner reports it: of the statuses, which are frequent, only the first that shows something
/// concerns the daemon.
final class ShownMark: Sendable {
  private let isShown = Mutex(false)

  /// Whether the daemon must hear of the report.
  func isNews(_ report: RunnerReport) -> Bool {
    switch report {
    case .status(let status):
      let isShowing = [.playing, .paused, .buffering].contains(status.playerState)
      return isShown.withLock { isShown in
        defer { isShown = isShowing }
        return isShowing && !isShown
      }
    case .started: isShown.withLock { $0 = true }
    case .ended, .retrying: isShown.withLock { $0 = false }
    case .connecting, .connected, .waiting, .replaced, .sentTo, .decided, .measured, .scheduleNoted,
      .storeFailed, .storeCaughtUp, .fencePassed:
      break
    }
    return true
  }
}
