package import CastqText

/// A rule, and the time in which it was so.
package struct RuleEpoch: Sendable, Hashable {
  package let rule: ScheduleRule
  package let range: Range<WallTime>

  /// Where the time of a rule without a history begins.
  package static let always = WallTime(milliseconds: .min)
}

/// One revision in the history of a rule.
package struct RuleChange: Sendable {
  package let at: WallTime
  /// Nil where the rule was removed, and where its document cannot be read.
  package let rule: ScheduleRule?
  /// What the rule names and was changed, such as `daypart breakfast`; nil where the rule itself was.
  package let cause: String?

  /// Whether the rule was another one before, though its words are the same. Another list in a programme is no other time; of several
  /// causes the first may be one.
  fileprivate var isOfNamed: Bool {
    cause.map { !$0.hasPrefix("programme ") || $0.contains(", ") } ?? false
  }

  package init(at: WallTime, rule: ScheduleRule?, cause: String?) {
    self.at = at
    self.rule = rule
    self.cause = cause
  }
}

/// What rules were, and what they named.
package struct RulePast: Sendable {
  package let epochs: [RuleEpoch]
  package let named: NamedPast

  package init(epochs: [RuleEpoch], named: NamedPast) {
    self.epochs = epochs
    self.named = named
  }

  /// The rules that were there.
  package func rules(at moment: WallTime) -> [ScheduleRule] {
    epochs.filter { $0.range.contains(moment) }.map(\.rule)
  }
}

extension RuleEpoch {
  /// What a rule was at each time, as far as that is known.
  ///
  /// The history has the words of a rule, and not those of what it names: these are in `NamedPast`, from the version on that keeps them.
  /// Of the time before, nothing is known until a day part, a calendar or a group was changed last, nor of a rule that names one to which
  /// the present rule has no tie.
  /// - Parameters:
  ///   - changes: in the order of the revisions.
  ///   - present: the rule as it is now; nil when it was removed, or is as its last revision has it.
  ///   - recorded: since when the changes of what rules name are kept.
  package static func epochs(
    of changes: [RuleChange], present: ScheduleRule?, recorded: WallTime
  ) -> [RuleEpoch] {
    var epochs: [RuleEpoch] = []
    let last = present ?? changes.last?.rule
    // What becomes of a day part when no rule uses it, no revision has.
    let tied = last?.named ?? []
    var end = WallTime.latest
    for (place, change) in changes.enumerated().reversed() {
      let rule = place == changes.count - 1 ? last : change.rule
      // A clock that was set back makes a time in which the earlier words hold for nothing.
      let start = min(change.at, end)
      if let rule {
        let known = rule.named.isSubset(of: tied) ? start : max(start, recorded)
        if known < end { epochs.append(RuleEpoch(rule: rule, range: known..<end)) }
      }
      if change.at < recorded, change.isOfNamed { break }
      end = start
    }
    return epochs.reversed()
  }
}
