package import CastProtocol
package import CastqSchedule
import CastqStore
package import CastqText

/// What a file changes of the schedule, or would change.
package struct ScheduleChange {
  package let difference: SiteDifference
  /// What is right in the file, and will never count.
  package let doubts: [PlaylistIssue]
  package let isDry: Bool

  package var json: JSONValue {
    [
      "dry_run": .bool(isDry), "changes": .array(difference.documents),
      "issues": .array(doubts.map(JSONOutput.issue)),
    ]
  }
}

extension ScheduleCall {
  /// The names that a file may use without having them.
  package func siteNames() throws(Failure) -> SiteNames {
    try ask { (store) throws(StoreError) in try store.siteNames() }
  }

  /// Makes the schedule what a file says, in one transaction.
  /// - Parameters:
  ///   - isDry: whether nothing is changed.
  ///   - isPruning: whether what the sections of the file do not have is removed.
  package func apply(
    _ document: SiteDocument, isDry: Bool, isPruning: Bool
  ) async throws(Failure) -> ScheduleChange {
    let site = document.schedule
    let doubts = try ask { (store) throws(StoreError) in
      document.idleExceptions(dayparts: try store.dayparts(), calendars: try store.calendars())
    }
    let difference = try ask { (store) throws(StoreError) in
      try isDry
        ? store.rehearse(site, isPruning: isPruning, at: .now)
        : store.apply(site, isPruning: isPruning, seed: { .random(in: 0...UInt64.max) }, at: .now)
    }
    if !isDry, !difference.changes.isEmpty { await poke() }
    return ScheduleChange(difference: difference, doubts: doubts, isDry: isDry)
  }
}
