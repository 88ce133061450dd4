import CastSender
import CastqCore
import CastqStore
import Logging
import Synchronization

/// One line for each step of a run; the sessions below have their own.
struct RunnerLog: Sendable {
  private let logger: Logger

  init(_ logger: Logger, device: KnownDevice) {
    var logger = logger
    logger[metadataKey: "castq.device"] = "\(device.label)"
    self.logger = logger
  }

  /// The same reports, logged before they are made.
  func telling(
    _ report: @escaping @Sendable (RunnerReport) -> Void
  ) -> @Sendable (RunnerReport) -> Void {
    let trouble = Trouble()
    return {
      tell($0, trouble)
      report($0)
    }
  }

  /// What keeps the device away: said when it begins and when it becomes another, not with every try.
  private final class Trouble: Sendable {
    private let code = Mutex<CastError.Code?>(nil)

    /// Whether this is news.
    func changes(to new: CastError.Code?) -> Bool {
      code.withLock { code in
        defer { code = new }
        return code != new
      }
    }
  }

  private func tell(_ report: RunnerReport, _ trouble: Trouble) {
    switch report {
    case .retrying(let error, let pause):
      guard trouble.changes(to: error.code) else { return }
      logger.warning(
        "device lost, trying again", metadata: ["cast.error": "\(error)", "castq.pause": "\(pause)"])
    case .connected:
      if trouble.changes(to: nil) { logger.notice("device is back") }
    case .waiting(let until):
      logger.notice("nothing is due yet", metadata: ["castq.until": "\(RFC3339.text(until))"])
    case .started(let turn, let title):
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
      logger.error("\(StoreCatchUp.failure)", metadata: ["castq.error": "\(error)"])
    case .storeCaughtUp(let catchUp):
      logger.log(level: catchUp.isWhole ? .notice : .error, "\(catchUp)")
    // What a session and the media go through is told by the session.
    case .connecting, .status: break
    }
  }
}
