import ArgumentParser
import CastqCore
import CastqDaemon

/// The time zone of a report.
enum LinkZone: Sendable {
  /// The system's zone, or the one that `TZ` names.
  case local
  case rules(TimeZoneRules)

  /// Parses `local`, `UTC`, or a name such as `Europe/Berlin`.
  init(_ argument: String) throws {
    switch argument {
    case "local": self = .local
    case "UTC": self = .rules(TimeZoneRules())
    default:
      let zones = ZoneDatabase(environment: LinkOptions.variable)
      guard let name = try? ZoneName(argument), let rules = try? zones.rules(of: name) else {
        throw ValidationError("there is no such zone; write local, UTC or a name such as Europe/Berlin")
      }
      self = .rules(rules)
    }
  }

  /// The offset from UTC at a point in time, in seconds; east is positive.
  @Sendable func utcOffset(at moment: WallTime) -> Int {
    switch self {
    case .rules(let rules): rules.utcOffset(at: moment)
    case .local: ZoneDatabase.systemOffset(at: moment)
    }
  }
}
