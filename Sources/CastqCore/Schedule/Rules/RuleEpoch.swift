/// A rule, and the time in which it was so.
package struct RuleEpoch: Sendable, Hashable {
  package let rule: ScheduleRule
  package let range: Range<WallTime>

  /// Where the time of a rule without a history begins.
  package static let always = WallTime(milliseconds: .min)

  package init(rule: ScheduleRule, range: Range<WallTime>) {
    self.rule = rule
    self.range = range
  }
}

/// One revision in the history of a rule.
package struct RuleChange: Sendable {
  package let at: WallTime
  /// Nil where the rule was removed, and where its document cannot be read.
  package let rule: ScheduleRule?
  /// What the rule names and was changed, such as `daypart breakfast`; nil where the rule itself was.
  package let cause: String?

  package init(at: WallTime, rule: ScheduleRule?, cause: String?) {
    self.at = at
    self.rule = rule
    self.cause = cause
  }
}

extension RuleEpoch {
  /// What a rule was at each time, as far as that is known.
  ///
  /// The history has the words of a rule, and not those of what it names. So nothing is known of the time before a day part, a
  /// calendar or a group was changed, nor of a rule that names one to which the present rule has no tie.
  /// - Parameters:
  ///   - changes: in the order of the revisions.
  ///   - present: the rule as it is now; nil for a removed one.
  package static func epochs(of changes: [RuleChange], present: ScheduleRule?) -> [RuleEpoch] {
    var epochs: [RuleEpoch] = []
    // What becomes of a day part when no rule uses it, no revision has.
    let tied = present?.named ?? []
    var end = WallTime.latest
    for (place, change) in changes.enumerated().reversed() {
      let rule = place == changes.count - 1 ? present : change.rule
      // A clock that was set back makes a time in which the earlier words hold for nothing.
      let start = min(change.at, end)
      if let rule, rule.named.isSubset(of: tied), start < end {
        epochs.append(RuleEpoch(rule: rule, range: start..<end))
      }
      // Another list in a programme is no other time.
      if let cause = change.cause, !cause.hasPrefix("programme ") { break }
      end = start
    }
    return epochs.reversed()
  }
}
