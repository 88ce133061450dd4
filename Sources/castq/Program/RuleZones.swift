import CastqCore

/// The zones in which listings read rules.
enum RuleZones {
  /// The zone of rules and devices without one: that of `TZ`, else of this computer.
  static var site: ZoneName {
    guard let name = Environment.value("TZ"), let zone = try? ZoneName(name), Zone.rules(named: name) != nil
    else { return local }
    return zone
  }

  /// The file that the zone database keeps for the computer's own zone.
  private static let local = (try? ZoneName("localtime")) ?? .utc

  static func rules(_ zone: ZoneName) -> TimeZoneRules? { Zone.rules(named: zone.text) }
}
