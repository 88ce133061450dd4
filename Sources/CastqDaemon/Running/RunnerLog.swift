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

  /// The calls since a device was lost: that is said once, and how many there were when it is back.
  private final class Trouble: Sendable {
    private let calls = Mutex(0)

    /// One more; true for the first.
    func begins() -> Bool {
      calls.withLock { calls in
        calls += 1
        return calls == 1
      }
    }

    /// It is back; nil when it was not away.
    func end() -> Int? {
      calls.withLock { calls in
        defer { calls = 0 }
        return calls > 0 ? calls : nil
      }
    }
  }

  private func tell(_ report: RunnerReport, _ trouble: Trouble) {
    switch report {
    case .retrying(let error, let pause):
      guard trouble.begins() else {
        return logger.debug(
          "device called in vain", metadata: ["cast.error": "\(error)", "castq.pause": "\(pause)"])
      }
      logger.warning("device lost, calling it again", metadata: ["cast.error": "\(error)"])
    case .connected:
      if let calls = trouble.end() { logger.warning("device is back", metadata: ["castq.calls": "\(calls)"]) }
    case .waiting(let until):
      logger.notice("nothing is due yet", metadata: ["castq.until": "\(RFC3339.text(until))"])
    case .replaced: logger.info("another list took the place of the one before")
    case .sentTo(let entry): logger.info("another entry was asked for", metadata: ["castq.entry": "\(entry)"])
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
      logger.error("\(StoreCatchUp.failure)", metadata: ["castq.error": "\(error.message)"])
    case .storeCaughtUp(let catchUp):
      logger.log(level: catchUp.isWhole ? .notice : .error, "\(catchUp)")
    // What a session and the media go through is told by the session.
    case .connecting, .status: break
    }
  }
}
