import CastSender
import CastqCore
import CastqStore
import Logging

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
    {
      tell($0)
      report($0)
    }
  }

  private func tell(_ report: RunnerReport) {
    switch report {
    case .retrying(let error, let pause):
      logger.warning(
        "device lost, trying again", metadata: ["cast.error": "\(error)", "castq.pause": "\(pause)"])
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
    // What a session and the media go through is told by the session.
    case .connecting, .connected, .status: break
    }
  }
}
