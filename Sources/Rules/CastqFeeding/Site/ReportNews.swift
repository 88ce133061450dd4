import CastProtocol

/// Which reports of a runner concern its site: all but statuses, which are frequent; of those, the first that shows something.
package struct ReportNews: Sendable {
  private var isShown = false

  package init() {}

  /// Whether the site has to hear of the next report.
  package mutating func takes(_ report: RunnerReport) -> Bool {
    switch report {
    case .status(let status):
      let wasShown = isShown
      isShown = [.playing, .paused, .buffering].contains(status.playerState)
      return isShown && !wasShown
    case .started: isShown = true
    case .ended, .retrying: isShown = false
    case .connecting, .connected, .waiting, .replaced, .sentTo, .decided, .measured, .scheduleNoted,
      .storeFailed, .storeCaughtUp, .fencePassed, .unanswered:
      break
    }
    return true
  }
}
