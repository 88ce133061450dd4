import CastSender
import CastqCore
import CastqStore
import Logging
import Synchronization

/// Logs one line per step of a run; sessions have their own log.
struct RunnerLog: Sendable {
  private let logger: Logger

  init(_ logger: Logger, device: KnownDevice) {
    var logger = logger
    logger[metadataKey: "castq.device"] = "\(device.label)"
    self.logger = logger
  }

  /// Wraps a report handler: logs each report before passing it on.
  func logging(
    _ report: @escaping @Sendable (RunnerReport) -> Void
  ) -> @Sendable (RunnerReport) -> Void {
    let outage = Outage()
    return {
      log($0, outage)
      report($0)
    }
  }

  /// Counts the calls since a device was lost. The loss is logged once, and the count when the device is back.
  private final class Outage: Sendable {
    private let calls = Mutex(0)

    /// Counts a call; true for the first.
    func recordCall() -> Bool {
      calls.withLock { calls in
        calls += 1
        return calls == 1
      }
    }

    /// Ends the outage and returns the number of calls; nil if there was none.
    func end() -> Int? {
      calls.withLock { calls in
        defer { calls = 0 }
        return calls > 0 ? calls : nil
      }
    }
  }

  private func log(_ report: RunnerReport, _ outage: Outage) {
    switch report {
    case .retrying(let error, let pause, _):
      guard outage.recordCall() else {
        return logger.debug(
          "device does not answer", metadata: ["cast.error": "\(error)", "castq.pause": "\(pause)"])
      }
      logger.warning("device lost, calling it again", metadata: ["cast.error": "\(error)"])
    case .connected:
      if let calls = outage.end() { logger.warning("device is back", metadata: ["castq.calls": "\(calls)"]) }
    case .waiting(let outlook):
      let until = outlook.until.map(RFC3339.text) ?? "a rule begins, or something is enqueued"
      logger.notice("nothing is due yet", metadata: ["castq.until": "\(until)"])
    case .replaced: logger.info("list replaced by another one")
    case .sentTo(let entry): logger.info("jumping to another entry", metadata: ["castq.entry": "\(entry)"])
    case .started(let turn, let title, _):
      logger.info("play started", metadata: ["castq.entry": "\(turn.entry)", "castq.title": "\(title)"])
    case .ended(let turn, let title, let play, let state):
      logger.info(
        "play ended",
        metadata: [
          "castq.entry": "\(turn.entry)", "castq.title": "\(title)",
          "castq.outcome": "\(play.outcome.rawValue)", "castq.played": "\(play.played)",
          "castq.state": "\(state.rawValue)",
        ])
    case .storeFailed(let error):
      logger.error("\(StoreCatchUp.failure)", metadata: ["castq.error": "\(error.message)"])
    case .storeCaughtUp(let catchUp):
      logger.log(level: catchUp.isWhole ? .notice : .error, "\(catchUp)")
    // The session and the daemon log these themselves.
    case .connecting, .measured, .status, .decided, .scheduleNoted: break
    }
  }
}
