import CastSender
import CastqCore
import CastqStore
import Logging

/// What the configuration says of castq itself, and the zone.
extension DaemonService {
  func reload(in group: inout DiscardingTaskGroup) {
    settings.notice.reloading()
    switch settings.configuration() {
    case .success(let new):
      logger.notice("configuration reloaded")
      tell(.configured(new, times: settings.times(new)), in: &group)
    case .failure(let failure):
      logger.error(
        "configuration is invalid, the previous one stays in use",
        metadata: ["error": "\(failure.typed.message)"])
    }
    shownStatus = status
    settings.notice.ready(shownStatus)
  }

  /// Follows another configuration in what castq does beside feeding.
  func reconfigure(in group: inout DiscardingTaskGroup) {
    renewPreparation(in: &group)
    if case .service = scope { hooks.follow(configuration.hooks) }
    keeper?.follow(configuration.metrics)
    if rows.desk != nil { renewDesk() }
    addConfiguredDevices()
  }

  /// Reads rules in the zone of the configuration.
  func renewDesk() {
    let own = configuration.siteZone ?? settings.siteZone()
    if own == nil {
      logger.warning(
        "the system's time zone has no name, rules go by UTC; set `timezone` in the configuration")
    }
    let zone = own ?? .utc
    if let desk = rows.desk {
      desk.setSiteZone(zone)
      for device in fed.values { device.run.tell(.rowsChanged) }
    } else {
      let zones = RememberedZones(settings.zones, logger: logger)
      rows.desk = ScheduleDesk(database, siteZone: zone, zones: zones.rules(of:))
    }
    noteZone(zone)
    // An old one would come again with a database that has lost its last decision.
    let yesterday = wall.adding(seconds: -86_400)
    do throws(StoreError) { try ScheduleStore(database).removeOldAnnouncements(before: yesterday) } catch {
      reportReadError(error)
    }
  }

  /// Keeps in which zone rules are read from now on, so that reports of earlier days are right after a change.
  private func noteZone(_ zone: ZoneName) {
    do throws(StoreError) { try ScheduleStore(database).noteSiteZone(zone, at: wall) } catch {
      reportReadError(error)
    }
  }
}
