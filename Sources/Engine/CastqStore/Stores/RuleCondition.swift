import CastqSchedule
package import CastqText
import GRDB

/// What a rule must be so that a change is made: what whoever changes it has seen.
package struct RuleCondition: Sendable, Hashable {
  private let name: String
  private let revision: Int?

  /// - Parameter revision: nil when there must be no such rule.
  package init(_ name: String, revision: Int?) {
    self.name = name
    self.revision = revision
  }

  /// - Throws: `StoreError.stale` when it does not hold.
  func check(_ db: GRDB.Database) throws {
    let present = try ScheduleTable.rule.id(of: name, db).map { try ScheduleStore.rule(RuleID($0), db) }
    guard present?.revision != revision else { return }
    switch (present, revision) {
    case (let present?, nil):
      throw StoreError.stale("there is a rule \(name) already, at revision \(present.revision)")
    case (let present?, let revision?):
      throw StoreError.stale("the rule \(name) is at revision \(present.revision) and not at \(revision)")
    case (nil, _): throw StoreError.stale("the rule \(name) is gone")
    }
  }
}

extension ScheduleStore {
  /// Removes a rule as somebody has seen it.
  package func removeRule(_ name: String, if condition: RuleCondition, at now: WallTime) throws(StoreError) {
    try database.read { db in try condition.check(db) }
    try removeRule(name, at: now)
  }

  /// Numbers that grow with each change of rules and each decision: those who follow compare them.
  package func marks() throws(StoreError) -> [Int64] {
    try database.read { db in
      try [
        "SELECT coalesce(sum(revision), 0) + count(*) FROM rule_history",
        "SELECT coalesce(max(id), 0) FROM decision",
      ].map { try db.scalar(Int64.self, of: "rule_history", sql: $0) ?? 0 }
    }
  }
}
