import CastqText
import Logging
import Synchronization

/// The zones of a system whose files may go while a daemon runs, as when a package is replaced: what was read once holds until it can be
/// read again. Otherwise each rule in the zone would leave its screen with the next change of any row.
final class RememberedZones: Sendable {
  private struct State: Sendable {
    var rules: [ZoneName: TimeZoneRules] = [:]
    var lost: Set<ZoneName> = []
  }

  private let read: @Sendable (ZoneName) -> TimeZoneRules?
  private let logger: Logger
  private let state = Mutex(State())

  /// - Parameter read: the offsets of a zone; nil for one that this system does not know.
  init(_ read: @escaping @Sendable (ZoneName) -> TimeZoneRules?, logger: Logger) {
    self.read = read
    self.logger = logger
  }

  /// The offsets of a zone, as they were read last; nil for one that could never be read. A loss is logged once, and so is its end.
  @Sendable func rules(of zone: ZoneName) -> TimeZoneRules? {
    let found = read(zone)
    let (rules, isNews) = state.withLock { state in
      if let found {
        state.rules[zone] = found
        return (found as TimeZoneRules?, state.lost.remove(zone) != nil)
      }
      let known = state.rules[zone]
      return (known, known != nil && state.lost.insert(zone).inserted)
    }
    guard isNews else { return rules }
    if found == nil {
      logger.warning(
        "the file of a time zone is gone; rules in it go on as before, until the daemon ends: install tzdata",
        metadata: ["castq.zone": "\(zone.text)"])
    } else {
      logger.notice("the file of a time zone is back", metadata: ["castq.zone": "\(zone.text)"])
    }
    return rules
  }
}
