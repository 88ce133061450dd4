import CastqSchedule
import CastqText
import GRDB

/// Reads calendars with their days.
enum CalendarRows {
  static func all(_ db: GRDB.Database, noting notes: DamageNotes) throws -> [HolidayCalendar] {
    var days: [Int64: [LocalDate: String]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT calendar_id, day, label FROM calendar_day")
    for (calendar, day, label) in try rows.readable(noting: notes, day) {
      days[calendar, default: [:]][day] = label
    }
    return try Row.fetchCursor(db, sql: "SELECT id, name FROM calendar ORDER BY name COLLATE NOCASE")
      .readable(noting: notes) { row in
        let row = StoredRow(row, of: "calendar")
        return HolidayCalendar(name: try row.value("name"), days: days[try row.value("id")] ?? [:])
      }
  }

  private static func day(_ row: Row) throws -> (Int64, LocalDate, String) {
    let row = StoredRow(row, of: "calendar_day", id: "calendar_id")
    return (try row.value("calendar_id"), try row.text("day", LocalDate.init), try row.value("label"))
  }
}
