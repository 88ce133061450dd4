import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// What hooks wait for, as it happens.
extension DaemonService {
  /// Follows the hooks of the configuration; only the service does.
  func followHooks() {
    guard case .service = scope else { return }
    screens.thresholds = configuration.hooks.thresholds
    hooks.follow(configuration.hooks)
    watch(.timer)
  }

  /// Passes on what a runner reports.
  func notifyHooks(_ report: RunnerReport, of id: DeviceID) {
    guard case .ended(let turn, let title, let play, let state) = report,
      state == .failed || play.cause == .endedEarly
    else { return }
    fire(.failed, id) { event in
      event.entry = turn.entry
      event.title = title
      event.reason = play.reasonWords
    }
  }

  func notifyHooks(_ end: RunEnd, of id: DeviceID) {
    guard case .takenOver(let guest) = end else { return }
    fire(.takeover, id) { $0.reason = guest }
  }

  /// A list, or lines of it, were not taken up: one delivery for each reading.
  func notifyHooks(of problems: [ListProblem], in source: String, on id: DeviceID) {
    fire(.list, id) { event in
      event.source = source
      event.reason = problems.map(\.words).joined(separator: "; ")
    }
  }

  /// A screen has been dark for longer than the length.
  func notifyHooks(darkFor length: Duration, _ cause: DarkReason, since: Tick, of id: DeviceID) {
    let past = max(settings.time.now() - since, .zero).seconds
    fire(.dark(length), id) { event in
      event.since = event.at.adding(seconds: -past)
      event.cause = cause
    }
  }

  private func fire(_ trigger: HookRule.Trigger, _ id: DeviceID, _ details: (inout HookEvent) -> Void) {
    guard hooks.waits(for: trigger) else { return }
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    var event = HookEvent(trigger, device: counted.label(of: id) ?? "\(id)", at: now)
    details(&event)
    hooks.post(event)
    writeHooksLater()
  }

  /// Writes what had to wait for rows that can be written.
  func writeHooks() {
    hooks.write()
    writeHooksLater()
  }

  private func writeHooksLater() {
    if hooks.isWaiting { timers.start(.hooks, after: HookDesk.pause) }
  }
}
