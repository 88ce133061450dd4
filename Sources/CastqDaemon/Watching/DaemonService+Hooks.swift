import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// What hooks wait for, as it happens.
extension DaemonService {
  /// Follows the hooks of the configuration; only the service does.
  func followHooks(in group: inout DiscardingTaskGroup) {
    guard case .service = scope else { return }
    screens.thresholds = configuration.hooks.thresholds
    group.addTask { [courier, hooks = configuration.hooks] in await courier.follow(hooks) }
    watch(.timer)
  }

  /// Passes on what a runner reports.
  func notifyHooks(_ report: RunnerReport, of id: DeviceID) {
    guard case .ended(let turn, let title, let play, .failed) = report else { return }
    fire(.failed, id) { event in
      event.entry = turn.entry
      event.title = title
      event.reason = play.reason?.words
    }
  }

  func notifyHooks(_ end: RunEnd, of id: DeviceID) {
    guard case .takenOver(let guest) = end else { return }
    fire(.takeover, id) { $0.reason = guest }
  }

  /// A screen has been dark for longer than the length.
  func notifyHooks(darkFor length: Duration, _ cause: DarkWatch.Cause, since: Tick, of id: DeviceID) {
    let past = max(settings.time.now() - since, .zero).seconds
    fire(.dark(length), id) { event in
      event.since = event.at.adding(seconds: -past)
      event.cause = cause
    }
  }

  /// Writes an event for the hooks that wait for it. A database that cannot be written loses it, and the log has it.
  private func fire(_ trigger: HookRule.Trigger, _ id: DeviceID, _ details: (inout HookEvent) -> Void) {
    guard case .service = scope else { return }
    let targets = Set(
      configuration.hooks.filter { $0.triggers.contains(trigger) }
        .compactMap { HookCourier.digest(of: $0.target) })
    guard !targets.isEmpty else { return }
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    var event = HookEvent(trigger, device: deviceLabels[id] ?? "\(id)", at: now)
    details(&event)
    do throws(StoreError) {
      let gone = try HookStore(database).add(event.json.text, to: targets.sorted(), at: now)
      if gone > 0 {
        logger.error("too many hooks wait, the oldest are given up", metadata: ["castq.count": "\(gone)"])
      }
      courier.wake()
    } catch {
      logger.error(
        "hook lost",
        metadata: ["castq.event": "\(event.word)", "castq.device": "\(event.device)", "error": "\(error)"])
    }
  }
}
