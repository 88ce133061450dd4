import CastSender
import CastqFeeding
import Logging

/// Something that is wrong with the daemon.
struct Ailment: Sendable, Hashable {
  let words: String
  /// Whether a new process would be without it. A disk that is full stays full, and the new process would have lost what it played from.
  let isMendedByRestart: Bool
}

/// Resets the watchdog of the service manager while the daemon is well, or has only what a restart does not mend.
struct LifeReporter: Sendable {
  /// The pause after which a daemon that is not well is looked at again: the manager waits for few beats.
  private static let look = Duration.seconds(1)

  let loops: LoopProbe
  let notice: ServiceNotice
  let time: TimeSource
  let logger: Logger

  /// Reports until the task is cancelled.
  /// - Parameters:
  ///   - interval: the time between two beats.
  ///   - examine: what is wrong; asked when nothing is late.
  func run(every interval: Duration, _ examine: @Sendable () async -> [Ailment]) async {
    var said: [Ailment] = []
    var pause = interval
    while (try? await time.sleep(pause)) != nil {
      var found = await loops.late(.loops).map { Ailment(words: $0.words, isMendedByRestart: true) }
      if found.isEmpty { found = await examine() }
      let isReset = !found.contains(where: \.isMendedByRestart)
      if isReset { notice.alive() }
      pause = isReset ? interval : min(interval, Self.look)
      if found != said, !found.isEmpty {
        logger.error(
          isReset ? "not ready, and a restart would not help" : "the watchdog is not reset",
          metadata: ["castq.problem": "\(found.map(\.words).joined(separator: "; "))"])
      } else if found.isEmpty, !said.isEmpty {
        logger.notice("ready again")
      }
      said = found
    }
  }
}
