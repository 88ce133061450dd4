import CastSender
import CastqCore
import CastqStore
import Logging

/// What feeders could not write until their end: it is written when the database works again, whoever is fed by then.
extension DaemonService {
  /// How long the daemon waits before it tries again.
  private static let pause = Duration.seconds(2)

  /// Tries in a moment, if anything waits.
  func awaitDatabase() {
    if database.hasPending { timers.start(.pending, after: Self.pause) }
  }

  func writePending(in group: inout DiscardingTaskGroup) {
    guard database.hasPending else { return }
    do throws(StoreError) {
      if let news = try database.takeInPending() { logger.log(news) }
      // The rows say now what was played.
      readWork(in: &group)
      for device in fed.values { device.run.poke() }
    } catch {
      logger.debug("writes still wait", metadata: ["error": "\(error)"])
      awaitDatabase()
    }
  }
}

extension Logger {
  /// Says what became of writes that a process could not make until its end.
  func log(_ news: PendingNews) {
    let metadata: Metadata = ["castq.writes": "\(news)"]
    if news.isProblem {
      warning("the database has not taken everything", metadata: metadata)
    } else {
      notice("the database is complete", metadata: metadata)
    }
  }
}
