package import CastqSchedule
package import CastqText

extension DarkHours {
  /// Nil for a device that is never dark by its rules.
  /// - Parameter local: the computer's own zone, by which devices go where the configuration names none.
  package init?(_ rules: DeviceRules, local: TimeZoneRules) {
    guard rules.quietVolume == nil, !rules.quietHours.isEmpty else { return nil }
    self.init(rules.quietHours, rules.zone ?? local)
  }
}
