import CastSender
import CastqCore
import CastqStore
import Logging

/// What the configuration says, and when: rules of devices, quiet hours, the zone.
extension DaemonService {
  func reload(in group: inout DiscardingTaskGroup) {
    settings.notice.reloading()
    switch settings.configuration() {
    case .success(let new):
      configuration = new
      logger.notice("configuration reloaded")
      renewPreparation(in: &group)
      followHooks()
      keeper?.follow(new.metrics)
      if desk != nil { renewDesk() }
      addConfiguredDevices()
      applyRules(in: &group)
    case .failure(let failure):
      logger.error(
        "configuration is invalid, the previous one stays in use",
        metadata: ["error": "\(failure.typed.message)"])
    }
    shownStatus = status
    settings.notice.ready(shownStatus)
  }

  /// Reads rules in the zone of the configuration.
  func renewDesk() {
    let own = configuration.siteZone ?? settings.siteZone()
    if own == nil {
      logger.warning(
        "the system's time zone has no name, rules go by UTC; set `timezone` in the configuration")
    }
    let zone = own ?? .utc
    if let desk {
      desk.setSiteZone(zone)
      for device in fed.values { device.run.poke() }
    } else {
      let zones = RememberedZones(settings.zones, logger: logger)
      desk = ScheduleDesk(database, siteZone: zone, zones: zones.rules(of:))
    }
    noteZone(zone)
    // An old one would come again with a database that has lost its last decision.
    let yesterday = WallTime(milliseconds: settings.time.wallMilliseconds()).adding(seconds: -86_400)
    do throws(StoreError) { try ScheduleStore(database).removeOldAnnouncements(before: yesterday) } catch {
      reportReadError(error)
    }
    followProgrammes()
  }

  /// Tells moments by the clocks of the site, as its plan does.
  var times: SiteTimes {
    guard let zone = configuration.siteZone ?? settings.siteZone(), let rules = settings.zones(zone) else {
      return .utc
    }
    return SiteTimes(zone, rules)
  }

  /// Keeps in which zone rules are read from now on, so that reports of earlier days are right after a change.
  private func noteZone(_ zone: ZoneName) {
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    do throws(StoreError) { try ScheduleStore(database).noteSiteZone(zone, at: now) } catch {
      reportReadError(error)
    }
  }

  /// Looks up the configured rules of each device.
  func applyRules(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      var found: [DeviceID: DeviceRules] = [:]
      for device in try devices.all() { found[device.id] = configuration.rules(for: device.names) }
      for id in Set(found.keys).symmetricDifference(rules.keys) { board.note(id) }
      rules = found
      counted.keep(only: Set(found.keys))
    } catch {
      return reportReadError(error)
    }
    followBases()
    supervise(.guests(standard: configuration.standard.guests, rules.mapValues(\.guests)), in: &group)
    applyClock(in: &group)
  }

  /// The civil time that a device's quiet hours use.
  func clock(of rules: DeviceRules) -> CivilTime {
    rules.clock(
      at: WallTime(milliseconds: settings.time.wallMilliseconds()), localOffset: settings.utcOffset)
  }

  /// Starts and ends quiet hours. The wall clock may jump, so it is checked every minute while any device has quiet hours.
  func applyClock(in group: inout DiscardingTaskGroup) {
    let silent = rules.filter { $0.value.isSilent(at: clock(of: $0.value)) }
    supervise(.quiet(silent.mapValues(\.quietShow)), in: &group)
    for (id, rules) in rules where !rules.quietHours.isEmpty { board.note(id) }
    for id in fed.keys {
      guard let rules = rules[id] else { continue }
      let volume = rules.volume(at: clock(of: rules))
      guard fed[id]?.volume != volume else { continue }
      fed[id]?.volume = volume
      fed[id]?.run.keepVolume(volume)
    }
    prepareIfQuiet(in: &group)
    guard rules.values.contains(where: { !$0.quietHours.isEmpty }) || !configuration.preparation.hours.isEmpty
    else {
      return timers.cancel(.minute)
    }
    // Zone offsets are whole minutes.
    let passed = (settings.time.wallMilliseconds() % 60_000 + 60_000) % 60_000
    timers.start(.minute, after: .milliseconds(Int64(60_000 - passed)))
  }

  /// Whether the device has quiet hours now.
  func isSilent(_ id: DeviceID) -> Bool {
    guard let rules = rules[id] else { return false }
    return rules.isSilent(at: clock(of: rules))
  }

  /// When quiet hours end; nil if not within 26 hours.
  func endOfQuietHours(_ id: DeviceID) -> WallTime? {
    guard let rules = rules[id] else { return nil }
    let minute = settings.time.wallMilliseconds() / 60_000
    return (1...26 * 60).lazy.map { WallTime(milliseconds: (minute + $0) * 60_000) }.first {
      !rules.isSilent(at: rules.clock(at: $0, localOffset: self.settings.utcOffset))
    }
  }
}
