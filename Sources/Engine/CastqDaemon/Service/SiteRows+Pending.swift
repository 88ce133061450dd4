import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// What cannot be written now: it is written when the database works again, whoever is fed by then.
extension SiteRows {
  /// What the site has to hear of it.
  var waiting: [SiteMachine.Event] { database.hasPending ? [.unwritten(.rows)] : [] }

  /// Writes what waits.
  /// - Returns: what has become of it.
  func writePending() -> [SiteMachine.Event] {
    guard database.hasPending else { return [] }
    do throws(StoreError) {
      if let news = try database.takeInPending() { logger.log(news) }
      return [.rowsWritten]
    } catch {
      logger.debug("writes still wait", metadata: ["error": "\(error)"])
      return waiting
    }
  }

  /// Writes it now, or behind what waits, when the database works again.
  /// - Parameter device: as it was when its runner began; nil reads its row.
  /// - Returns: what the site has to hear of it.
  func write(_ write: FeederWrite, of id: DeviceID, _ device: KnownDevice?) -> [SiteMachine.Event] {
    do throws(StoreError) { try put(write, of: id, device) } catch {
      logger.debug("outage not written", metadata: ["error": "\(error)"])
    }
    return waiting
  }

  /// The same, for those who have to hear when it is lost.
  /// - Throws: why it could be neither written nor kept for later.
  func put(_ write: FeederWrite, of id: DeviceID, _ device: KnownDevice? = nil) throws(StoreError) {
    if database.hasPending, database.keepPending([write], of: id, because: nil) { return }
    do throws(StoreError) {
      var device = device
      if device == nil { device = try devices.device(id) }
      if let device { try queue.perform(write, on: device) }
    } catch {
      guard error.isOutage, database.keepPending([write], of: id, because: error) else { throw error }
    }
  }

  /// Closes the outages of all other devices.
  func closeOutages(besides fed: Set<DeviceID>, at now: WallTime) {
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
