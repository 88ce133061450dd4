package import CastqText

/// What a play was shown by.
package enum PlayKind: String, Sendable, Hashable {
  /// The queue that people fill.
  case base
  /// A window of a rule.
  case rule
  /// A trigger, which gives the screen back.
  case announcement
  /// A share of the time.
  case share
}

/// What a play was shown by, in the words of that day: rules may change or go afterwards.
package struct PlaySchedule: Sendable, Hashable {
  package var kind: PlayKind
  /// The number of the rule; nil for the base.
  package var rule: Int64?
  /// The name of the rule; nil for the base.
  package var name: String?
  /// The revision of the rule; nil for the base.
  package var revision: Int64?
  /// The local time that names the occurrence; nil for the base.
  package var occurrence: String?
  /// When the occurrence was to begin; nil for the base, and where something continued.
  package var plannedAt: WallTime?
  /// The number of the decision that put it on the screen; nil without one.
  package var decision: Int64?

  package init(
    kind: PlayKind, rule: Int64? = nil, name: String? = nil, revision: Int64? = nil,
    occurrence: String? = nil, plannedAt: WallTime? = nil, decision: Int64? = nil
  ) {
    self.kind = kind
    self.rule = rule
    self.name = name
    self.revision = revision
    self.occurrence = occurrence
    self.plannedAt = plannedAt
    self.decision = decision
  }
}
