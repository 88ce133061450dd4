package import CastqSchedule
package import CastqText
import GRDB

/// A calendar as it comes from a file or an address.
package struct CalendarImport: Sendable, Hashable {
  package var name: String
  package var days: [LocalDate: String]
  /// The absolute path, or the address without user and password.
  package var origin: String
  /// What the server called this version; nil when it has no name.
  package var entityTag: String?
  /// Only events of such names were taken; nil is all of them.
  package var filter: String?

  package init(name: String, days: [LocalDate: String], origin: String, entityTag: String?, filter: String?) {
    self.name = name
    self.days = days
    self.origin = origin
    self.entityTag = entityTag
    self.filter = filter
  }
}

extension ScheduleStore {
  /// Where a calendar was imported from last; nil when there is none, or only days by hand.
  package func imported(_ calendar: String) throws(StoreError) -> CalendarImport? {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM calendar WHERE name = ? AND origin IS NOT NULL", arguments: [calendar])
      return try rows.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "calendar")
        return CalendarImport(
          name: try row.value("name"), days: [:], origin: try row.value("origin"),
          entityTag: try row.optional("etag"), filter: try row.optional("filter"))
      }.first
    }
  }

  /// Gives a calendar the days of a file, in place of those that it had. One whose days were added by hand is not changed.
  package func importCalendar(_ calendar: CalendarImport, at now: WallTime) throws(StoreError) {
    try database.write { db in
      let isByHand =
        try db.scalar(
          Int64.self, of: "calendar",
          sql: """
            SELECT 1 FROM calendar WHERE name = ? AND origin IS NULL
              AND EXISTS (SELECT 1 FROM calendar_day WHERE calendar_id = calendar.id)
            """, arguments: [calendar.name]) != nil
      guard !isByHand else {
        throw StoreError.refused(
          ScheduleRefusal(
            "in_use",
            "the calendar \(calendar.name) has days that were added by hand: choose another name, or remove it first"
          ))
      }
      try db.execute(
        sql: """
          INSERT INTO calendar (name, origin, etag, fetched_at, filter) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET origin = excluded.origin, etag = excluded.etag,
            fetched_at = excluded.fetched_at, filter = excluded.filter
          """,
        arguments: [
          calendar.name, calendar.origin, calendar.entityTag, now.milliseconds, calendar.filter,
        ])
      let id = try ScheduleTable.calendar.required(calendar.name, db)
      try Self.changing(.calendar, id, at: now, db) {
        try CalendarWriting.replaceDays(of: id, with: calendar.days, db)
      }
    }
  }

  /// Notes that the server has no newer version.
  package func noteUnchanged(calendar name: String, at now: WallTime) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE calendar SET fetched_at = ? WHERE name = ?", arguments: [now.milliseconds, name])
    }
  }

  /// Makes, changes and removes the rules of a calendar's events, with the calendars that list their days, in one transaction.
  /// - Parameters:
  ///   - made: the rules of the events; the device of a target has its name.
  ///   - note: the words by which the import recognises the rules that it made.
  ///   - file: the name of the file for messages.
  ///   - isDryRun: whether nothing is written.
  /// - Returns: what was done, or would be.
  package func importEvents(
    _ made: CalendarRules, note: String, file: String, isDryRun: Bool, at now: WallTime
  ) throws(StoreError) -> EventImport {
    func plan(_ db: GRDB.Database) throws -> EventImport {
      EventImport(made, note: note, over: try SiteRows.site(db, noting: database.notes), file: file)
    }
    guard !isDryRun else { return try database.read(plan) }
    return try database.write { db in
      let result = try plan(db)
      // The rules name programmes that are there: none is made that would need a seed.
      try SiteWriting(result.site, db, at: now).apply(result.difference, seed: { 0 })
      return result
    }
  }
}
