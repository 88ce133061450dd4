package import CastqSchedule
package import CastqText
import GRDB

// Calendars and day parts: what rules say about days.

extension ScheduleStore {
  /// Every calendar, by name; damaged days are noted and skipped.
  package func calendars() throws(StoreError) -> [HolidayCalendar] {
    try database.read { db in try CalendarRows.all(db, noting: database.notes) }
  }

  /// A calendar by its name.
  package func calendar(_ name: String) throws(StoreError) -> HolidayCalendar {
    try database.read { db in
      _ = try ScheduleTable.calendar.required(name, db)
      let all = try CalendarRows.all(db, noting: database.notes)
      guard let calendar = all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw ScheduleRefusal.unknown(.calendar, name, known: all.map(\.name))
      }
      return calendar
    }
  }

  /// Adds a day to a calendar, which is made if it is missing. A day that has the label already is left as it
  /// is.
  /// - Parameter replaces: whether a day that is in the calendar gets the label; otherwise another label is
  ///   an error.
  package func addDay(
    _ day: LocalDate, label: String, to calendar: String, replaces: Bool = false, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO calendar (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [calendar])
      let id = try ScheduleTable.calendar.required(calendar, db)
      let known = try db.scalar(
        String.self, of: "calendar_day",
        sql: "SELECT label FROM calendar_day WHERE calendar_id = ? AND day = ?", arguments: [id, day.text])
      if let known, known != label, !replaces {
        throw StoreError.refused(
          ScheduleRefusal(
            "taken",
            "the calendar \(calendar) has \(day.text) already, and calls it \(known): --replace changes that")
        )
      }
      try Self.changing(.calendar, id, at: now, db) {
        try db.execute(
          sql: """
            INSERT INTO calendar_day (calendar_id, day, label) VALUES (?, ?, ?)
            ON CONFLICT (calendar_id, day) DO UPDATE SET label = excluded.label
            """, arguments: [id, day.text, label])
      }
    }
  }

  /// Removes a calendar that nothing names.
  package func removeCalendar(_ name: String, at now: WallTime) throws(StoreError) {
    try database.write { db in
      _ = try NamedHistory.keep(.calendar, name, at: now, db) { try ScheduleTable.calendar.remove(name, db) }
    }
  }

  /// Removes a day from a calendar.
  package func removeDay(
    _ day: LocalDate, from calendar: String, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      let id = try ScheduleTable.calendar.required(calendar, db)
      try Self.changing(.calendar, id, at: now, db) {
        try db.execute(
          sql: "DELETE FROM calendar_day WHERE calendar_id = ? AND day = ?", arguments: [id, day.text])
        guard db.changesCount > 0 else {
          throw StoreError.refused(ScheduleRefusal("unknown", "the calendar \(calendar) has no \(day.text)"))
        }
      }
    }
  }

  /// Every day part, by name; damaged ones are noted and skipped.
  package func dayparts() throws(StoreError) -> [Daypart] {
    try database.read { db in try DaypartRows.all(db, noting: database.notes) }
  }

  /// Makes a day part. One that is the same already is left as it is.
  /// - Parameter replaces: whether a day part of this name is changed; otherwise it is an error.
  package func addDaypart(
    _ daypart: Daypart, replaces: Bool = false, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      var daypart = daypart
      let calendars = try DaypartRows.calendars(of: daypart, db)
      let known = try ScheduleTable.daypart.id(of: daypart.name, db)
      if known != nil {
        let present = try DaypartRows.all(db, noting: database.notes).first {
          $0.name.lowercased() == daypart.name.lowercased()
        }
        if let present { daypart.name = present.name }
        if present == daypart { return }
        guard replaces else { throw ScheduleRefusal.taken(.daypart, daypart.name) }
      }
      try NamedHistory.keep(.daypart, daypart.name, at: now, db) {
        try DaypartRows.write(daypart, calendars: calendars, as: known, db)
      }
      if let known { try Self.noteChange(of: .daypart, known, at: now, db) }
    }
  }

  /// Removes a day part that no rule names.
  package func removeDaypart(_ name: String, at now: WallTime) throws(StoreError) {
    try database.write { db in
      _ = try NamedHistory.keep(.daypart, name, at: now, db) { try ScheduleTable.daypart.remove(name, db) }
    }
  }
}
