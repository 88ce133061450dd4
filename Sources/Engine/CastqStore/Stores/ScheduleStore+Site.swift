package import CastqSchedule
package import CastqText
import GRDB

// The whole schedule as a file has it.

extension ScheduleStore {
  /// The schedule as a file has it. Announcements by hand are left out: they go by themselves.
  package func site() throws(StoreError) -> SiteSchedule {
    try database.read { db in try SiteRows.site(db, noting: database.notes) }
  }

  /// The names that a file may use without having them.
  package func siteNames() throws(StoreError) -> SiteNames {
    try database.read { db in try SiteRows.names(db, noting: database.notes) }
  }

  /// What would change.
  package func difference(to file: SiteSchedule, isPruning: Bool) throws(StoreError) -> SiteDifference {
    SiteDifference(from: try site(), to: file, isPruning: isPruning)
  }

  /// What `apply` would change, with what it would refuse: it is done, and nothing of it stays. A database
  /// that may not be written is only compared.
  package func rehearse(
    _ file: SiteSchedule, isPruning: Bool, at now: WallTime
  ) throws(StoreError) -> SiteDifference {
    let difference = try difference(to: file, isPruning: isPruning)
    guard !difference.changes.isEmpty, !database.isReadOnly else { return difference }
    return try database.write { db in
      var result = difference
      try db.inSavepoint {
        result = SiteDifference(
          from: try SiteRows.site(db, noting: DamageNotes()), to: file, isPruning: isPruning)
        try SiteWriting(file, db, at: now).apply(result, seed: { 0 })
        return .rollback
      }
      return result
    }
  }

  /// Gives the rows what the file says, in one transaction; nothing is written when they have it.
  /// - Parameters:
  ///   - isPruning: whether what the file's sections do not have is removed.
  ///   - seed: the seed of a new programme, for its order when it is shuffled.
  ///   - condition: what must hold in the same transaction; nothing by default.
  /// - Returns: what has changed.
  package func apply(
    _ file: SiteSchedule, isPruning: Bool, seed: () -> UInt64, at now: WallTime,
    if condition: RuleCondition? = nil
  ) throws(StoreError) -> SiteDifference {
    let difference = try difference(to: file, isPruning: isPruning)
    guard !difference.changes.isEmpty || condition != nil else { return difference }
    return try database.write { db in
      try condition?.check(db)
      // Another process may have written meanwhile.
      let rows = try SiteRows.site(db, noting: database.notes)
      let difference = SiteDifference(from: rows, to: file, isPruning: isPruning)
      try SiteWriting(file, db, at: now).apply(difference, seed: seed)
      return difference
    }
  }

  /// The schedule as it would be with a file. Nothing stays of it.
  package func schedule(
    with file: SiteSchedule, isPruning: Bool, siteZone: ZoneName, zones: (ZoneName) -> TimeZoneRules?,
    at now: WallTime
  ) throws(StoreError) -> StoredSchedule {
    try database.write { db in
      var schedule: StoredSchedule?
      try db.inSavepoint {
        let notes = database.notes
        let difference = SiteDifference(
          from: try SiteRows.site(db, noting: notes), to: file, isPruning: isPruning)
        try SiteWriting(file, db, at: now).apply(difference, seed: { 0 })
        schedule = try StoredSchedule(db, siteZone: siteZone, of: nil, noting: notes)
        return .rollback
      }
      guard let schedule else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return schedule
    }.with(zones)
  }
}
