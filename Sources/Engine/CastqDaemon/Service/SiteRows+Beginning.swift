import CastProtocol
import CastSender
import CastqFeeding
import CastqFiles
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// What the configuration and an earlier version have that is not in the rows yet.
extension SiteRows {
  /// Brings the rows into line with the configuration.
  /// - Returns: what the site has to hear of it.
  mutating func follow(
    _ configuration: DaemonConfiguration, _ settings: DaemonSettings, at now: WallTime
  ) -> [SiteMachine.Event] {
    do throws(StoreError) {
      try renewDesk(configuration, settings, at: now)
      try add(configuration.devices, at: now)
      return []
    } catch {
      return [.rowsFailed("\(error)")]
    }
  }

  /// Adds the devices that the configuration names with an address, and that nobody has added yet.
  private func add(_ named: [DaemonConfiguration.Named], at now: WallTime) throws(StoreError) {
    for addition in try devices.add(named, at: now) {
      switch addition {
      case .added(let device):
        logger.notice(
          "device added", metadata: ["castq.device": "\(TerminalText.sanitized(device.name))"])
      case .refused(let name, let error):
        logger.error(
          "device of the configuration cannot be added",
          metadata: ["castq.device": "\(TerminalText.sanitized(name))", "error": "\(error)"])
      }
    }
  }

  /// Takes over what an earlier version kept in a file.
  func adoptOldLists() throws(StoreError) {
    let file = OldListFile(besides: database.path)
    guard file.isThere else { return }
    let lists: [String: ConfiguredList]?
    var words = "it has something else"
    do throws(OwnFileError) { lists = try file.lists() } catch {
      (lists, words) = (nil, error.words)
    }
    guard let lists else {
      return logger.warning(
        "what an earlier version kept of lists cannot be read, they are taken up as for the first time",
        metadata: ["castq.file": "\(TerminalText.sanitized(file.path))", "castq.problem": "\(words)"])
    }
    try queue.adopt(lists)
    file.remove()
  }

  /// Reads rules in the zone of the configuration.
  private mutating func renewDesk(
    _ configuration: DaemonConfiguration, _ settings: DaemonSettings, at now: WallTime
  ) throws(StoreError) {
    let own = configuration.siteZone ?? settings.siteZone()
    if own == nil {
      logger.warning(
        "the system's time zone has no name, rules go by UTC; set `timezone` in the configuration")
    }
    let zone = own ?? .utc
    if let desk {
      desk.setSiteZone(zone)
    } else {
      let zones = RememberedZones(settings.zones, logger: logger)
      desk = ScheduleDesk(database, siteZone: zone, zones: zones.rules(of:))
    }
    // Reports of earlier days are right after a change.
    try ScheduleStore(database).noteSiteZone(zone, at: now)
    // An old one would come again with a database that has lost its last decision.
    try ScheduleStore(database).removeOldAnnouncements(before: now.adding(seconds: -86_400))
  }
}
