package import CastqText

/// One stretch of time that a rule gives.
package struct Occurrence: Sendable, Hashable {
  package let rule: RuleID
  /// The local time that the rule itself gives, in its zone: the name of the occurrence, also when it was moved.
  package let original: LocalTime
  package let start: WallTime
  /// The first moment after it. Nil is as long as the programme plays. Equal to the start where clocks skip the whole part.
  package let end: WallTime?
  /// What plays in place of the rule's programme; nil is the rule's.
  package let replacement: String?

  package init(rule: RuleID, original: LocalTime, start: WallTime, end: WallTime?, replacement: String? = nil)
  {
    self.rule = rule
    self.original = original
    self.start = start
    self.end = end.map { max($0, start) }
    self.replacement = replacement
  }

  /// Whether clocks skip the whole of it.
  package var isCollapsed: Bool { end == start }

  /// Whether some of it is in the range; a start without an end is a moment.
  package func intersects(_ range: Range<WallTime>) -> Bool {
    guard start < range.upperBound else { return false }
    if let end, end > start { return end > range.lowerBound }
    return start >= range.lowerBound
  }
}

/// What names an occurrence for good: a rule, and the local time that it gives.
package struct OccurrenceKey: Sendable, Hashable {
  package let rule: RuleID
  package let original: LocalTime

  package init(rule: RuleID, original: LocalTime) {
    self.rule = rule
    self.original = original
  }
}

extension Occurrence {
  package var key: OccurrenceKey { OccurrenceKey(rule: rule, original: original) }
}
