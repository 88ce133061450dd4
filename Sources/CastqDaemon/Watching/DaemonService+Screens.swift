import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging
import Synchronization

/// Which screens are dark: the events of `DarkWatch`.
extension DaemonService {
  /// Passes on what a runner reports.
  func watchScreen(_ report: RunnerReport, of id: DeviceID) {
    switch report {
    case .connected: watch(.connected(id))
    case .retrying: watch(.lost(id))
    case .started, .status: watch(.shown(id))
    case .ended(_, _, _, let state): watch(.ended(id, isFailure: state == .failed))
    case .waiting: watch(.rests(id))
    case .connecting, .replaced, .sentTo, .decided, .measured, .scheduleNoted, .storeFailed, .storeCaughtUp:
      break
    }
  }

  /// Handles an event, and has the next moment waited for.
  func watch(_ event: DarkWatch.Event) {
    let now = settings.time.now()
    timers.cancel(.screens)
    for action in screens.handle(event, at: now) {
      switch action {
      case .wake(let moment): timers.start(.screens, after: max(moment - now, .zero))
      case .dark(let id, let length, let cause, let since):
        notifyHooks(darkFor: length, cause, since: since, of: id)
      }
    }
  }
}

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
      .storeFailed, .storeCaughtUp:
      break
    }
    return true
  }
}
