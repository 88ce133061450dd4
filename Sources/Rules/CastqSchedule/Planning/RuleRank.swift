/// How rules compete. Of two that are on at once, the one with the higher rank wins; of equal ranks the one that began last; of those
/// the one whose name comes first.
///
/// A trigger interrupts windows of its own priority and below, however precise they are: it is there to interrupt, and gives the
/// screen back.
package struct RuleRank: Sendable, Hashable, Comparable {
  package let priority: Int
  package let isTrigger: Bool
  package let precision: Int

  package init(_ rule: ScheduleRule) {
    priority = rule.priority
    switch rule.kind {
    case .trigger: isTrigger = true
    case .window, .share: isTrigger = false
    }
    precision = rule.target.precision
  }

  package static func < (left: RuleRank, right: RuleRank) -> Bool {
    if left.priority != right.priority { return left.priority < right.priority }
    if left.isTrigger != right.isTrigger { return right.isTrigger }
    return left.precision < right.precision
  }
}

extension RuleRank {
  /// Whether the left of two occurrences wins the screen.
  static func beats(
    _ left: (rule: ScheduleRule, occurrence: Occurrence),
    _ right: (rule: ScheduleRule, occurrence: Occurrence)
  ) -> Bool {
    let ranks = (RuleRank(left.rule), RuleRank(right.rule))
    if ranks.0 != ranks.1 { return ranks.0 > ranks.1 }
    if left.occurrence.start != right.occurrence.start {
      return left.occurrence.start > right.occurrence.start
    }
    return (left.rule.name, left.rule.id) < (right.rule.name, right.rule.id)
  }
}

/// An occurrence that competes for the screen, with numbers in place of names, so that many can be compared.
struct Contender: Sendable, Hashable {
  /// Milliseconds since 1970.
  var start: Int64
  /// Milliseconds since 1970; the start where the end is unknown, or clocks skip it.
  var end: Int64
  /// The place of the rule's rank among all ranks; the higher one wins.
  var rank: Int32
  /// The place of the rule's name among all names; the lower one wins.
  var name: Int32
  /// The index of the rule in the book, and of the occurrence among those of the rule.
  var rule: Int32
  var index: Int32

  func beats(_ other: Contender) -> Bool {
    if rank != other.rank { return rank > other.rank }
    if start != other.start { return start > other.start }
    if name != other.name { return name < other.name }
    return index > other.index
  }

  /// Whether nothing but the name decides between them.
  func isTied(with other: Contender) -> Bool {
    rank == other.rank && start == other.start && rule != other.rule
  }
}
