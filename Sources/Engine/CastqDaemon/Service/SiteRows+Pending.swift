import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// What cannot be written now: it is written when the database works again, whoever is fed by then.
extension SiteRows {
  /// How long to wait before it is tried again.
  static let pause = Duration.seconds(2)

  /// Writes what waits.
  /// - Returns: whether anything has waited and is written.
  func writePending(_ logger: Logger) -> Bool {
    guard database.hasPending else { return false }
    do throws(StoreError) {
      if let news = try database.takeInPending() { logger.log(news) }
      return true
    } catch {
      logger.debug("writes still wait", metadata: ["error": "\(error)"])
      return false
    }
  }

  /// Writes it now, or behind what waits, when the database works again.
  /// - Parameter device: as it was when its runner began; nil reads its row.
  func write(_ write: FeederWrite, of id: DeviceID, _ device: KnownDevice?, _ logger: Logger) {
    do throws(StoreError) {
      if database.hasPending, database.keepPending([write], of: id, because: nil) { return }
      var device = device
      if device == nil { device = try devices.device(id) }
      guard let device else { return }
      try queue.perform(write, on: device)
    } catch {
      guard error.isOutage, database.keepPending([write], of: id, because: error) else {
        return logger.debug("outage not written", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Closes the outages of all other devices.
  func closeOutages(besides fed: Set<DeviceID>, at now: WallTime, _ logger: Logger) {
    do throws(StoreError) { try OutageStore(database).closeAll(besides: fed, at: now) } catch {
      logger.debug("outage not written", metadata: ["error": "\(error)"])
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
