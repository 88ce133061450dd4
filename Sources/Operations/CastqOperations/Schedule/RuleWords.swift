package import CastqSchedule

extension ScheduleRule {
  /// The time of the rule in words, with its length: `cron 0 * * * * for 5m`.
  package var whenText: String {
    length.map { "\(formText) for \(ScheduleRule.text(seconds: $0))" } ?? formText
  }

  /// `200 s an hour`; nil for other kinds.
  package var shareText: String? {
    guard case .share(let terms) = kind else { return nil }
    return "\(terms.secondsPerHour) s an hour"
  }

  /// As `--for` has it: `1h30m`.
  package static func text(seconds: Int) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
  }
}
