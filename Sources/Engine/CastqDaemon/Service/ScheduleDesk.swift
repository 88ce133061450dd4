package import CastqFeeding
package import CastqPlaylists
import CastqSchedule
package import CastqStore
package import CastqText
import Synchronization

/// The rules of all devices, read once for all runners.
///
/// Everything that asks it runs on the executor of the database.
package final class ScheduleDesk: Sendable {
  private struct State: Sendable {
    var schedule: StoredSchedule?
    var version = 0
    var token: Int64?
    var siteZone: ZoneName
  }

  private let store: ScheduleStore
  private let zones: @Sendable (ZoneName) -> TimeZoneRules?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - siteZone: the zone of rules and devices without one.
  ///   - zones: the offsets of a zone; nil for one that this system does not know.
  package init(
    _ database: Database, siteZone: ZoneName, zones: @escaping @Sendable (ZoneName) -> TimeZoneRules?
  ) {
    store = ScheduleStore(database)
    self.zones = zones
    state = Mutex(State(siteZone: siteZone))
  }

  /// The configuration names another zone.
  func setSiteZone(_ zone: ZoneName) {
    state.withLock { state in
      if state.siteZone != zone { state.schedule = nil }
      state.siteZone = zone
    }
  }

  /// A programme has another list: what could not be played may be now.
  func hasRead() {
    state.withLock { state in
      state.version += 1
      state.token = nil
    }
  }

  /// Reads the rules again if another process has written since.
  /// - Returns: the rules, and a number that changes with them.
  package func schedule() throws(StoreError) -> (schedule: StoredSchedule, version: Int) {
    let token = try store.changeToken()
    let known = state.withLock { $0 }
    if let schedule = known.schedule, known.token == token { return (schedule, known.version) }
    let read = try store.schedule(siteZone: known.siteZone, zones: zones)
    return state.withLock { state in
      if state.schedule != read { state.version += 1 }
      (state.schedule, state.token) = (read, token)
      return (read, state.version)
    }
  }

  /// The devices that a rule is for.
  package func devices() throws(StoreError) -> Set<DeviceID> {
    let schedule = try schedule().schedule
    let targets = Set(schedule.book.rules.filter(\.isEnabled).map(\.target))
    guard !targets.isEmpty else { return [] }
    return Set(
      schedule.devices.filter { device in targets.contains { device.isTarget(of: $0) } }
        .compactMap { DeviceID(ruleName: $0.id) })
  }

  /// What the runner of a device has to know; nil when no rule is for it, and none is on its screen.
  /// - Parameter known: the number of what it has read before; nil before the first time.
  /// - Returns: nil when nothing has changed.
  package func reading(
    of device: DeviceID, after known: Int?
  ) throws(StoreError) -> (reading: ScheduleReading?, version: Int)? {
    let (schedule, version) = try schedule()
    guard version != known else { return nil }
    guard let screen = schedule.devices.first(where: { $0.id == device.ruleName }) else {
      return (nil, version)
    }
    let last = try store.lastDecision(of: device)
    let hasRules = schedule.book.rules.contains { $0.isEnabled && screen.isTarget(of: $0.target) }
    guard hasRules || last?.onAir != nil else { return (nil, version) }
    // A rule whose programme was never read has nothing to show yet: it waits until its source has been read.
    let broken = schedule.programmes.filter { $0.problem != nil }.map(\.name)
    let lasting = try store.programmes(withQueueOn: device, forStarts: false).union(broken)
    let starting = try store.programmes(withQueueOn: device, forStarts: true).union(broken)
    var book = schedule.book
    book.rules.removeAll { !$0.programmes.isSubset(of: $0.isStart ? starting : lasting) }
    var reading = ScheduleReading(
      book: book, device: screen, last: last, credits: try store.credits(of: device))
    reading.share = try store.leftShare(on: device)
    return (reading, version)
  }
}
