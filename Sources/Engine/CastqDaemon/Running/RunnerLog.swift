import CastSender
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Logging
import Synchronization

/// Logs one line per step of a run; sessions have their own log.
struct RunnerLog: Sendable {
  private let logger: Logger
  /// The file or the address of an entry; nil where it is not known any more.
  private let path: @Sendable (EntryID) -> String?

  init(_ logger: Logger, device: KnownDevice, path: @escaping @Sendable (EntryID) -> String?) {
    self.path = path
    var logger = logger
    logger[metadataKey: "castq.device"] = "\(device.label)"
    self.logger = logger
  }

  /// Wraps a report handler: logs each report before passing it on.
  func logging(
    _ report: @escaping @Sendable (RunnerReport) -> Void
  ) -> @Sendable (RunnerReport) -> Void {
    let (outage, failures) = (Outage(), Failures())
    return {
      log($0, outage, failures)
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

  /// Entries that fail. One that fails again, each round with another word of the receiver, is logged once until it plays.
  private final class Failures: Sendable {
    private let entries = Mutex<Set<EntryID>>([])
    /// Entries that are remembered; beyond it all are forgotten, and logged once more.
    private static let limit = 1000

    /// Notes a failure; true for the first.
    func isFirst(_ entry: EntryID) -> Bool {
      entries.withLock { entries in
        if entries.count >= Self.limit { entries = [] }
        return entries.insert(entry).inserted
      }
    }

    func end(_ entry: EntryID) { entries.withLock { _ = $0.remove(entry) } }
  }

  private func log(_ report: RunnerReport, _ outage: Outage, _ failures: Failures) {
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
      logFailure(turn.entry, title, play, failures)
    case .storeFailed(let error):
      logger.error("\(StoreCatchUp.failure)", metadata: ["castq.error": "\(error.typed.message)"])
    case .storeCaughtUp(let catchUp):
      logger.log(level: catchUp.isWhole ? .notice : .error, "\(catchUp)")
    // The session and the daemon log these themselves.
    case .connecting, .measured, .status, .decided, .scheduleNoted, .fencePassed, .unanswered: break
    }
  }

  private func logFailure(_ entry: EntryID, _ title: String, _ play: EndedPlay, _ failures: Failures) {
    guard play.outcome == .failed else {
      if play.outcome == .finished { failures.end(entry) }
      return
    }
    let (isFirst, reason) = (failures.isFirst(entry), play.reason?.words ?? "for no known reason")
    logger.log(
      level: isFirst ? .warning : .debug, isFirst ? "entry failed" : "entry failed again",
      metadata: [
        "castq.entry": "\(entry)", "castq.title": "\(title)", "castq.path": "\(path(entry) ?? "-")",
        "castq.reason": "\(reason)",
      ])
  }
}
