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
      tell(.rowsWritten, in: &group)
    } catch {
      logger.debug("writes still wait", metadata: ["error": "\(error)"])
      awaitDatabase()
    }
  }

  /// Writes it now, or behind what waits, when the database works again.
  func write(_ write: FeederWrite, of id: DeviceID) {
    do throws(StoreError) {
      if database.hasPending, database.keepPending([write], of: id, because: nil) { return awaitDatabase() }
      var device = fed[id]?.device
      if device == nil { device = try rows.devices.device(id) }
      guard let device else { return }
      try rows.queue.perform(write, on: device)
    } catch {
      guard error.isOutage, database.keepPending([write], of: id, because: error) else {
        return logger.debug("outage not written", metadata: ["error": "\(error)"])
      }
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
