/// How moments are told by the clocks of a site, in messages of those who feed its devices.
package struct SiteTimes: Sendable, Hashable {
  private let zone: ZoneName
  private let rules: TimeZoneRules

  /// Where the site's zone is not known.
  package static let utc = SiteTimes(.utc, TimeZoneRules())

  package init(_ zone: ZoneName, _ rules: TimeZoneRules) {
    self.zone = zone
    self.rules = rules
  }

  /// `2026-11-20 18:00:00 Europe/Berlin`.
  package func text(_ moment: WallTime) -> String {
    "\(RFC3339.local(moment, offset: rules.utcOffset(at: moment))) \(zone.text)"
  }
}
