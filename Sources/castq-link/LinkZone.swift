import ArgumentParser
import CastqCore
import CastqDaemon

/// The time zone in which times are read and shown.
enum LinkZone: Sendable {
  /// The system's zone, or the one that `TZ` names.
  case local
  case rules(TimeZoneRules, ZoneName)

  /// Parses `local`, `UTC`, or a name such as `Europe/Berlin`.
  init(_ argument: String) throws {
    switch argument {
    case "local": self = .local
    case "UTC": self = .rules(TimeZoneRules(), .utc)
    default:
      guard let name = try? ZoneName(argument), let rules = try? Self.database.rules(of: name) else {
        throw ValidationError("there is no such zone; write local, UTC or a name such as Europe/Berlin")
      }
      self = .rules(rules, name)
    }
  }

  /// That of the site: `timezone` of the configuration, else the system's own.
  init(_ name: ZoneName?) {
    guard let name, let rules = try? Self.database.rules(of: name) else {
      self = .local
      return
    }
    self = .rules(rules, name)
  }

  /// The system's zone database.
  static var database: ZoneDatabase { ZoneDatabase(environment: LinkOptions.variable) }

  /// The last line of a table with times.
  var legend: String {
    switch self {
    case .rules(_, let name): "times in \(name.text)"
    case .local: "times in \((try? Self.database.own().text) ?? "the zone of this computer")"
    }
  }

  /// Date and time to the second, as the zone's clocks tell them.
  func text(_ moment: WallTime) -> String { RFC3339.local(moment, offset: utcOffset(at: moment)) }

  /// The offset from UTC at a point in time, in seconds; east is positive.
  @Sendable func utcOffset(at moment: WallTime) -> Int {
    switch self {
    case .rules(let rules, _): rules.utcOffset(at: moment)
    case .local: ZoneDatabase.systemOffset(at: moment)
    }
  }
}
